"""How allocations, drains and records must end: for a reason, and with all that belongs to them."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.broker import is_system
from nomadspec.model.kernel.clients import complete_alloc, fail_alloc, report_end
from nomadspec.model.kernel.collection import (
    collect_alloc,
    collect_eval,
    delete_eval,
    doom_job,
    may_be_collected,
    reap_job,
    spare_job,
)
from nomadspec.model.kernel.disconnects import is_heard, reconnect_alloc, run_out_of_time
from nomadspec.model.kernel.jobs import purge_job
from nomadspec.model.kernel.nodes import (
    close_node,
    drain_alloc,
    drain_node,
    end_drain,
    give_up_node,
    hear_node,
    lose_handler,
    lose_node,
    move_alloc,
    open_node,
    ready_node,
    recover_node,
    silence_node,
    write_node_eval,
)
from nomadspec.model.kernel.state import (
    AllocPhase,
    Health,
    JobPhase,
    Kernel,
    Kind,
    Place,
    Record,
    Tracking,
)
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, iff, implies, none_of, not_, one_of
from nomadspec.model.property import By, always, step
from nomadspec.model.quirks import (
    FORGOTTEN_HANDLER,
    HASTY_CANCEL,
    HASTY_COLLECTION,
    HASTY_REAP,
    SILENT_PURGE,
)


def is_there(s: Kernel, node: Id) -> Value:
    """Say that an allocation takes capacity of a node."""
    return exists(s.occupies[j, i] == node for j in s.jobs for i in s.allocs)


@always(
    "GC-91",
    "GC-96",
    "OBJ-048",
    why="what was said of an allocation that is gone must not be said of the next",
)
def deleted_allocations_leave_nothing(s: Kernel) -> Value:
    """Say that an allocation that was not made, or was deleted, has no version, mark, deadline or health."""

    def says_nothing(j: Id, i: Id) -> Value:
        is_blank = all_of(s.alloc_version[j, i] == 0, s.leaving[j, i] == 0, s.occupies[j, i] == NONE)
        return all_of(is_blank, s.deadline[j, i] == NONE, s.is_late[j, i] == 0)

    return for_all(
        implies(one_of(s.alloc_phase[j, i], AllocPhase.ABSENT, AllocPhase.GONE), says_nothing(j, i))
        for j in s.jobs
        for i in s.allocs
    )


@always("DISC-05", "TRIG-17", "FSM-23", why="a deadline is for those who are out of reach", lemma=True)
def only_the_unknown_have_little_time(s: Kernel) -> Value:
    """Say that no allocation that runs has used up the time that it has while it is unknown."""
    return for_all(
        implies(
            s.alloc_phase[j, i] == AllocPhase.LIVE, all_of(s.is_late[j, i] == 0, s.deadline[j, i] == NONE)
        )
        for j in s.jobs
        for i in s.allocs
    )


@step("ALLOC-09", "ALLOC-11", "ALLOC-12", "FSM-22", why="what clients say is believed")
def clients_report_what_they_run(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a client that is heard reports the end of what it runs, once, and gives the room back."""
    if not by.is_(fail_alloc, complete_alloc):
        return True
    job, alloc, node = by["job"], by["alloc"], by["node"]
    phase = AllocPhase.FAILED if by.is_(fail_alloc) else AllocPhase.COMPLETE
    may_end = True if by.is_(fail_alloc) else all_of(s.kinds > 0, s.kind[job] == Kind.BATCH)
    is_over = all_of(
        n.alloc_phase[job, alloc] == phase, n.occupies[job, alloc] == NONE, n.is_reported[job, alloc]
    )
    is_given_back = for_all(n.extra_at[job, alloc, x] == NONE for x in s.extras)
    is_told = n.deadline[job, alloc] == NONE if by.is_(fail_alloc) else True
    was_there = all_of(s.occupies[job, alloc] == node, is_heard(s, node))
    return all_of(was_there, may_end, is_over, is_given_back, is_told)


