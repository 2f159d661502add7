"""``python -m nomadspec.checkers.conform.model_driver``: answers every question as the model does.

It is the smallest whole program of the protocol, and what a conversation is tested with.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import IO

from nomadspec.checkers.conform.judging import Question, Terms, compute_expected
from nomadspec.checkers.conform.protocol import KINDS, PROTOCOL
from nomadspec.checkers.conform.question_and_answer import Json
from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.specification.profiles import find_profile

Change = Callable[[str, Json], Json]
"""What is done to the answer to a question of a kind before it is given."""


def give(kind: str, answer: Json) -> Json:  # noqa: ARG001 -- as every other change
    """Change nothing."""
    return answer


def converse(questions: IO[str], answers: IO[str], change: Change = give) -> None:
    """Read questions until there are none, and answer each."""
    greeting = json.loads(questions.readline())
    terms = Terms(profile=find_profile(greeting["profile"]))
    _say(answers, {"protocol": PROTOCOL, "name": "the model", "kinds": list(KINDS)})
    for line in questions:
        asked = json.loads(line)
        question = Question(asked["id"], read_kind(asked["kind"]), asked["question"])
        answer = change(asked["kind"], compute_expected(question, terms))
        _say(answers, {"id": question.id, "answer": answer})


def _say(answers: IO[str], said: object) -> None:
    answers.write(write_json(said) + "\n")
    answers.flush()


if __name__ == "__main__":
    converse(sys.stdin, sys.stdout)
