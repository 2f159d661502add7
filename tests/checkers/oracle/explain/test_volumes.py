"""No recorded cluster has volumes: a log in which nodes have some and jobs ask for them is made of one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.outcomes import compare_outcomes
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.entities import Job, Node, VolumeRequest
from nomadspec.model.cluster.entities.node import ClientHostVolume
from nomadspec.model.cluster.store.requests import ApplyPlanResults, JobRegister, NodeRegister
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded

TOLD = (
    "multigroup_blocked",
    *(pytest.param(name, marks=pytest.mark.deep) for name in ("update_destructive", "spread_affinity")),
)
DATA = ClientHostVolume(name="data", path="/srv/data")
Volumes = Callable[[Node], dict[str, ClientHostVolume]]


def have_all(_: Node) -> dict[str, ClientHostVolume]:
    return {"data": DATA}


def rewrite(name: str, volumes: Volumes) -> Replay:
    """Let nodes have had volumes, and all jobs have asked for one, all along."""
    log = [
        TypedEntry(
            step.typed.type,
            replace(step.typed.entry, request=_rewrite_request(step.typed.entry.request, volumes)),
        )
        for step in replay_recorded(name).steps
    ]
    return replay_log(log, NOMAD_2_0, read_run_clock)


def _rewrite_request(request: Any, volumes: Volumes) -> Any:
    match request:
        case NodeRegister(node=node):
            return replace(request, node=replace(node, host_volumes=volumes(node)))
        case JobRegister(job=job) | ApplyPlanResults(job=job) if job is not None:
            return replace(request, job=_ask(job))
    return request


def _ask(job: Job) -> Job:
    asked = {"data": VolumeRequest(name="data", type="host", source="data")}
    groups = (replace(group, volumes=asked) for group in job.task_groups)
    return replace(job, task_groups=tuple(groups))


def judge(replay: Replay) -> Iterator[Difference]:
    context = Context(NOMAD_2_0)
    yield from compare_plans(replay, context)
    yield from compare_outcomes(replay, context)
    yield from compare_acts(replay, context)


def find_first_placed(name: str) -> tuple[int, str]:
    """Find the first plan that places something, and a node on which it does."""
    return next(
        (step.typed.entry.index, step.typed.entry.request.allocs_updated[0].node_id)
        for step in replay_recorded(name).steps
        if isinstance(step.typed.entry.request, ApplyPlanResults) and step.typed.entry.request.allocs_updated
    )


@pytest.mark.parametrize("name", TOLD)
def test_a_log_with_volumes_is_accepted(name: str) -> None:
    """FEAS-60, FEAS-61."""
    assert list(judge(rewrite(name, have_all))) == []


@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize(
    "lack", [{}, {"other": DATA}, {"data": replace(DATA, read_only=True)}], ids=["none", "other", "read only"]
)
def test_a_node_without_the_volume_is_noticed(name: str, lack: dict[str, ClientHostVolume]) -> None:
    """FEAS-61, FEAS-62."""
    index, node_id = find_first_placed(name)
    replay = rewrite(name, lambda node: lack if node.id == node_id else {"data": DATA})

    assert any(each.path.startswith(f"raft-log[{index}]") for each in judge(replay))
