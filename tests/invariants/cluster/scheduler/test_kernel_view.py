"""Decisions in the kernel's words, and those for which it has none."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters import History, live_through
from nomadspec.checkers.stateful.clusters.histories import ChangeNode, Register, Report, Step, Stop, Wait
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_small_job
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.invariants.cluster.scheduler.kernel_view import (
    MOST_ROOM,
    UNREPLACED,
    OutsideError,
    Words,
    find_words,
    list_words,
)
from nomadspec.model.cluster.entities import (
    AllocClient,
    Constraint,
    EphemeralDisk,
    Job,
    JobType,
    NetworkResource,
    Operand,
    UpdateStrategy,
)
from nomadspec.model.specification.profiles import NOMAD_2_0

SERVICE = make_small_job(JobType.SERVICE, count=2, cpu_mhz=400)


def decide(*steps: Step, racks: tuple[str, ...] = ("r1",)) -> Decision:
    """Give the last decision of a history."""
    return list(
        live_through(
            History(nodes=tuple(make_node(rack=rack) for rack in racks), steps=steps), profile=NOMAD_2_0
        )
    )[-1]


def read(decision: Decision) -> Words:
    """Put a decision about the only group in words."""
    assert decision.job is not None
    return find_words(decision, decision.job, decision.job.task_groups[0])


def with_group(job: Job = SERVICE, **fields: Any) -> Job:
    """Change the only group of a job."""
    return replace(job, task_groups=(replace(job.task_groups[0], **fields),))


def test_what_is_placed_and_how_much_room_is_left() -> None:
    first = read(decide(Register(SERVICE)))

    assert ((0, 0), False, 2) == (first.placed, first.is_short, first.count)
    assert [0] == [place.room for place in first.places]
    assert () == first.own


def test_what_finds_no_place_is_short() -> None:
    short = read(decide(Register(with_group(count=3))))

    assert ((0, 0), True) == (short.placed, short.is_short)


def test_a_node_is_barred_where_the_group_may_not_go() -> None:
    rack = Constraint(ltarget="${meta.rack}", operand=Operand.EQUAL, rtarget="r1")
    words = read(decide(Register(with_group(constraints=(rack,))), racks=("r1", "r2", "r1")))
    down = read(
        decide(Register(SERVICE), ChangeNode(0, "down"), ChangeNode(1, "ineligible"), racks=("r1", "r1"))
    )

    assert [False, True, False] == [place.is_barred for place in words.places]
    assert [(False, True), (True, False)] == [(place.is_up, place.is_eligible) for place in down.places]
    assert MOST_ROOM == max(
        place.room for place in read(decide(Register(with_group(count=0, tasks=())))).places
    )


def test_versions_are_current_taken_over_or_replaced() -> None:
    again = read(decide(Register(SERVICE), Wait(1)))
    moved = read(decide(Register(SERVICE), Register(replace(SERVICE, priority=60))))
    changed = read(decide(Register(SERVICE), Register(with_group(meta={"new": "1"}))))

    assert {2} == {own.version for own in again.own}
    assert {(1, True)} == {(own.version, own.is_updated) for own in moved.own}
    assert {(0, True)} == {(own.version, own.is_stopped) for own in changed.own}


def test_what_has_ended_takes_no_place_and_a_batch_counts_it() -> None:
    batch = make_small_job(JobType.BATCH)
    words = read(decide(Register(batch), Report(0, AllocClient.COMPLETE, healthy=None)))

    assert [(None, True)] == [(own.place, own.is_complete) for own in words.own]
    assert () == words.placed


def test_a_stopped_job_is_not_wanted() -> None:
    words = read(decide(Register(SERVICE), Stop(0)))

    assert not words.is_wanted
    assert {True} == {own.is_stopped for own in words.own}


PORT = NetworkResource(mode="host")


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((Register(make_small_job(JobType.SYSBATCH)),), "a job that runs once on every node"),
        ((Register(with_group(update=UpdateStrategy(max_parallel=1))),), "an update strategy"),
        (
            (Register(replace(SERVICE, constraints=(Constraint(operand=Operand.DISTINCT_HOSTS),))),),
            "distinct hosts or properties",
        ),
        ((Register(with_group(ephemeral_disk=EphemeralDisk(sticky=True))),), "a disk that is kept"),
        ((Register(with_group(networks=(PORT,))),), "ports, cores or devices"),
        ((Register(SERVICE), Report(0, AllocClient.FAILED, healthy=None)), "a failed allocation"),
        ((Register(SERVICE), ChangeNode(0, "disconnected")), "a node that is neither ready nor down"),
        (
            (
                Register(SERVICE),
                Register(
                    with_group(
                        count=1, tasks=make_small_job(JobType.SERVICE, cpu_mhz=2000).task_groups[0].tasks
                    )
                ),
            ),
            UNREPLACED,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_for_some_there_are_no_words(steps: tuple[Step, ...], reason: str) -> None:
    decision = decide(*steps)

    with pytest.raises(OutsideError, match=reason):
        read(decision)
    assert [] == list(list_words(decision))
