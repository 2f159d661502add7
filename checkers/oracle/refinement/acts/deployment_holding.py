"""Finds the kernel's steps that an act is for deployments: their status, their counts, and who is healthy.

Each entry is looked at by itself, and each job of which it changed something: the job's current deployment
is set on the stage as it was before the entry, and so is what the entry's plan has of it. The declared texts
are then run with their guards towards what the entry left: the commit of the plan, the health of allocations,
and at last the status of the deployment. Entries in flight come before what an act writes. A promotion is
nothing to the kernel, which has no canaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from nomadspec.checkers.oracle.refinement.acts.holding import Held, list_declared
from nomadspec.checkers.oracle.refinement.acts.plan_sight import get_job_key
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD
from nomadspec.checkers.oracle.refinement.scene import PLENTY, Outside, Scene, Text, round_up
from nomadspec.model.cluster.acts.registry import Act
from nomadspec.model.cluster.entities import Allocation, Deployment, DeploymentDescription, DeploymentStatus
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.run import Transaction
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, DEPLOYMENTS, JobKey, RowKey
from nomadspec.model.cluster.world import World
from nomadspec.model.kernel import deployments
from nomadspec.model.kernel.ids import AllocNumber, JobId, Placement, WorkerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, DeploymentPart, DeploymentPhase, Health, JobPhase
from nomadspec.model.language.domain import NONE

_TEXTS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "report_health": deployments.report_health,
        "fail_deployment": deployments.fail_deployment,
        "set_deployment_status": deployments.set_deployment_status,
    }
)
_COMMIT: Final = "commit"
_JOB: Final = 0
_WORKER: Final = 0
_ENDS: Final = (DeploymentStatus.SUCCESSFUL, DeploymentStatus.CANCELLED)
_NO_PLAN: Final = ApplyPlanResults()
_HEALTH: Final[Mapping[bool | None, Health]] = MappingProxyType(
    {None: Health.UNSET, True: Health.HEALTHY, False: Health.UNHEALTHY}
)
HAS_NO_DEADLINE: Final = "a deployment that fails at its deadline: the kernel has no clock"
IS_NOT_COUNTED: Final = "an allocation of a group for which its deployment has no counts"
UNDOES_COUNTS: Final = (
    "a plan that writes the counts which its scheduler saw: the kernel's writes the status alone"
)
JOINS_WHAT_IT_CANCELS: Final = "a plan that places for the deployment which it cancels (04/S-08)"
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
    return frozenset({_COMMIT, *_TEXTS})


def hold_deployments(before: World, act: Act, after: World) -> Held:
    """Hold what an act does to deployments against the kernel; what was written in it must be known."""
    if (name := type(act).__name__) in UNHELD:
        return Held(outside=UNHELD[name])
    state, steps = before.state, list[str]()
    declared = frozenset(list_declared(before, act, after))
    try:
        for transaction in after.written:
            for key in _list_touched(state, transaction.after, transaction.before):
                held = _Entry(state, transaction, key, before, declared).hold()
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
        self, before: State, transaction: Transaction, key: JobKey, world: World, declared: frozenset[str]
    ) -> None:
        after, written = transaction.after, transaction.before
        self._before, self._after, self._key = before, after, key
        self._old, self._wanted = look(before, key), look(after, key)
        self._declared, self._world = declared, world
        self._steps: list[str] = []
        self._request = _find_request(world, key, written)
        self._is_begun = False
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
        is_done = self._commit() and all(self._run(name, *at) for name, at in self._list_steps())
        seen = self._see()
        if is_done and seen == self._wanted:
            return Held(steps=tuple(self._steps))
        return Held(problem=f"from {_spell(self._old)} to {_spell(self._wanted)}, not {_spell(seen)}")

    def _find_reason(self) -> str:
        """Find why an entry is not held against the kernel; empty where it is."""
        new = _find_current(self._after, self._key)
        if new is None:
            return ""
        is_late = new.status_description.startswith(DeploymentDescription.DEADLINE)
        if is_late and self._old.phase is not self._wanted.phase:
            return HAS_NO_DEADLINE
        if self._is_uncounted(new):
            return IS_NOT_COUNTED
        is_same = self._old.id == self._wanted.id
        if is_same and self._wanted.placed < self._old.placed and self._request.deployment is not None:
            return UNDOES_COUNTS
        if is_same and self._joins_what_it_cancels():
            return JOINS_WHAT_IT_CANCELS
        return self._find_reason_of_health(is_same=is_same)

    def _find_reason_of_health(self, *, is_same: bool) -> str:
        news = list(self._list_news(self._old))
        if is_same and any(health is Health.UNSET for _, health in news):
            return TAKES_HEALTH_BACK
        stored = (self._before.find_alloc(alloc_id) for alloc_id, _ in news)
        return HAS_STOPPED if any(one is not None and is_terminal(one) for one in stored) else ""

    def _joins_what_it_cancels(self) -> bool:
        """True if a plan places for the deployment that it cancels."""
        is_joined = bool(self._wanted.members.keys() - self._old.members.keys())
        return is_joined and self._find_planned()["status_update"] == DeploymentPhase.CANCELLED

    def _is_uncounted(self, deployment: Deployment) -> bool:
        """True if the deployment has no counts for the group of one of its allocations."""
        members = (self._after.find_alloc(alloc_id) for alloc_id in self._wanted.members)
        return any(one is not None and not deployment.task_groups.get(one.task_group) for one in members)

    def _list_news(self, seen: DeploymentSight) -> Iterator[tuple[str, Health]]:
        for alloc_id, health in self._wanted.members.items():
            if health is not seen.members.get(alloc_id, Health.UNSET):
                yield alloc_id, health

    def _commit(self) -> bool:
        """Write what the entry of a plan has of the deployment, and let its allocations join that."""
        if self._request == _NO_PLAN:
            return True
        if _COMMIT not in self._declared:
            return False
        joined = self._wanted.members.keys() - self._find_kept()
        found = [self._allocs.index(one) for one in sorted(joined)]
        found += [NONE] * (self._scene.sizes["count"] - len(joined))
        numbers = {Placement(k): AllocNumber(number) for k, number in enumerate(found)}
        planned = self._find_planned()
        for name, value in planned.items():
            self._scene.put(f"plan.deployment.{name}", value, _WORKER)
        for at in range(len(joined)):
            self._scene.put("plan.to", 0, _WORKER, at)

        def commit(s: Kernel, t: Kernel) -> None:
            plan = s.plan[WorkerId(_WORKER)]
            deployments.write_deployment(s, t, JobId(_JOB), plan.deployment)
            deployments.join_deployment(s, t, JobId(_JOB), plan, numbers.__getitem__)

        self._steps.append(_COMMIT)
        self._is_begun = planned["part"] == DeploymentPart.NEW
        return self._scene.run(commit)

    def _find_kept(self) -> Iterable[str]:
        """Find what belonged to the deployment before the entry."""
        return self._old.members.keys() if self._old.id == self._wanted.id else ()

    def _find_planned(self) -> dict[str, int]:
        """Find what the plan has of the deployment that is the current one once it is committed."""
        whole = self._request.deployment
        ends = [status for status in self._list_told() if status in _ENDS]
        part = DeploymentPart.NOTHING
        if whole is not None:
            is_there = self._before.find_deployment(whole.id) is not None
            part = DeploymentPart.WHOLE if is_there else DeploymentPart.NEW
        status = DeploymentStatus.RUNNING if whole is None else whole.status
        return {
            "part": part,
            "status": DeploymentPhase[status.upper()],
            "status_update": DeploymentPhase[ends[0].upper()] if ends else DeploymentPhase.ABSENT,
            "version": self._find_version(self._after),
        }

    def _list_told(self) -> Iterator[str]:
        """List the statuses that the plan has for the deployment, up to an update of another one that fails.

        At the first update that the store refuses it leaves the list; the kernel knows of one deployment.
        """
        for update in self._request.deployment_updates:
            other = self._before.find_deployment(update.deployment_id)
            if update.deployment_id == self._wanted.id:
                yield update.status
            elif other is not None and not is_active(other):
                return

    def _list_steps(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """List the steps that are left to do, as the stage is when each is asked for."""
        for alloc_id, health in sorted(self._list_news(self._see())):
            yield "report_health", (_JOB, self._allocs.index(alloc_id), health is Health.HEALTHY)
        if self._see().phase is not self._wanted.phase:
            yield self._find_ending(), (_JOB,)

    def _find_ending(self) -> str:
        """Find by which text a deployment gets the status that it has in the end."""
        is_failing = self._wanted.phase is DeploymentPhase.FAILED and "fail_deployment" in self._declared
        return "fail_deployment" if is_failing else "set_deployment_status"

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
            "count": most,
            "updates": round_up(len(self._versions)),
            "deployments": 1,
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
        return DeploymentSight(
            id=self._wanted.id if self._is_begun else self._old.id,
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


def _find_request(
    world: World, key: JobKey, written: Mapping[tuple[str, RowKey], object]
) -> ApplyPlanResults:
    """Find what the plan in flight says that an entry is of; of nothing where the entry is no plan's."""
    for flying in world.leader.in_flight:
        rows = {(ALLOCS, alloc.id) for alloc in flying.request.allocs_updated}
        ids = [one.deployment_id for one in flying.request.deployment_updates]
        ids += [flying.request.deployment.id] if flying.request.deployment is not None else []
        rows |= {(DEPLOYMENTS, one) for one in ids}
        if get_job_key(flying.plan) == key and rows & written.keys():
            return flying.request
    return _NO_PLAN


def _list_versions(allocs: Iterable[Allocation], states: tuple[State, State], key: JobKey) -> set[int]:
    found = {_read_version(alloc) for alloc in allocs} | {0}
    for state in states:
        job, current = state.find_job(*key), _find_current(state, key)
        found |= {job.version} if job is not None else set()
        found |= {current.job_version} if current is not None else set()
    return found


def _read_version(alloc: Allocation | None) -> int:
    return alloc.job.version if alloc is not None and alloc.job is not None else 0


def _spell(one: DeploymentSight) -> str:
    """Say how a deployment stands."""
    health = [one.members[alloc_id].label for alloc_id in sorted(one.members)]
    counts = f"{one.placed} placed, {one.healthy} healthy, {one.unhealthy} unhealthy"
    return f"{one.phase.label} ({counts}; {' '.join(health) or 'no member'})"
