import pytest

from nomadspec.model.cluster.components.broker_state import (
    is_pending_before,
    is_ready_before,
    list_candidate_queues,
)
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.components.evals import ev, give, start


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            ev("a", "j1", priority=80, create_index=9), ev("b", "j2", create_index=1), id="priority"
        ),
        pytest.param(ev("a", "j1", create_index=1), ev("b", "j2", create_index=9), id="age"),
        pytest.param(
            ev("a", "j", priority=10, create_index=1),
            ev("b", "j", priority=90, create_index=9, namespace="other"),
            id="02/S4-same-id-in-two-namespaces",
        ),
    ],
)
def test_the_order_of_ready_evals(first: Evaluation, second: Evaluation) -> None:
    """BROKER-15."""
    assert is_ready_before(first, second)
    assert not is_ready_before(second, first)


def test_the_order_of_ready_evals_can_be_a_circle() -> None:
    """02/S4."""
    one = ev("1", "A", priority=10, create_index=5)
    two = ev("2", "A", priority=90, create_index=9, namespace="ns2")
    other = ev("3", "B", priority=50, create_index=7)

    assert is_ready_before(one, two)
    assert is_ready_before(two, other)
    assert is_ready_before(other, one)


def test_among_pending_evals_priority_counts_more_than_age_only_with_the_quirk() -> None:
    """BROKER-16, 02/S2."""
    old = ev("old", priority=80, modify_index=1)
    new = ev("new", priority=50, modify_index=9)

    assert is_pending_before(start(), old, new)
    assert not is_pending_before(start(profile=INTENDED), old, new)


def test_a_queue_is_represented_by_the_last_of_its_array() -> None:
    """BROKER-21: the eval of the highest priority waits in the queue that is passed over."""
    broker = give(
        start(),
        ev("a", "j1", priority=90, create_index=1),
        ev("b", "j2", priority=10, create_index=2),
        ev("c", "j3", priority=50, create_index=3, type="batch"),
    )

    assert ("batch",) == list_candidate_queues(broker, ["service", "batch", "system"])
    assert ("service",) == list_candidate_queues(broker, ["service"])


def test_equal_queues_are_all_candidates() -> None:
    """BROKER-21, BROKER-23."""
    broker = give(start(), ev("a", "j1"), ev("b", "j2", type="batch"), ev("c", "j3", type="system"))

    assert ("service", "batch") == list_candidate_queues(broker, ["service", "batch", "_failed"])
