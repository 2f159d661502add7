"""Damaged answers of an implementation: whatever it says, it is judged or refused in a sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, Final

from nomadspec.checkers.conform.judging import Question, Terms, compute_expected, judge_answer, spell
from nomadspec.checkers.conform.protocol import KINDS, SpeechError, read_hello, read_reply
from nomadspec.checkers.conform.recorded_questions import take
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.fuzz.findings import ANSWERED, Outcome, Told, tell_defect
from tests.fuzz.mutate import damage, damage_bytes, is_loose, write_damaged
from tests.recorded import read_recordings

_FEW: Final = 8
"""So many questions of a kind are answered, spread over its recordings."""
_LIMITS: Final = Limits(seconds=20.0)
_ASKED: Final = tuple(kind for kind in KINDS if kind != "scheduler")


@cache
def _list_answered(kind: str) -> list[tuple[Question, Any]]:
    """List questions, each with the line that is a right answer."""
    documents = read_recordings(kind)
    found = []
    for document in documents[:: max(1, len(documents) // _FEW)]:
        question = take(read_kind(kind), Line("fuzz", 1, document))
        assert question is not None
        answer = spell(compute_expected(question, Terms(NOMAD_2_0, limits=_LIMITS)))
        found.append((question, {"id": question.id, "answer": answer}))
    return found


def make_answer(rng: Random) -> tuple[bytes, bool]:
    """Make a line about one of the questions, and damage it."""
    kind = rng.choice(_ASKED)
    at = rng.randrange(len(_list_answered(kind)))
    line = _list_answered(kind)[at][1]
    damaged = {**line, "answer": damage(line["answer"], rng)} if rng.random() < 0.8 else damage(line, rng)
    content = write_damaged(damaged, rng)
    said = damage_bytes(content, rng) if rng.random() < 0.1 else content
    return json.dumps([kind, at]).encode() + b"\n" + said, False


def judge_damaged(content: bytes) -> Told:
    """Judge a line as a program would have said it."""
    head, _, line = content.partition(b"\n")
    try:
        kind, at = json.loads(head)
        question = _list_answered(kind)[at][0]
    except (ValueError, TypeError, LookupError):
        return ANSWERED  # what names the question was damaged by whoever makes findings smaller
    with suppress(SpeechError):
        read_hello(line, _LIMITS)
    try:
        reply = read_reply(line, question, _LIMITS)
    except SpeechError:
        return ANSWERED
    if is_loose(line):
        return Told(Outcome.WRONG, "an answer with two meanings is taken")
    judged = judge_answer(question, reply.answer, Terms(NOMAD_2_0, limits=_LIMITS))
    return tell_defect(judged.reason) if judged.ruling is Ruling.DEFECT else ANSWERED
