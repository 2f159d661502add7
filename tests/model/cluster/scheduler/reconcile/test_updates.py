from typing import Any

import pytest

from nomadspec.model.cluster.scheduler.reconcile.updates import judge_updates, want
from nomadspec.model.specification.profiles import find_profile
from tests.model.cluster.scheduler.reconcile.made import PATIENCE, Scene, case, make_deployment, make_update

FOUR: dict[str, Any] = {"count": 10, "update": make_update(4)}
UNDER_WAY = make_deployment(desired_total=10)

CASES = [
    case(
        "W-10",
        FOUR,
        "0-9 D",
        change="X0 X1 X2 X3",
        deploy="new total=10 canaries=0",
        count="Ig6 De4",
    ),
    case(
        "W-11",
        {**FOUR, "deployment": UNDER_WAY},
        "0,1 d+; 2,3 d; 4-9 D",
        change="X4 X5",
        count="Ig8 De2",
    ),
    case("W-12", {**FOUR, "deployment": UNDER_WAY}, "0-2 d+; 3 d-; 4-9 D", count="Ig10"),
    case(
        "W-13",
        {"count": 10, "update": make_update(0)},
        "0-9 D",
        change="X0 X1 X2 X3 X4 X5 X6 X7 X8 X9",
        count="De10",
    ),
    case(
        "W-14",
        FOUR,
        "0-6 D",
        place="7 8 9",
        change="X0",
        deploy="new total=10 canaries=0",
        count="Ig6 Pl3 De1",
    ),
    case(
        "W-15",
        {**FOUR, "count": 5},
        "0-9 D",
        stop="5NN 6NN 7NN 8NN 9NN",
        change="X0 X1 X2 X3",
        deploy="new total=5 canaries=0",
        count="Ig1 St5 De4",
    ),
    case(
        "W-16",
        {"count": 15, "update": make_update(4), "deployment": make_deployment("paused")},
        "0-3 d+; 4-9 D",
        count="Ig10",
    ),
    case(
        "W-18",
        {"deployment": make_deployment(version=0, desired_total=3)},
        "0-2 D",
        change="X0 X1 X2",
        deploy="d:cancelled",
        count="De3",
    ),
    case(
        "W-19",
        {"update": make_update()},
        "0 I; 1 D f=1; 2 D",
        change="I0 X1 A1>F1",
        follow="F1=alloc-reschedule+4",
        deploy="new total=3 canaries=0",
        count="Ig1 In1 De1 RL1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_what_follows_its_job(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-81, REC-85, REC-93."""
    assert expected == scene.solve(allocs)


def test_what_is_judged_is_counted() -> None:
    """REC-93: updates are what a new deployment waits for."""
    run = Scene().begin("0 I; 1 D; 2")

    judge_updates(run)

    assert {"a01"} == run.destructive.keys()
    assert {"ignore": 1, "in_place_update": 1} == run.done.counts
    assert 2 == run.state.desired_total


def test_what_becomes_unknown_is_updated_in_the_same_plan_by_the_release_only() -> None:
    """X-61, DISC-17: its node refuses that, for what it runs there is not unknown."""
    released = Scene(count=1, disconnect=PATIENCE).solve("0 disc I")
    mended = Scene(count=1, disconnect=PATIENCE, profile=find_profile("nomad-2.0 -X-61")).solve("0 disc I")

    assert "I0 U0>F2" == released["change"]
    assert "U0>F2" == mended["change"]
    assert released["follow"] == mended["follow"]


@pytest.mark.parametrize(
    ("allocs", "released", "mended"),
    [
        pytest.param("0 D disc unk=5; 0 D; 1 D", "X0 X0 X1", "X0 X1", id="replaced, and to be replaced"),
        pytest.param("0 I disc unk=5; 0 I; 1 I", "I0 I0 I1", "I0 I1", id="updated in place"),
        pytest.param("0 D disc unk=5; 1 D", "X0 X1", "X0 X1", id="without a replacement"),
        pytest.param("0 D disc unk=5; 1 D disc unk=5; 1 D", "X0 X1 X1", "X0 X1", id="one of two"),
        pytest.param("0 D disc unk=5; 0 D down; 1 D", "X0 X1", "X0 X1", id="whose replacement is lost"),
        pytest.param(
            "0 D disc unk=5 next=b; 1 D id=b; 2 D", "X0 X1 X2", "X1 X2", id="replaced by another name"
        ),
        pytest.param("0 D disc unk=5; 0 D mig; 1 D", "X0 X1", "X1", id="whose replacement moves"),
    ],
)
def test_an_unknown_allocation_is_not_updated_beside_its_replacement(
    allocs: str, released: str, mended: str
) -> None:
    """X-69, DISC-12, REC-93: the deployment would wait for more than the count."""
    settings: dict[str, Any] = {"count": 2, "update": make_update(4), "disconnect": PATIENCE}

    assert released == Scene(**settings).solve(allocs)["change"]
    assert mended == Scene(**settings, profile=find_profile("nomad-2.0 -X-69")).solve(allocs)["change"]


def test_a_deployment_under_way_waits_for_what_it_did() -> None:
    """REC-93."""
    run = Scene(deployment=make_deployment(desired_total=3)).begin("0")

    want(run, 5)

    assert 3 == run.state.desired_total


def test_those_of_one_index_are_updated_as_they_are_visited() -> None:
    """REC-85, REC-95."""
    first = {}
    for order in ("asc", "desc"):
        run = Scene(map_order=order).begin("2; 0; 0; 1")
        first[order] = [alloc.id for alloc in run.sort_by_index(run.untainted)]

    assert {"asc": ["a01", "a02", "a03", "a00"], "desc": ["a02", "a01", "a03", "a00"]} == first
