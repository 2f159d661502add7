"""Finds the kernel's steps that an act is for nodes, and the evaluations that these steps owe.

Each entry that changes what the kernel keeps of a node is looked at by itself: the node is set on the stage
as it was before the entry, with what lives on it. The declared texts are tried with their guards until the
node is as the entry left it. The jobs to which they owe an evaluation must be those for which the act wrote
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.acts import node_texts
from nomadspec.checkers.oracle.refinement.acts.holding import Held
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD
from nomadspec.checkers.oracle.refinement.scene import PLENTY, Outside, Scene, Text, round_up
from nomadspec.checkers.oracle.refinement.store_sight import NodeSight, list_living, look_at_node
from nomadspec.model.cluster.acts.registry import Act
from nomadspec.model.cluster.components.drain_look import is_held_back
from nomadspec.model.cluster.components.node_evals import is_sysbatch_told, is_terminal_everywhere
from nomadspec.model.cluster.entities import Allocation, AllocClient, Evaluation, JobType, Node, Trigger
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_server_terminal, is_terminal
from nomadspec.model.cluster.entities.group import find_lost_after_ns
from nomadspec.model.cluster.entities.job import GENERIC_TYPES
from nomadspec.model.cluster.entities.node import is_in_datacenters, is_in_pool
from nomadspec.model.cluster.policy.disconnect import has_expired
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import EVALS, NODES, JobKey
from nomadspec.model.cluster.world import World
from nomadspec.model.kernel import nodes
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, Kind
from nomadspec.model.specification.profiles import Profile

_TEXTS: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "lose_node": nodes.lose_node,
        "recover_node": nodes.recover_node,
        "miss_heartbeat": nodes.miss_heartbeat,
        "reconnect_node": nodes.reconnect_node,
        "ready_node": nodes.ready_node,
        "expire_disconnected_node": nodes.expire_disconnected_node,
        "mark_ineligible": nodes.mark_ineligible,
        "mark_eligible": nodes.mark_eligible,
        "drain_node": nodes.drain_node,
        "end_drain": nodes.end_drain,
        "cancel_drain": node_texts.cancel_drain,
        "register_node": node_texts.register_node,
        "forget_node": node_texts.forget_node,
    }
)
_OWING: Final = frozenset(_TEXTS) - {
    "mark_ineligible",
    "drain_node",
    "end_drain",
    "cancel_drain",
    "register_node",
}
"""The texts that owe evaluations to the jobs that care about a node."""
_MOST_STEPS: Final = 3
_MOST_JOBS: Final = 14
"""So many jobs, or allocations of one, a stage holds."""
_NOWHERE: Final = -1
_THE_NODE: Final = 0
MANY_JOBS: Final = "an event of a node with more jobs than a stage holds"
LOSES_A_WRITE: Final = "an entry of a node event that the log does not commit"
INELIGIBLE_BY_REJECTIONS: Final = "nodes that plan rejections make ineligible"
LEFT_BEHIND: Final = "a drain that ends at its deadline, or leaves plugins: the kernel's has neither"
NOTHING_LIVES: Final = "a node that is disconnected for what its client has ended, and down in the kernel"
NOT_ALL_OUTLAST: Final = (
    "a disconnected node with allocations that may not outlast it, which the kernel has not"
)


class _Changed(Struct, frozen=True, kw_only=True):
    """A node that an entry changed, with the states around the entry and the evaluations written after it."""

    name: str
    before: State
    after: State
    evals: tuple[Evaluation, ...]
    now_ns: int

    def look(self, state: State) -> NodeSight:
        """See the node as the kernel does."""
        return look_at_node(state.find_node(self.name))


def list_node_texts() -> frozenset[str]:
    """List the texts of the kernel that an act can declare for nodes."""
    return frozenset(_TEXTS)


def hold_nodes(before: World, act: Act, after: World) -> Held:
    """Hold what an act does to nodes against the kernel; what was written in it must be known."""
    if before.state.nodes is after.state.nodes:
        return Held()
    name = type(act).__name__
    if name in UNHELD or before.losses > after.losses:
        return Held(outside=UNHELD.get(name, LOSES_A_WRITE))
    try:
        return _hold(before, act, after)
    except Outside as answer:
        return Held(outside=answer.name)


def _hold(before: World, act: Act, after: World) -> Held:
    steps = list[str]()
    for changed in _list_changed(before, after):
        at = f"{type(act).__name__}: {changed.name}"
        found = _find_steps(changed, act, before)
        if found is None:
            old, new = changed.look(changed.before), changed.look(changed.after)
            return Held(problem=f"{at} from {_spell(old)} to {_spell(new)}")
        scene, taken = found
        if problem := _compare_evals(scene, changed, taken, before.settings.profile):
            return Held(problem=f"{at}: {problem}")
        steps += taken
    return Held(steps=tuple(steps))


def _list_changed(before: World, after: World) -> Iterator[_Changed]:
    """List the nodes that the entries of an act changed for the kernel, entry by entry."""
    state = before.state
    for at, transaction in enumerate(after.written):
        evals = tuple(
            entry
            for later in after.written[at + 1 :]
            for (table, key), was in later.before.items()
            if table == EVALS and was is None and (entry := after.state.find_eval(str(key))) is not None
        )
        for name in sorted(str(key) for table, key in transaction.before if table == NODES):
            changed = _Changed(
                name=name, before=state, after=transaction.after, evals=evals, now_ns=after.now_ns
            )
            is_there = (state.find_node(name) is None, transaction.after.find_node(name) is None)
            if changed.look(state) != changed.look(transaction.after) or is_there[0] != is_there[1]:
                yield changed
        state = transaction.after


def _find_steps(changed: _Changed, act: Act, world: World) -> tuple[Scene, tuple[str, ...]] | None:
    """Find the fewest declared steps that make of a node what the entry made of it."""
    scene, wanted = _put_on_stage(changed, world), changed.look(changed.after)
    kept, declared = scene.keep(), [name for name in type(act).refines if name in _TEXTS]
    is_gone = changed.after.find_node(changed.name) is None
    for depth in range(1, _MOST_STEPS + 1):
        for names in product(declared, repeat=depth):
            is_done = all(scene.run(_TEXTS[name], _THE_NODE) for name in names) and _see(scene) == wanted
            if is_done and is_gone is (names[-1] == "forget_node"):
                return scene, names
            scene.go_back(kept)
    if reason := _find_reason(changed, world, wanted):
        raise Outside(reason)
    return None


def _find_reason(changed: _Changed, world: World, wanted: NodeSight) -> str:
    """Find why an entry is not held against the kernel; empty where it is."""
    flying = (one.request.ineligible_nodes for one in world.leader.in_flight)
    if not wanted.is_eligible and any(changed.name in names for names in flying):
        return INELIGIBLE_BY_REJECTIONS
    there, node = list_living(changed.before, changed.name), changed.before.find_node(changed.name)
    old = changed.look(changed.before)
    is_over = old.is_draining and wanted == replace(old, is_draining=False)
    if is_over and _may_leave_behind(node, _list_unended(changed), changed.now_ns):
        return LEFT_BEHIND
    if wanted == replace(old, is_up=False, is_disconnected=True) and not there:
        return NOTHING_LIVES
    is_down = old.is_disconnected and wanted == replace(old, is_disconnected=False)
    return NOT_ALL_OUTLAST if is_down and not all(map(_may_outlast, there)) else ""


def _may_outlast(alloc: Allocation) -> bool:
    group = find_own_group(alloc)
    return group is not None and find_lost_after_ns(group) > 0


def _may_leave_behind(node: Node | None, there: list[Allocation], now_ns: int) -> bool:
    """True if a drain may end though its node has allocations that the kernel's waits for."""
    strategy = node.drain_strategy if node is not None else None
    if strategy is None or not there:
        return False
    is_late = strategy.deadline_ns < 0 or 0 < strategy.force_deadline_ns <= now_ns
    return is_late or all(alloc.job is not None and is_held_back(alloc.job) for alloc in there)


