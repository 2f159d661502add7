import pytest

from nomadspec.model.cluster.scheduler.reconcile.rescheduling import disconnect, filter_set, find_reschedules
from tests.model.cluster.scheduler.reconcile.made import PATIENCE, Scene, ago, case, make_deployment, policy

CASES = [
    case("W-41", {}, "0; 1 f=10; 2", place="1:R", stop="1RS", count="Ig2 Pl1 St1"),
    case("W-41 within a second", {}, "0; 1 f=4; 2", place="1:R", stop="1RS", count="Ig2 Pl1 St1"),
    case("W-42", {}, "0; 1 f=1; 2", change="A1>F1", follow="F1=alloc-reschedule+4", count="Ig3 RL1"),
    case(
        "W-43",
        {"policy": policy(15, attempts=3, interval_ns=24 * 3600 * 10**9)},
        "0 f=0; 1 f=-4.9; 2 f=-5",
        change="A0>F1 A1>F1 A2>F2",
        follow="F1=alloc-reschedule+15 F2=alloc-failure+20",
        count="Ig3 RL3",
    ),
    case("W-44", {}, "0; 1 f=10 events=100,50; 2", count="Ig3"),
    case(
        "W-45", {"policy": policy(30)}, "0; 1 f=1 follow=E; 2", place="1:R", stop="1RS", count="Ig2 Pl1 St1"
    ),
    case("W-46", {"policy": policy(30)}, "0; 1 f=1 follow=other; 2", count="Ig3"),
    case(
        "W-47",
        {"deployment": make_deployment(desired_total=3)},
        "0 d; 1 d f=10; 2 d f=10 resched",
        place="2:R",
        stop="2RS",
        count="Ig2 Pl1 St1",
    ),
    case("W-50", {}, "0; 1 f=10 events=100,50 force; 2", place="1:R", stop="1RS", count="Ig2 Pl1 St1"),
    case("W-53", {}, "0; 1 f=10 next=r; 2; 1 id=r", count="Ig3"),
    case("W-71", {"is_batch": True}, "0 complete; 1 down; 2", place="1:L", stop="1LO", count="Ig2 Pl1 St1"),
    case(
        "W-77",
        {"is_batch": True},
        "0 mig resched ended=3600; 1; 2",
        place="0:R",
        stop="0MI",
        count="Ig2 Pl1 Mi1",
    ),
    case(
        "W-78",
        {"is_batch": True},
        "0 mig resched ended=0; 1; 2",
        stop="0MI>F1",
        follow="F1=alloc-reschedule+5",
        count="Ig2 Mi1 RL1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_what_failed_is_placed_again(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-45, REC-46, REC-47, RESCHED-15, RESCHED-18, RESCHED-19, RESCHED-21, RESCHED-22."""
    assert expected == scene.solve(allocs)


def test_the_filter_sorts_three_ways() -> None:
    """REC-42, REC-44, REC-45, REC-46."""
    run = Scene().begin("0; 1 f=10; 2 f=1; 3 complete")

    kept, now, later = filter_set(run, run.untainted)

    assert ["a00", "a02"] == sorted(kept)
    assert ["a01"] == list(now)
    assert {"a02": ago(-4)} == later


def test_what_moves_may_be_due_as_well() -> None:
    """BATCH-11: it stays among what moves."""
    run = Scene(is_batch=True).begin("0 mig resched ended=3600; 1 mig resched ended=0")

    find_reschedules(run)

    assert {"a00", "a01"} == run.migrate.keys()
    assert {"a00"} == run.now.keys()
    assert {"a01": ago(-5)} == run.later


def test_what_is_out_of_reach_may_be_replaced_at_once() -> None:
    """DISC-04: if its delay is short; it is then neither kept nor stopped."""
    scene = Scene(disconnect=PATIENCE, policy=policy(1))
    run = scene.begin("0; 1 disc; 2")

    disconnect(run)

    assert {"a01"} == run.now.keys() == run.done.disconnect_updates.keys()
    assert "a01" not in run.untainted
    assert 1 == run.done.counts["reschedule_now"]
    assert {
        "place": "1:R",
        "change": "U1>F1",
        "follow": "F1=max-disconnect-timeout+300",
        "count": "Ig2 Pl1 Di1 RN1",
    } == scene.solve("0; 1 disc; 2")
