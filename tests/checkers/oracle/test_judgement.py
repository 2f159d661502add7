"""What is said of recordings."""

import pytest

from nomadspec.checkers.oracle.judgement import ABSENT, Judgement, Ruling, Undecided, Unsupported
from nomadspec.checkers.verdict import Verdict


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        (Ruling.ACCEPTED, 0),
        (Ruling.REJECTED, 1),
        (Ruling.UNDECIDED, 4),
        (Ruling.UNSUPPORTED, 4),
        (Ruling.DEFECT, 5),
    ],
)
def test_only_acceptance_is_a_success(ruling: Ruling, code: int) -> None:
    judgement = Judgement("f", "broker", "x", ruling)

    assert code == judgement.exit_code
    assert (judgement.verdict is Verdict.HOLDS) == (ruling is Ruling.ACCEPTED)


def test_nothing_is_not_null() -> None:
    assert ABSENT is not None
    assert "absent" == repr(ABSENT)


def test_answers_that_are_no_verdict_say_why() -> None:
    assert ["too old", "too short"] == [Unsupported("too old").reason, Undecided("too short").reason]
