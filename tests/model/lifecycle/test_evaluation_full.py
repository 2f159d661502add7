"""Evaluation with quasi-statuses."""

from nomadspec.model.lifecycle.evaluation import EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EVALUATION_FULL, EvalPhase
from nomadspec.model.lifecycle.table import ArrowKind, is_legal, list_arrows, number_of
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile

S = EvalPhase


def test_the_statuses_come_first_and_keep_their_values() -> None:
    assert [(s.name, number_of(s)) for s in EvalStatus] == [(s.name, int(s)) for s in list(EvalPhase)[:5]]


def test_the_rows_that_the_hand_drawn_diagram_lacks_are_there() -> None:
    missing_there = [
        (S.PENDING, S.DELETED),
        (S.BLOCKED, S.DELETED),
        (S.DELAYED, S.CANCELED),
        (S.PENDING, S.CANCELED),
        (S.SCHEDULING, S.PENDING),
        (S.SCHEDULING, S.DELAYED),
    ]

    assert all(is_legal(EVALUATION_FULL, source, target, INTENDED) for source, target in missing_there)
    assert is_legal(EVALUATION_FULL, S.COMPLETE, S.CANCELED, find_profile("X-07"))


def test_follow_ups_are_made_delayed_by_the_scheduler() -> None:
    makers = {
        arrow.source
        for arrow in list_arrows(EVALUATION_FULL, INTENDED)
        if arrow.kind is ArrowKind.CREATION and arrow.target is S.DELAYED
    }

    assert makers == {S.SCHEDULING}


def test_a_delayed_eval_is_queued_before_it_is_scheduled() -> None:
    assert not is_legal(EVALUATION_FULL, S.DELAYED, S.SCHEDULING, NOMAD_2_0)
    assert is_legal(EVALUATION_FULL, S.DELAYED, S.PENDING, INTENDED)


def test_an_eval_that_has_ended_is_scheduled_again_only_by_a_quirk() -> None:
    ended = (S.COMPLETE, S.FAILED, S.CANCELED)

    assert not any(is_legal(EVALUATION_FULL, status, S.SCHEDULING, INTENDED) for status in ended)
    assert all(is_legal(EVALUATION_FULL, status, S.SCHEDULING, NOMAD_2_0) for status in ended)


def test_nothing_comes_back_from_deletion() -> None:
    assert not any(is_legal(EVALUATION_FULL, S.DELETED, s, NOMAD_2_0) for s in S if s is not S.DELETED)
