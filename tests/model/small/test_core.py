from typing import Any

import pytest

from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.small.core import CORE
from tests.model.language.search import count_worlds, search

TINY = {"jobs": 1, "workers": 1, "nodes": 1, "count": 1, "cap": 1, "deliveries": 2}


@pytest.mark.parametrize(
    ("sizes", "distinct", "generated", "depth"),
    [
        ({}, 26, 31, 11),
        ({"flips": 1}, 128, 179, 21),
        ({"flips": 2}, 330, 527, 31),
        ({"jobs": 2, "deliveries": 1}, 72, 89, 11),
        ({"jobs": 2}, 303, 401, 21),
        ({"workers": 2}, 127, 229, 11),
        ({"workers": 2, "flips": 1}, 1126, 2304, 21),
        ({"nodes": 2, "count": 2}, 43, 55, 11),
    ],
    ids=str,
)
def test_tiny_scopes_have_these_counts(
    sizes: dict[str, int], distinct: int, generated: int, depth: int
) -> None:
    counts = count_worlds(CORE.at("small", sizes={**TINY, **sizes}, profile="intended"))

    assert (distinct, generated, depth) == (counts.distinct, counts.generated, counts.depth)


@pytest.mark.parametrize(("scope", "silent"), [("small", {"FlipNode"}), ("flip", set())])
def test_every_rule_fires_but_flips_where_there_are_none(scope: str, silent: set[str]) -> None:
    counts = count_worlds(CORE.at(scope, sizes={**TINY, "workers": 2}, profile="intended"))

    assert silent == {rule.name for rule in CORE.rules} - counts.fired


def test_only_worlds_at_rest_have_no_successor() -> None:
    bounded = CORE.at("small", sizes={**TINY, "workers": 2}, profile="intended")
    worlds = {path.cells for path in search(bounded)}

    assert {cells for cells in worlds if bounded.is_at_rest(cells)} == {
        cells for cells in worlds if not list(bounded.successors(cells))
    }


# one evaluation on its way

SMALL = CORE.at("small", profile="intended")


def go(bounded: BoundedModel, *calls: tuple[Any, ...]) -> Cells:
    """Apply rules one after another from the start."""
    cells = bounded.initial[0]
    for name, *arguments in calls:
        after = bounded.step(cells, instance_of(bounded, name, *arguments))
        assert after is not None, f"{name} cannot happen"
        cells = after
    return cells


def instance_of(bounded: BoundedModel, name: str, *arguments: Any) -> Instance:
    """Find an instance that exists."""
    instance = bounded.find_instance(bounded.model.find_rule(name), arguments)
    assert instance is not None
    return instance


def look(bounded: BoundedModel, cells: Cells, *names: str) -> list[Any]:
    """Read some cells of a world as people write them."""
    described = bounded.describe(cells)
    return [described[name] for name in names]


DEQUEUE, SCHEDULE, APPLY, ACK = (
    ("Dequeue", 0, 0),
    ("Schedule", 0, 0, (0, 1)),
    ("ApplyPlan", 0, 0),
    ("Ack", 0, 0),
)


def test_a_delivery_has_a_fresh_token_and_a_snapshot() -> None:
    cells = go(SMALL, DEQUEUE)

    assert ["unacked", 1, 1, "planning", "job1", 1, True] == look(
        SMALL,
        cells,
        "place[job1]",
        "delivered[job1]",
        "token[job1]",
        "stage[worker1]",
        "job[worker1]",
        "held_token[worker1]",
        "seen_up[worker1, node2]",
    )


def test_a_plan_waits_in_the_queue_until_it_is_applied() -> None:
    cells = go(SMALL, DEQUEUE, SCHEDULE)

    assert ["waiting", "node1", "node2", 1, False] == look(
        SMALL,
        cells,
        "stage[worker1]",
        "plan[worker1, placement1]",
        "plan[worker1, placement2]",
        "plans[worker1]",
        "seen_up[worker1, node1]",
    )
    assert ["placed", "node1", "node2", 0, "SKIP"] == look(
        SMALL,
        go(SMALL, DEQUEUE, SCHEDULE, APPLY),
        "stage[worker1]",
        "allocs[job1, placement1]",
        "allocs[job1, placement2]",
        "plans[worker1]",
        "plan[worker1, placement1]",
    )


