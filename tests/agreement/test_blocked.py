"""The kernel's blocked evals agree with the recorded ones: each step of a scope is given to both.

What the component is told waits in one queue, and what became free takes its turn there; in the kernel it is
heard of at once. So both are compared as they are once all that waits is done: who is captured, escaped, kept
under a node or a duplicate, and who was handed back to the broker, and how often. Two things change nothing
any more, and are not compared: a duplicate whose record is canceled already, and what blocked evals keep of
an evaluation that was cancelable, for the broker takes no offer of it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from nomadspec.checkers.diagrams.sightings import read_kernel
from nomadspec.model.cluster.components import blocked as component
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Blocking, Unblocking
from nomadspec.model.cluster.components.broker_state import get_job_key
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.kernel.ids import NodeId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, Stage
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import FORGOTTEN_BATCH, FORGOTTEN_WAKE
from tests.agreement.evaluations import (
    WAKING,
    At,
    list_evals,
    list_woken,
    name,
    read_arguments,
    write_eval,
)
from tests.agreement.one_sided import BLOCKED_IN_COMPONENT, BLOCKED_IN_KERNEL
from tests.agreement.subject import Choice, Subject, name_by_eval
from tests.agreement.walking import KERNEL, Edge, in_depth

STEPS = 700


@dataclass(frozen=True, slots=True)
class Mirror:
    """Recorded blocked evals, the index of the log, and what the scheduler of each delivery has seen."""

    blocked_evals: BlockedEvals
    profile: Profile
    index: int = 100
    planned: dict[Any, int] = field(default_factory=dict)
    """By worker, the index of its first snapshot of the delivery."""
    servers: dict[Any, int] = field(default_factory=dict)
    """By server that is behind, the index that it has applied."""
    written: dict[At, tuple[int, int]] = field(default_factory=dict)
    """Of each blocked evaluation the indexes of its creation, and of the snapshot that it was planned on."""
    nodes: dict[Any, NodeId] = field(default_factory=dict)
    """Of each allocation the node that it was last seen on."""
    freed: Counter[str] = field(default_factory=Counter)
    """How often blocked evals have handed back each evaluation since the broker was flushed."""
    woken: Counter[str] = field(default_factory=Counter)
    """How often the kernel has."""
    cancelable: frozenset[str] = frozenset()
    """What was on the broker's list to cancel, and is known to it still."""
    early: frozenset[str] = frozenset()
    """What was looked at before its turn in the kernel, since another job's evaluation stood behind it."""


def begin(world: Kernel, profile: Profile) -> Mirror:
    return see_allocs(world, Mirror(component.enable(BlockedEvals(), 0), profile))


def see_allocs(world: Kernel, mirror: Mirror) -> Mirror:
    seen = {
        (job, i): world.occupies[job, i]
        for job in world.jobs
        for i in world.allocs
        if world.occupies[job, i] != NONE
    }
    return replace(mirror, nodes=mirror.nodes | seen)


def write_blocked(world: Kernel, at: At, written: tuple[int, int]) -> Evaluation:
    """Write a blocked evaluation: each node is a class of its own, where the job is feasible or not."""
    job, number = at
    node = world.at[at]
    return with_fields(
        write_eval(world, job, number),
        node_id="" if node == NONE else name_node(node),
        create_index=written[0],
        snapshot_index=written[1],
        escaped_computed_class=bool(world.escaped[job]),
        class_eligibility={
            name_class(n): not world.infeasible[job, n] for n in world.nodes if not world.escaped[job]
        },
    )


def name_node(node: Any) -> str:
    return f"node {node}"


def name_class(node: Any) -> str:
    return f"class {node}"


