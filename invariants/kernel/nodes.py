"""What must come of nodes that go down or fall silent."""

from nomadspec.invariants.kernel.evaluations import is_cut_short
from nomadspec.model.domain import Id
from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import AllocPhase, Kernel
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, implies, not_
from nomadspec.model.property import always, eventually, sometimes


def is_on_lost_node(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation takes capacity of a node that is down."""
    return exists(all_of(s.occupies[job, alloc] == n, not_(s.node_up[n]), not_(s.silent[n])) for n in s.nodes)


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


@always("NODEST-01", why="a node that is disconnected is not ready", lemma=True)
def silent_nodes_are_not_up(s: Kernel) -> Value:
    """Say that no node is disconnected and ready at once."""
    return for_all(implies(s.silent[n], not_(s.node_up[n])) for n in s.nodes)


@sometimes(
    "NODEST-08",
    why="a node that goes down only matters if something ran there",
    scopes=("pipeline", "partial"),
)
def a_lost_node_has_an_allocation(s: Kernel) -> Value:
    """Say that an allocation is on a node that is down."""
    return exists(is_on_lost_node(s, job, i) for job in s.jobs for i in s.allocs)


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
