"""What an exhaustive search found, as text and as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, TypeVar

from nomadspec.checkers.attribution import Owned
from nomadspec.checkers.escaping import join_words
from nomadspec.checkers.explore.bounds import CONSTRAINT, DEPTH
from nomadspec.checkers.report.expressions import Expression, render_values, values_data
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    good,
    join_names,
    open_,
    render_facts,
    render_paragraph,
    render_table,
)
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.report.verdicts import (
    PROMISE,
    Fact,
    about_data,
    bound_facts,
    budget_data,
    describe_result,
    describe_stop,
    find_story,
    finding_data,
    lemma_facts,
    not_asked_data,
    render_about,
    render_findings,
    word_of,
)
from nomadspec.checkers.trivial_properties import BY_DEFINITION, list_defined
from nomadspec.checkers.verdict import Audited, Bound, ExploreReport, Verdict
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model_promises import PROMISES, is_promise_of_models
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, Replay, Story
from nomadspec.model.language.story import replay as replay_story

Told = TypeVar("Told")

_VIOLATION: Final = "violation"
_MOST_NAMES: Final = 3
"""So many names a headline takes."""
_MOST_ROWS: Final = 40
"""A table with more rows would push the verdict and the story off the screen."""
_STEPS: Final = re.compile(r" in [\d,]+ steps?")


@dataclass(frozen=True, slots=True)
class Explored:
    """A report, the bounded model that it is about, and how to ask for the same again."""

    report: ExploreReport
    bounded: BoundedModel
    reference: str
    again: str
    expressions: tuple[Expression, ...] = ()
    """What is computed along the story."""
    go_on: str | None = None
    """The command that a checkpoint goes on with: without the limits that ended the search."""
    is_kept: bool = False
    """Whether its story goes to a file, so that nobody needs to be told how to keep it."""
    owners: Mapping[str, Owned] = field(default_factory=dict)
    """Which known findings the story of a violated property shows, where anything is known of the model."""

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
            "not_checked": {**report.not_checked, **report.elsewhere, **not_asked_data(report.idle)},
            "findings": finding_data(report.findings, self.bounded, self.reference, self.owners),
            "reached": {name: len(story.steps) if story else None for name, story in report.reached.items()},
            "fired": dict(report.fired),
            "never_fired": list(report.silent_rules),
            "budgets": budget_data(report.budgets),
            "bounds": [
                {"kind": one.kind, "text": one.text, "is_reached": one.is_reached} for one in report.bounds
            ],
            "values": self._values(values_data) or [],
            "checkpoint": report.checkpoint,
            "checkpoint_problem": report.checkpoint_problem,
            "again": self.again,
            "titles": find_titles_in(report.about.profile),
        }

    def render(self, *, with_engine: bool = False) -> str:
        """Write it for people; with the engine's details where they are wanted."""
        about = render_about(self.report.about, self.reference)
        parts = [about, self._headline(), self._results(in_full=with_engine)]
        parts += render_findings(self.report.findings, self.bounded, self.owners)
        told = self._values(lambda asked, replay: render_values(asked, replay, self._name_story()))
        parts += [told] if told else []
        parts.append(render_facts(self._facts(with_engine=with_engine), commands=self._commands()))
        return "\n\n".join(parts)

    def _name_story(self) -> str:
        story = self.story()
        return "" if story is None else story.property or ""

    def _values(self, tell: Callable[[tuple[Expression, ...], Replay], Told]) -> Told | None:
        """Tell what expressions are along the story, where there are both."""
        story = self.story()
        if story is None or not self.expressions:
            return None
        return tell(self.expressions, replay_story(story, self.bounded))

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
            kind = f"{'needed' if 'partial-order' in report.reduction else 'reachable'} {noun}"
            every = f"all {count_of(report.distinct, kind)}" if report.distinct != 1 else f"the only {kind}"
            return f"exhaustive: {every}{self._describe_unchecked()}"
        if report.stopped_by in {DEPTH, CONSTRAINT}:
            verb = "searched" if report.verdict is Verdict.VIOLATED else "holds"
            return f"{verb} within {self._within}, beyond which there is more: {worlds}"
        if report.stopped_by == _VIOLATION:
            return f"stopped at a violation after {worlds}"
        return f"not exhaustive, {describe_stop(report.stopped_by or '')}: {worlds} so far"

    def _describe_unchecked(self) -> str:
        """Name what a complete search leaves open, since it was not checked."""
        report = self.report
        if report.stopped_by:
            return f"; but {describe_stop(report.stopped_by)} before every property was checked"
        if report.verdict is not Verdict.INCONCLUSIVE:
            return ""
        names = list(report.not_checked)
        said = join_names(names) if len(names) <= _MOST_NAMES else count_of(len(names), "", "properties")
        return f"; but {said} {'was' if len(names) == 1 else 'were'} not checked"

    @property
    def _within(self) -> str:
        """Name the bounds that left something out."""
        return " and ".join(_name_bound(bound) for bound in self.report.bounds if bound.is_reached)

    def _results(self, *, in_full: bool) -> str:
        """Write a row for each property; of many, those that are alike are counted."""
        rows = [(name, self._kind(name), self._result(name)) for name in self.report.checked]
        rows += [
            (name, self._kind(name), _tell_unchecked(reason))
            for name, reason in self.report.not_checked.items()
        ]
        heading = ("property", "kind", "result")
        if in_full or len(rows) <= _MOST_ROWS:
            return render_table(heading, rows)
        return f"{render_table(heading, self._count_alike(rows))}\n  --verbose lists them by name"

    def _count_alike(self, rows: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        """Count the rows of a kind with one result; those that are violated keep their names."""
        violated = {finding.property for finding in self.report.findings}
        told = [row for row in rows if row[0] in violated]
        alike: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
        for row in rows:
            if row[0] not in violated:
                alike.setdefault((row[1], _STEPS.sub("", row[2])), []).append(row)
        return told + [
            members[0] if len(members) == 1 else (count_of(len(members), "property", "properties"), *key)
            for key, members in alike.items()
        ]

    def _kind(self, name: str) -> str:
        if name in PROMISES:
            return PROMISE
        return "" if name == DEADLOCK else self.bounded.model.find_property(name).kind_text

    def _result(self, name: str) -> str:
        report = self.report
        finding = next((one for one in report.findings if one.property == name), None)
        if finding is not None:
            return bad(_violated(len(finding.story.steps) if finding.story else None))
        if report.stopped_by in {DEPTH, CONSTRAINT}:
            return self._bounded_result(name)
        is_complete = report.is_exhaustive
        if name == DEADLOCK or name in PROMISES:
            text = "no world is stuck" if name == DEADLOCK else "kept in every step"
            return good(text) if is_complete else "not refuted so far"
        kind = self.bounded.model.find_property(name).kind
        if kind is Kind.SOMETIMES:
            story = report.reached.get(name)
            return (
                good(f"is reached in {count_of(len(story.steps), 'step')}") if story else "not reached so far"
            )
        does_fail = any(is_promise_of_models(one.property) for one in report.findings)
        if not does_fail and list_defined(self.bounded, [self.bounded.model.find_property(name)]):
            return good(BY_DEFINITION)
        text = describe_result(kind, is_complete=is_complete)
        return good(text) if is_complete else text

    def _bounded_result(self, name: str) -> str:
        """Say what holds of the worlds that no bound left out, where some were."""
        is_wish = name in self.report.reached
        story = self.report.reached.get(name)
        if is_wish and story is not None:
            return good(f"is reached in {count_of(len(story.steps), 'step')}")
        if name == DEADLOCK:  # nobody looked for steps from the worlds at the bound
            return f"not refuted within {self._within}"
        return f"{'not reached' if is_wish else 'holds'} within {self._within}"

    def _facts(self, *, with_engine: bool) -> list[Fact]:
        report = self.report
        facts = bound_facts(
            report.fired,
            report.budgets,
            is_stopped=report.stopped_by not in {None, DEPTH, CONSTRAINT},
            in_full=with_engine,
        )
        unused = [_name_bound(bound) for bound in report.bounds if not bound.is_reached]
        if unused:
            facts.append(("not reached", f"{' and '.join(unused)}, so nothing was cut off"))
        if report.elsewhere:
            facts.append(("elsewhere", f"{len(report.elsewhere)} `sometimes` are promised by other scopes"))
        facts += lemma_facts(report.idle)
        if with_engine:
            facts.append(("engine", "; ".join([report.engine, *report.engine_notes])))
        facts += [("stories", note) for note in report.story_notes]
        if report.audited is not None:
            facts.append(("audit", _describe_audit(report.audited)))
        if with_engine:
            facts.append(("digest", report.digest))
        told = [text for text in (report.checkpoint, report.checkpoint_problem) if text is not None]
        return [*facts, ("checkpoint", ": ".join(told))] if told else facts

    def _commands(self) -> list[Fact]:
        report = self.report
        commands = [("reproduce", self.again)]
        if report.checkpoint is not None:
            resume = join_words(["--resume", report.checkpoint])
            commands.append(("go on", f"{self.go_on or self.again} {resume}"))
        if find_story(report.findings) is not None and not self.is_kept:
            commands.append(("keep it", f"{self.again} --story-out story.json"))
        return commands


def _violated(steps: int | None) -> str:
    return "is never reached" if steps is None else f"violated after {count_of(steps, 'step')}"


def _name_bound(bound: Bound) -> str:
    return f"{bound.kind} {bound.text}" if bound.kind == DEPTH else f"the constraint {bound.text!r}"


def _tell_unchecked(reason: str) -> str:
    """Say once that something was not checked, and why."""
    said = "not checked"
    return reason.replace(said, open_(said), 1) if said in reason else f"{open_(said)}: {reason}"


def _describe_audit(audited: Audited) -> str:
    """Say what was compared; a difference is an error and is told elsewhere."""
    if audited.stopped_by is not None:
        return f"not finished ({describe_stop(audited.stopped_by)}): nothing was compared"
    return (
        f"the full search finds the same ({count_of(audited.full_distinct, 'world')} and "
        f"{count_of(audited.full_generated, 'step')} instead of {audited.distinct:,} and "
        f"{audited.generated:,})"
    )
