"""Judges what had to come and did not, by the end of a recording in which everything had come to rest."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.explain.deployment_wakeups import list_unheeded
from nomadspec.checkers.oracle.explain.drains import compare_drains
from nomadspec.checkers.oracle.explain.gc_ages import compare_ages, read_thresholds
from nomadspec.checkers.oracle.explain.launching import list_missed
from nomadspec.checkers.oracle.explain.missed_unblocks import list_stuck
from nomadspec.checkers.oracle.explain.redelivered_calls import ELECTED
from nomadspec.checkers.oracle.explain.reports import list_overrun
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_window import read_time
from nomadspec.model.cluster.components.core_gc import Thresholds
from nomadspec.model.cluster.components.deployment_watch import (
    Watcher,
    can_promote_itself,
    compute_cutoff_ns,
    list_late_groups,
    look_at_allocs,
)
from nomadspec.model.cluster.components.leader_memory import is_broker_paused
from nomadspec.model.cluster.components.node_evals import (
    is_woken_by_registration,
    is_woken_by_status,
    make_node_evals,
)
from nomadspec.model.cluster.components.reapers import CORE
from nomadspec.model.cluster.components.registration import never_runs
from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentStatus,
    EvalStatus,
    Evaluation,
    Node,
    Trigger,
)
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.node import Eligibility
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    EvalUpdate,
    JobRegister,
    NodeBatchDeregister,
    NodeDeregister,
    NodeRegister,
    NodeUpdateDrain,
    NodeUpdateEligibility,
    NodeUpdateStatus,
)
from nomadspec.model.specification.profiles import Profile

REST_NS: Final = 4 * NS_PER_S
"""So long before the end nothing may be left to do."""
REDELIVERY_NS: Final = 90 * NS_PER_S
"""So long after its delivery an evaluation comes again that a server took with it."""
_NEAR: Final = 40
_SOON_NS: Final = 5 * NS_PER_S
"""So many entries and so much time later whatever had to follow was written, unless another leader came."""


class Rest(msgspec.Struct, frozen=True):
    """How a recording ended."""

    stop_index: int
    """What came after it belongs to the shutdown."""
    ended_ns: int
    is_quiet: bool = True
    """Whether everything had come to rest."""
    patience_ns: int = REST_NS
    """So long an evaluation that is due may still be in the hands of somebody."""
    served: frozenset[str] | None = None
    """The types of evaluations for which there are workers, where it was told."""
    thresholds: Thresholds | None = None
    """How old things had to be to be collected, where it was told and nobody forced it."""

    @staticmethod
    def of(scenario: Mapping[str, Any]) -> Rest:
        """Read it from the description of a scenario; one that does not say when it ended tells nothing."""
        ended_ns, stop_index = scenario.get("ended_ns"), scenario.get("stop_index")
        if not isinstance(ended_ns, int) or not isinstance(stop_index, int):
            return Rest(0, 0, is_quiet=False)
        is_quiet = not scenario.get("warnings") and scenario.get("status", "ok") == "ok"
        servers = _list_servers(scenario)
        patience_ns = REDELIVERY_NS if _is_any_stopped(scenario, servers) else REST_NS
        settings = list(servers.values())
        thresholds = read_thresholds(scenario, settings)
        return Rest(stop_index, ended_ns, is_quiet, patience_ns, _list_served(settings), thresholds)


def _list_servers(scenario: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """List the settings of servers by their names; what is not as it should be tells nothing."""
    cluster = scenario.get("cluster")
    told = cluster.get("servers") if isinstance(cluster, Mapping) else None
    rows = [row for row in told if isinstance(row, Mapping)] if isinstance(told, list) else []
    settings = ((str(row.get("name")), row.get("settings")) for row in rows)
    return {name: known if isinstance(known, Mapping) else {} for name, known in settings}


def _is_any_stopped(scenario: Mapping[str, Any], servers: Container[str]) -> bool:
    """True if a server was stopped or killed: it may have held evaluations until they were missed."""
    actions = scenario.get("actions")
    rows = [row for row in actions if isinstance(row, Mapping)] if isinstance(actions, list) else []
    return any(row.get("kind") == "process" and row.get("agent") in servers for row in rows)


def _list_served(settings: Collection[Mapping[str, Any]]) -> frozenset[str] | None:
    """List for which types servers have workers; None where nobody told, so that there are some for all.

    Spec: WORKER-01.
    """
    served: set[str] = set()
    for each in settings:
        enabled = each.get("enabled_schedulers")
        if each.get("num_schedulers") == 0:
            continue
        if not isinstance(enabled, list):
            return None
        served.update(map(str, enabled))
    return frozenset(served) if settings else None


def compare_obligations(replay: Replay, rest: Rest, profile: Profile) -> Iterator[Difference]:
    """List what had to be written and was not.

    Spec: EVAL-37, TRIG-09, TRIG-10, TRIG-22, TRIG-29, DEP-34, DEP-43, DRAIN-12.
    """
    yield from _list_unwoken(replay, rest, profile)
    ended_ns = rest.ended_ns if rest.is_quiet else None
    yield from compare_drains(replay, rest.stop_index, ended_ns, REST_NS)
    yield from list_unheeded(replay, rest.stop_index, ended_ns)
    yield from list_stuck(replay, rest.stop_index, ended_ns, rest.patience_ns, profile)
    if rest.thresholds is not None:
        yield from compare_ages(replay, rest.thresholds, rest.ended_ns)
    if rest.is_quiet and replay.steps:
        state = replay.find_state(rest.stop_index)
        yield from _list_unended(state, rest)
        yield from _list_unmoved(state, rest, profile)
        yield from list_missed(state, rest.ended_ns, profile)
        yield from list_overrun(state, rest.ended_ns)


# --- who has to be woken ---


def _list_unwoken(replay: Replay, rest: Rest, profile: Profile) -> Iterator[Difference]:
    """List changes of nodes, and other counts of groups, that wake jobs and after which none was woken."""
    steps, woken = replay.steps, _list_woken(replay)
    times_ns = list(accumulate((read_time(step.typed.entry.request) for step in steps), max))
    for at, step in enumerate(steps):
        before = steps[at - 1].applied.state if at else make_initial_state()
        index = step.typed.entry.index
        until = max(at + 1 + _NEAR, bisect_right(times_ns, times_ns[at] + _SOON_NS))
        after = steps[at + 1 : until]
        is_over = until <= len(steps) or (rest.is_quiet and index <= rest.stop_index)
        if not is_over or _is_deposed(after):
            continue
        for node in _list_waking(step, before):
            if not any(each.typed.entry.index in woken[node.id, index] for each in after):
                due = [each.job_id for each in _list_due([step, *after], node, index, profile)]
                if due:
                    yield Difference(f"raft-log[{index}]", ABSENT, due, "TRIG-09")
        if _is_scaling(step) and not any(_is_woken_by(each, step) for each in after):
            yield Difference(f"raft-log[{index}]", ABSENT, "an evaluation of the job", "TRIG-22")


def _list_woken(replay: Replay) -> defaultdict[tuple[str, int], set[int]]:
    """List which entries hold evaluations of a node, by the node and the index that they name."""
    woken: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for step in replay.steps:
        request = step.typed.entry.request
        for entry in request.evals if isinstance(request, EvalUpdate) else ():
            if entry.triggered_by == Trigger.NODE_UPDATE and entry.status == EvalStatus.PENDING:
                woken[entry.node_id, entry.node_modify_index].add(step.typed.entry.index)
    return woken


def _is_deposed(steps: Sequence[Step]) -> bool:
    """True if another leader came: what the one before had not written yet may never come."""
    return any(step.typed.type == ELECTED for step in steps)


def _list_due(after: Sequence[Step], node: Node, index: int, profile: Profile) -> Sequence[Evaluation]:
    """List which jobs any state shortly after the change would have woken: those that all of them would."""
    made = [
        make_node_evals(step.applied.state, node, index, str, 0, profile=profile) or () for step in after[:8]
    ]
    return min(made, key=len, default=())


def _list_waking(step: Step, before: State) -> Iterator[Node]:
    """List the nodes whose change wakes jobs.

    Spec: NODEST-06, NODEST-12, NODEST-15, NODEST-17, NODEST-18, TRIG-10, GC-63.
    """
    request, state = step.typed.entry.request, step.applied.state
    if step.applied.error is not None:
        return
    gone: tuple[str, ...] = ()
    match request:
        case NodeDeregister(node_id=node_id):
            gone = (node_id,)
        case NodeBatchDeregister(node_ids=node_ids):
            gone = node_ids
        case _:
            node = state.find_node(_find_node_id(request, before))
            yield from (node,) if node is not None else ()
    yield from (
        node
        for name in gone
        if state.find_node(name) is None and (node := before.find_node(name)) is not None
    )


def _is_scaling(step: Step) -> bool:
    """True if an entry gives a group of a job another count: its evaluation is an entry of its own.

    Spec: JOB-22, TRIG-22, JOB-24.
    """
    request = step.typed.entry.request
    if not isinstance(request, JobRegister) or request.job is None or step.applied.error is not None:
        return False
    return request.eval is None and request.enforce_index and not never_runs(request.job)


def _is_woken_by(step: Step, scaling: Step) -> bool:
    request, index = step.typed.entry.request, scaling.typed.entry.index
    return isinstance(request, EvalUpdate) and any(
        (each.triggered_by, each.job_modify_index, each.create_index) == (Trigger.JOB_SCALING, index, 0)
        for each in request.evals
    )


def _find_node_id(request: object, before: State) -> str:
    """Find the node that a request changes so that jobs are woken."""
    is_waking, node_id = False, ""
    match request:
        case NodeUpdateStatus(node_id=node_id):
            node = before.find_node(node_id)
            is_waking = node is not None and is_woken_by_status(node.status, request.status)
        case NodeRegister():
            node_id = request.node.id
            is_waking = is_woken_by_registration(before.find_node(node_id), request.node)
        case NodeUpdateEligibility(node_id=node_id):
            is_waking = request.eligibility == Eligibility.ELIGIBLE
        case NodeUpdateDrain(node_id=node_id, drain_strategy=None, mark_eligible=True):
            node = before.find_node(node_id)
            is_waking = node is not None and node.scheduling_eligibility == Eligibility.INELIGIBLE
    return node_id if is_waking else ""


# --- evaluations ---


def _list_unended(state: State, rest: Rest) -> Iterator[Difference]:
    """List evaluations that were due and that nobody has worked on."""
    if is_broker_paused(state):
        return
    for entry in state.list_evals():
        due_ns = max(entry.modify_time_ns + entry.wait_ns, entry.wait_until_ns)
        is_served = rest.served is None or entry.type in rest.served
        is_due = entry.status == EvalStatus.PENDING and entry.type != CORE and is_served
        if is_due and due_ns + rest.patience_ns < rest.ended_ns:
            yield Difference(f"raft-log[{entry.create_index}].Evals", entry.status, "it ends", "EVAL-37")


# --- deployments ---


def _list_unmoved(state: State, rest: Rest, profile: Profile) -> Iterator[Difference]:
    """List deployments that had to fail or to be promoted.

    Spec: DEP-34, DEP-42, DEP-43.
    """
    for deployment in state.list_deployments():
        job = state.find_job(deployment.namespace, deployment.job_id)
        if job is None or job.stop or not is_active(deployment):
            continue
        versions = state.list_job_versions(deployment.namespace, deployment.job_id)
        own = next((each for each in versions if each.version == deployment.job_version), job)
        path = f"raft-log[{deployment.modify_index}]"
        watcher = Watcher(deployment_id=deployment.id, job=own)
        seen_ns = _find_last_change_ns(deployment, state)
        if seen_ns + REST_NS >= rest.ended_ns:
            continue
        if look_at_allocs(state, watcher, deployment, seen_ns).has_failed:
            cause = f"raft-log[{_find_first_failure(deployment, state)}]"
            yield Difference(f"{cause}.Deployment.Status", deployment.status, "failed", "DEP-43")
        elif can_promote_itself(state, deployment):
            yield Difference(f"{path}.Deployment.Promoted", ABSENT, "promoted", "DEP-34")
        elif _is_overdue(state, deployment, seen_ns, rest, profile):
            yield Difference(f"{path}.Deployment.Status", deployment.status, "failed", "DEP-42")


def _is_overdue(state: State, deployment: Deployment, seen_ns: int, rest: Rest, profile: Profile) -> bool:
    """True if the time for progress was over while nothing changed that the timer could have missed.

    It rings once, and again where the time is put off: whatever changed shortly before does not count.
    """
    cutoff_ns = compute_cutoff_ns(state, deployment)
    is_over = seen_ns + REST_NS < cutoff_ns < rest.ended_ns - rest.patience_ns
    is_running = deployment.status == DeploymentStatus.RUNNING
    return is_running and is_over and bool(list_late_groups(state, deployment, profile=profile))


def _find_first_failure(deployment: Deployment, state: State) -> int:
    """Find the entry by which an allocation of a deployment became unhealthy."""
    told = [alloc.deployment_status for alloc in state.list_allocs_of_deployment(deployment.id)]
    return min(status.modify_index for status in told if status is not None and status.healthy is False)


def _find_last_change_ns(deployment: Deployment, state: State) -> int:
    """Find when the watcher last had something to look at."""
    allocs = state.list_allocs_of_deployment(deployment.id)
    return max((deployment.modify_time_ns, *(alloc.modify_time_ns for alloc in allocs)))
