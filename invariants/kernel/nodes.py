"""What must come of nodes that go down or fall silent."""

from nomadspec.invariants.kernel.evaluations import is_cut_short
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.disconnects import is_heard
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import AllocPhase, Kernel
from nomadspec.model.logic import Value, all_of, any_of, count, exists, for_all, implies, not_
from nomadspec.model.property import always, eventually, sometimes


def is_on_lost_node(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation takes capacity of a node that is down."""
    return exists(
        all_of(s.occupies[job, alloc] == n, not_(is_heard(s, n)), not_(s.silent[n])) for n in s.nodes
    )


def is_on_drained_node(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation takes capacity of a node that is being drained."""
    return exists(all_of(s.occupies[job, alloc] == n, s.draining[n] > 0) for n in s.nodes)


def is_owed(s: Kernel, job: Id) -> Value:
    """Say that the handler of a node event has still to write the job's evaluation."""
    return s.owed[job]


@eventually(
    "NODEST-12",
    "FSM-30",
    "TRIG-29",
    why="an instance on a node that is down serves nobody, and must be replaced",
    given=is_on_lost_node,
    job=Kernel.jobs,
    alloc=Kernel.allocs,
)
def lost_nodes_are_left(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation on a node that is down is given up, or its node is ready again."""
    return any_of(not_(is_on_lost_node(s, job, alloc)), is_cut_short(s))


@eventually(
    "FSM-30",
    "TRIG-09",
    why="the evaluation of a node event is written in an entry of its own, which may come late",
    given=is_owed,
    job=Kernel.jobs,
)
def what_is_owed_is_written(s: Kernel, job: Id) -> Value:
    """Say that the handler of a node event no longer owes the job an evaluation."""
    return any_of(not_(s.owed[job]), is_out_of_records(s))


@eventually(
    "NODEST-08",
    "TRIG-17",
    "ALLOC-10",
    why="an allocation that is unknown for ever keeps capacity that nobody can use",
    given=lambda s, job, alloc: s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN,
    job=Kernel.jobs,
    alloc=Kernel.allocs,
)
def unknown_allocations_are_settled(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an unknown allocation is heard of again, or given up."""
    is_settled = s.alloc_phase[job, alloc] != AllocPhase.UNKNOWN
    return any_of(is_settled, is_out_of_records(s), s.paused)


@eventually(
    "DRAIN-10",
    "DRAIN-16",
    why="an operator who drains a node waits until nothing is left on it",
    given=is_on_drained_node,
    job=Kernel.jobs,
    alloc=Kernel.allocs,
)
def drained_nodes_are_left(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation leaves a node that is drained."""
    return any_of(not_(is_on_drained_node(s, job, alloc)), is_cut_short(s))


@eventually(
    "DRAIN-04",
    "DRAIN-12",
    why="an operator waits for the end of a drain, which must come though nothing was on the node",
    given=lambda s, node: s.draining[node] > 0,
    node=Kernel.nodes,
)
def drains_end(s: Kernel, node: Id) -> Value:
    """Say that a node does not stay drained."""
    return any_of(s.draining[node] == 0, is_cut_short(s))


@eventually(
    "NODEST-09",
    "NODEST-20",
    why="a node that is heard of but never ready is of no use",
    given=lambda s, node: s.starting[node] > 0,
    node=Kernel.nodes,
)
def starting_nodes_become_ready(s: Kernel, node: Id) -> Value:
    """Say that a node does not stay initializing."""
    return any_of(s.starting[node] == 0, is_cut_short(s))


@always("NODEST-01", why="a node has one status", lemma=True)
def nodes_have_one_status(s: Kernel) -> Value:
    """Say that no node is more than one of ready, disconnected and initializing."""
    return for_all(
        count(flag for flag in (s.silent[n], s.node_up[n], s.starting[n] > 0)) <= 1 for n in s.nodes
    )


@always(
    "NODEST-16", "NODEST-17", "DRAIN-01", why="nothing new may come to a node that is to be left", lemma=True
)
def drained_nodes_are_closed(s: Kernel) -> Value:
    """Say that a node that is being drained takes nothing new."""
    return for_all(implies(s.draining[n] > 0, not_(s.eligible[n])) for n in s.nodes)


@sometimes("NODEST-20", why="what a node does before it is ready matters only there", scopes=("boot",))
def a_starting_node_has_an_unknown_allocation(s: Kernel) -> Value:
    """Say that an allocation is unknown whose node is heard of, and not ready."""
    return exists(
        all_of(s.starting[n] > 0, s.occupies[job, i] == n, s.alloc_phase[job, i] == AllocPhase.UNKNOWN)
        for n in s.nodes
        for job in s.jobs
        for i in s.allocs
    )


@sometimes("ALLOC-15", "DRAIN-10", why="a mark matters until the scheduler acts on it", scopes=("drain",))
def an_allocation_is_to_move(s: Kernel) -> Value:
    """Say that an allocation is marked to move, and still there."""
    return exists(
        all_of(s.leaving[job, i] > 0, s.occupies[job, i] != NONE) for job in s.jobs for i in s.allocs
    )


@sometimes(
    "NODEST-08",
    why="a node that goes down only matters if something ran there",
    scopes=("pipeline", "partial"),
)
def a_lost_node_has_an_allocation(s: Kernel) -> Value:
    """Say that an allocation is on a node that is down."""
    return exists(is_on_lost_node(s, job, i) for job in s.jobs for i in s.allocs)


@sometimes(
    "NODEST-08",
    "DISC-11",
    why="a node that is given up takes along what was unknown on it",
    scopes=("silence",),
)
def a_lost_node_has_an_unknown_allocation(s: Kernel) -> Value:
    """Say that an allocation is unknown whose node is down, rather than disconnected."""
    return exists(
        all_of(is_on_lost_node(s, job, i), s.alloc_phase[job, i] == AllocPhase.UNKNOWN)
        for job in s.jobs
        for i in s.allocs
    )


@sometimes(
    "FSM-30",
    "LEADER-08",
    why="what a handler owes is in danger while there is no leader",
    scopes=("escaped", "leader-change"),
)
def an_evaluation_is_owed_without_a_leader(s: Kernel) -> Value:
    """Say that a handler owes an evaluation while there is no leader."""
    return all_of(not_(s.leading), exists(s.owed[job] for job in s.jobs))


@sometimes(
    "DISC-05", "TRIG-17", why="a deadline only matters where an allocation is unknown", scopes=("silence",)
)
def an_allocation_is_unknown(s: Kernel) -> Value:
    """Say that an allocation is unknown."""
    return exists(s.alloc_phase[job, i] == AllocPhase.UNKNOWN for job in s.jobs for i in s.allocs)
