"""Finds the kernel's steps that an act is for deployments: their status, their counts, and who is healthy.

Each entry is looked at by itself, and each job of which it changed something: the job's current deployment
is set on the stage as it was before the entry. The declared texts are then run with their guards towards
what the entry left: a deployment that ends, one that begins, allocations that join it, their health, and at
last its status. Entries in flight come before what an act writes. A promotion is nothing to the kernel, which
has no canaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.acts.holding import Held, list_declared
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD
from nomadspec.checkers.oracle.refinement.scene import PLENTY, Outside, Scene, Text, round_up
from nomadspec.model.cluster.acts.registry import Act
from nomadspec.model.cluster.entities import Allocation, Deployment, DeploymentDescription, JobType
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, DEPLOYMENTS, JobKey, RowKey
from nomadspec.model.cluster.world import World
from nomadspec.model.kernel import deployments
from nomadspec.model.kernel.statuses import ACTIVE_DEPLOYMENT, AllocPhase, DeploymentPhase, Health, JobPhase
from nomadspec.model.specification.quirks import CANCELLED_IS_JOINED, RELABELLED_PLACEMENT

_TEXTS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "read_deployment": deployments.read_deployment,
        "write_deployment": deployments.write_deployment,
        "join_deployment": deployments.join_deployment,
        "report_health": deployments.report_health,
        "fail_deployment": deployments.fail_deployment,
        "finish_deployment": deployments.finish_deployment,
        "cancel_deployment": deployments.cancel_deployment,
        "set_deployment_status": deployments.set_deployment_status,
    }
)
_JOB: Final = 0
_HEALTH: Final[Mapping[bool | None, Health]] = MappingProxyType(
    {None: Health.UNSET, True: Health.HEALTHY, False: Health.UNHEALTHY}
)
HAS_NO_DEADLINE: Final = "a deployment that fails at its deadline: the kernel has no clock"
DEPLOYS_AGAIN: Final = "a version that gets a second deployment: in the kernel it has one"
JOINS_WHAT_HAS_ENDED: Final = "a plan that places for a deployment which has ended since it was read"
CHANGES_MEANWHILE: Final = (
    "a deployment that is ended by a plan whose job was stopped, changed or wanted again meanwhile"
)
IS_NOT_COUNTED: Final = "an allocation of a group for which its deployment has no counts"
UNDOES_COUNTS: Final = (
    "a plan that writes the counts which its scheduler saw: the kernel's writes the status alone"
)
IS_OF_ANOTHER_VERSION: Final = "an allocation that joins a deployment of another version than its own"
COVERS_NODES: Final = (
    "a system job's deployment that is successful: it waits for nodes, the kernel's for a count"
)
REPLACED_THE_UNHEALTHY: Final = (
    "a deployment that is successful after an allocation of it was unhealthy: in the kernel it has failed"
)
WANTS_NOTHING: Final = "a deployment that waits for no allocation, and is successful at once"
TAKES_HEALTH_BACK: Final = (
    "an in-place update that takes back the health of an allocation: the kernel's keeps it"
)
HAS_STOPPED: Final = "the health of an allocation that is to stop, or has ended"


class DeploymentSight(Struct, frozen=True, kw_only=True):
    """What is kept of the current deployment of a job."""

    id: str = ""
    phase: DeploymentPhase = DeploymentPhase.ABSENT
    placed: int = 0
    healthy: int = 0
    unhealthy: int = 0
    members: Mapping[str, Health] = {}
    """By allocation that belongs to it, what was said of its health."""


def list_deployment_texts() -> frozenset[str]:
    """List the texts of the kernel that an act can declare for deployments."""
    return frozenset(_TEXTS)


def hold_deployments(before: World, act: Act, after: World) -> Held:
    """Hold what an act does to deployments against the kernel; what was written in it must be known."""
    if (name := type(act).__name__) in UNHELD:
        return Held(outside=UNHELD[name])
    state, steps = before.state, list[str]()
    declared = frozenset(list_declared(before, act, after))
    try:
        for transaction in after.written:
            for key in _list_touched(state, transaction.after, transaction.before):
                held = _Entry(state, transaction.after, key, before, declared).hold()
                if held.problem:
                    return Held(problem=f"{name}: {'/'.join(key)} {held.problem}")
                steps += held.steps
            state = transaction.after
    except Outside as answer:
        return Held(outside=answer.name)
    return Held(steps=tuple(steps))


def _list_touched(before: State, after: State, written: Mapping[tuple[str, RowKey], object]) -> list[JobKey]:
    """List the jobs of which an entry wrote a deployment or an allocation, and that are still there."""
    found = dict[JobKey, None]()
    for (table, row), was in written.items():
        rows = {DEPLOYMENTS: after.deployments, ALLOCS: after.allocs}.get(table)
        now = was if rows is None else rows.get(str(row), was)
        if isinstance(now, Deployment | Allocation):
            found[now.namespace, now.job_id] = None
    return [key for key in found if before.find_job(*key) is not None and after.find_job(*key) is not None]


def look(state: State, key: JobKey) -> DeploymentSight:
    """See the current deployment of a job as the kernel does."""
    current = _find_current(state, key)
    if current is None:
        return DeploymentSight()
    groups = [group for group in current.task_groups.values() if group is not None]
    return DeploymentSight(
        id=current.id,
        phase=DeploymentPhase[current.status.upper()],
        placed=sum(group.placed_allocs for group in groups),
        healthy=sum(group.healthy_allocs for group in groups),
        unhealthy=sum(group.unhealthy_allocs for group in groups),
        members={alloc.id: _see_health(alloc) for alloc in state.list_allocs_of_deployment(current.id)},
    )


def _find_current(state: State, key: JobKey) -> Deployment | None:
    job, found = state.find_job(*key), state.find_latest_deployment(*key)
    is_own = job is not None and found is not None and found.job_create_index == job.create_index
    return found if is_own else None


def _see_health(alloc: Allocation) -> Health:
    status = alloc.deployment_status
    return _HEALTH[status.healthy if status is not None else None]


class _Entry:
    """What an entry did to the deployment of one job, and the stage on which it is done again."""

    def __init__(
        self, before: State, after: State, key: JobKey, world: World, declared: frozenset[str]
    ) -> None:
        self._before, self._after, self._key = before, after, key
        self._old, self._wanted = look(before, key), look(after, key)
        self._declared, self._world = declared, world
        self._steps: list[str] = []
        stored = {one.id: one for state in (before, after) for one in state.list_allocs_of_job(*key)}
        self._allocs = sorted(stored)
        self._versions = sorted(_list_versions(stored.values(), (before, after), key))
        self._scene = self._put_on_stage(stored)

    def hold(self) -> Held:
        """Run what is declared towards what the entry left."""
        if self._old == self._wanted:
            return Held()
        if reason := self._find_reason():
            raise Outside(reason)
        is_done = all(self._run(name, *at) for name, at in self._list_steps())
        seen = self._see()
        if is_done and seen == self._wanted:
            return Held(steps=tuple(self._steps))
        return Held(problem=f"from {_spell(self._old)} to {_spell(self._wanted)}, not {_spell(seen)}")

    def _find_reason(self) -> str:
        """Find why an entry is not held against the kernel; empty where it is."""
        old, new = _find_current(self._before, self._key), _find_current(self._after, self._key)
        if new is None:
            return ""
        is_begun = self._old.id != self._wanted.id
        joined = self._wanted.members.keys() - (() if is_begun else self._old.members.keys())
        if old is not None and not is_active(old):
            if is_begun and old.job_version == new.job_version:
                return DEPLOYS_AGAIN
            if joined and not is_begun:
                return JOINS_WHAT_HAS_ENDED
        is_ended = is_begun or self._old.phase is not self._wanted.phase
        reason = self._find_reason_of_end(new, is_begun=is_begun) if is_ended else ""
        return reason or self._find_reason_of_members(new, joined)

    def _find_reason_of_members(self, deployment: Deployment, joined: Iterable[str]) -> str:
        if self._is_uncounted(deployment):
            return IS_NOT_COUNTED
        if (
            self._old.id == self._wanted.id
            and self._wanted.placed < self._old.placed
            and self._list_carried()
        ):
            return UNDOES_COUNTS
        versions = {_read_version(self._after.find_alloc(alloc_id)) for alloc_id in joined}
        may_be_other = any(map(self._world.settings.profile.has, (RELABELLED_PLACEMENT, CANCELLED_IS_JOINED)))
        if may_be_other and versions - {deployment.job_version}:
            return IS_OF_ANOTHER_VERSION
        news = list(self._list_news(self._old))
        if self._old.id == self._wanted.id and any(health is Health.UNSET for _, health in news):
            return TAKES_HEALTH_BACK
        stored = (self._before.find_alloc(alloc_id) for alloc_id, _ in news)
        return HAS_STOPPED if any(one is not None and is_terminal(one) for one in stored) else ""

    def _find_reason_of_end(self, deployment: Deployment, *, is_begun: bool) -> str:
        if deployment.status_description.startswith(DeploymentDescription.DEADLINE):
            return HAS_NO_DEADLINE
        is_replaced = is_begun or self._wanted.phase is DeploymentPhase.CANCELLED
        if is_replaced and self._is_current() and self._is_outdated():
            return CHANGES_MEANWHILE
        is_finished = self._wanted.phase is DeploymentPhase.SUCCESSFUL
        may_finish = is_finished and "finish_deployment" in self._declared
        return self._find_reason_of_success(deployment, is_begun=is_begun) if may_finish else ""

    def _is_current(self) -> bool:
        """True if an active deployment is of the version that its job wants now."""
        is_active_now = self._old.phase in ACTIVE_DEPLOYMENT
        is_wanted = self._find_job_phase() is JobPhase.WANTED
        is_same = self._find_version(self._before) == self._find_job_version()
        return is_active_now and is_wanted and is_same

    def _is_outdated(self) -> bool:
        """True if the job was written since a plan in flight was made."""
        job = self._before.find_job(*self._key)
        made = [one.plan.snapshot_index for one in self._world.leader.in_flight]
        return job is not None and min(made, default=job.modify_index) < job.modify_index

    def _is_uncounted(self, deployment: Deployment) -> bool:
        """True if the deployment has no counts for the group of one of its allocations."""
        members = (self._after.find_alloc(alloc_id) for alloc_id in self._wanted.members)
        return any(one is not None and not deployment.task_groups.get(one.task_group) for one in members)

    def _list_carried(self) -> list[Deployment]:
        """List what plans in flight carry of the deployment, as their schedulers saw it."""
        carried = (flying.plan.deployment for flying in self._world.leader.in_flight)
        return [one for one in carried if one is not None and one.id == self._wanted.id]

    def _find_reason_of_success(self, deployment: Deployment, *, is_begun: bool) -> str:
        job = self._before.find_job(*self._key)
        if job is None or job.stop or job.version != deployment.job_version:
            return CHANGES_MEANWHILE
        if job.type == JobType.SYSTEM:
            return COVERS_NODES
        if self._old.unhealthy and not is_begun:
            return REPLACED_THE_UNHEALTHY
        return "" if _count_desired(deployment) else WANTS_NOTHING

    def _list_news(self, seen: DeploymentSight) -> Iterator[tuple[str, Health]]:
        for alloc_id, health in self._wanted.members.items():
            if health is not seen.members.get(alloc_id, Health.UNSET):
                yield alloc_id, health

    def _list_steps(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """List the steps that are left to do, as the stage is when each is asked for.

        A scheduler read the deployment while the job was wanted and had the version that its plan carries, or
        while the deployment had the status that its plan carries.
        """
        if self._wanted.id != self._old.id:
            self._set_job(JobPhase.WANTED, self._find_version(self._after))
            yield "read_deployment", (_JOB,)
            self._set_job(self._find_job_phase(), self._find_job_version())
            if self._old.phase in ACTIVE_DEPLOYMENT:
                yield "cancel_deployment", (_JOB,)
            yield "write_deployment", (_JOB,)
        elif self._is_brought_back():
            self._set_job(JobPhase.WANTED, self._find_version(self._before))
            self._scene.put("deployment", self._wanted.phase, _JOB)
            yield "read_deployment", (_JOB,)
            self._set_job(self._find_job_phase(), self._find_job_version())
            self._scene.put("deployment", self._old.phase, _JOB)
            yield "write_deployment", (_JOB,)
        seen = self._see()
        for alloc_id in sorted(self._wanted.members.keys() - seen.members.keys()):
            yield "join_deployment", (_JOB, self._allocs.index(alloc_id))
        for alloc_id, health in sorted(self._list_news(self._see())):
            yield "report_health", (_JOB, self._allocs.index(alloc_id), health is Health.HEALTHY)
        if self._see().phase is not self._wanted.phase:
            yield self._find_ending(), (_JOB,)

    def _is_brought_back(self) -> bool:
        """True if a plan carries the deployment with the status that it has again."""
        is_other = self._old.phase is not self._wanted.phase
        return is_other and any(
            DeploymentPhase[one.status.upper()] is self._wanted.phase for one in self._list_carried()
        )

    def _find_ending(self) -> str:
        """Find by which text a deployment gets the status that it has in the end."""
        texts = {
            DeploymentPhase.SUCCESSFUL: "finish_deployment",
            DeploymentPhase.CANCELLED: "cancel_deployment",
            DeploymentPhase.FAILED: "fail_deployment",
        }
        name = texts.get(self._wanted.phase, "set_deployment_status")
        return name if name in self._declared else "set_deployment_status"

    def _run(self, name: str, *at: int) -> bool:
        if name not in self._declared:
            return False
        arguments = (*at, self._wanted.phase) if name == "set_deployment_status" else at
        self._steps.append(name)
        return self._scene.run(_TEXTS[name], *arguments)

    def _put_on_stage(self, stored: Mapping[str, Allocation]) -> Scene:
        most = round_up(len(stored))
        sizes = {
            "jobs": 1,
            "nodes": 1,
            "workers": 1,
            "evals": PLENTY,
            "allocations": most,
            "cap": most,
            "count": max(1, _count_desired(_find_current(self._after, self._key))),
            "updates": round_up(len(self._versions)),
            "deployments": PLENTY,
            "deployment_changes": PLENTY,
        }
        scene, old = Scene(sizes, self._world.settings.profile), self._old
        scene.put("leading", self._world.is_led)
        scene.put("job_phase", self._find_job_phase(), _JOB)
        scene.put("job_version", self._find_job_version(), _JOB)
        scene.put("deployment", old.phase, _JOB)
        scene.put("deployment_version", self._find_version(self._before), _JOB)
        for name in ("placed", "healthy", "unhealthy"):
            scene.put(name, getattr(old, name), _JOB)
        for at, alloc_id in enumerate(self._allocs):
            self._put_alloc(scene, at, self._after.find_alloc(alloc_id) or stored[alloc_id])
        return scene

    def _set_job(self, phase: JobPhase, version: int) -> None:
        self._scene.put("job_phase", phase, _JOB)
        self._scene.put("job_version", version, _JOB)

    def _find_job_phase(self) -> JobPhase:
        job = self._before.find_job(*self._key)
        return JobPhase.STOPPED if job is None or job.stop else JobPhase.WANTED

    def _find_job_version(self) -> int:
        job = self._before.find_job(*self._key)
        return self._versions.index(job.version if job is not None else 0)

    def _find_version(self, state: State) -> int:
        current = _find_current(state, self._key)
        return self._versions.index(current.job_version if current is not None else 0)

    def _put_alloc(self, scene: Scene, at: int, alloc: Allocation) -> None:
        was = self._before.find_alloc(alloc.id)
        has_ended = was is not None and is_terminal(was)
        scene.put("alloc_phase", AllocPhase.STOPPED if has_ended else AllocPhase.RUNNING, _JOB, at)
        scene.put("alloc_version", self._versions.index(_read_version(alloc)), _JOB, at)
        scene.put("in_deployment", alloc.id in self._old.members, _JOB, at)
        scene.put("health", self._old.members.get(alloc.id, Health.UNSET), _JOB, at)

    def _see(self) -> DeploymentSight:
        """See what the kernel keeps now."""
        get = self._scene.get
        began = get("deployments_made") > 0
        return DeploymentSight(
            id=self._wanted.id if began else self._old.id,
            phase=DeploymentPhase(get("deployment", _JOB)),
            placed=get("placed", _JOB),
            healthy=get("healthy", _JOB),
            unhealthy=get("unhealthy", _JOB),
            members={
                alloc_id: Health(get("health", _JOB, at))
                for at, alloc_id in enumerate(self._allocs)
                if get("in_deployment", _JOB, at)
            },
        )


def _list_versions(allocs: Iterable[Allocation], states: tuple[State, State], key: JobKey) -> set[int]:
    found = {_read_version(alloc) for alloc in allocs} | {0}
    for state in states:
        job, current = state.find_job(*key), _find_current(state, key)
        found |= {job.version} if job is not None else set()
        found |= {current.job_version} if current is not None else set()
    return found


def _read_version(alloc: Allocation | None) -> int:
    return alloc.job.version if alloc is not None and alloc.job is not None else 0


def _count_desired(deployment: Deployment | None) -> int:
    groups = deployment.task_groups.values() if deployment is not None else ()
    return sum(max(group.desired_total, group.desired_canaries) for group in groups if group is not None)


def _spell(one: DeploymentSight) -> str:
    """Say how a deployment stands."""
    health = [one.members[alloc_id].name.lower() for alloc_id in sorted(one.members)]
    counts = f"{one.placed} placed, {one.healthy} healthy, {one.unhealthy} unhealthy"
    return f"{one.phase.name.lower()} ({counts}; {' '.join(health) or 'no member'})"
