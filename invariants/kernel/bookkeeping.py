"""What must be true of what is copied, counted and forgotten: nothing is left out or stays behind."""

from typing import Final

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.blocked import lose_duplicate
from nomadspec.model.kernel.broker import (
    enqueue_core,
    expire_delivery,
    lose_superseded,
    make_misfit,
    request_evaluation,
)
from nomadspec.model.kernel.clients import complete_alloc, fail_alloc
from nomadspec.model.kernel.collection import collect_alloc, collect_eval, delete_eval, doom_job
from nomadspec.model.kernel.deployments import report_health, steer_rollout
from nomadspec.model.kernel.followers import catch_up
from nomadspec.model.kernel.jobs import (
    amend_job,
    evaluate_job,
    purge_job,
    register_again,
    stop_job,
    update_job,
)
from nomadspec.model.kernel.leader import lose_leader, pause
from nomadspec.model.kernel.nodes import (
    close_node,
    drain_node,
    lose_node,
    move_alloc,
    open_node,
    recover_node,
    silence_node,
)
from nomadspec.model.kernel.pipeline import crash, dispatch
from nomadspec.model.kernel.state import JobPhase, Kernel, Stage
from nomadspec.model.kernel.worker import begin, begin_behind, err
from nomadspec.model.logic import Value, all_of, any_of, for_all, iff, implies, not_, one_of
from nomadspec.model.property import By, always, step
from nomadspec.model.rule import Rule

COUNTED: Final[tuple[tuple[str, tuple[Rule, ...]], ...]] = (
    ("requested", (request_evaluation,)),
    ("erred", (err,)),
    ("timed_out", (expire_delivery,)),
    ("updated", (update_job, amend_job)),
    ("stopped", (stop_job,)),
    ("purged", (purge_job,)),
    ("node_changed", (lose_node, recover_node, close_node, open_node)),
    ("silenced", (silence_node,)),
    ("reported", (fail_alloc, complete_alloc)),
    ("returned", (register_again,)),
    ("moved", (drain_node, move_alloc)),
    ("misfitted", (make_misfit,)),
    ("chored", (enqueue_core,)),
    ("happened", (evaluate_job,)),
    ("elected", (lose_leader,)),
    ("pauses_made", (pause,)),
    ("crashed", (crash, lose_duplicate, lose_superseded)),
    ("collected", (collect_eval, collect_alloc, delete_eval, doom_job)),
)
"""What the environment does a bounded number of times, and the rules in which it does."""


def is_counted(s: Kernel, n: Kernel, by: By, name: str, rules: tuple[Rule, ...]) -> Value:
    """Say that a counter grows by one in these rules, and stays as it is in the others."""
    before, after = getattr(s, name), getattr(n, name)
    if by.is_(*rules):
        return after == before + 1
    return after == before


