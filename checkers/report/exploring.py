"""What an exhaustive search found, as text and as data."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from typing import Final

from nomadspec.checkers.report.table import (
    bad,
    count_of,
    good,
    open_,
    render_facts,
    render_paragraph,
    render_table,
)
from nomadspec.checkers.report.verdicts import (
    Fact,
    about_data,
    bound_facts,
    budget_data,
    describe_about,
    describe_result,
    describe_stop,
    find_story,
    finding_data,
    render_findings,
    word_of,
)
from nomadspec.checkers.verdict import Audited, ExploreReport
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.property import Kind
from nomadspec.model.story import DEADLOCK, Story

_VIOLATION: Final = "violation"


@dataclass(frozen=True, slots=True)
class Explored:
    """A report, the bounded model that it is about, and how to ask for the same again."""

    report: ExploreReport
    bounded: BoundedModel
    reference: str
    again: str

    def story(self) -> Story | None:
        """Give the story that is worth keeping: of what is wrong, else of what was reached."""
        wrong = find_story(self.report.findings)
        return wrong or next((story for story in self.report.reached.values() if story), None)

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/explore.json says what its fields mean."""
        report = self.report
        return {
            "verdict": report.verdict.value,
            **about_data(report.about, self.reference),
            "reduction": report.reduction,
            "audit": asdict(report.audited) if report.audited is not None else None,
            "engine": report.engine,
            "engine_notes": list(report.engine_notes),
            "story_notes": list(report.story_notes),
            "distinct": report.distinct,
            "generated": report.generated,
            "depth": report.depth,
            "seconds": round(report.seconds, 3),
            "digest": report.digest,
            "stopped_by": report.stopped_by,
            "exhaustive": report.is_exhaustive,
            "checked": list(report.checked),
            "not_checked": {**report.not_checked, **report.elsewhere},
            "findings": finding_data(report.findings, self.bounded, self.reference),
            "reached": {name: len(story.steps) if story else None for name, story in report.reached.items()},
            "fired": dict(report.fired),
            "never_fired": list(report.silent_rules),
            "budgets": budget_data(report.budgets),
            "checkpoint": report.checkpoint,
            "checkpoint_problem": report.checkpoint_problem,
            "again": self.again,
        }

    def render(self) -> str:
        """Write it for people."""
        parts = [describe_about(self.report.about, self.reference), self._headline(), self._results()]
        parts += render_findings(self.report.findings, self.bounded)
        parts.append(render_facts(self._facts(), commands=self._commands()))
        return "\n\n".join(parts)

    def _headline(self) -> str:
        report = self.report
        reduced = "no reduction" if report.reduction == "none" else f"{report.reduction} reduction"
        size = f"{count_of(report.generated, 'step')} generated, depth {report.depth}, {reduced}"
        return render_paragraph(
            f"{word_of(report.verdict)}  {self._describe_reach()} ({size}) in {report.seconds:,.1f} s"
        )

    def _describe_reach(self) -> str:
        report = self.report
        noun = "orbit" if report.reduction.startswith("symmetry") else "world"
        worlds = count_of(report.distinct, noun)
        if report.is_exhaustive:
            every = f"all {worlds}" if report.distinct != 1 else f"the only {noun}"
            needed = "is needed" if report.distinct == 1 else "are needed"
            wanted = needed if "partial-order" in report.reduction else "can be reached"
            missing = f"; but {describe_stop(report.stopped_by or '')} before all was answered"
            return f"exhaustive: {every} that {wanted}{missing if report.stopped_by else ''}"
        if report.stopped_by == _VIOLATION:
            return f"stopped where something is wrong, after {worlds}"
        return f"not exhaustive, {describe_stop(report.stopped_by or '')}: {worlds} so far"

    def _results(self) -> str:
        rows = [(name, self._kind(name), self._result(name)) for name in self.report.checked]
        rows += [
            (name, self._kind(name), f"{open_('not checked')}: {reason}")
            for name, reason in self.report.not_checked.items()
        ]
        return render_table(("property", "kind", "result"), rows)

    def _kind(self, name: str) -> str:
        return "" if name == DEADLOCK else self.bounded.model.find_property(name).kind.value

    def _result(self, name: str) -> str:
        report = self.report
        finding = next((one for one in report.findings if one.property == name), None)
        if finding is not None:
            return bad(_violated(len(finding.story.steps) if finding.story else None))
        is_complete = report.is_exhaustive
        if name == DEADLOCK:
            return good("no world is stuck") if is_complete else "not refuted so far"
        kind = self.bounded.model.find_property(name).kind
        if kind is Kind.SOMETIMES:
            story = report.reached.get(name)
            return (
                good(f"is reached in {count_of(len(story.steps), 'step')}") if story else "not reached so far"
            )
        text = describe_result(kind, is_complete=is_complete)
        return good(text) if is_complete else text

    def _facts(self) -> list[Fact]:
        report = self.report
        facts = bound_facts(report.fired, report.budgets)
        if report.elsewhere:
            facts.append(("elsewhere", f"{len(report.elsewhere)} `sometimes` are promised by other scopes"))
        facts.append(("engine", "; ".join([report.engine, *report.engine_notes])))
        facts += [("stories", note) for note in report.story_notes]
        if report.audited is not None:
            facts.append(("audit", _describe_audit(report.audited)))
        facts.append(("digest", report.digest))
        told = [text for text in (report.checkpoint, report.checkpoint_problem) if text is not None]
        return [*facts, ("checkpoint", ": ".join(told))] if told else facts

    def _commands(self) -> list[Fact]:
        report = self.report
        commands = [("again", self.again)]
        if report.checkpoint is not None:
            commands.append(("go on", f"{self.again} --resume {shlex.quote(report.checkpoint)}"))
        if find_story(report.findings) is not None:
            commands.append(("keep it", f"{self.again} --story-out story.json"))
        return commands


def _violated(steps: int | None) -> str:
    return "is never reached" if steps is None else f"violated after {count_of(steps, 'step')}"


def _describe_audit(audited: Audited) -> str:
    """Say what was compared; a difference is an error and is told elsewhere."""
    if audited.stopped_by is not None:
        return f"not finished ({describe_stop(audited.stopped_by)}): nothing was compared"
    return (
        f"the full search finds the same ({count_of(audited.full_distinct, 'world')} and "
        f"{count_of(audited.full_generated, 'step')} instead of {audited.distinct:,} and "
        f"{audited.generated:,})"
    )
