"""What came of a scenario: its timeline, its evaluations, and what was expected in vain."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from nomadspec.checkers.report.stopped_run import describe_stopped
from nomadspec.checkers.report.table import bad, count_of, good, render_table, strong
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.scenario.language import Statement
from nomadspec.checkers.scenario.run import Event, Run
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.world import START_NS
from nomadspec.model.errors import EXIT_UNREADABLE

WIDTH: Final = 110
_AT, _INDEX, _ACTOR = 10, 6, 18
"""How wide the first columns of a timeline are, whatever stands in them; the rest is what happened."""
_MARGIN: Final = _AT + 2 + _INDEX + 2 + _ACTOR + 2


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario that was played to its end."""

    file: str
    statements: Sequence[str]
    """The lines of the file."""
    run: Run
    width: int = WIDTH
    name: str = ""
    """What the file is called where the documentation names it, such as docs/scenarios/seed/...scenario."""

    @property
    def title(self) -> str:
        """What people are shown in place of the path."""
        return self.name or self.file

    @property
    def exit_code(self) -> int:
        """0 where everything is as expected, 1 where something is not, 4 where it was stopped before that."""
        return self.verdict.exit_code

    @property
    def verdict(self) -> Verdict:
        """Whether everything is as expected."""
        if self.run.unmet:
            return Verdict.VIOLATED
        return Verdict.HOLDS if self.run.stopped_by is None else Verdict.INCONCLUSIVE

    def data(self) -> dict[str, Any]:
        """Write it as an object: docs/reference/json/scenario.json says what its fields mean."""
        run = self.run
        return {
            "file": self.file,
            "profile": run.world.settings.profile.name,
            "verdict": self.verdict.value,
            "stopped_by": run.stopped_by,
            "stopped_in_line": None if run.stopped_by is None else run.line,
            "met": run.met,
            "unmet": [
                {"line": each.line, "expected": each.expected, "found": each.found} for each in run.unmet
            ],
            "events": [
                {
                    "line": each.line,
                    "seconds": _seconds(each.at_ns),
                    "actor": each.actor,
                    "act": each.what,
                    "index": each.index,
                    "evals": list(each.made),
                    "refused": each.reply.error,
                    "answer": each.reply.says,
                }
                for each in run.events
            ],
            "evals": [
                {
                    "id": entry.id,
                    "job": entry.job_id,
                    "triggered_by": entry.triggered_by,
                    "status": entry.status,
                    "previous": entry.previous_eval,
                    "next": entry.next_eval,
                    "blocked": entry.blocked_eval,
                }
                for entry in run.world.state.list_evals()
            ],
            "titles": find_titles_in(run.world.settings.profile.name),
        }

    def render(self) -> str:
        """Write it as text: the timeline, the evaluations, the verdict."""
        parts = [self._head(), self._timeline(), self._evals(), *self._unmet()]
        ending = "\n".join([*self._list_surprises(), self._verdict()])
        return "\n\n".join(part for part in (*parts, ending) if part)

    def render_verdict(self) -> str:
        """Write only how it ended, in a line, and what was expected in vain."""
        word = self.verdict.value.upper()
        verdict = good(word) if self.verdict is Verdict.HOLDS else bad(word)
        lines = [f"{verdict}  {self.title}"]
        lines += [
            f"  line {each.line}: expected {each.expected}, found {each.found}" for each in self.run.unmet
        ]
        lines += [f"  {surprise}" for surprise in self._list_surprises()]
        lines += [f"  {describe_stopped(self.run)}" for _ in (self.run,) if self.run.stopped_by is not None]
        return "\n".join(lines)

    def _list_surprises(self) -> list[str]:
        """Tell which requests were refused, unless a line expects that: a name may be misspelt."""
        return [
            f"line {line} was refused, which no line expects: {error}"
            for line, error in self.run.list_surprises()
        ]

    def _head(self) -> str:
        return f"{self.title}, profile {self.run.world.settings.profile.name}"

    def _timeline(self) -> str:
        lines = [_columns("AT", "INDEX", "ACTOR", "ACT", self.width)]
        for number, events in groupby(self.run.events, key=lambda event: event.line):
            lines.append(strong(f"-- {self.statements[number - 1].strip()}"))
            for event in events:
                lines.extend(_render_event(event, self.width))
        return "\n".join(lines)

    def _evals(self) -> str:
        rows = [
            (entry.id, entry.job_id, entry.triggered_by, entry.status)
            for entry in self.run.world.state.list_evals()
        ]
        return render_table(("evaluation", "job", "triggered by", "status"), rows, indent=0) if rows else ""

    def _unmet(self) -> list[str]:
        rows = [(str(each.line), each.expected, each.found) for each in self.run.unmet]
        return [render_table(("line", "expected", "found"), rows, indent=0)] if rows else []

    def _verdict(self) -> str:
        met, unmet = self.run.met, len(self.run.unmet)
        stopped_by = self.run.stopped_by
        end = "" if stopped_by is None else f"; {describe_stopped(self.run)}"
        if unmet:
            return f"{bad('VIOLATED')}  {unmet} of {count_of(met + unmet, 'expectation')} not met{end}"
        word = self.verdict.value.upper()
        shown = good(word) if stopped_by is None else bad(word)
        if not met and stopped_by is None:
            return f"{shown}  played to its end; it expects nothing"
        return f"{shown}  {met} {'expectation is' if met == 1 else 'expectations are'} met{end}"


