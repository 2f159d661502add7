"""Servers that are broken in one condition each are noticed by what they decide."""

from collections import Counter

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.outcomes import compare_outcomes
from nomadspec.checkers.oracle.trace_replay import read_run_clock, replay_log
from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import ApplyPlanResults, EvalUpdate, JobRegister
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.plans import is_new
from tests.checkers.oracle.lying.telling import Twist, is_named, judge_lie, on, tell_lies


def assert_noticed(name: str, twist: Twist) -> None:
    lies = list(tell_lies(name, twist, 1))

    assert lies
    assert all(is_named(lie, judge_lie(lie)) for lie in lies)


def has_operand(job: Job | None, operand: str) -> bool:
    groups = job.task_groups if job else ()
    constraints = [
        *(job.constraints if job else ()),
        *(each for group in groups for each in group.constraints),
    ]
    return any(each.operand == operand for each in constraints)


def crowd(request: ApplyPlanResults, _: State) -> ApplyPlanResults | None:
    """Place two that have to be apart on one host."""
    new = [at for at, each in enumerate(request.allocs_updated) if is_new(each)]
    nodes = Counter(request.allocs_updated[at].node_id for at in new)
    if not has_operand(request.job, "distinct_hosts") or len(nodes) < 2:
        return None
    first, second = new[:2]
    allocs = list(request.allocs_updated)
    allocs[second] = replace(allocs[second], node_id=allocs[first].node_id)
    return replace(request, allocs_updated=tuple(allocs))


@pytest.mark.deep
def test_ignored_distinct_hosts_are_noticed() -> None:
    """FEAS-43."""
    assert_noticed("distinct", on(ApplyPlanResults, crowd))


def ignore_constraint(request: ApplyPlanResults, state: State) -> ApplyPlanResults | None:
    """Place something on a rack that its job does not want."""
    told = request.job.constraints if request.job else ()
    excluded = {each.rtarget for each in told if each.operand == "!=" and each.ltarget == "${meta.rack}"}
    nodes = [node.id for node in state.list_nodes() if node.meta.get("rack") in excluded]
    at = next((at for at, each in enumerate(request.allocs_updated) if is_new(each)), None)
    if at is None or not nodes:
        return None
    allocs = list(request.allocs_updated)
    allocs[at] = replace(allocs[at], node_id=nodes[0])
    return replace(request, allocs_updated=tuple(allocs))


def test_an_operand_that_is_always_true_is_noticed() -> None:
    """FEAS-34."""
    assert_noticed("system_constraint", on(ApplyPlanResults, ignore_constraint))


@pytest.mark.parametrize("name", ["update_auto_revert", pytest.param("preemption", marks=pytest.mark.deep)])
def test_an_applier_that_commits_what_does_not_fit_is_noticed(name: str) -> None:
    """PLAN-31."""
    assert_noticed(name, LIES["plan: more memory than any node"])


def test_a_watcher_that_never_reverts_is_noticed() -> None:
    """DEP-60."""
    assert_noticed("update_auto_revert", LIES["deployment: never reverts"])


def lower(request: object, job_id: str, priority: int) -> object:
    """Let a job have had another priority all the time."""
    match request:
        case JobRegister() if request.job and request.job.id == job_id:
            entry = request.eval and replace(request.eval, priority=priority)
            return replace(request, job=replace(request.job, priority=priority), eval=entry)
        case ApplyPlanResults() if request.job and request.job.id == job_id:
            return replace(request, job=replace(request.job, priority=priority))
        case EvalUpdate():
            evals = [
                replace(each, priority=priority) if each.job_id == job_id else each for each in request.evals
            ]
            return replace(request, evals=tuple(evals))
    return request


def test_preemption_without_its_distance_of_priorities_is_noticed() -> None:
    """PREEMPT-06."""
    replay = replay_recorded("preemption")
    index, request = next(
        (step.typed.entry.index, step.typed.entry.request)
        for step in replay.steps
        if isinstance(step.typed.entry.request, ApplyPlanResults)
        and step.typed.entry.request.allocs_preempted
    )
    victim = replay.find_state(index - 1).find_alloc(request.allocs_preempted[0].id)
    evictor = request.job
    assert victim is not None
    assert evictor is not None
    assert victim.job is not None
    log = [
        replace(
            step.typed,
            entry=replace(
                step.typed.entry,
                request=lower(step.typed.entry.request, evictor.id, victim.job.priority + 5),
            ),
        )
        for step in replay.steps
    ]

    found = compare_outcomes(replay_log(log, NOMAD_2_0, read_run_clock), Context(NOMAD_2_0))

    assert any(each.path.startswith(f"raft-log[{index}]") for each in found)
