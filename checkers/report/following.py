"""What came of following a log, as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from nomadspec.checkers.escaping import spell_value
from nomadspec.checkers.follow.report import FollowReport, Rejection
from nomadspec.checkers.report.stories import data_of as story_data
from nomadspec.checkers.report.story_text import render_steps
from nomadspec.checkers.report.table import bad, count_of, render_facts, render_paragraph, render_table
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.report.verdicts import (
    about_data,
    budget_data,
    budget_facts,
    describe_stop,
    render_about,
    word_of,
)
from nomadspec.checkers.stepper.reasons import Reason
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import replay as replay_story

_LONGEST_STORY: Final = 20
"""A longer story is not printed: `--story-out` keeps it."""
_STOPPED: Final = {
    "worlds": "more worlds were possible than are kept (--worlds), so that some ways were given up",
    "unseen-steps": "more unseen steps were possible than are taken (--unseen-steps)",
}


@dataclass(frozen=True, slots=True)
class Followed:
    """A log that was followed, with the model as it was asked for."""

    report: FollowReport
    bounded: BoundedModel
    reference: str
    again: str
    is_kept: bool = False
    """Whether its story goes to a file, so that nobody needs to be told how to keep it."""

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/follow.json says what its fields mean."""
        report = self.report
        return {
            "verdict": report.verdict.value,
            **about_data(report.about, self.reference),
            "file": report.file,
            "lines": report.lines,
            "followed": report.followed,
            "worlds": report.worlds,
            "most_worlds": report.most_worlds,
            "unseen": list(report.unseen),
            "unseen_steps": report.unseen_steps,
            "seen": dict(report.seen),
            "never_seen": list(report.never_seen),
            "seconds": round(report.seconds, 3),
            "stopped_by": report.stopped_by,
            "budgets": budget_data(report.budgets),
            "rejection": None if report.rejection is None else asdict(report.rejection),
            "story": story_data(report.story, self.bounded, self.reference),
            "again": self.again,
            "titles": find_titles_in(report.about.profile),
        }

    def render(self) -> str:
        """Write it for people."""
        report = self.report
        parts = [
            render_about(report.about, self.reference),
            render_paragraph(f"{word_of(report.verdict)}  {self._describe_reach()}"),
        ]
        if report.rejection is not None:
            parts += _tell(report.rejection)
        steps = len(report.story.steps)
        if report.rejection is not None and 0 < steps <= _LONGEST_STORY:
            told = render_steps(report.story, replay_story(report.story, self.bounded))
            parts.append(f"  A way that explains the {report.followed:,} before:\n\n{told}")
        parts.append(render_facts(self._facts(), commands=self._commands()))
        return "\n\n".join(parts)

    def _describe_reach(self) -> str:
        report = self.report
        all_lines = count_of(report.lines, "line")
        seconds = f"in {report.seconds:,.1f} s"
        if report.rejection is not None:
            line = report.rejection.line
            return f"line {line} is the first that the model does not allow ({all_lines}, {seconds})"
        if report.stopped_by is None:
            return f"the model allows {report.file}: {all_lines} {seconds}"
        reason = _STOPPED.get(report.stopped_by) or describe_stop(report.stopped_by)
        return f"{report.followed:,} of {all_lines} were followed, and no way is left: {reason} ({seconds})"

    def _facts(self) -> list[tuple[str, str]]:
        report = self.report
        worlds = f"{count_of(report.worlds, 'world')} after the last line that is explained"
        facts = [("may be in", f"{worlds}, {report.most_worlds:,} at most")]
        if report.unseen:
            steps = f"{count_of(report.unseen_steps, 'step')} on the way that is kept"
            facts.append(("unseen", f"{', '.join(report.unseen)}: {steps}"))
        if report.never_seen:
            rules = count_of(len(report.seen), "rule")
            facts.append(("not on it", f"{', '.join(report.never_seen)} (of {rules})"))
        return facts + budget_facts(report.budgets)

    def _commands(self) -> list[tuple[str, str]]:
        kept = f"{self.again} --story-out story.json"
        return [("reproduce", self.again), *([] if self.is_kept else [("keep it", kept)])]


def _tell(rejection: Rejection) -> list[str]:
    parts = [f"{bad(rejection.sentence)}\n  {rejection.text}"]
    if rejection.unlike:
        rows = [
            (one.cell, spell_value(one.recorded), " or ".join(map(spell_value, one.possible)))
            for one in rejection.unlike
        ]
        parts.append(render_table(("field", "recorded", "possible"), rows))
    if rejection.reasons:
        rows_of_rules = [(one.application or one.rule, _why_not(one)) for one in rejection.reasons]
        parts.append(render_table(("nearest", "what fails"), rows_of_rules))
    possible = ", ".join(rejection.possible) or "nothing"
    parts.append(render_facts([("possible there", possible)]))
    return parts


def _why_not(reason: Reason) -> str:
    return _join(reason.fails) if reason.application else "it can never happen so in this scope"


def _join(texts: Sequence[str]) -> str:
    return "; ".join(texts)
