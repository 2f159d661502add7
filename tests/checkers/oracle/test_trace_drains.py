from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.model.cluster.entities import DesiredTransition
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition, BatchNodeUpdateDrain
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import Change, list_places_of_difference, replay_recorded
from tests.recorded import list_traces

MOVE = DesiredTransition(migrate=True)
DRAINS = [folder.name for folder in list_traces() if folder.name.startswith("drain")]


def is_mark(request: object) -> bool:
    """Pick the first marks of the drainer."""
    return isinstance(request, AllocUpdateDesiredTransition) and bool(request.allocs)


def is_end(request: object) -> bool:
    """Pick the first drain that ends."""
    return isinstance(request, BatchNodeUpdateDrain)


@pytest.mark.parametrize("name", DRAINS)
def test_recorded_drains_are_right(name: str) -> None:
    """DRAIN-09, DRAIN-12, DRAIN-13."""
    assert [] == list(compare_decisions(replay_recorded(name), NOMAD_2_0))


def tell_all(request: AllocUpdateDesiredTransition) -> AllocUpdateDesiredTransition:
    """Tell every allocation of the recorded cluster to move."""
    state = replay_recorded("drain_deadline").steps[-1].applied.state
    return replace(request, allocs={alloc.id: MOVE for alloc in state.list_allocs()})


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (tell_all, "Allocs"),
        (lambda q: replace(q, allocs=dict.fromkeys(q.allocs, DesiredTransition(migrate=False))), "Allocs."),
        (lambda q: replace(q, allocs=dict.fromkeys(q.allocs)), "Allocs."),
        (lambda q: replace(q, evals=(replace(q.evals[0], priority=99),)), "Evals"),
        (lambda q: replace(q, evals=(*q.evals, q.evals[0])), "Evals"),
    ],
    ids=["all at once", "stay", "nothing said", "priority", "twice"],
)
def test_other_marks_are_rejected(change: Change, place: str) -> None:
    """DRAIN-09, DRAIN-10, TRIG-11."""
    places = list_places_of_difference("drain_deadline", is_mark, change)

    assert any(found.startswith(place) for found in places), places


def end_late(request: Any) -> Any:
    """True while time was up."""
    events = {
        name: replace(event, details={"deadline_reached": "true"})
        for name, event in request.node_events.items()
    }
    return replace(request, node_events=events)


def test_a_drain_that_ends_too_early_is_rejected() -> None:
    """DRAIN-12, DRAIN-13: neither is the node empty, nor is time up."""
    too_early = list_places_of_difference("drain_deadline", is_end, end_late)
    state = replay_recorded("drain_deadline").steps[-1].applied.state
    other = next(node.id for node in state.list_nodes() if node.last_drain is None)
    not_draining = list_places_of_difference(
        "drain_deadline", is_end, lambda q: replace(q, updates=dict.fromkeys([other], None))
    )

    assert 1 == len(too_early)
    assert [f"Updates.{other}"] == not_draining
