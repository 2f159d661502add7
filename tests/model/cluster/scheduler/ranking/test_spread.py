"""Spreads (RANK-58 to RANK-67), by the worked examples."""

from collections.abc import Mapping, Sequence

import pytest

from nomadspec.model.cluster.entities import Allocation, Node, Spread, SpreadTarget, TaskGroup
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.ranking.spread import (
    SpreadStage,
    compute_evenness,
    compute_shares,
    find_least,
)
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.scheduler.made import (
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

DC, RACK = "${node.datacenter}", "${meta.rack}"


def make_spread(attribute: str = DC, weight: int = 100, **percents: int) -> Spread:
    targets = tuple(SpreadTarget(value=value, percent=percent) for value, percent in percents.items())
    return Spread(attribute=attribute, weight=weight, spread_target=targets)


def begin(
    group: TaskGroup, there: Sequence[tuple[str, str]] = (), spreads: Sequence[Spread] = ()
) -> tuple[SpreadStage, Context]:
    """Begin a search where allocations are on nodes of a datacenter and a rack."""
    job = make_job(group, spreads=tuple(spreads))
    nodes = [make_node(f"n{at}", datacenter=dc, meta={"rack": rack}) for at, (dc, rack) in enumerate(there)]
    allocs = [
        make_alloc(f"a{at}", node_id=f"n{at}", task_group=group.name, job=job) for at in range(len(there))
    ]
    context = make_context(make_snapshot(job, *nodes, *allocs), job)
    stage = SpreadStage(context)
    stage.set_job(job)
    stage.begin(group)
    return stage, context


def score(stage: SpreadStage, dc: str, rack: str = "r1") -> float | None:
    return stage.score(make_node(datacenter=dc, meta={"rack": rack}))


@pytest.mark.parametrize(
    ("count", "percents", "desired"),
    [
        (10, {"dc1": 80}, {"dc1": 8.0, "*": 2.0}),
        (5, {"dc1": 80, "dc2": 20}, {"dc1": 4.0, "dc2": 1.0}),
        (10, {"dc1": 0}, {"dc1": 0.0}),
        (10, {"dc1": 50, "*": 10}, {"dc1": 5.0, "*": 4.0}),
        (4, {}, {}),
    ],
)
def test_shares(count: int, percents: Mapping[str, int], desired: Mapping[str, float]) -> None:
    """RANK-60, 07/S-20."""
    assert desired == compute_shares(make_spread(DC, 100, **percents), count).desired


@pytest.mark.parametrize(
    ("dc", "used", "contribution"),
    [("dc1", 2, 0.625), ("dc2", 0, 0.5), ("dc1", 7, None), ("dc1", 9, -0.25)],
)
def test_targets(dc: str, used: int, contribution: float | None) -> None:
    """RANK-62, RANK-64: of ten 80 % shall be in dc1, and what adds up to nothing is not appended."""
    group = make_group(count=10, spreads=(make_spread(dc1=80),))
    stage, _ = begin(group, [(dc, "r1")] * used)

    assert contribution == score(stage, dc)


def test_a_value_without_a_share_is_refused() -> None:
    """RANK-62."""
    stage, _ = begin(make_group(count=5, spreads=(make_spread(dc1=80, dc2=20),)))

    assert score(stage, "dc3") == -1.0


def test_a_node_without_the_attribute_is_refused() -> None:
    """RANK-62."""
    stage, _ = begin(make_group(count=5, spreads=(make_spread(RACK, r1=50),)))

    assert stage.score(make_node()) == -1.0


def test_other_values_share_what_is_left() -> None:
    """RANK-59, RANK-60."""
    group = make_group(count=10, spreads=(make_spread(weight=50, dc1=50, dc2=30),))
    stage, _ = begin(group, [("dc3", "r1"), ("dc4", "r1")])

    assert score(stage, "dc9") == -0.5


def test_the_floor_is_the_least_so_far() -> None:
    """RANK-63, 07/S-06."""
    group = make_group(count=8, spreads=(make_spread(dc1=99, dc2=1, dc3=0),))
    stage, _ = begin(group)

    assert score(stage, "dc3") == -1.0
    assert score(stage, "dc1") == pytest.approx(0.873737373737, abs=1e-12)
    assert score(stage, "dc2") == pytest.approx(-11.5)
    assert score(stage, "dc3") == pytest.approx(-11.5)


def test_weights_of_other_groups_count() -> None:
    """RANK-61, 07/S-01."""
    group = make_group(count=10, spreads=(make_spread(dc1=80),))
    stage, _ = begin(group, [("dc1", "r1")] * 2)
    stage.begin(make_group("api", count=1, spreads=(make_spread(dc1=100),)))
    stage.begin(group)

    assert score(stage, "dc1") == 0.3125


def test_another_version_adds_its_weights_again() -> None:
    """RANK-61."""
    group = make_group(count=10, spreads=(make_spread(dc1=80),))
    stage, _ = begin(group, [("dc1", "r1")] * 2)
    stage.set_job(make_job(group))
    stage.begin(group)

    assert score(stage, "dc1") == 0.3125


def test_spreads_of_a_job_stay_with_a_version_that_has_none() -> None:
    """07/S-16."""
    group = make_group(count=10)
    stage, _ = begin(group, spreads=[make_spread(dc1=80)])
    stage.set_job(make_job(group))
    stage.begin(group)

    assert score(stage, "dc1") == 0.4375


@pytest.mark.parametrize(
    ("dc", "rack", "total"),
    [("dc1", "r1", 0.5), ("dc2", "r1", 0.666666666667), ("dc1", "r2", 0.555555555556)],
)
def test_two_spreads(dc: str, rack: str, total: float) -> None:
    """RANK-64."""
    spreads = (make_spread(dc1=60, dc2=40), make_spread(RACK, weight=50, r1=40, r2=60))
    stage, _ = begin(make_group(count=10, spreads=spreads), [("dc1", "r1"), ("dc1", "r2")])

    assert score(stage, dc, rack) == pytest.approx(total, abs=1e-12)


def test_of_two_spreads_on_an_attribute_the_last_counts() -> None:
    """RANK-67: the weight and the shares of the job's, for both; the group's knows no other value."""
    group = make_group(count=10, spreads=(make_spread(dc1=100),))
    stage, _ = begin(group, spreads=[make_spread(weight=50, dc1=50)])

    assert score(stage, "dc1") == pytest.approx(2 * 0.8 * 50 / 150)


def placed(alloc_id: str, node_id: str) -> Allocation:
    return make_alloc(alloc_id, node_id=node_id, client_status="pending")


def test_what_the_plan_places_and_stops_is_counted() -> None:
    """FEAS-47, FEAS-48, RANK-62."""
    group = make_group(count=10, spreads=(make_spread(dc1=80),))
    stage, context = begin(group, [("dc1", "r1")] * 3)
    context.plan.append_stop(make_alloc("a0", node_id="n0"), "")
    stage.begin(group)
    assert score(stage, "dc1") == (8 - 3) / 8
    context.plan.append_alloc(placed("b1", "n1"))
    stage.begin(group)
    assert score(stage, "dc1") == (8 - 4) / 8
    context.plan.append_stop(make_alloc("a1", node_id="n1"), "")
    stage.begin(group)
    assert score(stage, "dc1") == (8 - 4) / 8


def test_stops_are_spared_before_folding_in_the_first_search_only() -> None:
    """RANK-62: one stop in each of two datacenters, and one placement."""
    group = make_group(count=10, spreads=(make_spread(dc1=50),))
    stage, context = begin(group, [("dc2", "r1"), ("dc3", "r1"), ("dc4", "r1")])
    stage.set_job(stage.job)
    for at in range(2):
        context.plan.append_stop(make_alloc(f"a{at}", node_id=f"n{at}"), "")
    context.plan.append_alloc(placed("b1", "n0"))

    stage.begin(group)
    assert score(stage, "dc2") == pytest.approx((5 - (2 + 1)) / 5 / 2)
    stage.begin(group)
    assert score(stage, "dc2") == pytest.approx((5 - (3 + 1)) / 5 / 2)


def test_intended_counts_are_plain() -> None:
    """06/S-04, 06/S-06: an update counts once, and so does each stop of what was there."""
    group = make_group(count=10, spreads=(make_spread(dc1=80),))
    stage, context = begin(group, [("dc1", "r1")] * 4)
    context.profile = INTENDED
    context.plan.append_alloc(placed("a0", "n0"))
    for alloc_id in ("a1", "a2", "gone"):
        context.plan.append_stop(make_alloc(alloc_id, node_id="n1"), "")
    stage.begin(group)

    assert score(stage, "dc1") == (8 - 3) / 8


@pytest.mark.parametrize(
    ("used", "current", "expected"),
    [
        ([], 0, 0.0),
        ([2], 2, -1.0),
        ([2], 0, -1.0 + 2.0),
        ([2, 3], 2, 0.5),
        ([2, 3], 3, -0.5),
        ([3, 3], 3, -1.0),
        ([3, 3], 0, 1.0),
        ([1, 4], 1, 3.0),
        ([1, 4], 4, -3.0),
        ([2, 4, 5], 4, -1.0),
        ([0, 0], 0, -1.0),
        ([2, 3, 0], 0, 1.0),
        ([2, 3, 0], 2, -1.0),
        ([0, 3, 2], 2, 0.5),
        ([2, 0, 3], 3, -1.0),
    ],
)
def test_evenness(used: list[int], current: int, expected: float) -> None:
    """RANK-65, RANK-66."""
    assert expected == compute_evenness(used, current)


@pytest.mark.parametrize(("used", "least"), [([3, 2, 5], 2), ([0, 4, 3], 3), ([4, 0], 0), ([0, 4, 0, 5], 5)])
def test_a_zero_makes_the_least_begin_anew(used: list[int], least: int) -> None:
    """RANK-66."""
    assert least == find_least(used)


def test_no_targets_spread_evenly_whatever_the_weight() -> None:
    """RANK-65, 07/S-02."""
    stage, _ = begin(make_group(count=10, spreads=(make_spread(weight=1),)), [("dc1", "r1")] * 2)

    assert score(stage, "dc1") == -1.0
    assert score(stage, "dc2") == 1.0


def test_a_first_placement_has_no_score() -> None:
    """RANK-64, RANK-65."""
    stage, _ = begin(make_group(count=10, spreads=(make_spread(),)))

    assert score(stage, "dc1") is None


def test_a_group_without_spreads_has_no_score() -> None:
    """RANK-58."""
    stage, _ = begin(make_group())

    assert stage.score(Node()) is None
    assert stage.list_spreads(make_group()) == ()


def test_intended_weights_are_those_of_the_group() -> None:
    """07/S-01."""
    group = make_group(count=10, spreads=(make_spread(dc1=80),))
    stage, context = begin(group, [("dc1", "r1")] * 2)
    context.profile = INTENDED
    stage.begin(make_group("api", count=1, spreads=(make_spread(dc1=100),)))
    stage.begin(group)

    assert score(stage, "dc1") == 0.625


def test_intended_versions_have_their_own_spreads() -> None:
    """07/S-16."""
    group = make_group(count=10)
    stage, context = begin(group, spreads=[make_spread(dc1=80)])
    context.profile = INTENDED
    stage.set_job(make_job(group))
    stage.begin(group)

    assert score(stage, "dc1") is None


def test_an_intended_share_of_all_others_holds() -> None:
    """07/S-20."""
    spread = make_spread(DC, 100, **{"dc1": 50, "*": 10})

    assert {"dc1": 5.0, "*": 1.0} == compute_shares(spread, 10, overrides_rest=False).desired
