"""What must be true of events from outside: each does what it says, and no more."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import has_room, request_evaluation
from nomadspec.model.kernel.collection import reap_job
from nomadspec.model.kernel.deployments import fail_rollout, watch_health
from nomadspec.model.kernel.disconnects import reconnect_alloc
from nomadspec.model.kernel.jobs import (
    amend_job,
    evaluate_job,
    purge_job,
    register_again,
    stop_job,
    update_job,
)
from nomadspec.model.kernel.nodes import (
    close_node,
    drain_alloc,
    drain_node,
    end_drain,
    give_up_node,
    hear_node,
    lose_node,
    move_alloc,
    open_node,
    ready_node,
    recover_node,
    silence_node,
    write_node_eval,
)
from nomadspec.model.kernel.state import Cause, JobPhase, Kernel, Kind, Record
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, iff, ite
from nomadspec.model.property import By, step


def is_unchanged_node(s: Kernel, n: Kernel, node: Id) -> Value:
    """Say that a step leaves a node as it is, but for who may use it."""
    return all_of(
        iff(n.node_up[node], s.node_up[node]),
        iff(n.silent[node], s.silent[node]),
        n.starting[node] == s.starting[node],
    )


@step("NODEST-08", "NODEST-09", "NODEST-13", why="whether a node is ready decides what may run there")
def nodes_change_as_they_are_heard(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a node is ready, disconnected, initializing or down as the latest event of it says."""
    if not by.is_(lose_node, recover_node, silence_node, hear_node, ready_node, give_up_node):
        return for_all(is_unchanged_node(s, n, m) for m in s.nodes)
    node = by["node"]
    is_ready = s.boots == 0 if by.is_(hear_node) else by.is_(recover_node, ready_node)
    starts = ite(s.boots > 0, 1, 0) if by.is_(hear_node) else 0
    return all_of(
        iff(n.node_up[node], is_ready),
        iff(n.silent[node], by.is_(silence_node)),
        n.starting[node] == starts,
        for_all(any_of(m == node, is_unchanged_node(s, n, m)) for m in s.nodes),
    )


@step("NODEST-16", "NODEST-17", "DRAIN-01", why="an operator who closes a node relies on it")
def nodes_are_closed_and_opened_as_asked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that operators and drainer close, open and drain the node that they name."""
    if not by.is_(close_node, open_node, drain_node, end_drain):
        return for_all(n.draining[m] == s.draining[m] for m in s.nodes)
    node = by["node"]
    is_open = s.eligible[node] if by.is_(end_drain) else by.is_(open_node)
    drains = 1 if by.is_(drain_node) else 0
    return all_of(iff(n.eligible[node], is_open), n.draining[node] == drains)


@step("FSM-30", "TRIG-09", "TRIG-29", why="a job that nobody evaluates again stays on a node that is gone")
def events_of_nodes_are_owed_evaluations(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an event of a node owes an evaluation to each system job, and to each job that is there."""
    if not by.is_(lose_node, recover_node, silence_node, hear_node, ready_node, give_up_node, open_node):
        return True
    node = by["node"]

    def is_concerned(j: Id) -> Value:
        wants_all = all_of(s.kind[j] == Kind.SYSTEM, s.job_phase[j] == JobPhase.WANTED)
        return any_of(wants_all, exists(s.occupies[j, i] == node for i in s.allocs))

    return for_all(iff(n.owed[j], any_of(s.owed[j], is_concerned(j))) for j in s.jobs)


@step("JOB-09", "JOB-12", "JOB-17", why="what is placed follows from what was registered last")
def jobs_change_as_they_are_registered(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a job is wanted, stopped or gone, in the version and size, that operators have asked for."""
    if not by.is_(update_job, amend_job, stop_job, register_again, purge_job, reap_job):
        return for_all(
            all_of(
                n.job_phase[j] == s.job_phase[j],
                n.job_version[j] == s.job_version[j],
                n.job_bulk[j] == s.job_bulk[j],
            )
            for j in s.jobs
        )
    job = by["job"]
    if by.is_(purge_job, reap_job):
        is_blank = all_of(n.job_version[job] == 0, n.job_bulk[job] == 0)
        bases = for_all(n.job_base[job, a] == 0 for a in s.takeovers)
        return all_of(n.job_phase[job] == JobPhase.ABSENT, is_blank, bases)
    phase = JobPhase.STOPPED if by.is_(stop_job) else JobPhase.WANTED
    grows = 1 if by.is_(update_job, amend_job) else 0
    bulk = by["bulk"] if by.is_(amend_job) else s.job_bulk[job]
    version = s.job_version[job] + grows
    bases = for_all(n.job_base[job, a] == version for a in s.takeovers) if by.is_(update_job) else True
    was_over = s.job_phase[job] != JobPhase.WANTED if by.is_(register_again) else True
    is_so = all_of(n.job_phase[job] == phase, n.job_version[job] == version, n.job_bulk[job] == bulk, bases)
    return all_of(was_over, is_so)


@step("EVAL-10", "TRIG-04", "TRIG-11", "TRIG-12", why="a change that no scheduler hears of is not made")
def changes_are_evaluated(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what asks for an evaluation makes one: pending, next in number, of the priority asked for."""
    asked = (update_job, amend_job, stop_job, register_again, evaluate_job, purge_job)
    noticed = (drain_alloc, move_alloc, write_node_eval, reconnect_alloc, watch_health, fail_rollout)
    if not by.is_(*asked, *noticed, request_evaluation):
        return True
    job = by["job"]
    rank = by["rank"] if by.is_(request_evaluation) else s.urgent[job]
    number = s.made[job]
    return all_of(
        has_room(s, job),
        n.made[job] == number + 1,
        n.record[job, number] == Record.PENDING,
        n.cause[job, number] == Cause.EVENT,
        n.rank[job, number] == rank,
    )


@step("ALLOC-16", "DRAIN-10", why="an allocation that is not marked is not replaced")
def what_has_to_move_is_marked(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that drainer and operator mark the allocation that they name, which was not marked before."""
    if not by.is_(drain_alloc, move_alloc):
        return True
    before, after = s.leaving[by["job"], by["alloc"]], n.leaving[by["job"], by["alloc"]]
    return all_of(before == 0, after == 1)
