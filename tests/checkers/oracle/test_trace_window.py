"""How far back the state may lie that a decision was made on."""

import pytest

from nomadspec.checkers.oracle.trace_window import History, Reach, read_time
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults, EvalUpdate, NodeDeregister


def made_at(seconds: int) -> EvalUpdate:
    return EvalUpdate(evals=(Evaluation(create_time_ns=seconds * NS_PER_S),))


def recall(times: list[int], now: int, reach: Reach) -> list[int]:
    """Number the states that a decision may have been made on, by the entries that led to them."""
    history = History()
    for index, seconds in enumerate(times, start=1):
        history.add(made_at(seconds), State.of(index=index))
    return [state.indexes.get("evals", 0) for state in history.list_recent(made_at(now), reach)]


@pytest.mark.parametrize(
    ("times", "now", "reach", "expected"),
    [
        ([100, 200, 300], 400, Reach(2, NS_PER_S), [3, 2]),
        ([100, 200, 300], 300, Reach(1, NS_PER_S), [3, 2]),
        ([100, 100, 100], 100, Reach(1, NS_PER_S), [3, 2, 1, 0]),
        ([97, 99, 100], 100, Reach(1, NS_PER_S), [3, 2, 1]),
        ([0, 0, 0], 0, Reach(2, NS_PER_S), [3, 2]),
    ],
    ids=["entries", "what was replaced just now", "all at once", "a second", "no times"],
)
def test_a_state_is_recent_by_entries_or_by_time(
    times: list[int], now: int, reach: Reach, expected: list[int]
) -> None:
    assert expected == recall(times, now, reach)


def test_entries_without_a_time_tell_none() -> None:
    assert 0 == read_time(NodeDeregister(node_id="n"))
    assert 7 == read_time(ApplyPlanResults(updated_at_ns=7))


def test_a_leader_has_led_since_a_time_and_an_index_if_none_was_elected_after_both() -> None:
    history = History(elections=[2])
    for index, seconds in enumerate([100, 200, 300], start=1):
        history.add(made_at(seconds), State.of(index=index))

    assert history.is_led_since(250 * NS_PER_S, 0)
    assert history.is_led_since(50 * NS_PER_S, 2)
    assert not history.is_led_since(50 * NS_PER_S, 1)
