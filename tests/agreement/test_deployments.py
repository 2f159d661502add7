"""The kernel's deployments agree with the recorded watcher, calls and store: each step is given to both.

The watcher looks at the allocations of each deployment after every step: for news of health it collects, and
makes an evaluation when the kernel does; what it would fail it fails then. What is written of a plan's
deployment, of health and of calls leaves the same status and the same counts behind, and makes as many
evaluations; but a plan that brings back what was deleted meanwhile brings its counts back too, which the
kernel does not remember.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.components import deployment_calls, deployment_watcher
from nomadspec.model.cluster.components.deployment_watch import NOTHING_SEEN, Watchers
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Deployment,
    DeploymentState,
    TaskGroup,
)
from nomadspec.model.cluster.store.entries import Applied, Entry, apply
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    AllocUpdateDesiredTransition,
    ApplyPlanResults,
    DeploymentUpdateStatus,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.deployments import is_active, is_created
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, DeploymentPart, DeploymentPhase, Health, Stage
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from tests.agreement.evaluations import list_evals, name, name_job, read_arguments
from tests.agreement.objects import name_alloc, write_state, write_status_updates
from tests.agreement.one_sided import WATCHER_IN_COMPONENT
from tests.agreement.subject import Choice, Subject
from tests.agreement.walking import KERNEL, Edge

STEPS = 400
CALLS = (DeploymentPhase.RUNNING, DeploymentPhase.PAUSED, DeploymentPhase.FAILED)
GROUP = "g"
HEALTHY = {Health.UNSET: None, Health.HEALTHY: True, Health.UNHEALTHY: False}
At = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Mirror:
    """The index of the log, what was written when, and a watcher that looks after each step."""

    profile: Profile
    index: int = 100
    made: dict[At, int] = field(default_factory=dict)
    """Of each evaluation the index of its creation."""
    told: dict[At, int] = field(default_factory=dict)
    """Of each allocation the index of its health."""
    nodes: dict[At, Any] = field(default_factory=dict)
    """Where each allocation was last seen."""
    read: dict[Any, Deployment | None] = field(default_factory=dict)
    """By worker, the deployment that its scheduler read, if there was one."""
    applied: Applied | None = None
    """What came of the entry of the last step, where it was about a deployment."""
    evals: int = 0
    """The evaluations that come with it."""
    watchers: Watchers = field(default_factory=lambda: deployment_watcher.enable(Watchers()))
    failing: frozenset[str] = frozenset()
    """The deployments that the watcher would fail, were it the next to act."""


def begin(world: Kernel, profile: Profile) -> Mirror:
    return note_evals(world, Mirror(profile))


def note_evals(world: Kernel, mirror: Mirror) -> Mirror:
    """Note the evaluations that were made at this index, and where allocations are."""
    made = {at: mirror.index for at in list_evals(world) if at[1] < world.made[at[0]]}
    seen = {(job, i): world.occupies[job, i] for job in world.jobs for i in world.allocs}
    nodes = {at: node for at, node in seen.items() if node != NONE}
    return replace(mirror, made=made | mirror.made, nodes=mirror.nodes | nodes)


def write_deployment(world: Kernel, job: Any) -> Deployment:
    """Write the current deployment of a job: no other one is looked at."""
    counts = DeploymentState(
        desired_total=int(world.count),
        placed_allocs=int(world.placed[job]),
        healthy_allocs=int(world.healthy[job]),
        unhealthy_allocs=int(world.unhealthy[job]),
    )
    return Deployment(
        id=f"deployment of {job}",
        namespace="default",
        job_id=name_job(job),
        job_version=int(world.deployment_version[job]),
        task_groups={GROUP: counts},
        status=DeploymentPhase(world.deployment[job]).name.lower(),
        create_index=50,
    )


def write_whole_state(world: Kernel, mirror: Mirror) -> State:
    """Write the store with deployments, and with the health of their allocations."""
    state = write_state(world, mirror.index, mirror.nodes)
    found = {name_alloc(job, i): (job, i) for job in world.jobs for i in world.allocs}

    def join(alloc: Allocation) -> Allocation:
        job, i = found[alloc.id]
        if not world.in_deployment[job, i]:
            return with_fields(alloc, task_group=GROUP)
        healthy = HEALTHY[Health(world.health[job, i])]
        status = AllocDeploymentStatus(healthy=healthy, modify_index=mirror.told.get((job, i), 0))
        return with_fields(
            alloc,
            task_group=GROUP,
            deployment_id=f"deployment of {job}",
            deployment_status=None if healthy is None else status,
        )

    made = {name(*at): index for at, index in mirror.made.items()}
    return State.of(
        nodes=state.list_nodes(),
        namespaces=state.list_namespaces(),
        jobs=[with_fields(job, task_groups=(TaskGroup(name=GROUP),)) for job in state.list_jobs()],
        evals=[with_fields(one, create_index=made[one.id]) for one in state.list_evals()],
        allocs=[join(alloc) for alloc in state.list_allocs()],
        deployments=[
            write_deployment(world, job)
            for job in world.jobs
            if world.deployment[job] != DeploymentPhase.ABSENT
        ],
        index=mirror.index,
    )


def commit(state: State, mirror: Mirror, request: msgspec.Struct, evals: int = 0) -> Mirror:
    applied = apply(state, Entry(mirror.index, request), now_ns=1, profile=mirror.profile)
    return replace(mirror, applied=applied, evals=evals)


def take_snapshot(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Note the deployment as the worker's scheduler reads it: the plan of a system job carries all of it."""
    job = told["job"]
    is_there = before.deployment[job] != DeploymentPhase.ABSENT
    read = write_deployment(before, job) if is_there else None
    return replace(mirror, read=mirror.read | {told["worker"]: read})


