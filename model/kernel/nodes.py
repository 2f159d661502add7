"""Nodes: they go down, disconnect and come back, and their handler writes an evaluation a moment later."""

from nomadspec.model.kernel.blocked import wake
from nomadspec.model.kernel.broker import make_pending
from nomadspec.model.kernel.disconnects import has_time_left, is_heartbeating
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, Kind
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, implies, not_
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.specification.quirks import FORGOTTEN_HANDLER


def change_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """Note a node event: its handler owes system jobs, and those with allocations there, an evaluation."""
    note_entry(s, t)
    for job in s.jobs:
        is_there = exists(s.occupies[job, i] == node for i in s.allocs)
        wants_all = all_of(s.kind[job] == Kind.SYSTEM, s.job_phase[job] == JobPhase.WANTED)
        t.when(any_of(is_there, wants_all)).owed[job] = True


@rule("NODEST-08", "NODEST-12", "FSM-30", "TRIG-29", spends=Kernel.node_changed)
def lose_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A node goes down."""
    t.require(s.leading, is_heartbeating(s, node))
    t.node_up[node] = False
    t.initializing[node] = False
    change_node(s, t, node)


@rule("NODEST-09", "NODEST-13", "NODEST-14", "FSM-03", "BLOCKED-40", "BLOCKED-41", spends=Kernel.node_changed)
def recover_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A node that was down is ready again, which wakes what is blocked."""
    t.require(s.leading, not_(is_heartbeating(s, node)), not_(s.disconnected[node]))
    t.node_up[node] = True
    change_node(s, t, node)
    wake(s, t, node)


