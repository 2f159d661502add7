from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import NS_PER_S, DisconnectStrategy
from nomadspec.model.cluster.scheduler.reconcile.followups import (
    await_changed_timeouts,
    await_client_stops,
    await_reschedules,
    await_timeouts,
)
from nomadspec.model.cluster.scheduler.reconcile.updates import judge_updates
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile
from tests.model.cluster.scheduler.reconcile.made import NOW_S, PATIENCE, Scene, ago, case, make_deployment

STUBBORN: dict[str, Any] = {"disconnect": DisconnectStrategy(replace=False, lost_after_ns=300 * NS_PER_S)}
PATIENT: dict[str, Any] = {"disconnect": PATIENCE}
SELF_STOPPING: dict[str, Any] = {"disconnect": DisconnectStrategy(stop_on_client_after_ns=10 * NS_PER_S)}

CASES = [
    case(
        "W-54",
        PATIENT,
        "0; 1 disc; 2",
        change="U1>F2",
        follow="F1=max-disconnect-timeout+300 F2=alloc-reschedule+5",
        count="Ig3 Di1 RL1",
    ),
    case("W-55", PATIENT, "0; 1 disc unk=5 follow=E; 2", place="1:R", count="Ig2 Pl1"),
    case("W-56", PATIENT, "0; 1 disc unk=5; 2", count="Ig3"),
    case(
        "W-57",
        STUBBORN,
        "0; 1 disc; 2",
        change="U1>F1",
        follow="F1=max-disconnect-timeout+300",
        count="Ig3 Di1",
    ),
    case(
        "W-58",
        STUBBORN,
        "0 down; 1 down unk=5; 2 down pending",
        place="2:L",
        stop="2LO",
        change="U0>F1",
        follow="F1=max-disconnect-timeout+300",
        count="Ig2 Pl1 St1 Di1",
    ),
    case("W-59", PATIENT, "0; 1 disc unk=300; 2; 1", stop="1LO", count="Ig3 St1"),
    case("W-60", PATIENT, "0; 1 disc unk=301; 2", place="1:L", stop="1LO", count="Ig2 Pl1 St1"),
    case("W-61 pending", PATIENT, "0; 1 disc pending; 2", place="1:L", stop="1LO", count="Ig2 Pl1 St1"),
    case("W-61 no grace", {}, "0; 1; 2 disc", place="2:L", stop="2LO", count="Ig2 Pl1 St1"),
    case("W-68", SELF_STOPPING, "0; 1 down; 2", stop="1LO>F1", follow="F1=alloc-failure+15", count="Ig2 St1"),
    case("W-69", SELF_STOPPING, "0; 1 stop lost; 2", place="1", count="Ig2 Pl1"),
    case(
        "W-70",
        {**SELF_STOPPING, "count": 4},
        "0; 1 down; 2 f=10",
        stop="1LO>F1 2RS",
        follow="F1=alloc-failure+15",
        count="Ig1 St2",
    ),
    case(
        "W-80",
        {**PATIENT, "is_batch": True},
        "0; 1 disc; 2",
        change="U1>F2",
        follow="F1=max-disconnect-timeout+300 F2=alloc-reschedule+5",
        count="Ig3 Di1 RL1",
    ),
    case("W-81", {**PATIENT, "is_batch": True}, "0; 1 disc unk=5 follow=E; 2", count="Ig3"),
    case(
        "04/S-10",
        {**PATIENT, "is_batch": True, "profile": INTENDED},
        "0; 1 disc unk=5 follow=E; 2",
        place="1:R",
        count="Ig2 Pl1",
    ),
    case(
        "unknown and lost at once",
        {"disconnect": DisconnectStrategy(replace=False)},
        "0; 1 down; 2",
        change="U1>F1",
        follow="F1=max-disconnect-timeout+0",
        count="Ig3 Di1",
    ),
    case(
        "held by its deployment",
        {**PATIENT, "deployment": make_deployment(desired_total=3)},
        "0; 1 disc d; 2",
        change="U1>F1",
        follow="F1=max-disconnect-timeout+300",
        count="Ig3 Di1",
    ),
    case(
        "out of reach and too many",
        {**PATIENT, "count": 1},
        "0; 1 disc",
        stop="1NN",
        change="U1>F2",
        follow="F1=max-disconnect-timeout+300 F2=alloc-reschedule+5",
        count="Ig1 St1 Di1 RL1",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_what_is_looked_at_later(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """DISC-04, DISC-05, DISC-06, DISC-07, DISC-08, DISC-09, DISC-10, DISC-11, DISC-17."""
    assert expected == scene.solve(allocs)


def test_a_followup_says_what_it_is_for() -> None:
    """GENERIC-46, RESCHED-21."""
    run = Scene().begin("0 f=1; 1 f=-4; 2 f=-1")
    run.later = {"a00": ago(-4), "a01": ago(-9), "a02": ago(-6)}

    await_reschedules(run)

    first, second = run.done.followup_evals
    assert ("alloc-reschedule", "created for delayed rescheduling", ago(-4)) == (
        first.triggered_by,
        first.status_description,
        first.wait_until_ns,
    )
    assert ("alloc-failure", "", ago(-9)) == (
        second.triggered_by,
        second.status_description,
        second.wait_until_ns,
    )
    assert ("pending", 50, "service", 21) == (
        first.status,
        first.priority,
        first.type,
        first.job_modify_index,
    )
    assert {"a00": "F1", "a01": "F2", "a02": "F1"} == {
        alloc_id: alloc.followup_eval_id for alloc_id, alloc in run.done.attribute_updates.items()
    }


def test_clients_that_have_had_their_time_are_not_waited_for() -> None:
    """DISC-09: the time counts from the first record of the loss."""
    run = Scene(**SELF_STOPPING).begin("0 down; 1 down")

    await_client_stops(run)

    assert {"a00": "F1", "a01": "F1"} == run.lost_later


@pytest.mark.parametrize(
    ("grace_s", "awaited"), [(300, None), (900, "F1=max-disconnect-timeout+840")], ids=["the same", "longer"]
)
def test_what_is_unknown_is_looked_at_when_the_lost_after_is_over_that_it_gets(
    grace_s: int, awaited: str | None
) -> None:
    """X-70, DISC-11, DISC-12."""
    for profile, expected in ((NOMAD_2_0, None), (find_profile("nomad-2.0 -X-70"), awaited)):
        run = Scene(count=1, disconnect=PATIENCE, profile=profile).begin("0 I disc unk=60")
        run.group = replace(run.group, disconnect=DisconnectStrategy(lost_after_ns=grace_s * NS_PER_S))
        judge_updates(run)
        await_changed_timeouts(run)
        shown = [
            f"{e.id}={e.triggered_by}+{e.wait_until_ns / NS_PER_S - NOW_S:g}" for e in run.done.followup_evals
        ]

        assert ([expected] if expected else []) == shown


def test_those_out_of_reach_wait_for_the_same_evaluation() -> None:
    """DISC-05, DISC-06."""
    run = Scene(**PATIENT).begin("0,1 disc")

    await_timeouts(run)

    assert ["F1", "F1"] == [alloc.followup_eval_id for alloc in run.done.disconnect_updates.values()]
    assert 1 == len(run.done.followup_evals)