@dataclass(frozen=True, slots=True)
class Unplayed:
    """A file that could not be read as a scenario, or not be played to its end."""

    file: str
    reason: str


def judge_all(played: Sequence[Played], unplayed: Sequence[Unplayed]) -> Verdict:
    """Give one verdict on all scenarios: the worst."""
    verdicts = {one.verdict for one in played} | {Verdict.INCONCLUSIVE for _ in unplayed}
    order = (Verdict.VIOLATED, Verdict.INCONCLUSIVE)
    return next((verdict for verdict in order if verdict in verdicts), Verdict.HOLDS)


def find_exit_code(played: Sequence[Played], unplayed: Sequence[Unplayed]) -> int:
    """Find how to end: what is violated comes first, then what could not be read."""
    whole = judge_all(played, unplayed)
    return EXIT_UNREADABLE if unplayed and whole is not Verdict.VIOLATED else whole.exit_code


def write_all(played: Sequence[Played], unplayed: Sequence[Unplayed]) -> dict[str, Any]:
    """Write how several scenarios ended as an object: docs/reference/json/scenarios.json has its fields."""
    return {
        "verdict": judge_all(played, unplayed).value,
        "scenarios": [
            {name: value for name, value in one.data().items() if name not in {"events", "evals", "titles"}}
            for one in played
        ],
        "unreadable": [{"file": one.file, "reason": one.reason} for one in unplayed],
        "titles": find_titles_in(*(one.run.world.settings.profile.name for one in played)),
    }


def render_all(played: Sequence[Played], unplayed: Sequence[Unplayed]) -> str:
    """Write how several scenarios ended, and how many of them as expected."""
    lines = [one.render_verdict() for one in played]
    lines += [f"{bad('UNREADABLE')}  {one.reason}" for one in unplayed]
    kept = sum(one.verdict is Verdict.HOLDS for one in played)
    whole = judge_all(played, unplayed)
    word = whole.value.upper()
    verdict = good(word) if whole is Verdict.HOLDS else bad(word)
    total = len(played) + len(unplayed)
    return "\n".join([*lines, "", f"{verdict}  {kept} of {total} scenarios go as expected"])


def render_words(statements: Sequence[Statement]) -> str:
    """Write what a line can say, by subject, and below the options that there are."""
    rows = [(one.shown, one.about) for one in statements]
    options = sorted({(name, about) for one in statements for name, about in one.options.items()})
    tables = [
        render_table(("statement", "does"), rows, indent=0),
        render_table(("option", "value"), options, indent=0),
    ]
    return "\n\n".join(tables)


def _render_event(event: Event, width: int) -> Iterator[str]:
    """Write a row, and below it what came with it: evaluations, and the answer to an operator."""
    at = f"{_seconds(event.at_ns):.1f}s"
    yield _columns(at, str(event.index), event.actor, event.what, width)
    notes = [f"+ {each}" for each in event.made]
    if event.reply.error:
        notes.append(f"refused: {' '.join(event.reply.error.split())}")
    if event.reply.says:
        notes.append(f"answer: {event.reply.says}")
    for note in notes:
        yield from (" " * _MARGIN + line for line in textwrap.wrap(note, width - _MARGIN))


def _columns(at: str, index: str, actor: str, what: str, width: int) -> str:
    first, *rest = textwrap.wrap(what, width - _MARGIN, break_long_words=True) or [""]
    line = f"{at:>{_AT}}  {index:>{_INDEX}}  {actor:<{_ACTOR}}  {first}".rstrip()
    return "\n".join([line, *(" " * _MARGIN + each for each in rest)])


def _seconds(at_ns: int) -> float:
    return (at_ns - START_NS) / NS_PER_S
