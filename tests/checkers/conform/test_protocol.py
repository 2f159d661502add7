"""What goes over the wire is as the schema says."""

import io
import json
from typing import Any

import pytest

from nomadspec.checkers.conform.model_driver import converse
from nomadspec.checkers.conform.protocol import KINDS, write_greeting, write_question
from tests.checkers.cli.schemas import list_faults
from tests.checkers.conform.talking import make_some

SCHEMA = "../conform-protocol.json"


def test_a_whole_conversation_fits_the_schema() -> None:
    questions = [
        write_question(each) for kind in ("broker/sequences", "scheduler") for each in make_some(kind, 2)
    ]
    answers = io.StringIO()
    converse(io.StringIO("\n".join([write_greeting("nomad-2.0"), *questions]) + "\n"), answers)
    lines = [
        json.loads(line)
        for line in (write_greeting("nomad-2.0"), *questions, *answers.getvalue().splitlines())
    ]

    assert 10 == len(lines)
    assert [] == [fault for line in lines for fault in list_faults(line, SCHEMA)]
    assert list(KINDS) == lines[0]["kinds"]


@pytest.mark.parametrize(
    ("line", "is_right"),
    [
        ({"id": "q", "unsupported": "not yet"}, True),
        ({"id": "q", "error": "it broke"}, True),
        (
            {
                "protocol": "nomadspec-conform/1",
                "kinds": ["broker"],
                "without": {"broker/sequences": ["stats"]},
            },
            True,
        ),
        ({"id": "q"}, False),
        ({"id": "q", "answer": []}, False),
        ({"id": "q", "answer": {}, "unsupported": "x"}, False),
        ({"protocol": "nomadspec-conform/2", "kinds": []}, False),
        ({"protocol": "nomadspec-conform/1"}, False),
    ],
)
def test_the_schema_tells_right_lines_from_wrong_ones(line: Any, is_right: bool) -> None:
    assert is_right == (not list_faults(line, SCHEMA))