def apply_plan(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Write what is left of a plan: its deployment, the status update, and what it places for that."""
    if after.stage[told["worker"]] == Stage.FAILING:
        return mirror
    job, planned = told["job"], before.plan[told["worker"]].deployment
    deployment = None
    if planned.part == DeploymentPart.NEW:
        deployment = Deployment(
            id=f"new deployment of {job}",
            namespace="default",
            job_id=name_job(job),
            job_version=int(planned.version),
            task_groups={GROUP: DeploymentState(desired_total=int(before.count))},
            status="running",
        )
    elif planned.part == DeploymentPart.WHOLE:
        deployment = mirror.read[told["worker"]]
    found = deployment.id if deployment is not None else f"deployment of {job}"
    is_meant = is_active(planned.status) and planned.status_update != DeploymentPhase.CANCELLED
    stored = write_state(after, mirror.index, note_evals(after, mirror).nodes).allocs
    placed = [
        with_fields(stored[name_alloc(job, i)], task_group=GROUP, deployment_id=found if is_meant else "")
        for i in before.allocs
        if before.alloc_phase[job, i] == AllocPhase.ABSENT and after.alloc_phase[job, i] != AllocPhase.ABSENT
    ]
    request = ApplyPlanResults(
        deployment=deployment,
        deployment_updates=write_status_updates(found, planned),
        allocs_updated=tuple(placed),
    )
    return commit(write_whole_state(before, mirror), mirror, request)


def report(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    job, i = told["job"], told["alloc"]
    health = AllocDeploymentStatus(healthy=bool(told["is_good"]))
    update = Allocation(id=name_alloc(job, i), client_status="running", deployment_status=health)
    written = commit(write_whole_state(before, mirror), mirror, AllocClientUpdate(alloc=(update,)))
    return replace(written, told=mirror.told | {(job, i): mirror.index})


def call(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    state = write_whole_state(before, mirror)
    asked = ask(mirror, state, f"deployment of {told['job']}", told["to"])
    assert isinstance(asked.request, DeploymentUpdateStatus)
    return commit(state, mirror, asked.request, evals=asked.request.eval is not None)


def fail(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Have the watcher look at the deployment for the first time: it fails it."""
    state, deployment_id = write_whole_state(before, mirror), f"deployment of {told['job']}"
    watchers = deployment_watcher.enable(Watchers())
    requests = []
    is_settled = False
    while not is_settled:
        reaction = deployment_watcher.react(watchers, state, 1, "asked", profile=mirror.profile)
        watchers, is_settled = reaction.watchers, reaction.is_settled
        requests += [reaction.request] if reaction.request else []
    (request,) = [
        one
        for one in requests
        if isinstance(one, DeploymentUpdateStatus)
        and one.deployment_update
        and one.deployment_update.deployment_id == deployment_id
    ]
    return commit(state, mirror, request, evals=request.eval is not None)


def make_eval(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Let the time pass for which the watcher of a deployment collects, and then all watchers together."""
    state, deployment_id = write_whole_state(before, mirror), f"deployment of {told['job']}"
    due = with_fields(mirror.watchers.watchers[deployment_id], batch_at_ns=1)
    watchers = with_fields(mirror.watchers, watchers=mirror.watchers.watchers.insert(deployment_id, due))
    request = None
    while request is None:
        reaction = deployment_watcher.react(watchers, state, 1, "asked", profile=mirror.profile)
        watchers, request = reaction.watchers, reaction.request
        if watchers.batch.due_ns:
            watchers = with_fields(watchers, batch=with_fields(watchers.batch, due_ns=1))
    assert isinstance(request, AllocUpdateDesiredTransition)
    assert [one.job_id for one in request.evals] == [name_job(told["job"])]
    return replace(mirror, watchers=watchers, evals=len(request.evals))


FOLLOWERS: dict[str, Callable[[dict[str, Any], Kernel, Kernel, Mirror], Mirror]] = {
    "Begin": take_snapshot,
    "ApplyPlan": apply_plan,
    "ReportHealth": report,
    "SetDeploymentStatus": call,
    "FailDeployment": fail,
    "WatchHealth": make_eval,
}
"""What a step is for the store, the watcher and the calls."""


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Give the components what a step of the kernel gives to them."""
    mirror = replace(mirror, index=mirror.index + 1, applied=None, evals=0)
    if (follower := FOLLOWERS.get(instance.rule.name)) is not None:
        mirror = follower(read_arguments(instance), before, after, mirror)
    if is_begun(read_arguments(instance), instance.rule.name, before):
        mirror = forget_watcher(mirror, read_arguments(instance)["job"])
    return look(after, note_evals(after, mirror))


def is_begun(told: dict[str, Any], rule: str, before: Kernel) -> bool:
    """Tell whether a step makes a deployment."""
    return rule == "ApplyPlan" and bool(
        is_created(before, told["job"], before.plan[told["worker"]].deployment)
    )


def forget_watcher(mirror: Mirror, job: Any) -> Mirror:
    """Forget the watcher of a deployment that another one has replaced: it has the same name here."""
    left = mirror.watchers.watchers.discard(f"deployment of {job}")
    return replace(mirror, watchers=with_fields(mirror.watchers, watchers=left))


def look(world: Kernel, mirror: Mirror) -> Mirror:
    """Let the watcher look at the allocations of each deployment; what it would fail is left as it is."""
    if not world.leading:
        return replace(mirror, watchers=deployment_watcher.disable(), failing=frozenset())
    looking = deployment_watcher.enable(mirror.watchers)
    unseen = {one: with_fields(each, seen_allocs=NOTHING_SEEN) for one, each in looking.watchers.items()}
    watchers, is_settled = with_fields(looking, watchers=looking.watchers.update(unseen)), False
    state = write_whole_state(world, mirror)
    while not is_settled:
        reaction = deployment_watcher.react(watchers, state, 1, "asked", profile=mirror.profile)
        watchers, is_settled = reaction.watchers, reaction.is_settled
    failing = {one for one, each in watchers.watchers.items() if each.has_ended}
    going_on = {one: with_fields(watchers.watchers[one], has_ended=False) for one in failing}
    watchers = with_fields(watchers, watchers=watchers.watchers.update(going_on))
    return replace(mirror, watchers=watchers, failing=frozenset(failing))


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List what the watcher does next, and what an operator may ask for."""
    state = write_whole_state(world, mirror)
    for job in world.jobs:
        deployment_id = f"deployment of {job}"
        watcher = mirror.watchers.watchers.get(deployment_id)
        if deployment_id in mirror.failing:
            yield "fail", job
        elif watcher is not None and watcher.batch_at_ns:
            yield "evaluate", job
        yield from (("set", job, to) for to in CALLS if not ask(mirror, state, deployment_id, to).error)


def ask(mirror: Mirror, state: State, deployment_id: str, to: DeploymentPhase) -> deployment_calls.Call:
    """Have an operator pause a deployment, let it go on, or fail it."""
    if to == DeploymentPhase.FAILED:
        return deployment_calls.fail(mirror.watchers, state, deployment_id, "asked", 1)
    is_pause = to == DeploymentPhase.PAUSED
    return deployment_calls.pause(mirror.watchers, state, deployment_id, "asked", 1, is_pause=is_pause)


def show(deployment: Deployment | None, *, has_counts: bool) -> dict[str, Any]:
    """Show the status of a deployment, its version and its counts; nothing where there is none."""
    if deployment is None:
        return {}
    counts = deployment.task_groups[GROUP]
    return {
        "status": deployment.status,
        "version": deployment.job_version,
        "counts": with_fields(counts, require_progress_by_ns=0) if counts and has_counts else None,
    }


def is_carried(told: dict[str, Any], before: Kernel) -> bool:
    """Tell whether a plan carries all of the deployment that its scheduler read."""
    return bool(before.plan[told["worker"]].deployment.part == DeploymentPart.WHOLE)


def check_entry(edge: Edge[Mirror]) -> None:
    """Compare what an entry leaves of a deployment, and how many evaluations come with it."""
    if edge.rule in FOLLOWERS:
        told = read_arguments(edge.instance)
        job = told["job"]
        assert edge.after.made[job] - edge.before.made[job] == edge.now.evals
    if edge.now.applied is not None:
        assert edge.now.applied.error is None
        is_there = edge.after.deployment[job] != DeploymentPhase.ABSENT
        has_counts = not (is_begun(told, edge.rule, edge.before) and is_carried(told, edge.before))
        shown = show(write_deployment(edge.after, job) if is_there else None, has_counts=has_counts)
        found = edge.now.applied.state.find_latest_deployment("default", name_job(job))
        assert shown == show(found, has_counts=has_counts)


WATCHER = Subject(
    begin=begin,
    follow=follow,
    check=lambda _bounded, edge: check_entry(edge),
    rules={
        "WatchHealth": lambda _world, told: ("evaluate", told["job"]),
        "FailDeployment": lambda _world, told: ("fail", told["job"]),
        "SetDeploymentStatus": lambda _world, told: ("set", told["job"], told["to"]),
    },
    list_allowed=list_allowed,
    component_alone=WATCHER_IN_COMPONENT,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("scope", "sizes", "fired"),
    [
        ("deployment", {}, {"ApplyPlan", "ReportHealth", "FailDeployment", "SetDeploymentStatus"}),
        ("deployment", {"deployment_changes": 3, "reports": 1}, {"ReportHealth", "FailAlloc", "WatchHealth"}),
        ("deployment-watched", {"gc_deletions": 1}, {"ApplyPlan", "FailDeployment"}),
        ("deployment-paused", {}, {"SetDeploymentStatus", "ApplyPlan"}),
        ("deployment-system", {}, {"ApplyPlan", "SetDeploymentStatus", "PurgeJob"}),
        ("purge", {}, {"PurgeJob", "ApplyPlan"}),
        ("purge", {"returns": 0, "errors": 0}, {"PurgeJob", "ApplyPlan"}),
    ],
)
def test_the_kernel_has_deployments_as_the_recorded_components_leave_them(
    scope: str, sizes: dict[str, int], fired: set[str], profile: str
) -> None:
    assert fired <= WATCHER.compare(KERNEL.at(scope, sizes=sizes, profile=profile), STEPS)
