from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.policy.followups import BATCH_NS, Batch, Due, Purpose, batch_due
from tests.model.cluster.policy.made import NOW_NS, seconds


def at(count: float) -> int:
    return NOW_NS + seconds(count)


def test_a_batch_takes_all_within_five_seconds_of_its_first() -> None:
    """RESCHED-20."""
    dues = [Due(at(5), "c"), Due(at(0), "a"), Due(at(4.9), "b"), Due(at(9), "d")]

    assert (Batch(at(0), ("a", "b")), Batch(at(5), ("c", "d"))) == batch_due(dues)


def test_nothing_due_makes_no_batch() -> None:
    """RESCHED-20."""
    assert () == batch_due([])


@pytest.mark.parametrize(
    ("purpose", "first", "later"),
    [
        (
            Purpose.RESCHEDULE,
            ("alloc-reschedule", "created for delayed rescheduling"),
            ("alloc-failure", ""),
        ),
        (Purpose.TIMEOUT, *[("max-disconnect-timeout", "created for delayed disconnect timeout")] * 2),
        (
            Purpose.CLIENT_STOP,
            ("alloc-failure", "created for delayed rescheduling"),
            ("alloc-failure", ""),
        ),
    ],
)
def test_why_a_batch_was_made(purpose: Purpose, first: tuple[str, str], later: tuple[str, str]) -> None:
    """RESCHED-21, DISC-06, DISC-09."""
    assert first == purpose.find_reason(0)
    assert later == purpose.find_reason(1) == purpose.find_reason(2)


@given(st.lists(st.integers(0, 4 * BATCH_NS)))
def test_every_allocation_is_in_one_batch_that_is_not_later_than_it(times: list[int]) -> None:
    """RESCHED-20."""
    due = {str(position): time_ns for position, time_ns in enumerate(times)}
    batches = batch_due(Due(time_ns, alloc_id) for alloc_id, time_ns in due.items())

    assert sorted(due) == sorted(alloc_id for batch in batches for alloc_id in batch.alloc_ids)
    assert all(
        0 <= due[alloc_id] - batch.time_ns < BATCH_NS for batch in batches for alloc_id in batch.alloc_ids
    )
    assert all(later.time_ns - batch.time_ns >= BATCH_NS for batch, later in pairwise(batches))
