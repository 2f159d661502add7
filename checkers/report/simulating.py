"""What random walks found, as text and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nomadspec.checkers.attribution import Owned
from nomadspec.checkers.coverage import ARROWS, PREMISES
from nomadspec.checkers.report.stories import data_of as story_data
from nomadspec.checkers.report.table import count_of, render_facts, render_paragraph
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.report.verdicts import (
    Fact,
    about_data,
    bound_facts,
    budget_data,
    describe_stop,
    find_story,
    finding_data,
    lemma_facts,
    not_asked_data,
    render_about,
    render_findings,
    word_of,
)
from nomadspec.checkers.verdict import Covered, SimulateReport, Verdict
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import Story

_TOLD: Final = (ARROWS, PREMISES)


@dataclass(frozen=True, slots=True)
class Simulated:
    """A report, the bounded model that it is about, and how to walk the same walks again."""

    report: SimulateReport
    bounded: BoundedModel
    reference: str
    again: str
    is_kept: bool = False
    """Whether its story goes to a file, so that nobody needs to be told how to keep it."""
    owners: Mapping[str, Owned] = field(default_factory=dict)
    """Which known findings the story of a violated property shows, where anything is known of the model."""

    def story(self) -> Story | None:
        """Give the story of what is wrong, else of what was asked for by its name and reached."""
        return find_story(self.report.findings) or next(iter(self.report.ways.values()), None)

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/simulate.json says what its fields mean."""
        report = self.report
        return {
            "verdict": report.verdict.value,
            **about_data(report.about, self.reference),
            "seed": report.seed,
            "walks": report.walks,
            "steps": report.steps,
            "seconds": round(report.seconds, 3),
            "digest": report.digest,
            "stopped_by": report.stopped_by,
            "checked": list(report.checked),
            "not_checked": {**report.not_checked, **not_asked_data(report.idle)},
            "findings": finding_data(report.findings, self.bounded, self.reference, self.owners),
            "reached": dict(report.reached),
            "ways": {
                name: story_data(story, self.bounded, self.reference) for name, story in report.ways.items()
            },
            "fired": dict(report.fired),
            "never_fired": [rule for rule, times in report.fired.items() if not times],
            "budgets": budget_data(report.budgets),
            "coverage": [
                {"kind": each.kind, "met": each.met, "total": each.total, "missed": list(each.missed)}
                for each in report.coverage
            ],
            "again": self.again,
            "titles": find_titles_in(report.about.profile),
        }

    def render(self, *, with_engine: bool = False) -> str:
        """Write it for people; with the engine's details where they are wanted."""
        parts = [render_about(self.report.about, self.reference), self._headline()]
        parts += render_findings(self.report.findings, self.bounded, self.owners)
        commands = [("reproduce", self.again)]
        if self.story() is not None and not self.is_kept:
            commands.append(("keep it", f"{self.again} --story-out story.json"))
        parts.append(render_facts(self._facts(with_engine=with_engine), commands=commands))
        return "\n\n".join(parts)

    def _headline(self) -> str:
        report = self.report
        size = f"{count_of(report.steps, 'step')} of {count_of(report.walks, 'walk')}, seed {report.seed}"
        found = f"no violation was found in {size}; other walks may find one"
        if report.verdict is Verdict.VIOLATED:
            found = f"a violation was found in {size}"
        is_cut = report.stopped_by is not None and report.verdict is not Verdict.VIOLATED
        stop = f"; {describe_stop(str(report.stopped_by))}" if is_cut else ""
        return render_paragraph(
            f"{word_of(report.verdict)}  sampled: {found}{stop} ({report.seconds:,.1f} s)"
        )

    def _word(self, name: str) -> str:
        """Name what was reached, and in how many steps where that was asked for."""
        way = self.report.ways.get(name)
        return name if way is None else f"{name} in {count_of(len(way.steps), 'step')}"

    def _facts(self, *, with_engine: bool) -> list[Fact]:
        report = self.report
        facts = [
            (word, ", ".join(names))
            for word, names in (
                ("reached", [self._word(name) for name, is_reached in report.reached.items() if is_reached]),
                ("not reached", [name for name, is_reached in report.reached.items() if not is_reached]),
            )
            if names
        ]
        facts += [("not checked", f"{name}: {reason}") for name, reason in report.not_checked.items()]
        facts += lemma_facts(report.idle)
        facts += bound_facts(
            report.fired, report.budgets, is_stopped=report.verdict is Verdict.VIOLATED, in_full=with_engine
        )
        facts += list_coverage(report.coverage)
        return [*facts, ("digest", report.digest)] if with_engine else facts


def list_coverage(coverage: Sequence[Covered]) -> list[Fact]:
    """Say how much was met of each kind, and which arrows and premises were not."""
    if not coverage:
        return []
    shares = [f"{each.met} of {count_of(each.total, each.kind.removesuffix('s'))}" for each in coverage]
    missed = [(f"{each.kind} missed", ", ".join(each.missed)) for each in coverage if each.kind in _TOLD]
    return [("met", ", ".join(shares)), *(fact for fact in missed if fact[1])]