def _list_unended(changed: _Changed) -> list[Allocation]:
    """List the allocations of a node that their client has not ended, be they still wanted or not."""
    allocs = changed.before.list_allocs_of_node(changed.name)
    return [alloc for alloc in allocs if not is_client_terminal(alloc)]


def _list_there(changed: _Changed) -> dict[JobKey, list[Allocation]]:
    """List the jobs with something that has not ended on a node, and the system jobs that may run there."""
    found: dict[JobKey, list[Allocation]] = {}
    for alloc in _list_unended(changed):
        found.setdefault((alloc.namespace, alloc.job_id), []).append(alloc)
    for key in _list_meant(changed):
        found.setdefault(key, [])
    if max((len(found), *map(len, found.values()))) > _MOST_JOBS:
        raise Outside(MANY_JOBS)
    return found


def _list_meant(changed: _Changed) -> set[JobKey]:
    """List the system jobs that may run on a node."""
    node = changed.after.find_node(changed.name) or changed.before.find_node(changed.name)
    return {
        (job.namespace, job.id)
        for job in changed.after.list_jobs()
        if job.type == JobType.SYSTEM and not job.stop and node is not None
        if is_in_pool(node, job.node_pool) and is_in_datacenters(node, job.datacenters)
    }


def _list_excused(changed: _Changed, profile: Profile) -> set[JobKey]:
    """List the jobs with something on a node that its events leave alone, and the kernel's do not.

    These are sysbatch jobs, unless they are told of it, and system jobs that are stopped or do not run there.
    """
    is_told = is_sysbatch_told(changed.after, changed.name, profile)
    told_types = GENERIC_TYPES | ({JobType.SYSBATCH} if is_told else set())
    living = list_living(changed.before, changed.name)
    found = {
        (alloc.namespace, alloc.job_id)
        for alloc in living
        if alloc.job is None or alloc.job.type not in told_types
    }
    return found - _list_meant(changed)