def drain(mirror: Mirror, most: int | None = None) -> Mirror:
    """Process what waits, with so many evaluations to be tracked; a class and its node count as one."""
    blocked_evals, freed = mirror.blocked_evals, Counter(mirror.freed)
    while blocked_evals.changes and not (isinstance(blocked_evals.changes[0], Blocking) and most == 0):
        first = blocked_evals.changes[0]
        most = most - 1 if most and isinstance(first, Blocking) else most
        blocked_evals, held = component.process_next(blocked_evals, 0, profile=mirror.profile)
        if isinstance(first, Unblocking):
            blocked_evals, by_node = component.process_next(blocked_evals, 0, profile=mirror.profile)
            held = (*held, *by_node)
        freed.update({one.eval.id for one in held})
    return replace(mirror, blocked_evals=blocked_evals, freed=freed)


def unblock(mirror: Mirror, node: Any) -> Mirror:
    """Tell blocked evals of room on a node, as the store does: its class, and then the node."""
    blocked_evals = component.unblock(mirror.blocked_evals, name_class(node), mirror.index, 0)
    return replace(mirror, blocked_evals=component.unblock_node(blocked_evals, name_node(node)))


def block(mirror: Mirror, world: Kernel, at: At, *, is_restored: bool = False) -> Mirror:
    entry = write_blocked(world, at, mirror.written[at])
    blocked_evals = component.block(mirror.blocked_evals, entry, is_restored=is_restored)
    return replace(mirror, blocked_evals=blocked_evals)


def list_arrived(before: Kernel, after: Kernel) -> list[At]:
    """List what blocked evals are given in a step, in the order of its turns."""
    arrived = [at for at in list_evals(after) if after.arriving[at] and not before.arriving[at]]
    return sorted(arrived, key=lambda at: int(after.arriving[at]))