@step("ALLOC-12", "TRIG-13", "SYSTEM-01", why="what failed by itself is to be placed again")
def failures_are_evaluated(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the failure of an allocation makes an evaluation of its job, unless that is a system job."""
    if by.is_(fail_alloc):
        job = by["job"]
        return any_of(all_of(is_system(s, job), n.made[job] == s.made[job]), n.made[job] == s.made[job] + 1)
    if by.is_(complete_alloc, report_end):
        return for_all(n.made[j] == s.made[j] for j in s.jobs)
    return True


@step("ALLOC-09", "ALLOC-14", "CLIENT-04", why="an end that is reported twice wakes for nothing")
def ends_are_reported_once(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what was told to stop, or deleted, is reported once, and nothing is that still runs."""
    reported = for_all(
        implies(
            all_of(n.is_reported[j, i], not_(s.is_reported[j, i])),
            not_(one_of(n.alloc_phase[j, i], AllocPhase.ABSENT, AllocPhase.LIVE, AllocPhase.UNKNOWN)),
        )
        for j in s.jobs
        for i in s.allocs
    )
    if not by.is_(report_end):
        return reported
    job, alloc = by["job"], by["alloc"]
    return all_of(reported, not_(s.is_reported[job, alloc]), n.is_reported[job, alloc])


@step("FSM-20", "FSM-23", "ALLOC-13", "FSM-24", why="a follow-up that nobody waits for runs for nothing")
def follow_ups_are_called_off(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a client that is back ends the deadline of its allocation, and the follow-up that waits."""
    if not by.is_(reconnect_alloc, fail_alloc):
        return True
    job, alloc = by["job"], by["alloc"]
    was_unknown = s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN
    is_cleared = all_of(n.deadline[job, alloc] == NONE, n.is_late[job, alloc] == 0)

    def is_shared(e: Id) -> Value:
        return exists(all_of(i != alloc, s.deadline[job, i] == e) for i in s.allocs)

    def is_called_off(e: Id) -> Value:
        is_its = all_of(s.deadline[job, alloc] == e, s.place[job, e] == Place.WAITING, not_(is_shared(e)))
        is_stored = s.record[job, e] != Record.ABSENT
        return implies(all_of(is_its, is_stored), n.record[job, e] == Record.CANCELED)

    def is_spared(e: Id) -> Value:
        is_meant = all_of(was_unknown, s.deadline[job, alloc] == e)
        waits = True if s.has(HASTY_CANCEL) else s.place[job, e] == Place.WAITING
        is_kept = any_of(n.record[job, e] == s.record[job, e], s.record[job, e] == Record.ABSENT)
        return any_of(is_kept, all_of(is_meant, waits))

    return all_of(
        implies(was_unknown, all_of(is_cleared, for_all(is_called_off(e) for e in s.eval_numbers))),
        for_all(is_spared(e) for e in s.eval_numbers),
    )


@step("NODEST-20", "FSM-20", "ALLOC-13", why="an allocation is back when its client has said so")
def only_the_unknown_come_back(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what reconnects was unknown and is on a node that is heard of, and that its node stays."""
    if not by.is_(reconnect_alloc):
        return True
    job, alloc, node = by["job"], by["alloc"], by["node"]
    was_unknown = all_of(s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN, is_heard(s, node))
    is_back = all_of(n.alloc_phase[job, alloc] == AllocPhase.LIVE, n.occupies[job, alloc] == node)
    return all_of(was_unknown, is_back, s.occupies[job, alloc] == node)


@step("NODEST-08", "DISC-11", "TRIG-17", why="whoever waits for a follow-up has time until it falls due")
def time_runs_out_for_a_reason(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the time of an unknown allocation is up by itself only where no follow-up is to fall due."""
    if not by.is_(run_out_of_time):
        return True
    job, alloc = by["job"], by["alloc"]
    waits = exists(
        all_of(s.deadline[job, alloc] == e, s.place[job, e] == Place.WAITING) for e in s.eval_numbers
    )
    is_unknown = s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN
    return all_of(is_unknown, not_(waits), s.is_late[job, alloc] == 0, n.is_late[job, alloc] == 1)


@step("NODEST-08", "NODEST-13", "NODEST-14", "NODEST-20", why="an event that changes nothing must not be one")
def events_of_nodes_are_news(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a node goes down only if it was heard of, and comes back or is given up only if it was not."""
    if by.is_(lose_node):
        return is_heard(s, by["node"])
    if by.is_(recover_node):
        return none_of(is_heard(s, by["node"]), s.silent[by["node"]])
    if by.is_(silence_node):
        return all_of(s.node_up[by["node"]], is_there(s, by["node"]))
    if by.is_(hear_node, give_up_node):
        return s.silent[by["node"]]
    if by.is_(ready_node):
        return all_of(s.starting[by["node"]] > 0, n.node_up[by["node"]])
    return True


@step("NODEST-08", "NODEST-20", "DISC-11", why="what is unknown has its time, and its node too")
def nodes_wait_for_the_unknown(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a node is given up once all on it is out of time, and ready once nothing on it is unknown."""
    if not by.is_(give_up_node, ready_node):
        return True
    node = by["node"]

    def is_settled(j: Id, i: Id) -> Value:
        is_unknown = n.alloc_phase[j, i] == AllocPhase.UNKNOWN
        is_late = all_of(is_unknown, s.is_late[j, i] > 0)
        return is_late if by.is_(give_up_node) else not_(is_unknown)

    return for_all(implies(s.occupies[j, i] == node, is_settled(j, i)) for j in s.jobs for i in s.allocs)


@step(
    "NODEST-16",
    "NODEST-18",
    "DRAIN-04",
    "DRAIN-10",
    why="who drains a node relies on its being empty at last",
)
def drains_end_when_nothing_is_left(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a drain marks what is on its node, keeps the node closed, and ends when it is empty."""
    if by.is_(end_drain):
        return all_of(s.draining[by["node"]] > 0, count_taken(s, by["node"]) == 0)
    if by.is_(drain_alloc):
        return all_of(s.draining[by["node"]] > 0, s.occupies[by["job"], by["alloc"]] == by["node"])
    if by.is_(open_node):
        return all_of(not_(s.eligible[by["node"]]), s.draining[by["node"]] == 0)
    if by.is_(close_node):
        return all_of(s.eligible[by["node"]], not_(n.eligible[by["node"]]))
    if by.is_(drain_node):
        return s.draining[by["node"]] == 0
    return True


@step("ALLOC-15", "ALLOC-16", "DRAIN-10", why="a mark tells the scheduler what to replace")
def marks_stay_until_the_end(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that only drainer and operator mark what is to move, once, and that marks go with the record."""
    if by.is_(drain_alloc, move_alloc):
        job, alloc = by["job"], by["alloc"]
        lives = one_of(s.alloc_phase[job, alloc], AllocPhase.LIVE, AllocPhase.UNKNOWN)
        return all_of(lives, s.leaving[job, alloc] == 0)
    return for_all(
        any_of(n.leaving[j, i] == s.leaving[j, i], n.alloc_phase[j, i] == AllocPhase.GONE)
        for j in s.jobs
        for i in s.allocs
    )


@step("FSM-30", "TRIG-09", "TRIG-29", why="an evaluation that is owed is owed once")
def what_is_owed_is_written_once(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a handler writes what it owes, and owes it no longer, and that nothing else comes of it."""
    if by.is_(lose_handler):
        return all_of(s.has(FORGOTTEN_HANDLER), s.owed[by["job"]], not_(s.leading))
    if not by.is_(write_node_eval):
        return for_all(implies(s.owed[j], n.owed[j]) for j in s.jobs)
    job = by["job"]
    return all_of(
        s.owed[job], not_(n.owed[job]), for_all(any_of(j == job, iff(n.owed[j], s.owed[j])) for j in s.jobs)
    )


@step("GC-23", "GC-25", "GC-91", "GC-92", why="what is still of use must not be deleted")
def only_what_is_over_is_collected(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that collectors delete what has ended and is of no use to schedulers, and that it is gone then."""
    if by.is_(collect_alloc):
        job, alloc = by["job"], by["alloc"]
        is_failed = s.alloc_phase[job, alloc] == AllocPhase.FAILED
        lives = one_of(s.alloc_phase[job, alloc], AllocPhase.LIVE, AllocPhase.UNKNOWN)
        is_needed = all_of(is_failed, s.job_phase[job] == JobPhase.WANTED)
        return all_of(n.alloc_phase[job, alloc] == AllocPhase.GONE, none_of(lives, is_needed))
    if not by.is_(collect_eval, delete_eval):
        return True
    before, after = s.record[by["job"], by["number"]], n.record[by["job"], by["number"]]
    may_be_deleted = s.paused if by.is_(delete_eval) else True
    return all_of(may_be_deleted, before != Record.ABSENT, after == Record.ABSENT)


@step("GC-30", "GC-31", "GC-34", "GC-95", why="a collector that is wrong about a job deletes what is needed")
def only_dead_jobs_are_doomed(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a leader's collector dooms and reaps jobs that are stopped, with nothing alive or waiting."""
    if by.is_(spare_job):
        return all_of(s.doomed[by["job"]], not_(n.doomed[by["job"]]))
    if not by.is_(doom_job, reap_job):
        return for_all(iff(n.doomed[j], s.doomed[j]) for j in s.jobs)
    job = by["job"]
    is_over = for_all(
        any_of(one_of(s.alloc_phase[job, i], AllocPhase.ABSENT, AllocPhase.GONE), may_be_collected(s, job, i))
        for i in s.allocs
    )
    waits = exists(one_of(s.record[job, e], Record.PENDING, Record.BLOCKED) for e in s.eval_numbers)
    is_dead = all_of(s.job_phase[job] == JobPhase.STOPPED, is_over, not_(waits))
    if by.is_(doom_job):
        return all_of(s.leading, is_dead, not_(s.doomed[job]), n.doomed[job])
    is_known = s.job_phase[job] != JobPhase.ABSENT if s.has(HASTY_REAP) else is_dead
    return all_of(s.doomed[job], not_(n.doomed[job]), is_known, n.job_phase[job] == JobPhase.ABSENT)


@step("JOB-13", "EVAL-46", "BROKER-36", why="an evaluation that a purge completed must not be delivered")
def purges_empty_the_broker(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what a purge completes is out of the broker, unless a worker has it."""
    if not by.is_(purge_job, reap_job):
        return True
    job = by["job"]

    def is_out(e: Id) -> Value:
        is_completed = all_of(s.record[job, e] == Record.PENDING, s.place[job, e] != Place.UNACKED)
        return implies(is_completed, all_of(n.place[job, e] == Place.OUT, not_(n.superseded[job, e])))

    is_told = True if s.has(SILENT_PURGE) else for_all(is_out(e) for e in s.eval_numbers)
    held = for_all(
        implies(s.place[job, e] == Place.UNACKED, n.place[job, e] == Place.UNACKED) for e in s.eval_numbers
    )
    return all_of(is_told, held)


@step(
    "JOB-13",
    "GC-96",
    "DEP-18",
    why="what a purge leaves behind would be taken up by the next job of that name",
)
def purges_leave_no_trace(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a purge deletes a job's allocations, with their health, and the counters of its deployment."""
    if not by.is_(purge_job, reap_job):
        return True
    job = by["job"]

    def is_gone(i: Id) -> Value:
        is_deleted = any_of(
            n.alloc_phase[job, i] == AllocPhase.GONE,
            all_of(s.alloc_phase[job, i] == AllocPhase.ABSENT, n.alloc_phase[job, i] == AllocPhase.ABSENT),
        )
        return all_of(is_deleted, n.health[job, i] == Health.UNSET, not_(n.in_rollout[job, i]))

    counts = all_of(n.placed[job] == 0, n.healthy[job] == 0, n.unhealthy[job] == 0)
    return all_of(
        for_all(is_gone(i) for i in s.allocs), counts, n.rollout_version[job] == 0, not_(n.is_news[job])
    )


@step("FSM-03", "GC-92", "BLOCKED-02", why="a collector that asks nobody deletes what is still in use")
def collectors_leave_queues_alone(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what is collected was in no queue, list or hand, and that no queue changes with it."""
    if not by.is_(collect_eval, collect_alloc, delete_eval, doom_job):
        return True

    def is_left(j: Id, e: Id) -> Value:
        return all_of(n.place[j, e] == s.place[j, e], n.tracking[j, e] == s.tracking[j, e])

    is_untouched = for_all(is_left(j, e) for j in s.jobs for e in s.eval_numbers)
    if s.has(HASTY_COLLECTION):
        return is_untouched
    if not by.is_(collect_eval):
        return is_untouched
    job, number = by["job"], by["number"]
    is_queued = any_of(s.place[job, number] != Place.OUT, s.superseded[job, number], s.duplicate[job, number])
    is_tracked = any_of(s.tracking[job, number] != Tracking.OUT, s.arriving[job, number] > 0)
    is_held = exists(all_of(s.job[w] == job, s.number[w] == number) for w in s.workers)
    return all_of(is_untouched, none_of(is_queued, is_tracked, is_held))
