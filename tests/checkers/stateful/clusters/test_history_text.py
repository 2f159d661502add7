"""Histories in words."""

import pytest
from hypothesis import given, settings

from nomadspec.checkers.stateful.clusters.histories import (
    WITH_PREEMPTION,
    ChangeNode,
    History,
    Promote,
    Register,
    Report,
    Step,
    Stop,
    Wait,
    histories,
)
from nomadspec.checkers.stateful.clusters.history_text import tell, tell_step
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_small_job
from nomadspec.model.cluster.entities import AllocClient, JobType


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (Stop(2), "stop job 2"),
        (Report(1, AllocClient.FAILED, None), "living allocation 1 is failed"),
        (Report(0, AllocClient.RUNNING, healthy=False), "living allocation 0 is running, unhealthy"),
        (ChangeNode(3, "drain"), "node 3: drain"),
        (Promote(), "promote canaries"),
        (Wait(45), "45 seconds pass"),
    ],
)
def test_steps_are_told(step: Step, told: str) -> None:
    assert told == tell_step(step)


def test_a_registration_tells_the_job() -> None:
    told = tell_step(Register(make_small_job(JobType.BATCH)))

    assert told.startswith('register {"Datacenters": ["*"], "ID": "batch", "Priority": 50, "TaskGroups": [')
    assert '"CPU": 100' in told


def test_only_what_is_unusual_is_told_of_the_rest() -> None:
    odd = make_node(rack="r2")
    first, second, *rest = tell(History(nodes=(make_node(), odd), steps=(Wait(1),)))

    assert "node 0: the usual one" == first
    assert '"rack": "r2"' in second
    assert "Datacenter" not in second
    assert ["1. 1 second passes"] == rest
    bare = tell(History(nodes=(), steps=(), configuration=WITH_PREEMPTION, seed=3))
    assert ["configuration", "(chance:"] == [line.split()[0] for line in bare]


@settings(max_examples=20)
@given(history=histories(most_steps=3))
def test_every_history_can_be_told(history: History) -> None:
    lines = list(tell(history))

    assert len(lines) >= len(history.nodes) + len(history.steps)
    assert not any("\n" in line for line in lines)
