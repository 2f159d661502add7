from typing import Any

import pytest

from nomadspec.model.cluster.scheduler.reconcile.group import begin_names
from nomadspec.model.cluster.scheduler.reconcile.placements import (
    find_budget,
    keep_within_count,
    request_placements,
)
from nomadspec.model.specification.profiles import INTENDED, find_profile
from tests.model.cluster.scheduler.reconcile.made import (
    PATIENCE,
    Scene,
    case,
    make_deployment,
    make_update,
    policy,
)

CASES = [
    case("W-01", {}, "", place="0 1 2", count="Pl3"),
    case(
        "W-02",
        {"update": make_update(1, 1)},
        "",
        place="0 1 2",
        deploy="new total=3 canaries=0",
        count="Pl3",
    ),
    case(
        "W-03",
        {"count": 5, "update": make_update()},
        "0-2 I",
        place="3 4",
        change="I0 I1 I2",
        deploy="new total=5 canaries=0",
        count="Pl2 In3",
    ),
    case(
        "W-36",
        {},
        "0 down mig; 1 gone; 2 init",
        place="1:L 0:M",
        stop="1LO 0MI",
        count="Ig1 Pl1 St1 Mi1",
    ),
    case(
        "W-37",
        {"count": 10, "update": make_update(4), "deployment": make_deployment(desired_total=10)},
        "0 d+ down; 1,2 d+ drain mig; 3-7 d+; 8,9 D",
        place="0:L 1:M 2:M",
        stop="0LO 1MI 2MI",
        change="X8 X9",
        count="Ig5 Pl1 St1 Mi2 De2",
    ),
    case("W-38", {}, "0-3 down", place="0:L 1:L 2:L", stop="0LO 1LO 2LO 3LO", count="Pl3 St4"),
    case(
        "W-38 the other way",
        {"map_order": "desc"},
        "0-3 down",
        place="3:L 2:L 1:L",
        stop="3LO 2LO 1LO 0LO",
        count="Pl3 St4",
    ),
    case(
        "W-40",
        {"update": make_update(), "deployment": make_deployment("paused", desired_total=3)},
        "0 d drain mig; 1,2 d",
        place="0:M",
        stop="0MI",
        count="Ig2 Mi1",
    ),
    case(
        "as many as the count, none of them missing",
        {"count": 1},
        "0 mig",
        place="0:M",
        stop="0MI",
        count="Mi1",
    ),
    case(
        "a budget while as many move as are replaced",
        {"count": 4, "update": make_update()},
        "0,1 D; 2,3 mig",
        place="2:M 3:M",
        stop="2MI 3MI",
        change="X0",
        deploy="new total=2 canaries=0",
        count="Ig1 Mi2 De1",
    ),
    case(
        "W-48",
        {"deployment": make_deployment("failed")},
        "0 d; 1 d f=10; 2 f=10 of=e",
        place="2:R",
        stop="2RS",
        count="Ig1 Pl1 St1",
    ),
    case("W-49", {}, "0; 1 complete; 2 stop", place="1 2", count="Ig1 Pl2"),
    case("W-51", {"count": 2}, "0,2; 1 f=10", place="1:R", stop="1RS", count="Ig2 Pl1 St1"),
    case(
        "W-52",
        {"deployment": make_deployment("paused")},
        "0; 1 f=10; 2 down",
        place="1:R 1:R",
        stop="2LO 1RS",
        count="Ig1 Pl2 St2",
    ),
    case(
        "a due unknown one is stopped while paused",
        {"deployment": make_deployment("paused"), "disconnect": PATIENCE},
        "0; 1 disc unk=5 follow=E; 2",
        place="1:R",
        stop="1RS",
        count="Ig2 Pl1 St1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_what_is_placed(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-78, REC-79, REC-83, REC-84, REC-86."""
    assert expected == scene.solve(allocs)


def test_requests_come_in_their_order() -> None:
    """REC-78: what failed, what was lost as far as it is missing, then new names."""
    run = Scene(count=5).begin("0; 4; 1 down; 2 f=10")
    run.now = {"a03": run.untainted.pop("a03")}
    begin_names(run)

    request_placements(run)

    assert ["2", "1", "3"] == [request.name[-2] for request in run.requests]
    assert [True, False, False] == [request.is_reschedule for request in run.requests]
    assert 3 == run.state.desired_total


def test_nothing_is_asked_for_while_clients_still_stop() -> None:
    """REC-80."""
    run = Scene(count=5).begin("0; 1 down")
    run.lost_later = {"a01": "F1"}

    request_placements(run)

    assert not run.requests


def test_a_budget_is_only_for_what_replaces() -> None:
    """REC-81."""
    run = Scene(count=5, update=make_update(2)).begin("0-4 D")
    before = find_budget(run)
    run.destructive = dict(run.untainted)

    assert (5, 2) == (before, find_budget(run))


def test_more_than_the_count_is_never_placed_at_once() -> None:
    """REC-17."""
    run = Scene(count=2).begin("")
    begin_names(run)
    request_placements(run)
    run.done.placements += run.requests * 2

    keep_within_count(run)

    assert run.requests == run.done.placements
    assert 2 == run.done.counts["place"]


INTENDED_CASES = [
    case(
        "04/S-04",
        {"deployment": make_deployment("paused"), "profile": INTENDED},
        "0; 1 f=10; 2 down",
        place="2:L 1:R",
        stop="2LO 1RS",
        count="Ig1 Pl2 St2",
    ),
    case("04/S-12", {"count": 2, "profile": INTENDED}, "0,2; 1 f=10", stop="1RS", count="Ig2 St1"),
    case(
        "04/S-18",
        {"update": make_update(2, 7), "profile": INTENDED},
        "0-2 D",
        place="0:C 1:C 2:C 3:C 4:C 5:C 6:C",
        deploy="new total=3 canaries=7",
        count="Ig3 Ca7",
    ),
    case(
        "04/S-20",
        {"deployment": make_deployment("paused"), "disconnect": PATIENCE, "profile": INTENDED},
        "0; 1 disc unk=5 follow=E; 2",
        place="1:R",
        count="Ig2 Pl1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), INTENDED_CASES)
def test_what_was_intended_instead(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-17, REC-79, REC-84."""
    assert expected == scene.solve(allocs)


def test_a_lost_replacement_is_replaced_although_the_first_one_is_unknown() -> None:
    """X-69, DISC-08: it counts as if it ran, and nothing is placed before its lost_after is over."""
    allocs = "0 disc unk=5 next=b; 0 down id=b; 1"

    assert "place" not in Scene(count=2, disconnect=PATIENCE).solve(allocs)
    mended = Scene(count=2, disconnect=PATIENCE, profile=find_profile("nomad-2.0 -X-69"))
    assert "0:L" == mended.solve(allocs)["place"]
    assert "place" not in mended.solve("0 disc unk=5; 0 down id=b; 1")
    used = mended.begin(allocs)
    begin_names(used)
    assert not used.names.is_duplicate(0)


@pytest.mark.parametrize(
    ("allocs", "placed"),
    [
        ("0 disc unk=60 follow=other tried", "0:R"),
        ("0 disc unk=60 follow=other", None),
        ("0 disc unk=60 follow=other tried next=b; 0 id=b", None),
    ],
    ids=["found no room", "its follow-up has not run", "replaced"],
)
def test_an_unknown_allocation_that_found_no_room_is_placed_by_the_next_evaluation(
    allocs: str, placed: str | None
) -> None:
    """X-75, DISC-08, RESCHED-17."""
    settings: dict[str, Any] = {"count": 1, "disconnect": PATIENCE, "policy": policy(30)}
    mended = Scene(**settings, profile=find_profile("nomad-2.0 -X-75"))

    assert placed == mended.solve(allocs).get("place")
    assert "place" not in Scene(**settings).solve(allocs)


def test_what_was_replaced_while_unknown_is_not_replaced_again_once_it_is_lost() -> None:
    """X-69, REC-78: the count was raised meanwhile, so that another one is placed, of a name of its own."""
    allocs = "0 disc unk=9000 next=b; 0 id=b"
    mended = Scene(count=2, disconnect=PATIENCE, profile=find_profile("nomad-2.0 -X-69"))

    assert "0:L" == Scene(count=2, disconnect=PATIENCE).solve(allocs)["place"]
    assert "1" == mended.solve(allocs)["place"]
