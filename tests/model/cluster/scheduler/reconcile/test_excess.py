from typing import Any

import pytest

from nomadspec.model.cluster.scheduler.reconcile.excess import stop_excess, stop_lost
from nomadspec.model.cluster.scheduler.reconcile.group import begin_names
from nomadspec.model.specification.profiles import INTENDED, find_profile
from tests.model.cluster.scheduler.reconcile.made import PATIENCE, Scene, case, make_deployment, make_update

PATIENT: dict[str, Any] = {"disconnect": PATIENCE}

CASES = [
    case(
        "W-04",
        {"update": make_update()},
        "0-4 I",
        stop="3NN 4NN",
        change="I0 I1 I2",
        deploy="new total=3 canaries=0",
        count="St2 In3",
    ),
    case("W-05", {}, "0; 0; 1; 2", stop="2NN", count="Ig3 St1"),
    case("W-09", {"count": 1}, "0; 0; 0", stop="0NN 0NN", count="Ig1 St2"),
    case("W-34", {"count": 5}, "0,1 down; 2-9", stop="0LO 1LO 7NN 8NN 9NN", count="Ig5 St5"),
    case("W-35", {"count": 8}, "0-2 drain mig; 3-9", place="0:M", stop="1NN 2NN 0MI", count="Ig7 St2 Mi1"),
    case("W-39", {}, "0-4; 5 down", stop="5LO 4NN 0NN", count="Ig3 St3"),
    case(
        "W-82",
        {"count": 5, "is_batch": True},
        "0-4; 5 complete; 6 complete stop",
        stop="5NN",
        count="Ig6 St1",
    ),
    case("unknown ones are not too many", PATIENT, "0; 1 disc unk=5; 2; 1", count="Ig4"),
    case("but may be chosen", {**PATIENT, "count": 1}, "0; 1; 2 disc unk=5", stop="2NN", count="Ig2 St1"),
    case(
        "a finished one may go", {"count": 1, "is_batch": True}, "0; 1 complete", stop="1NN", count="Ig1 St1"
    ),
    case(
        "a stopped one that counts cannot go",
        {"count": 1, "is_batch": True},
        "0; 1 stop mig stay",
        stop="0NN",
        count="Ig1 St1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_what_is_lost_or_too_much_is_stopped(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-73, REC-74, REC-75, REC-76, REC-77."""
    assert expected == scene.solve(allocs)


def test_an_unknown_allocation_does_not_go_in_place_of_one_that_runs() -> None:
    """X-69, REC-76: the group would keep one too many."""
    mended = Scene(count=1, disconnect=PATIENCE, profile=find_profile("nomad-2.0 -04/S-11 -X-69"))

    assert {"stop": "1NN", "count": "Ig2 St1"} == mended.solve("0; 1; 2 disc unk=5")


def test_names_of_what_moves_become_free() -> None:
    """REC-74, REC-61, REC-62."""
    run = Scene(count=3).begin("0-2; 3 mig")
    begin_names(run)

    stop_excess(run)

    assert frozenset({0, 1, 2}) == run.names.used
    assert not run.migrate


def test_highest_names_become_free_even_if_others_are_stopped() -> None:
    """REC-62, REC-75: the highest name is that of a lost one."""
    run = Scene(count=1).begin("0; 1; 5 down")
    begin_names(run)

    stop_lost(run)
    stop_excess(run)

    assert frozenset({0, 1}) == run.names.used
    assert ["5", "0"] == [stop.alloc.name[-2] for stop in run.done.stops]


def test_canaries_out_are_not_too_many() -> None:
    """REC-74: unless they are promoted, when those whose places they take go first."""
    update = make_update(2, 1)
    out = make_deployment(desired_canaries=1)
    promoted = make_deployment(desired_canaries=1, promoted=True)

    held = Scene(count=2, update=update, deployment=out)
    taken = Scene(count=2, update=update, deployment=promoted).solve("1,0 D; 0 p")

    assert "stop" not in held.solve("0,1 D; 0 c")
    assert "2NN" == held.solve("0-2 D; 0 c")["stop"]
    assert "0NN" == taken["stop"]


@pytest.mark.parametrize(
    ("allocs", "shipped", "intended"),
    [
        ("0-4; 5 down", "5LO 4NN 0NN", "5LO 3NN 4NN"),
        ("0; 0; 1; 2", "2NN", "0NN"),
        ("0; 0; 0; 1; 2", "1NN 2NN", "0NN 0NN"),
        ("0-3", "3NN", "3NN"),
    ],
)
def test_healthy_ones_of_low_names_are_meant_to_stay(allocs: str, shipped: str, intended: str) -> None:
    """04/S-11, W-05, W-39: the second of two names goes before the highest one."""
    assert shipped == Scene().solve(allocs)["stop"]
    assert intended == Scene(profile=INTENDED).solve(allocs)["stop"]


def test_names_of_what_is_meant_to_go_become_free() -> None:
    """04/S-11, REC-61: of two allocations with one name the other keeps it."""
    run = Scene(profile=INTENDED).begin("0; 0; 1; 2; 3")
    begin_names(run)

    stop_excess(run)

    assert {0, 1, 2} == run.names.used
    assert not run.names.is_duplicate(0)