def test_an_answer_ends_the_delivery_and_frees_the_worker() -> None:
    cells = go(SMALL, DEQUEUE, SCHEDULE, APPLY, ACK)

    assert ["out", "complete", "idle", "NONE", 0] == look(
        SMALL, cells, "place[job1]", "status[job1]", "stage[worker1]", "job[worker1]", "held_token[worker1]"
    )


def test_a_plan_is_as_large_as_it_can_be() -> None:
    choices = {
        instance.arguments[2]
        for instance, _ in SMALL.successors(go(SMALL, DEQUEUE))
        if instance.rule.name == "Schedule"
    }

    assert {(0, 0), (0, 1), (1, 0), (1, 1)} == choices


def test_without_room_an_allocation_is_left_out_and_the_evaluation_blocks() -> None:
    bounded = CORE.at("small", sizes={"jobs": 1, "nodes": 1, "cap": 1}, profile="intended")
    cells = go(bounded, DEQUEUE, ("Schedule", 0, 0, (NONE, 0)), APPLY)

    assert ["unplaced", "NONE", "node1"] == look(
        bounded, cells, "stage[worker1]", "allocs[job1, placement1]", "allocs[job1, placement2]"
    )
    assert ["blocked"] == look(
        bounded, go(bounded, DEQUEUE, ("Schedule", 0, 0, (NONE, 0)), APPLY, ACK), "status[job1]"
    )


def test_what_no_longer_fits_is_rejected_and_the_rest_committed() -> None:
    bounded = CORE.at("small", sizes={"cap": 1, "count": 2, "nodes": 3}, profile="intended")
    cells = go(
        bounded,
        ("Dequeue", 0, 0),
        ("Dequeue", 1, 1),
        ("Schedule", 0, 0, (0, 1)),
        ("Schedule", 1, 1, (1, 2)),
        ("ApplyPlan", 0, 0),
        ("ApplyPlan", 1, 1),
    )

    assert ["rejected", "NONE", "node3"] == look(
        bounded, cells, "stage[worker2]", "allocs[job2, placement1]", "allocs[job2, placement2]"
    )


def test_a_rejected_plan_is_delivered_again_until_the_limit() -> None:
    bounded = CORE.at("small", sizes={"jobs": 1, "workers": 1, "deliveries": 1}, profile="intended")
    cells = go(bounded, DEQUEUE, ("ExpireDelivery", 0))

    assert ["out", "failed"] == look(bounded, cells, "place[job1]", "status[job1]")
    assert ["ready", "pending"] == look(
        SMALL, go(SMALL, DEQUEUE, ("ExpireDelivery", 0)), "place[job1]", "status[job1]"
    )


def test_an_answer_under_an_old_token_changes_nothing() -> None:
    late = (DEQUEUE, SCHEDULE, ("ExpireDelivery", 0), ("Dequeue", 1, 0), APPLY)

    assert ["rejected", "NONE", "unacked", "pending"] == look(
        SMALL, go(SMALL, *late), "stage[worker1]", "allocs[job1, placement1]", "place[job1]", "status[job1]"
    )
    assert ["idle", "unacked", "planning"] == look(
        SMALL, go(SMALL, *late, ("Nack", 0, 0)), "stage[worker1]", "place[job1]", "stage[worker2]"
    )


def test_a_node_that_goes_down_brings_its_jobs_back() -> None:
    bounded = CORE.at("flip", profile="intended")
    cells = go(bounded, DEQUEUE, SCHEDULE, APPLY, ACK, ("FlipNode", 0))

    assert [False, "pending", "ready", 0, 1] == look(
        bounded, cells, "up[node1]", "status[job1]", "place[job1]", "delivered[job1]", "flipped"
    )


@pytest.mark.parametrize(
    ("profile", "cell", "value"),
    [("X-02", "token[job1]", 0), ("intended", "token[job1]", 1)],
)
def test_a_quirk_changes_what_it_says(profile: str, cell: str, value: int) -> None:
    bounded = CORE.at("small", profile=profile)

    assert [value] == look(bounded, go(bounded, DEQUEUE), cell)


def test_rest_is_when_nobody_has_anything_to_do() -> None:
    bounded = CORE.at("small", sizes=TINY, profile="intended")
    done = go(bounded, DEQUEUE, ("Schedule", 0, 0, (0,)), APPLY, ACK)

    assert [False, True] == [bounded.is_at_rest(cells) for cells in (bounded.initial[0], done)]