@step("EVAL-10", why="a bound on what goes wrong bounds nothing unless each time is counted")
def outside_events_are_counted(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what the environment does is counted each time, and that nothing else is."""
    counted = all_of(*[is_counted(s, n, by, name, rules) for name, rules in COUNTED])
    if by.is_(report_health):
        return counted
    return all_of(counted, is_counted(s, n, by, "steered", (steer_rollout,)))


@step("WORKER-06", "WORKER-08", why="a scheduler that sees half of the state plans for another cluster")
def snapshots_show_the_whole_state(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a snapshot of the leader shows the job, each node, and what is taken, as they are."""
    if not by.is_(begin):
        return True
    w, job = by["worker"], by["job"]
    of_job = all_of(
        n.seen_phase[w] == s.job_phase[job],
        n.seen_version[w] == s.job_version[job],
        n.seen_bulk[w] == s.job_bulk[job],
        for_all(n.seen_base[w, a] == s.job_base[job, a] for a in s.takeovers),
        for_all(
            all_of(
                n.seen_versions[w, i] == s.alloc_version[job, i], n.seen_leaving[w, i] == s.leaving[job, i]
            )
            for i in s.allocs
        ),
    )
    of_nodes = for_all(
        all_of(
            iff(n.seen_up[w, m], s.node_up[m]),
            iff(n.seen_open[w, m], s.eligible[m]),
            n.seen_starting[w, m] == s.starting[m],
        )
        for m in s.nodes
    )
    return all_of(
        of_job,
        of_nodes,
        for_all(n.seen_occupies[w, j, i] == s.occupies[j, i] for j in s.jobs for i in s.allocs),
    )


@step("WORKER-05", "WORKER-06", why="a scheduler must not plan by the states of two servers")
def snapshots_of_a_server_are_its_own(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a snapshot of a server that is behind shows what that server has."""
    if not by.is_(begin_behind):
        return True
    w, job, follower = by["worker"], by["job"], by["follower"]
    of_job = all_of(
        n.seen_phase[w] == s.old_phase[follower, job],
        n.seen_version[w] == s.old_version[follower, job],
        n.seen_bulk[w] == s.old_bulk[follower, job],
        for_all(
            all_of(
                n.seen_versions[w, i] == s.old_versions[follower, job, i],
                n.seen_leaving[w, i] == s.old_leaving[follower, job, i],
            )
            for i in s.allocs
        ),
    )
    of_nodes = for_all(
        all_of(
            iff(n.seen_up[w, m], s.old_up[follower, m]),
            iff(n.seen_open[w, m], s.old_open[follower, m]),
            n.seen_starting[w, m] == s.old_starting[follower, m],
        )
        for m in s.nodes
    )
    taken = for_all(
        n.seen_occupies[w, j, i] == s.old_occupies[follower, j, i] for j in s.jobs for i in s.allocs
    )
    return all_of(of_job, of_nodes, taken)


@step("WORKER-06", "FSM-29", why="a server that applies only a part of the log has a state that never was")
def servers_catch_up_with_everything(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a server which has applied every entry has the state of the leader."""
    if not by.is_(catch_up):
        return True
    follower = by["follower"]
    of_jobs = for_all(
        all_of(
            n.old_phase[follower, j] == s.job_phase[j],
            n.old_version[follower, j] == s.job_version[j],
            n.old_bulk[follower, j] == s.job_bulk[j],
            n.old_usable[follower, j],
            not_(n.old_unseen[follower, j]),
            for_all(n.old_base[follower, j, a] == s.job_base[j, a] for a in s.takeovers),
        )
        for j in s.jobs
    )
    of_allocs = for_all(
        all_of(
            n.old_occupies[follower, j, i] == s.occupies[j, i],
            n.old_leaving[follower, j, i] == s.leaving[j, i],
            n.old_versions[follower, j, i] == s.alloc_version[j, i],
        )
        for j in s.jobs
        for i in s.allocs
    )
    of_nodes = for_all(
        all_of(
            iff(n.old_up[follower, m], s.node_up[m]),
            iff(n.old_open[follower, m], s.eligible[m]),
            n.old_starting[follower, m] == s.starting[m],
        )
        for m in s.nodes
    )
    return all_of(of_jobs, of_allocs, of_nodes)


@always("WORKER-08", "WORKER-10", why="what a worker keeps of one snapshot must not reach the next plan")
def snapshots_are_used_once(s: Kernel) -> Value:
    """Say that a worker has a snapshot only while it plans, or until it takes another one.

    Who was not allowed to call an allocation unknown has it until its delivery is given back.
    """

    def sees_nothing(w: Id) -> Value:
        of_job = all_of(s.seen_phase[w] == JobPhase.ABSENT, s.seen_version[w] == 0, s.seen_bulk[w] == 0)
        of_allocs = for_all(
            all_of(s.seen_versions[w, i] == 0, s.seen_leaving[w, i] == 0, s.seen_away[w, i] == 0)
            for i in s.allocs
        )
        of_nodes = for_all(none_seen(s, w, m) for m in s.nodes)
        taken = for_all(s.seen_occupies[w, j, i] == NONE for j in s.jobs for i in s.allocs)
        of_attempt = all_of(for_all(s.seen_base[w, a] == 0 for a in s.takeovers), s.marking[w] == 0)
        return all_of(of_job, of_allocs, of_nodes, taken, of_attempt)

    def may_see(w: Id) -> Value:
        has_tried = all_of(s.silences > 0, s.stage[w] == Stage.FAILING)
        return any_of(one_of(s.stage[w], Stage.PLANNING, Stage.REFUSED), has_tried)

    return for_all(any_of(may_see(w), sees_nothing(w)) for w in s.workers)


def none_seen(s: Kernel, worker: Id, node: Id) -> Value:
    """Say that a worker knows nothing of a node."""
    is_seen = any_of(s.seen_up[worker, node], s.seen_open[worker, node], s.seen_starting[worker, node] > 0)
    return not_(is_seen)


@always("WORKER-03", "PLAN-13", why="what is left of one plan must not be committed with the next")
def plans_are_forgotten(s: Kernel) -> Value:
    """Say that a worker without an evaluation, or that has just taken one, has no plan."""

    def is_fresh(w: Id) -> Value:
        return all_of(plans_nothing(s, w), s.tries[w] == 0)

    return for_all(implies(one_of(s.stage[w], Stage.IDLE, Stage.TAKEN), is_fresh(w)) for w in s.workers)


def plans_nothing(s: Kernel, worker: Id) -> Value:
    """Say that a worker has no plan."""
    places = for_all(s.plan_to[worker, k] == NONE for k in s.slots)
    stops = for_all(not_(s.plan_stops[worker, i]) for i in s.allocs)
    keeps = for_all(s.plan_keeps[worker, i, a] == NONE for i in s.allocs for a in s.takeovers)
    drives = all_of(s.plan_foe[worker] == NONE, s.plan_victim[worker] == NONE)
    marks = for_all(not_(s.plan_marks[worker, m]) for m in s.nodes)
    rest = all_of(s.plan_version[worker] == 0, s.plan_bulk[worker] == 0, not_(s.is_partial[worker]))
    return all_of(places, stops, keeps, drives, marks, rest)


@always("PLAN-34", "PLAN-62", why="what is left of one log entry must not be written with the next")
def ended_entries_are_forgotten(s: Kernel) -> Value:
    """Say that a place for an entry which is not under way says nothing."""

    def says_nothing(f: Id) -> Value:
        whose = all_of(s.flight_job[f] == NONE, s.flight_worker[f] == NONE, s.flight_version[f] == 0)
        places = for_all(all_of(s.flight_to[f, k] == NONE, s.flight_alloc[f, k] == NONE) for k in s.slots)
        stops = for_all(not_(s.flight_stops[f, i]) for i in s.allocs)
        keeps = for_all(s.flight_keeps[f, i, a] == NONE for i in s.allocs for a in s.takeovers)
        drives = all_of(s.flight_foe[f] == NONE, s.flight_victim[f] == NONE, s.flight_bulk[f] == 0)
        return all_of(
            whose, places, stops, keeps, drives, for_all(not_(s.flight_marks[f, m]) for m in s.nodes)
        )

    return for_all(any_of(s.under_way.has(f), says_nothing(f)) for f in s.flights)


@step("PLAN-60", "PLAN-61", why="what is written to the log must be what was judged")
def entries_say_what_was_judged(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry has the placements and stops of the plan, its version, and whose it is."""
    if not by.is_(dispatch):
        return True
    w, f = by["worker"], by["flight"]
    whose = all_of(n.flight_job[f] == s.job[w], n.flight_version[f] == s.plan_version[w])
    places = for_all(n.flight_to[f, k] == s.plan_to[w, k] for k in s.slots)
    stops = for_all(iff(n.flight_stops[f, i], s.plan_stops[w, i]) for i in s.allocs)
    drives = all_of(n.flight_foe[f] == s.plan_foe[w], n.flight_victim[f] == s.plan_victim[w])
    return all_of(whose, places, stops, drives, n.flight_bulk[f] == s.plan_bulk[w])
