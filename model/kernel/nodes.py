"""Nodes: they go down, fall silent and come back, and their handler writes an evaluation a moment later."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.blocked import wake
from nomadspec.model.kernel.broker import has_room, make_pending
from nomadspec.model.kernel.disconnects import has_time_left
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import AllocPhase, Cause, JobPhase, Kernel, Kind
from nomadspec.model.logic import all_of, any_of, exists, for_all, implies, not_
from nomadspec.model.quirks import FORGOTTEN_HANDLER
from nomadspec.model.rule import rule, weak


def change_node(s: Kernel, t: Kernel, node: Id) -> None:
    """Note a node event: its handler owes system jobs, and those with allocations there, an evaluation."""
    note_entry(s, t)
    for job in s.jobs:
        is_there = exists(s.occupies[job, i] == node for i in s.allocs)
        wants_all = all_of(s.kind[job] == Kind.SYSTEM, s.job_phase[job] == JobPhase.WANTED)
        t.when(any_of(is_there, wants_all)).owed[job] = True


@rule("NODEST-08", "NODEST-12", "FSM-30", "TRIG-29", node=Kernel.nodes)
def lose_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A node goes down."""
    t.require(s.leading, s.node_changed < s.node_changes, s.node_up[node])
    t.node_changed = s.node_changed + 1
    t.node_up[node] = False
    change_node(s, t, node)


@rule("NODEST-09", "NODEST-13", "NODEST-14", "FSM-03", "BLOCKED-40", "BLOCKED-41", node=Kernel.nodes)
def recover_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A node that was down is ready again, which wakes what is blocked."""
    t.require(s.leading, s.node_changed < s.node_changes, not_(s.node_up[node]), not_(s.silent[node]))
    t.node_changed = s.node_changed + 1
    t.node_up[node] = True
    change_node(s, t, node)
    wake(s, t, node)


@rule("NODEST-08", "NODEST-13", "FSM-30", "TRIG-29", node=Kernel.nodes)
def silence_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A node with allocations that may outlast it is not heard of any more: it is disconnected."""
    t.require(s.leading, s.silenced < s.silences, s.node_up[node])
    t.require(exists(s.occupies[job, i] == node for job in s.jobs for i in s.allocs))
    t.silenced = s.silenced + 1
    t.node_up[node] = False
    t.silent[node] = True
    change_node(s, t, node)


@rule("NODEST-09", "NODEST-13", "NODEST-14", "FSM-03", "BLOCKED-40", "BLOCKED-41", node=Kernel.nodes)
def hear_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A disconnected node is heard of again, and ready once its client has caught up."""
    t.require(s.leading, s.silent[node])
    t.silent[node] = False
    t.node_up[node] = True
    change_node(s, t, node)
    wake(s, t, node)


@rule("NODEST-08", "NODEST-12", "FSM-30", fair=weak("node"), node=Kernel.nodes)
def give_up_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A disconnected node is down once none of its allocations has time left."""
    t.require(s.leading, s.silent[node])
    t.require(
        for_all(
            implies(
                s.occupies[job, i] == node,
                all_of(s.alloc_phase[job, i] == AllocPhase.UNKNOWN, not_(has_time_left(s, job, i))),
            )
            for job in s.jobs
            for i in s.allocs
        )
    )
    t.silent[node] = False
    change_node(s, t, node)


@rule("NODEST-16", "NODEST-18", node=Kernel.nodes)
def close_node(s: Kernel, t: Kernel, node: Id) -> None:
    """An operator makes a node ineligible, or drains it."""
    t.require(s.leading, s.node_changed < s.node_changes, s.eligible[node])
    t.node_changed = s.node_changed + 1
    t.eligible[node] = False
    note_entry(s, t)


@rule("NODEST-17", "NODEST-18", "FSM-03", "FSM-30", "BLOCKED-40", "BLOCKED-41", node=Kernel.nodes)
def open_node(s: Kernel, t: Kernel, node: Id) -> None:
    """An operator makes a node eligible again, which wakes what is blocked, be the node ready or not."""
    t.require(s.leading, s.node_changed < s.node_changes, not_(s.eligible[node]))
    t.node_changed = s.node_changed + 1
    t.eligible[node] = True
    change_node(s, t, node)
    wake(s, t, node)


@rule("EVAL-10", "FSM-30", "TRIG-09", fair=weak("job"), job=Kernel.jobs)
def write_node_eval(s: Kernel, t: Kernel, job: Id) -> None:
    """The handler of a node event writes the evaluation that it owes."""
    t.require(s.leading, s.owed[job], has_room(s, job))
    t.owed[job] = False
    make_pending(s, t, job, Cause.EVENT)


@rule("FSM-30", "LEADER-08", job=Kernel.jobs)
def lose_handler(s: Kernel, t: Kernel, job: Id) -> None:
    """The handler of a node event finds no leader to write its evaluation, and nobody does it for him."""
    t.require(s.has(FORGOTTEN_HANDLER), s.owed[job], not_(s.leading))
    t.owed[job] = False
