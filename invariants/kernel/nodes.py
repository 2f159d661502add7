"""What must come of nodes that go down, are disconnected, drained or made ineligible."""

from nomadspec.invariants.kernel.bounds import has_lost_its_last_eval, is_cut_short, may_go_unevaluated
from nomadspec.model.kernel.disconnects import is_heartbeating
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, Kind
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, count, exists, for_all, implies, not_
from nomadspec.model.language.property import eventually, lemma, sometimes, step


def is_on_lost_node(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation is on a down node, or on a disconnected one without being unknown."""
    is_unknown = s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN
    return exists(
        all_of(
            s.occupies[job, alloc] == n,
            not_(is_heartbeating(s, n)),
            not_(all_of(s.disconnected[n], is_unknown)),
        )
        for n in s.nodes
    )


def is_on_drained_node(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation takes capacity of a node that is being drained."""
    return exists(all_of(s.occupies[job, alloc] == n, s.draining[n]) for n in s.nodes)


def is_to_migrate(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation that takes capacity is marked to migrate."""
    return all_of(s.migrate[job, alloc], s.occupies[job, alloc] != NONE)


@eventually(
    "NODEST-12",
    "FSM-30",
    "TRIG-09",
    "TRIG-29",
    why="an allocation on a down node does no work and must be replaced",
    given=is_on_lost_node,
)
def no_live_alloc_on_down_node(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """An allocation on a down node is stopped, and on a disconnected one unknown, or its node comes back."""
    return any_of(not_(is_on_lost_node(s, job, alloc)), may_go_unevaluated(s, job))


def is_beyond_evals(s: Kernel, node: NodeId) -> Flag:
    """True while nobody evaluates any more a job with an allocation on a node, or the scope ends."""
    is_left = (
        all_of(has_lost_its_last_eval(s, job), exists(s.occupies[job, i] == node for i in s.allocs))
        for job in s.jobs
    )
    return any_of(is_cut_short(s), exists(is_left))


@eventually(
    "DRAIN-04",
    "DRAIN-10",
    "DRAIN-12",
    "DRAIN-16",
    why="an operator waits for the end of a drain, whether something was on the node or nothing",
    given=lambda s, node: s.draining[node],
)
def drains_end(s: Kernel, node: NodeId) -> Flag:
    """A node that is drained becomes empty of all that does not leave it last, and its drain ends."""
    return any_of(not_(s.draining[node]), is_beyond_evals(s, node))


@eventually(
    "NODEST-08",
    "NODEST-09",
    "NODEST-20",
    why="jobs and operators wait for a node to be of use again, or to be down",
    given=lambda s, node: any_of(s.disconnected[node], s.initializing[node]),
)
def disconnected_nodes_become_ready_or_down(s: Kernel, node: NodeId) -> Flag:
    """A node that missed heartbeats does not stay disconnected, or initializing once they come again."""
    is_settled = not_(any_of(s.disconnected[node], s.initializing[node]))
    return any_of(is_settled, is_beyond_evals(s, node))


@sometimes(
    "NODEST-20",
    why="initializing matters only where an allocation is still unknown",
    scopes=("initializing",),
)
def an_initializing_node_has_an_unknown_alloc(s: Kernel, n: NodeId, job: JobId, i: AllocNumber) -> Flag:
    """An allocation is unknown on a node that is initializing."""
    return all_of(s.initializing[n], s.occupies[job, i] == n, s.alloc_phase[job, i] == AllocPhase.UNKNOWN)


@sometimes("ALLOC-15", "DRAIN-10", why="a mark matters until the scheduler acts on it", scopes=("drain",))
def an_alloc_is_marked_to_migrate(s: Kernel) -> Flag:
    """An allocation is marked to migrate, and still there."""
    return exists(is_to_migrate(s, job, i) for job in s.jobs for i in s.allocs)


@sometimes(
    "DRAIN-01", "DRAIN-10", why="a drain matters only where something runs", scopes=("drain", "drained-once")
)
def a_drained_node_has_an_allocation(s: Kernel) -> Flag:
    """An allocation is on a node that is drained."""
    return exists(is_on_drained_node(s, job, i) for job in s.jobs for i in s.allocs)


@sometimes(
    "DRAIN-04", why="who waits for the end of a task waits for its client", scopes=("drain", "drained-once")
)
def a_drain_waits_for_a_client(s: Kernel, node: NodeId, job: JobId, i: AllocNumber) -> Flag:
    """A stopped allocation on a drained node has yet to end, and nothing there takes capacity."""
    return all_of(s.draining[node], s.stopping_on[job, i] == node, count_taken(s, node) == 0)


@sometimes(
    "DRAIN-12", why="the order of a drain matters only where system jobs run", scopes=("drained-last",)
)
def a_drained_node_has_a_system_alloc_beside_another(s: Kernel, j: JobId, i: AllocNumber, k: JobId) -> Flag:
    """Allocations of a system job and of another one are on a node that is drained."""
    is_beside = exists(
        all_of(s.occupies[k, o] == s.occupies[j, i], is_on_drained_node(s, k, o)) for o in s.allocs
    )
    return all_of(s.kind[j] == Kind.SYSTEM, s.kind[k] != Kind.SYSTEM, is_on_drained_node(s, j, i), is_beside)


@sometimes("NODEST-08", why="a lost node matters only if something ran there", scopes=("pipeline", "partial"))
def a_lost_node_has_an_allocation(s: Kernel) -> Flag:
    """An allocation is on a node that is down, or disconnected without being unknown."""
    return exists(is_on_lost_node(s, job, i) for job in s.jobs for i in s.allocs)


@sometimes(
    "NODEST-08",
    "DISC-05",
    "DISC-11",
    "TRIG-17",
    why="deadlines matter only where an allocation is unknown, and is lost with its node",
    scopes=("disconnect",),
)
def a_lost_node_has_an_unknown_allocation(s: Kernel, job: JobId, i: AllocNumber) -> Flag:
    """An allocation is unknown whose node is down, rather than disconnected."""
    return all_of(is_on_lost_node(s, job, i), s.alloc_phase[job, i] == AllocPhase.UNKNOWN)


@sometimes(
    "FSM-30", "LEADER-08", why="what is owed is lost without a leader", scopes=("escaped", "leader-change")
)
def an_evaluation_is_owed_without_a_leader(s: Kernel) -> Flag:
    """A handler owes an evaluation while there is no leader."""
    return all_of(not_(s.leading), exists(s.owed[job] for job in s.jobs))


def changes_status(s: Kernel, n: Kernel, node: NodeId) -> Flag:
    """True where a node goes down, is disconnected, or comes back."""
    return any_of(
        s.node_up[node] != n.node_up[node],
        s.disconnected[node] != n.disconnected[node],
        s.initializing[node] != n.initializing[node],
    )


def begins_to_drain(s: Kernel, n: Kernel, node: NodeId) -> Flag:
    """True where a node begins to drain."""
    return all_of(n.draining[node], not_(s.draining[node]))


@step("NODEST-08", "NODEST-09", "NODEST-18", why="what an operator took out of use must not be used again")
def node_goes_down_and_comes_back_alone(s: Kernel, n: Kernel, m: NodeId, o: NodeId) -> Flag:
    """A node that goes down or comes back is as eligible and as drained as before, and so is every other."""
    is_as_before = all_of(s.eligible[o] == n.eligible[o], s.draining[o] == n.draining[o])
    is_alone = any_of(m == o, not_(changes_status(s, n, o)))
    return implies(changes_status(s, n, m), all_of(is_as_before, is_alone))


@step("NODEST-16", "NODEST-17", "NODEST-18", "DRAIN-01", why="an operator speaks of one node")
def node_begins_to_drain_or_becomes_eligible_alone(s: Kernel, n: Kernel, m: NodeId, o: NodeId) -> Flag:
    """No two nodes begin to drain, or become eligible, at once."""

    def is_changed(node: NodeId) -> Flag:
        return any_of(begins_to_drain(s, n, node), all_of(n.eligible[node], not_(s.eligible[node])))

    return implies(m != o, not_(all_of(is_changed(m), is_changed(o))))


@step("ALLOC-15", "ALLOC-16", "DRAIN-10", why="a move without need is downtime")
def alloc_migrates_only_on_request(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation is marked to migrate where its node drains, or alone, as an operator asks for it."""

    def is_new(k: JobId, o: AllocNumber) -> Flag:
        return all_of(n.migrate[k, o], not_(s.migrate[k, o]))

    is_only_one = for_all(implies(is_new(k, o), all_of(k == j, o == i)) for k in s.jobs for o in s.allocs)
    begins = exists(begins_to_drain(s, n, m) for m in s.nodes)
    is_asked = all_of(n.migrations_made > s.migrations_made, not_(begins), is_only_one)
    return implies(is_new(j, i), any_of(is_on_drained_node(s, j, i), is_asked))


@step("ALLOC-15", "ALLOC-16", "DRAIN-10", why="who asked for it to move would wait in vain")
def mark_to_migrate_stays_while_its_alloc_is_there(s: Kernel, n: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """A mark to migrate stays until its allocation is stopped or ends."""
    return implies(is_to_migrate(s, j, i), any_of(n.migrate[j, i], n.occupies[j, i] == NONE))


def is_there(s: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> Flag:
    """True while an allocation lives on a node, or is stopped there and its client has yet to end it."""
    return any_of(s.occupies[job, alloc] == node, s.stopping_on[job, alloc] == node)


@step("DRAIN-04", "DRAIN-12", "NODEST-16", why="who drains a node relies on it to be empty, or to become so")
def drain_ends_on_an_emptied_ineligible_node(
    s: Kernel, n: Kernel, j: JobId, i: AllocNumber, m: NodeId
) -> Flag:
    """After a drain only system jobs have something on the node, marked to migrate; it stays ineligible."""
    is_marked_there = all_of(n.kind[j] == Kind.SYSTEM, any_of(n.migrate[j, i], n.occupies[j, i] != m))
    return implies(
        all_of(s.draining[m], not_(n.draining[m])),
        all_of(not_(n.eligible[m]), implies(is_there(n, j, i, m), is_marked_there)),
    )


@step("DRAIN-12", why="what a system job does for its node is needed while others are still there")
def system_allocs_are_drained_last(s: Kernel, n: Kernel, j: JobId, i: AllocNumber, m: NodeId) -> Flag:
    """A drain marks allocations of system jobs once nothing of other jobs is left on the node."""
    is_asked = n.migrations_made > s.migrations_made
    is_drained = exists(
        all_of(s.occupies[k, o] == m, s.kind[k] == Kind.SYSTEM, n.migrate[k, o], not_(s.migrate[k, o]))
        for k in s.jobs
        for o in s.allocs
    )
    return implies(all_of(is_drained, not_(is_asked), is_there(s, j, i, m)), s.kind[j] == Kind.SYSTEM)


@step(
    "NODEST-08",
    "NODEST-20",
    "DISC-11",
    why="a disconnected node waits as long as its unknown allocations may",
)
def node_waits_for_its_unknown_allocs(s: Kernel, n: Kernel, j: JobId, i: AllocNumber, m: NodeId) -> Flag:
    """A disconnected node goes down once no allocation has time; initializing ends once none is unknown."""
    is_given_up = all_of(s.disconnected[m], not_(n.disconnected[m]), not_(is_heartbeating(n, m)))
    is_ready = all_of(s.initializing[m], n.node_up[m])
    is_unknown = s.alloc_phase[j, i] == AllocPhase.UNKNOWN
    return implies(
        s.occupies[j, i] == m,
        all_of(
            implies(is_given_up, all_of(is_unknown, s.is_late[j, i])), implies(is_ready, not_(is_unknown))
        ),
    )


# lemmas


@lemma("NODEST-01", why="a node has one status")
def nodes_have_one_status(s: Kernel, n: NodeId) -> Flag:
    """No node is more than one of ready, disconnected and initializing."""
    return count(flag for flag in (s.disconnected[n], s.node_up[n], s.initializing[n])) <= 1


@lemma("NODEST-16", "NODEST-17", "DRAIN-01", why="nothing new may come to a node that is to be left")
def drained_nodes_are_ineligible(s: Kernel) -> Flag:
    """A node that is being drained takes nothing new."""
    return for_all(implies(s.draining[n], not_(s.eligible[n])) for n in s.nodes)


@lemma("DRAIN-04", "ALLOC-09", why="a drain that waits for what has ended would not end")
def stopped_allocs_are_known_by_node_until_they_end(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """The node of an allocation is kept from its stop until its client reports that it ended."""
    is_awaited = all_of(s.alloc_phase[j, i] == AllocPhase.STOPPED, not_(s.is_reported[j, i]), s.endings)
    is_known = s.stopping_on[j, i] != NONE
    return all_of(implies(is_known, is_awaited), implies(all_of(is_awaited, s.migrations > 0), is_known))
