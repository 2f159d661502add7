"""Asks a program one question after the other, and counts what is said of its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from nomadspec.checkers.conform.judging import Judged, Question, Terms, judge_answer
from nomadspec.checkers.conform.program import FailedError, Program
from nomadspec.checkers.conform.protocol import Hello
from nomadspec.checkers.conform.question_and_answer import Json
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import EXIT_INTERNAL, EXIT_UNREADABLE, InputError

MOST_STARTS: Final = 100
"""A program that breaks off so often is asked no more."""


class Said(StrEnum):
    """What became of one question."""

    AGREED = "agreed"
    DIFFERED = "differed"
    FAILED = "failed"
    """There was no answer: the program ended, took too long, broke the protocol, or said that it failed."""
    UNSUPPORTED = "unsupported"
    UNDECIDED = "undecided"
    DEFECT = "defect"
    """This program failed on it, which says nothing of the other one."""


_OF_RULINGS: Final = {
    Ruling.ACCEPTED: Said.AGREED,
    Ruling.REJECTED: Said.DIFFERED,
    Ruling.UNDECIDED: Said.UNDECIDED,
    Ruling.UNSUPPORTED: Said.UNSUPPORTED,
    Ruling.DEFECT: Said.DEFECT,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One question with what became of it."""

    question: Question
    said: Said
    reason: str = ""
    answer: Json = None
    judged: Judged | None = None

    @property
    def is_wrong(self) -> bool:
        """True if it speaks against the program."""
        return self.said in {Said.DIFFERED, Said.FAILED}


@dataclass(slots=True)
class Score:
    """How a program did, kind by kind."""

    counts: dict[str, dict[Said, int]] = field(default_factory=dict)
    firsts: dict[str, Row] = field(default_factory=dict)
    """The first question of each kind that speaks against the program."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Why questions were not answered or could not be judged, and how many."""
    unreadable: list[InputError] = field(default_factory=list)
    passed_over: int = 0
    """Recorded calls that cannot be asked: how their plans were answered depends on what was chosen."""
    not_named: tuple[str, ...] = ()
    """Kinds that were meant and that the program does not name: no question is made for them."""
    is_stopped: bool = False

    def add(self, row: Row) -> None:
        """Count a row."""
        kind = row.question.kind.name
        counts = self.counts.setdefault(kind, dict.fromkeys(Said, 0))
        counts[row.said] += 1
        if row.is_wrong:
            self.firsts.setdefault(kind, row)
        elif row.said is not Said.AGREED:
            reason = f"{kind}: {row.said}: {row.reason or 'it gives no reason'}"
            self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def count(self, said: Said) -> int:
        """Count what was said over all kinds."""
        return sum(counts[said] for counts in self.counts.values())

    @property
    def asked(self) -> int:
        """Count the questions."""
        return sum(map(self.count, Said))

    @property
    def verdict(self) -> Verdict:
        """Give one verdict for all."""
        if self.firsts:
            return Verdict.VIOLATED
        is_complete = self.asked and self.count(Said.AGREED) == self.asked
        return (
            Verdict.HOLDS
            if is_complete and not (self.is_stopped or self.unreadable or self.not_named)
            else Verdict.INCONCLUSIVE
        )

    @property
    def exit_code(self) -> int:
        """Give the exit code: where this program failed, or could not read, counts before the verdict."""
        if self.count(Said.DEFECT):
            return EXIT_INTERNAL
        return EXIT_UNREADABLE if self.unreadable else self.verdict.exit_code


def ask_all(
    program: Program, questions: Iterable[Question | InputError], terms: Terms, score: Score
) -> Iterator[Row]:
    """Ask all questions that the program says it supports, and judge the answers."""
    hello = program.greet()
    for question in questions:
        if isinstance(question, InputError):
            score.unreadable.append(question)
            continue
        row = ask(program, hello, question, terms)
        score.add(row)
        yield row
        if program.starts >= MOST_STARTS:
            score.is_stopped = True
            return


def ask(program: Program, hello: Hello, question: Question, terms: Terms) -> Row:
    """Ask one question and judge the answer."""
    kind = question.kind.name
    if kind not in hello.kinds:
        return Row(question, Said.UNSUPPORTED, "it is not among the kinds that the program names")
    try:
        reply = program.ask(question)
    except FailedError as error:
        return Row(question, Said.FAILED, str(error))
    if reply.unsupported is not None:
        return Row(question, Said.UNSUPPORTED, reply.unsupported)
    if reply.error is not None:
        return Row(question, Said.FAILED, f"it says: {reply.error}")
    own_terms = Terms(terms.profile, terms.limits, hello.without.get(kind, ()))
    return judge_row(question, reply.answer, own_terms)


def judge_row(question: Question, answer: Json, terms: Terms) -> Row:
    """Judge an answer, and say what became of its question."""
    judged = judge_answer(question, answer, terms)
    return Row(question, _OF_RULINGS[judged.ruling], judged.reason, answer, judged)
