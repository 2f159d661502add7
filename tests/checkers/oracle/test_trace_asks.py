"""What a plan gives to new allocations is what some version of their job asks for, on the best node shown."""

from collections.abc import Iterator

from msgspec.structs import replace

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_asks import compare_asks
from nomadspec.model.cluster.entities import Allocation, NodeScoreMeta
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.telling import Lie, Twist, on, tell_lies


def shows_choice(alloc: Allocation) -> bool:
    shown = alloc.metrics.score_meta_data if alloc.metrics is not None else ()
    return len(shown) > 1 and shown[0].norm_score > shown[1].norm_score and not alloc.create_index


def take_second(request: ApplyPlanResults, _: State) -> ApplyPlanResults | None:
    """Place something on the node that scored second."""
    at = next((at for at, alloc in enumerate(request.allocs_updated) if shows_choice(alloc)), None)
    if at is None:
        return None
    allocs = list(request.allocs_updated)
    allocs[at] = replace(allocs[at], node_id=list_shown(allocs[at])[1].node_id)
    return replace(request, allocs_updated=tuple(allocs))


def list_shown(alloc: Allocation) -> tuple[NodeScoreMeta, ...]:
    assert alloc.metrics is not None
    return alloc.metrics.score_meta_data


def list_found(twist: Twist) -> Iterator[tuple[Lie, list[Difference]]]:
    for lie in tell_lies("spread_affinity", twist, 1):
        yield lie, list(compare_asks(lie.replay))


def test_what_was_recorded_is_what_was_asked_for() -> None:
    assert list(compare_asks(replay_recorded("spread_affinity"))) == []
    assert list(compare_asks(replay_recorded("rapid_updates"))) == []


def test_a_node_that_scored_better_is_not_passed_over() -> None:
    """RANK-20."""
    (lie, found), *_ = list_found(on(ApplyPlanResults, take_second))

    assert [(each.path.partition("]")[0], each.rule) for each in found] == [
        (f"raft-log[{lie.index}", "RANK-20")
    ]