@rule("NODEST-08", "NODEST-13", "FSM-30", "TRIG-29", spends=Kernel.disconnects_made)
def miss_heartbeat(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A node misses its heartbeats, and has allocations that may outlast that: it is disconnected."""
    t.require(s.leading, s.node_up[node])
    t.require(exists(s.occupies[job, i] == node for job in s.jobs for i in s.allocs))
    t.node_up[node] = False
    t.disconnected[node] = True
    change_node(s, t, node)


@rule("NODEST-09", "NODEST-13", "NODEST-14", "FSM-03", "BLOCKED-40", "BLOCKED-41")
def reconnect_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A disconnected node reconnects: it is ready, or, where that takes a step, initializing."""
    t.require(s.leading, s.disconnected[node])
    t.disconnected[node] = False
    t.node_up[node] = not_(s.initializations)
    t.initializing[node] = s.initializations
    change_node(s, t, node)
    wake(s, t.when(not_(s.initializations)), node)


@rule("NODEST-09", "NODEST-13", "NODEST-14", "NODEST-20", "BLOCKED-40", "BLOCKED-41", fair=weak("node"))
def ready_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A node that is initializing becomes ready once its client has reported on all unknown allocations."""

    def is_told(job: JobId, i: AllocNumber) -> Flag:
        return implies(s.occupies[job, i] == node, s.alloc_phase[job, i] != AllocPhase.UNKNOWN)

    t.require(s.leading, s.initializing[node], for_all(is_told(job, i) for job in s.jobs for i in s.allocs))
    t.initializing[node] = False
    t.node_up[node] = True
    change_node(s, t, node)
    wake(s, t, node)


@rule("NODEST-08", "NODEST-12", "FSM-30", fair=weak("node"))
def expire_disconnected_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """A disconnected node is down once none of its allocations has time left."""

    def is_late(job: JobId, i: AllocNumber) -> Flag:
        has_run_out = all_of(s.alloc_phase[job, i] == AllocPhase.UNKNOWN, not_(has_time_left(s, job, i)))
        return implies(s.occupies[job, i] == node, has_run_out)

    t.require(s.leading, s.disconnected[node], for_all(is_late(job, i) for job in s.jobs for i in s.allocs))
    t.disconnected[node] = False
    change_node(s, t, node)


@rule("NODEST-16", "NODEST-18", spends=Kernel.node_changed)
def mark_ineligible(s: Kernel, t: Kernel, node: NodeId) -> None:
    """An operator makes a node ineligible."""
    t.require(s.leading, s.eligible[node])
    t.eligible[node] = False
    note_entry(s, t)


@rule("NODEST-17", "NODEST-18", "FSM-03", "FSM-30", "BLOCKED-40", "BLOCKED-41", spends=Kernel.node_changed)
def mark_eligible(s: Kernel, t: Kernel, node: NodeId) -> None:
    """An operator makes a node eligible again, which wakes blocked evaluations, ready or not."""
    t.require(s.leading, not_(s.eligible[node]), not_(s.draining[node]))
    t.eligible[node] = True
    change_node(s, t, node)
    wake(s, t, node)


@rule("NODEST-16", "DRAIN-01", spends=Kernel.migrations_made, actor="operator")
def drain_node(s: Kernel, t: Kernel, node: NodeId) -> None:
    """An operator drains a node: it becomes ineligible, and the drainer will clear it."""
    t.require(s.leading, not_(s.draining[node]))
    t.eligible[node] = False
    t.draining[node] = True
    note_entry(s, t)


def leaves_last(s: Kernel, job: JobId) -> Flag:
    """True while a job leaves a drained node last, which is what system jobs do: no drain waits for them."""
    return s.kind[job] == Kind.SYSTEM


def has_yet_to_leave(s: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> Flag:
    """True while a drain waits for an allocation: it lives on the node, or its client ends it there."""
    is_there = any_of(s.occupies[job, alloc] == node, s.stopping_on[job, alloc] == node)
    return all_of(is_there, not_(leaves_last(s, job)))


@rule("DRAIN-10", "DRAIN-16", "TRIG-11", makes=Kernel.made, actor="drainer", fair=weak("node"))
def drain_alloc(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> None:
    """The drainer marks an allocation that has to leave a node, and makes an evaluation of its job."""
    t.require(s.leading, s.draining[node], not_(leaves_last(s, job)))
    t.require(s.occupies[job, alloc] == node, not_(s.migrate[job, alloc]))
    t.migrate[job, alloc] = True
    make_pending(s, t, job)


@rule("DRAIN-04", "DRAIN-12", "TRIG-11", makes=Kernel.made, actor="drainer", fair=weak("node"))
def end_drain(s: Kernel, t: Kernel, node: NodeId) -> None:
    """The drainer is done with a node once only system jobs are left: it marks these, and ends the drain.

    In Nomad the marks and the end are two entries, one right after the other. The node stays ineligible.
    """
    t.require(s.leading, s.draining[node])
    t.require(for_all(not_(has_yet_to_leave(s, job, i, node)) for job in s.jobs for i in s.allocs))
    t.draining[node] = False
    note_entry(s, t)
    for job in s.jobs:
        for i in s.allocs:
            t.when(s.occupies[job, i] == node).migrate[job, i] = True
        is_left = exists(s.occupies[job, i] == node for i in s.allocs)
        make_pending(s, t.when(is_left), job)


@rule("ALLOC-16", "TRIG-12", spends=Kernel.migrations_made, makes=Kernel.made, actor="operator")
def migrate_alloc(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber) -> None:
    """An operator stops an allocation: it is marked, and the scheduler is to replace it."""
    t.require(s.leading)
    t.require(s.alloc_phase[job, alloc] == AllocPhase.RUNNING, not_(s.migrate[job, alloc]))
    t.migrate[job, alloc] = True
    make_pending(s, t, job)


@rule("EVAL-10", "FSM-30", "TRIG-09", makes=Kernel.made, fair=weak("job"), actor="leader")
def write_node_eval(s: Kernel, t: Kernel, job: JobId) -> None:
    """The handler of a node event writes the evaluation that it owes."""
    t.require(s.leading, s.owed[job])
    t.owed[job] = False
    make_pending(s, t, job)


@rule("FSM-30", "LEADER-08", actor="leader")
def lose_handler(s: Kernel, t: Kernel, job: JobId) -> None:
    """With the quirk, the handler of a node event finds no leader to write its evaluation, and forgets it."""
    t.require(s.has(FORGOTTEN_HANDLER), s.owed[job], not_(s.leading))
    t.owed[job] = False
