"""Where an evaluation is."""

import pytest

from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE, EvalPlace
from nomadspec.model.lifecycle.table import is_legal
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile

S = EvalPlace


@pytest.mark.parametrize("place", [place for place in S if place is not S.NOWHERE])
def test_a_flush_reaches_every_place(place: EvalPlace) -> None:
    assert is_legal(EVALUATION_PLACE, place, S.NOWHERE, INTENDED)


def test_only_ready_evals_and_the_failed_queue_are_delivered() -> None:
    sources = {place for place in S if is_legal(EVALUATION_PLACE, place, S.UNACKED, NOMAD_2_0)}

    assert sources == {S.READY, S.FAILED_QUEUE, S.UNACKED}


def test_only_a_delivery_leads_to_the_failed_queue() -> None:
    sources = {place for place in S if is_legal(EVALUATION_PLACE, place, S.FAILED_QUEUE, NOMAD_2_0)}

    assert sources == {S.UNACKED, S.FAILED_QUEUE}


def test_captured_and_escaped_evals_do_not_change_places() -> None:
    assert not is_legal(EVALUATION_PLACE, S.BLOCKED_CAPTURED, S.BLOCKED_ESCAPED, NOMAD_2_0)
    assert not is_legal(EVALUATION_PLACE, S.BLOCKED_ESCAPED, S.BLOCKED_CAPTURED, NOMAD_2_0)


def test_a_displaced_eval_is_woken_only_by_a_quirk() -> None:
    assert not is_legal(EVALUATION_PLACE, S.CANCELABLE, S.READY, INTENDED)
    assert is_legal(EVALUATION_PLACE, S.CANCELABLE, S.READY, find_profile("X-09"))
