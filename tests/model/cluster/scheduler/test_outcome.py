"""An outcome holds nothing until something was done."""

from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome


def test_an_empty_outcome_is_no_error() -> None:
    assert Outcome() == Outcome(plans=(), created_evals=(), error=None, reasons=None)


def test_an_answer_without_a_newer_state_hands_none_back() -> None:
    assert (Answer().new_state, Answer().error) == (None, "")
