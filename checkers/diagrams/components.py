"""Which component of Nomad holds what a step changed: the lifelines of stories and of scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.world import World

_KERNEL: Final[Mapping[str, str]] = {
    "store": (
        "priority kind infeasible escaped job_phase job_version job_base job_ask eval_record triggered_by "
        "at eval_priority alloc_phase alloc_version migrate stopping_on is_reported follow_up is_late "
        "health in_deployment deployment deployment_version placed healthy unhealthy disconnected "
        "initializing draining occupies extra_at node_up eligible"
    ),
    "broker": "in_broker delivered cancelable",
    "blocked evals": "arriving missed_unblock blocked_in by_node duplicate",
    "plan queue": "plans higher_priority_plans",
    "applier": "has_snap is_snapshot_outdated has_seen_commit plan_rejections snapshot",
    "log": "entry_status in_flight ended entry",
    "leader": "paused leading reaping owed eligible_for_gc",
    "watcher": "has_new_health",
    "stale server": "stale_usable stale_unseen_unblock stale",
}
"""The fields of each component but the workers, whose fields change with whatever they do themselves."""
_HOLDERS: Final = {name: component for component, names in _KERNEL.items() for name in names.split()}
_CLUSTER: Final[Mapping[str, Callable[[World], tuple[object, ...]]]] = {
    "store": lambda world: (world.state,),
    "plan queue": lambda world: (world.leader.plans,),
    "broker": lambda world: (world.leader.memory.broker,),
    "blocked evals": lambda world: (world.leader.memory.blocked_evals,),
    "applier": lambda world: (world.leader.applier, world.leader.judged, world.leader.ended),
    "log": lambda world: (world.leader.in_flight, world.losses),
    "leader": lambda world: (world.is_led, world.leader.has_reaper),
    "client": lambda world: (world.clients,),
}
"""What each component of a cluster holds but workers; the leader's loops change only what is their own."""
_ORDER: Final = (
    *("operator", "leader", "broker", "blocked"),
    *("worker", "plan queue", "applier", "log", "store", "node", "client"),
)
"""How lifelines stand: as a change travels through a cluster."""
_OBJECTS: Final = frozenset({"job"})
"""What is an object of the cluster and no component of it, so that it has no lifeline."""


def list_touched(model: str, changed: Iterable[str]) -> list[str]:
    """List the components that hold the cells which a step changed; models but the kernel have none."""
    if model != "kernel":
        return []
    fields = [name.partition("[")[0].partition(".")[0] for name in changed]
    found = {_HOLDERS[name] for name in fields if name in _HOLDERS}
    return [component for component in _KERNEL if component in found]


def list_touched_in_cluster(before: World, after: World) -> list[str]:
    """List the components that hold what an act changed in a cluster."""
    found = [
        component
        for component, held in _CLUSTER.items()
        if any(was is not now for was, now in zip(held(before), held(after), strict=True))
    ]
    workers = (name for name, now in after.workers.items() if before.workers.get(name) is not now)
    return [*found, *sorted(workers)]


def name_component(act: Act) -> str:
    """Name the component that acts: of several workers the one."""
    return getattr(act, "worker", "") or act.actor


def list_lifelines(model: str, named: Iterable[str]) -> list[str]:
    """List the ids that have a lifeline: in the kernel workers and nodes, elsewhere all."""
    return [name for name in named if model != "kernel" or name.rstrip("0123456789") not in _OBJECTS]


def order_lifelines(names: Iterable[str]) -> list[str]:
    """Put lifelines into the order in which a change travels, each once, and the others as they come."""

    def rank(name: str) -> tuple[int, str]:
        places = [at for at, word in enumerate(_ORDER) if word in name]
        return (places[0], name) if places else (len(_ORDER), "")

    return sorted(dict.fromkeys(names), key=rank)
