"""Who in the leader's memory gets an evaluation: FSM-02."""

import pytest

from nomadspec.model.cluster.entities import AllocMetric
from nomadspec.model.cluster.store.handed_to_leader import Block, Enqueue, Handed, Untrack, hand_over
from tests.model.cluster.store.made import make_eval


@pytest.mark.parametrize(
    ("status", "handed"), [("pending", Enqueue), ("blocked", Block), ("complete", Untrack)]
)
def test_by_its_status(status: str, handed: type[Handed]) -> None:
    (thing,) = hand_over(make_eval(status=status))

    assert isinstance(thing, handed)


@pytest.mark.parametrize("status", ["failed", "canceled"])
def test_what_has_failed_goes_nowhere(status: str) -> None:
    assert () == hand_over(make_eval(status=status))


def test_a_complete_one_that_could_not_place_all_leaves_the_job_tracked() -> None:
    assert () == hand_over(make_eval(status="complete", failed_tg_allocs={"g": AllocMetric()}))