def take_in(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Give blocked evals what a worker has written as blocked, and note by which snapshot it was planned."""
    for at in list_arrived(before, after):
        created = mirror.written[at][0] if at in mirror.written else mirror.index
        written = mirror.written | {at: (created, mirror.planned[told["worker"]])}
        mirror = block(replace(mirror, written=written), after, at)
    return mirror


def restore(before: Kernel, mirror: Mirror) -> Mirror:
    mirror = replace(
        mirror,
        blocked_evals=component.enable(component.disable(), 0),
        freed=Counter(),
        woken=Counter(),
        cancelable=frozenset(),
        early=frozenset(),
    )
    for at in list_evals(before):
        if before.eval_record[at] == EvalRecord.BLOCKED:
            mirror = block(mirror, before, at, is_restored=not mirror.profile.has(FORGOTTEN_WAKE))
    return mirror


def look_again(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Wake what was made because plans failed: all of it at once, which in these scopes is one."""
    woken = name(told["job"], told["number"])
    assert [one.eval.id for one in component.list_failed(mirror.blocked_evals)] == [woken]
    blocked_evals, held = component.unblock_failed(mirror.blocked_evals, 0, profile=mirror.profile)
    return replace(
        mirror, blocked_evals=blocked_evals, freed=mirror.freed + Counter(one.eval.id for one in held)
    )


def forget_duplicate(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    gone = name(told["job"], told["number"])
    rest = tuple(one for one in mirror.blocked_evals.duplicates if one.id != gone)
    return replace(mirror, blocked_evals=with_fields(mirror.blocked_evals, duplicates=rest))


def forget_cancelable(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    return replace(mirror, cancelable=mirror.cancelable | {name(told["job"], told["number"])})


def take_snapshot(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    index = mirror.servers[told["server"]] if "server" in told else mirror.index
    return replace(mirror, planned=mirror.planned | {told["worker"]: index})


def catch_up(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    return replace(mirror, servers=mirror.servers | {told["server"]: mirror.index})


def write_outcome(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Untrack a job whose evaluation is complete with nothing left to place; take it in where it is not."""
    at, worker = (told["job"], told["number"]), told["worker"]
    is_written = before.holds[worker] and after.stage[worker] == Stage.ACKING
    if is_written and after.eval_record[at] == EvalRecord.COMPLETE and not before.is_short[worker]:
        key = get_job_key(write_eval(before, *at))
        return replace(mirror, blocked_evals=component.untrack(mirror.blocked_evals, key))
    return take_in(told, before, after, mirror)


def free_node(told: dict[str, Any], _b: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Tell blocked evals of a node that can be used again: one that is initializing cannot."""
    return mirror if after.initializing[told["node"]] else unblock(mirror, told["node"])


def free_room(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    return unblock(mirror, mirror.nodes[told["job"], told["alloc"]])


def track(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Let blocked evals look at what waits, up to the evaluation that the kernel's looks at.

    Evaluations of other jobs wait in the same queue there, and in the kernel in one of their own.
    """
    wanted = name(told["job"], told["number"])
    early = set(mirror.early)
    while wanted in (line := list_line(mirror)):
        early.add(line[0])
        mirror = drain(mirror, 1)
    return replace(mirror, early=frozenset(early - {wanted}))


def list_line(mirror: Mirror) -> list[str]:
    """List the evaluations that blocked evals have still to look at."""
    return [one.held.eval.id for one in mirror.blocked_evals.changes if isinstance(one, Blocking)]


FOLLOWERS = {
    "Begin": take_snapshot,
    "BeginStale": take_snapshot,
    "CatchUp": catch_up,
    "TrackBlocked": track,
    "CancelDuplicate": forget_duplicate,
    "LoseDuplicate": forget_duplicate,
    "CancelCancelable": forget_cancelable,
    "LoseCancelable": forget_cancelable,
    "RetryFailedPlans": look_again,
    "WriteOutcome": write_outcome,
    "RecoverNode": free_node,
    "ReconnectNode": free_node,
    "ReadyNode": free_node,
    "MarkEligible": free_node,
    "FailAlloc": free_room,
    "CompleteAlloc": free_room,
    "ReportEnd": free_room,
}
"""What blocked evals are told by a step; by any other, what a worker writes as blocked in it."""


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Give blocked evals what a step of the kernel gives to it."""
    told, rule = read_arguments(instance), instance.rule.name
    mirror = see_allocs(after, replace(mirror, index=mirror.index + 1))
    was_on, is_on = (world.leading and not world.paused for world in (before, after))
    if was_on != is_on:
        return restore(before, mirror) if is_on else replace(mirror, blocked_evals=component.disable())
    mirror = FOLLOWERS.get(rule, take_in)(told, before, after, mirror)
    if rule in WAKING:
        woken = Counter({name(*at) for at in list_woken(instance.rule.name, before, after)})
        mirror = replace(mirror, woken=mirror.woken + woken)
    return drain(mirror, 0)


def show_component(mirror: Mirror, world: Kernel) -> dict[str, Any]:
    blocked_evals, duplicates = mirror.blocked_evals, {one.id for one in mirror.blocked_evals.duplicates}

    def show(at: At) -> tuple[str, bool, bool]:
        told = name(*at)
        where = (
            "captured"
            if told in blocked_evals.captured
            else "escaped"
            if told in blocked_evals.escaped
            else "out"
        )
        is_by_node = told in blocked_evals.system and told not in mirror.cancelable
        return where, is_by_node, told in duplicates and world.eval_record[at] != EvalRecord.CANCELED

    freed = {told: times for told, times in mirror.freed.items() if told not in mirror.cancelable}
    return {name(*at): show(at) for at in list_evals(world)} | {"freed": freed}


def show_kernel(mirror: Mirror, world: Kernel, woken: Counter[str]) -> dict[str, Any]:
    def show(at: At) -> tuple[str, bool, bool]:
        is_duplicate = world.duplicate[at] and world.eval_record[at] != EvalRecord.CANCELED
        return BlockedIn(world.blocked_in[at]).name.lower(), bool(world.by_node[at]), is_duplicate

    kept = {told: times for told, times in woken.items() if told not in mirror.cancelable}
    return {name(*at): show(at) for at in list_evals(world)} | {"freed": kept}


def settle(bounded: BoundedModel, cells: Cells, woken: Counter[str]) -> tuple[Kernel, Counter[str]]:
    """Let the kernel's blocked evals look at all that waits for them."""
    world = read_kernel(bounded, cells)
    while any(world.arriving[at] for at in list_evals(world)):
        cells = next(
            target for instance, target in bounded.successors(cells) if instance.rule.name == "TrackBlocked"
        )
        after = read_kernel(bounded, cells)
        woken = woken + Counter({name(*at) for at in list_woken("TrackBlocked", world, after)})
        world = after
    return world, woken


def check_edge(bounded: BoundedModel, edge: Edge[Mirror]) -> None:
    """Compare kernel and component as they will be once nothing waits for blocked evals."""
    settled = drain(edge.now)
    world, woken = settle(bounded, edge.target, edge.now.woken)
    shown = show_component(settled, world)
    assert show_kernel(settled, world, woken) == shown, f"after {edge.rule}{edge.instance.arguments}"


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List what blocked evals, and the leader for them, do next."""
    blocked_evals = mirror.blocked_evals
    first: dict[str, str] = {}
    for one in blocked_evals.changes:
        if isinstance(one, Blocking):
            first.setdefault(one.held.eval.job_id, one.held.eval.id)
    yield from (("track", one) for one in first.values())
    yield from (("retry", one.eval.id) for one in component.list_failed(blocked_evals))
    for duplicate in blocked_evals.duplicates:
        yield "cancel", duplicate.id
        if mirror.profile.has(FORGOTTEN_BATCH):
            yield "forget to cancel", duplicate.id


BLOCKED = Subject(
    begin=begin,
    follow=follow,
    check=check_edge,
    rules={
        "TrackBlocked": name_by_eval("track"),
        "RetryFailedPlans": name_by_eval("retry"),
        "CancelDuplicate": name_by_eval("cancel"),
        "LoseDuplicate": name_by_eval("forget to cancel"),
    },
    list_allowed=list_allowed,
    kernel_alone=BLOCKED_IN_KERNEL,
    component_alone=BLOCKED_IN_COMPONENT,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("scope", "sizes", "fired"),
    [
        ("redelivery", {"stops": 1, "escapes": 1}, {"RecoverNode", "TrackBlocked", "StopJob"}),
        ("duplicates", {}, {"TrackBlocked", "CancelDuplicate"}),
        ("types", {"cap": 0, "stops": 1}, {"TrackBlocked", "BlockAt", "StopJob"}),
        in_depth(
            "woken-twice", {"stops": 1, "escapes": 1}, {"TrackBlocked", "BlockAt", "RecoverNode", "StopJob"}
        ),
        in_depth("displaced", {}, {"TrackBlocked", "BlockAt", "CancelDuplicate"}),
        ("escaped", {}, {"TrackBlocked", "LoseLeader", "GainLeader"}),
        in_depth("infeasible-node", {"updates": 1, "stops": 1}, {"TrackBlocked", "RecoverNode", "ReportEnd"}),
        ("unlucky", {"escapes": 1}, {"UseUpAttempts", "RetryFailedPlans"}),
        ("stale-server", {"elections": 1}, {"TrackBlocked", "BeginStale", "LoseLeader"}),
        ("pause", {}, {"PauseBroker", "ResumeBroker"}),
        in_depth("last-place", {"stops": 1}, {"TrackBlocked", "ReportEnd"}),
    ],
)
def test_the_kernel_has_each_evaluation_where_the_recorded_blocked_evals_have_it(
    scope: str, sizes: dict[str, int], fired: set[str], profile: str, length: int
) -> None:
    assert fired <= BLOCKED.compare(KERNEL.at(scope, sizes=sizes, profile=profile), STEPS * length)
