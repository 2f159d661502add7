"""Judges one answer of an implementation: what of it the model does not allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import msgspec

from nomadspec.checkers.conform.calls import SCHEDULER, answer_call, put_call_together
from nomadspec.checkers.conform.free_answers import adapt, align, blend
from nomadspec.checkers.conform.model_answers import compute_answer
from nomadspec.checkers.conform.question_and_answer import Json, MalformedError, put_together, take_answer
from nomadspec.checkers.oracle.check import find_differences, judge
from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.judgement import Difference, Ruling, Undecided, Unsupported
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import Kind
from nomadspec.checkers.report.judging import plain
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

MOST_DIFFERENCES: Final = 100
"""Of one answer no more are told."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: what an implementation is asked, and what kind of recordings it is taken from."""

    id: str
    kind: Kind
    asked: Document
    source: str = ""
    """Where it comes from: a file of recordings, or nothing where it was made."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Under which conditions answers are judged."""

    profile: Profile
    limits: Limits = LIMITS
    without: Sequence[str] = field(default_factory=tuple)
    """Patterns of members that the implementation says it does not answer."""

    def make_context(self) -> Context:
        """Make the surroundings in which one answer is judged: what was chosen by chance is left aside."""
        return Context(profile=self.profile, ignores_choices=True, limits=self.limits)


@dataclass(frozen=True, slots=True)
class Judged:
    """What is said of one answer."""

    ruling: Ruling
    differences: tuple[Difference, ...] = ()
    reason: str = ""
    recording: Document = field(default_factory=dict)
    """Question and answer as a recording in which only what is wrong differs from the model's."""

    @property
    def is_agreed(self) -> bool:
        """True if the model allows the answer."""
        return self.ruling is Ruling.ACCEPTED


def judge_answer(question: Question, answer: Json, terms: Terms) -> Judged:
    """Judge an answer; one that cannot be read as such differs."""
    try:
        recording = make_recording(question, answer)
    except MalformedError as error:
        return Judged(Ruling.REJECTED, (Difference(error.path, answer, None, ""),), error.problem)
    comparison = _Comparison(question, answer, terms, recording)
    line = Line("the answer", 0, recording)
    try:
        judgement = judge(comparison.ask, question.kind, line, terms.make_context())
    except InputError as error:
        found = (Difference(error.at.removeprefix("line 0, "), plain(answer), None, ""),)
        return Judged(Ruling.REJECTED, found, error.problem, recording)
    differences = comparison.found or ([judgement.difference] if judgement.difference else [])
    return Judged(judgement.ruling, tuple(differences), judgement.reason, comparison.recording)


@dataclass(slots=True)
class _Comparison:
    """One answer beside that of the model."""

    question: Question
    answer: Json
    terms: Terms
    recording: dict[str, Json]
    found: list[Difference] = field(default_factory=list)

    def ask(self) -> Difference | None:
        """Find the differences; the first is told."""
        is_call = self.question.kind.family == SCHEDULER
        differences = self._list_of_call() if is_call else self._list_of_component()
        self.found.extend(islice(differences, MOST_DIFFERENCES))
        return next(iter(self.found), None)

    def _list_of_call(self) -> Iterator[Difference]:
        line = Line("the answer", 0, self.recording)
        yield from find_differences(self.question.kind, line, self.terms.make_context())

    def _list_of_component(self) -> Iterator[Difference]:
        kind, answer = self.question.kind.name, self.answer
        first = compute_answer(self.question.kind, self.recording, self.terms.make_context())
        adapted = adapt(kind, answer, first.answer)
        recording = self.recording
        if adapted != answer:
            recording = make_recording(self.question, adapted)
            first = compute_answer(self.question.kind, recording, self.terms.make_context())
        said, model = take_answer(kind, recording), spell(first.answer)
        self.recording = make_recording(self.question, blend(kind, said, model, self.terms.without))
        told, allowed = align(kind, said, model, self.terms.without)
        rules = {each.path: each.rule for each in first.differences}
        for each in compare(told, allowed):
            yield Difference(each.path, each.recorded, each.model, _find_rule(each.path, rules))


def make_recording(question: Question, answer: Json) -> dict[str, Json]:
    """Make a recording of a question and its answer."""
    if question.kind.family == SCHEDULER:
        return put_call_together(question.id, question.asked, answer)
    return {"id": question.id, **put_together(question.kind.name, question.asked, answer)}


def compute_expected(question: Question, terms: Terms, answer: Json = None) -> dict[str, Json]:
    """Compute what the model answers; where it is free it follows an answer, if one is given."""
    if question.kind.family == SCHEDULER:
        called: dict[str, Json] = spell(answer_call(question.asked, terms.profile))
        return called
    document = {"id": question.id, **put_together(question.kind.name, question.asked, answer or {})}
    answer_of_model = compute_answer(question.kind, document, terms.make_context()).answer
    modelled: dict[str, Json] = spell(answer_of_model)
    return modelled


def spell(tree: object) -> Json:
    """Give a value as JSON holds it: keys are texts, and members of enumerations what they stand for."""
    return msgspec.to_builtins(plain(tree), str_keys=True)


def _find_rule(path: str, rules: Mapping[str, str]) -> str:
    """Find the rule of the difference that a judge saw at a place, or nearest to it."""
    shared = {other: _count_shared(path, other) for other in rules}
    nearest = max(shared, key=lambda other: shared[other], default="")
    return rules[nearest] if nearest and shared[nearest] else ""


def _count_shared(path: str, other: str) -> int:
    """Count the characters with which both begin."""
    pairs = zip(path, other, strict=False)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), min(len(path), len(other)))


def is_answered(question: Question, terms: Terms) -> bool:
    """True if the model has an answer to a question."""
    try:
        compute_expected(question, terms)
    except (InputError, Undecided, Unsupported):
        return False
    return True
