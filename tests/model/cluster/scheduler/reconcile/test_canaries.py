from typing import Any

import pytest

from nomadspec.model.cluster.entities import Deployment
from nomadspec.model.cluster.scheduler.reconcile.canaries import end_canaries, request_canaries
from nomadspec.model.cluster.scheduler.reconcile.group import begin_names
from nomadspec.model.cluster.scheduler.reconcile.updates import judge_updates
from nomadspec.model.specification.profiles import find_profile
from tests.model.cluster.scheduler.reconcile.made import Scene, case, make_deployment, make_update

TWO: dict[str, Any] = {"count": 10, "update": make_update(2, 2)}
NEW = "new total=10 canaries=2"


def out(status: str = "running", **fields: int | bool) -> Deployment:
    return make_deployment(status, desired_canaries=2, desired_total=10, **fields)


CASES = [
    case("W-20", TWO, "0-9 D", place="0:C 1:C", deploy=NEW, count="Ig10 Ca2"),
    case(
        "W-21",
        {**TWO, "count": 5},
        "0-9 D",
        place="0:C 1:C",
        stop="5NN 6NN 7NN 8NN 9NN",
        deploy="new total=5 canaries=2",
        count="Ig5 St5 Ca2",
    ),
    case(
        "W-22",
        {"count": 3, "update": make_update(2, 7)},
        "0-2 D",
        place="0:C 1:C 2:C",
        deploy="new total=3 canaries=7",
        count="Ig3 Pl3 Ca7",
    ),
    case(
        "W-23",
        {"count": 10, "update": make_update(2, 4), "deployment": out()},
        "0-9 D; 0 c; 3 c",
        place="1:C 2:C",
        count="Ig12 Ca2",
    ),
    case(
        "W-24",
        {**TWO, "deployment": out(promoted=True)},
        "0-9 D; 0,1 p",
        stop="0NN 1NN",
        change="X2 X3",
        count="Ig8 St2 De2",
    ),
    case(
        "W-25",
        {
            "count": 2,
            "update": make_update(2, 2),
            "deployment": make_deployment(
                desired_canaries=2, desired_total=2, healthy_allocs=2, promoted=True
            ),
        },
        "0,1 D; 0,1 p",
        stop="0NN 1NN",
        deploy="d:successful",
        count="Ig2 St2",
    ),
    case("W-26", {**TWO, "deployment": out("failed")}, "0-9 D; 0,1 c", stop="0NN 1NN", count="Ig10 St2"),
    case(
        "W-27",
        {**TWO, "version": 2, "deployment": out()},
        "0-9 D; 0,1 c older",
        place="0:C 1:C",
        stop="0NN 1NN",
        deploy=f"d:cancelled {NEW}",
        count="Ig10 St2 Ca2",
    ),
    case(
        "W-28",
        {**TWO, "deployment": out()},
        "0-9 D; 0 c; 1 c down",
        place="1:C",
        stop="1LO",
        count="Ig11 Ca1",
    ),
    case(
        "W-29",
        {**TWO, "deployment": out()},
        "0-4 D; 5 D down; 6-9 D; 0,1 c",
        place="5:L↓",
        stop="5LO",
        count="Ig11 Pl1 St1",
    ),
    case("W-30", {**TWO, "deployment": out()}, "0-8 D; 0,1 c", count="Ig11"),
    case(
        "W-31",
        {**TWO, "deployment": out()},
        "0-3 D; 4 D drain mig; 5-9 D; 0,1 c",
        place="4:M↓",
        stop="4MI",
        count="Ig11 Mi1",
    ),
    case(
        "W-32",
        {**TWO, "deployment": out()},
        "0-9 D; 0 c; 1 c f=10 resched",
        place="1:Rc",
        stop="1RS",
        count="Ig11 Pl1 St1",
    ),
    case("W-33", {**TWO, "deployment": out("paused")}, "0-9 D; 0 c", count="Ig11"),
    case(
        "in place needs none",
        TWO,
        "0-9 I",
        change=" ".join(f"I{index}" for index in range(10)),
        deploy="new total=10 canaries=0",
        count="In10",
    ),
    case(
        "a canary out of reach does not count",
        {**TWO, "deployment": out(), "policy": None},
        "0-8 D; 0 c; 1 c ar",
        place="1:C",
        change="K1",
        count="Ig11 Ca1 Re1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_updates_with_canaries(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-66, REC-67, REC-69, REC-70, REC-71, REC-72, REC-84."""
    assert expected == scene.solve(allocs)


def test_canaries_of_an_old_deployment_go() -> None:
    """REC-66: unless the group was promoted."""
    old = out(version=0)
    promoted = make_deployment(version=0, desired_canaries=2, promoted=True)

    run = Scene(**TWO, deployment=old).begin("0 D; 0 c older")
    kept = Scene(**TWO, deployment=promoted).begin("0 D; 0 p older")
    end_canaries(run)
    end_canaries(kept)

    assert {"a00"} == run.allocs.keys()
    assert {"a00", "a01"} == kept.allocs.keys()
    assert (1, 0) == (run.done.counts["stop"], kept.done.counts["stop"])


def test_canaries_that_go_elsewhere_are_stopped_without_being_counted() -> None:
    """REC-67, 04/S-17."""
    run = Scene(**TWO, deployment=out()).begin("0 c mig; 1 c down; 2 c f=10")

    end_canaries(run)

    assert {"a02"} == run.canaries.keys() == run.allocs.keys()
    assert 0 == run.done.counts["stop"]
    assert ["alloc is being migrated", "alloc is lost since its node is down"] == [
        stop.description for stop in run.done.stops
    ]


def test_canaries_are_wanted_while_paused_but_not_placed() -> None:
    """REC-70."""
    run = Scene(**TWO, deployment=make_deployment("paused")).begin("0-9 D")
    begin_names(run)
    judge_updates(run)

    request_canaries(run)

    assert run.needs_canaries
    assert run.deployments.current is not None
    assert run.state == run.deployments.current.task_groups["web"]
    assert 2 == run.state.desired_canaries
    assert not run.done.placements


@pytest.mark.parametrize(
    ("old", "others"),
    [("0 older down", "0:L↓"), ("0 older mig", "0:M↓"), ("0 older f=10", "0:R↓")],
    ids=["lost", "migrating", "failed"],
)
def test_a_lost_canary_is_placed_again_although_nothing_is_left_to_be_replaced(old: str, others: str) -> None:
    """X-71, REC-69: its name is that of the allocation which it is to replace."""
    settings: dict[str, Any] = {"count": 1, "update": make_update(1, 1)}
    settings["deployment"] = make_deployment(desired_canaries=1, desired_total=1)
    mended = Scene(**settings, profile=find_profile("nomad-2.0 -X-71 -04/S-18"))

    assert others == Scene(**settings).solve(f"{old}; 0 c down")["place"]
    assert f"0:C {others}" == mended.solve(f"{old}; 0 c down")["place"]
    assert "place" not in mended.solve("0 older; 0 c")


def test_without_a_deployment_there_should_be_no_canary() -> None:
    """X-76, OBJ-102, REC-69: with max_parallel 0 everything is replaced at once."""
    settings: dict[str, Any] = {"count": 2, "update": make_update(0, 1)}
    mended = Scene(**settings, profile=find_profile("nomad-2.0 -X-76"))

    assert "0:C" == Scene(**settings).solve("0 D; 1 D")["place"]
    assert "change" not in Scene(**settings).solve("0 D; 1 D")
    assert "X0 X1" == mended.solve("0 D; 1 D")["change"]
    assert "place" not in mended.solve("0 D; 1 D")