def _put_on_stage(changed: _Changed, world: World) -> Scene:
    """Set a node as it is before an entry, with what has not ended there of the jobs that care."""
    there = _list_there(changed)
    most = round_up(max(map(len, there.values()), default=0))
    sizes = {
        "jobs": round_up(len(there)),
        "nodes": 1,
        "workers": 1,
        "evals": 1,
        "allocations": most,
        "cap": round_up(sum(map(len, there.values()))),
        "kinds": int(Kind.SYSTEM),
        "initializations": 1,
        **dict.fromkeys(("node_changes", "disconnects", "migrations"), PLENTY),
    }
    scene = Scene(sizes, world.settings.profile)
    scene.fill("occupies", _NOWHERE)
    scene.fill("stopping_on", _NOWHERE)
    scene.put("leading", world.is_led)
    node = changed.look(changed.before)
    scene.put("node_up", node.is_up, _THE_NODE)
    scene.put("disconnected", node.is_disconnected, _THE_NODE)
    scene.put("initializing", node.is_initializing, _THE_NODE)
    scene.put("eligible", node.is_eligible, _THE_NODE)
    scene.put("draining", node.is_draining, _THE_NODE)
    scene.fill("job_phase", JobPhase.ABSENT)
    for job, key in enumerate(there):
        jobs = (changed.after.find_job(*key), *(alloc.job for alloc in there[key]))
        is_system = next((job.type for job in jobs if job is not None), "") == JobType.SYSTEM
        scene.put("kind", Kind.SYSTEM if is_system else Kind.SERVICE, job)
        scene.put("job_phase", JobPhase.WANTED, job)
        for at, alloc in enumerate(there[key]):
            phase = AllocPhase.UNKNOWN if alloc.client_status == AllocClient.UNKNOWN else AllocPhase.RUNNING
            is_stopped = is_server_terminal(alloc)
            scene.put("alloc_phase", AllocPhase.STOPPED if is_stopped else phase, job, at)
            scene.put("stopping_on" if is_stopped else "occupies", _THE_NODE, job, at)
            scene.put("is_late", has_expired(alloc, changed.now_ns), job, at)
    return scene


def _see(scene: Scene) -> NodeSight:
    return NodeSight(
        is_up=bool(scene.get("node_up", _THE_NODE)),
        is_disconnected=bool(scene.get("disconnected", _THE_NODE)),
        is_initializing=bool(scene.get("initializing", _THE_NODE)),
        is_eligible=bool(scene.get("eligible", _THE_NODE)),
        is_draining=bool(scene.get("draining", _THE_NODE)),
    )


def _compare_evals(scene: Scene, changed: _Changed, taken: Iterable[str], profile: Profile) -> str:
    """Compare the jobs that are owed an evaluation with those for which one was written; empty if they agree.

    What either its client or the servers have ended takes no room in the kernel; its job is looked at until
    both have.
    """
    owed = {key for job, key in enumerate(_list_there(changed)) if scene.get("owed", job)}
    owed -= _list_excused(changed, profile)
    written = {
        (entry.namespace, entry.job_id)
        for entry in changed.evals
        if entry.triggered_by == Trigger.NODE_UPDATE and entry.node_id == changed.name
    }
    ending = {
        (alloc.namespace, alloc.job_id)
        for alloc in changed.before.list_allocs_of_node(changed.name)
        if is_terminal(alloc) and not is_terminal_everywhere(alloc)
    }
    may_be = owed | ending if _OWING.intersection(taken) else set[JobKey]()
    if missing := owed - written:
        return f"no evaluation for {_name_all(missing)}"
    return f"an evaluation too many for {_name_all(written - may_be)}" if written - may_be else ""


def _name_all(jobs: Iterable[JobKey]) -> str:
    return ", ".join(job_id for _, job_id in sorted(jobs))


def _spell(node: NodeSight) -> str:
    said = (name.removeprefix("is_") for name in node.__struct_fields__ if getattr(node, name))
    return " ".join(said) or "nothing"
