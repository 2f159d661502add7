"""What came of holding one model against another, as text and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from nomadspec.checkers.escaping import spell_value
from nomadspec.checkers.refine.report import Becomes, Failure, Fault, RefineReport
from nomadspec.checkers.report.stories import data_of as story_data
from nomadspec.checkers.report.story_text import render_steps
from nomadspec.checkers.report.table import bad, count_of, render_facts, render_paragraph, render_table
from nomadspec.checkers.report.titles import find_titles_in, render_legend
from nomadspec.checkers.report.verdicts import about_data, describe_about, describe_stop, word_of
from nomadspec.checkers.stepper.reasons import Reason
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import replay as replay_story

NOT_CHECKED: Final = "promises over time, and where either model is stuck: only steps are compared"
_MOST_TOLD: Final = 3
"""So many conditions or fields of a rule are told."""


@dataclass(frozen=True, slots=True)
class Refined:
    """A comparison, with the models as they were asked for."""

    report: RefineReport
    low: BoundedModel
    reference: str
    by: str
    again: str
    is_kept: bool = False
    """Whether its story goes to a file, so that nobody needs to be told how to keep it."""

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/refine.json says what its fields mean."""
        report = self.report
        return {
            "verdict": report.verdict.value,
            **about_data(report.about, self.reference),
            "by": self.by,
            "mapping": report.mapping,
            "high": about_data(report.high, report.high.model),
            "worlds": report.worlds,
            "steps": report.steps,
            "stuttering": report.stuttering,
            "high_worlds": report.high_worlds,
            "seconds": round(report.seconds, 3),
            "becomes": [asdict(one) for one in report.becomes],
            "taken": dict(report.taken),
            "never_taken": list(report.never_taken),
            "vacuous": report.is_vacuous,
            "stopped_by": report.stopped_by,
            "failure": self._failure_data(report.failure),
            "not_checked": NOT_CHECKED,
            "again": self.again,
            "titles": find_titles_in(report.about.profile, report.high.profile),
        }

    def render(self) -> str:
        """Write it for people."""
        report = self.report
        parts = [
            "\n".join(filter(None, [self._describe_both(), render_legend(report.about.profile)])),
            render_paragraph(f"{word_of(report.verdict)}  {self._describe_reach()}"),
        ]
        if report.becomes:
            parts.append(render_table(("rule", ">steps", "seen as"), [_row(one) for one in report.becomes]))
        if report.failure is not None:
            parts.append(self._tell(report.failure))
        parts.append(render_facts(self._facts(), commands=self._commands()))
        return "\n\n".join(parts)

    def _describe_both(self) -> str:
        low, high = self.report.about, self.report.high
        as_high = f"as {describe_about(high, high.model)}, by {self.report.mapping}"
        return f"{describe_about(low, self.reference)}\n{as_high}"

    def _describe_reach(self) -> str:
        report = self.report
        size = (
            f"{count_of(report.worlds, 'world')}, {count_of(report.steps, 'step')}, of which "
            f"{report.stuttering:,} change nothing there, in {report.seconds:,.1f} s"
        )
        high = report.high.model
        if report.failure is not None:
            failing = {Fault.LOW: report.about.model, Fault.HIGH: high}.get(report.failure.fault)
            what = f"a step is none of {high}" if failing is None else f"a rule of {failing} fails"
            return f"{what}: stopped after {size}"
        if report.stopped_by is not None:
            return f"not all is compared, {describe_stop(report.stopped_by)}: {size}"
        if report.is_vacuous:
            return f"nothing is compared, since no step changes anything in {high}: {size}"
        return f"each step that can be taken is one of {high}, or changes nothing there ({size})"

    def _facts(self) -> list[tuple[str, str]]:
        report = self.report
        rules = count_of(len(report.taken), "rule")
        facts = [("seen as", f"{count_of(report.high_worlds, 'world')} of {report.high.model}")]
        if report.never_taken:
            facts.append(("never taken", f"{', '.join(report.never_taken)} (of {rules})"))
        return [*facts, ("not checked", NOT_CHECKED)]

    def _commands(self) -> list[tuple[str, str]]:
        commands = [("reproduce", self.again)]
        if self.report.failure is not None and not self.is_kept:
            commands.append(("keep it", f"{self.again} --story-out story.json"))
        return commands

    def _tell(self, failure: Failure) -> str:
        replay = replay_story(failure.story, self.low)
        parts = [bad(failure.sentence)]
        if failure.story.steps:
            parts.append(render_steps(failure.story, replay))
        if failure.after is not None:
            parts.append(_render_worlds(failure.before, failure.after))
        if failure.reasons:
            rows = [(reason.application or reason.rule, _why_not(reason)) for reason in failure.reasons]
            parts.append(render_table((f"rule of {self.report.high.model}", "why it is not this step"), rows))
        return "\n\n".join(parts)

    def _failure_data(self, failure: Failure | None) -> dict[str, object] | None:
        if failure is None:
            return None
        return {
            "fault": failure.fault.value,
            "sentence": failure.sentence,
            "before": None if failure.before is None else dict(failure.before),
            "after": None if failure.after is None else dict(failure.after),
            "rules": [asdict(reason) for reason in failure.reasons],
            "story": story_data(failure.story, self.low, self.reference),
        }


def _row(one: Becomes) -> tuple[str, str, str]:
    return one.rule, f"{one.steps:,}", " or ".join(one.high) or "nothing"


def _render_worlds(
    before: Mapping[str, str | int | bool] | None, after: Mapping[str, str | int | bool]
) -> str:
    """Write both mapped worlds side by side; what differs is marked."""
    if before is None:
        return render_table(
            ("field", "first world"), [(name, spell_value(value)) for name, value in after.items()]
        )
    rows = [
        (
            name,
            spell_value(before[name]),
            f"{spell_value(value)}{' (changed)' if before[name] != value else ''}",
        )
        for name, value in after.items()
    ]
    return render_table(("field", "before the step", "after it"), rows)


def _why_not(reason: Reason) -> str:
    if not reason.application:
        return "it can never happen in this scope"
    told = [f"{_join(reason.fails)} fails" if len(reason.fails) == 1 else ""]
    if len(reason.fails) > 1:
        told = [f"{_join(reason.fails)} fail"]
    differing = [
        f"{one.cell} := {spell_value(one.becomes)}, not {spell_value(one.wanted)}" for one in reason.differs
    ]
    if differing:
        told.append(f"it leads elsewhere: {_join(differing)}")
    return "; ".join(filter(None, told))


def _join(texts: Sequence[str]) -> str:
    more = len(texts) - _MOST_TOLD
    return ", ".join(texts[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")
