"""What becomes of allocations that are out of reach: who is called unknown, where, and for how long."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.disconnects import COMPLETE, NEWLY_AWAY, STILL_AWAY, is_heard, mark_unknown
from nomadspec.model.kernel.state import AllocPhase, Cause, Kernel, Stage
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.kernel.worker import begin, refresh
from nomadspec.model.logic import Value, all_of, any_of, for_all, iff, implies, ite, none_of, not_
from nomadspec.model.property import By, eventually, step


def is_unknown(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation is unknown."""
    return s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN


@step(
    "DISC-02",
    "DISC-05",
    "DISC-11",
    "NODEST-08",
    why="what is out of reach keeps its place for a time, and what is lost is placed again at once",
)
def snapshots_tell_silence_from_loss(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a snapshot shows out of reach what runs on a silent node, and what is unknown with time left.

    The time is up at once where the node is down: neither silent, nor heard. What is complete is shown, too.
    """
    if not by.is_(begin, refresh):
        return True
    worker, job = by["worker"], by["job"]

    def is_shown(i: Id, m: Id) -> Value:
        shown = n.seen_away[worker, i]
        is_down = none_of(s.silent[m], is_heard(s, m))
        is_new = all_of(s.alloc_phase[job, i] == AllocPhase.LIVE, s.silent[m])
        is_still = all_of(is_unknown(s, job, i), s.is_late[job, i] == 0, not_(is_down))
        return all_of(iff(shown == NEWLY_AWAY, is_new), iff(shown == STILL_AWAY, is_still))

    is_complete = for_all(
        iff(n.seen_away[worker, i] == COMPLETE, s.alloc_phase[job, i] == AllocPhase.COMPLETE)
        for i in s.allocs
    )
    is_there = for_all(implies(s.occupies[job, i] == m, is_shown(i, m)) for i in s.allocs for m in s.nodes)
    return all_of(is_complete, is_there)


@step(
    "PLAN-51",
    "PLAN-53",
    "DISC-05",
    why="a plan that is refused for nothing is made again, and one that should have been is believed",
)
def marks_are_refused_for_a_reason(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a mark names the node that was seen, and is refused exactly where that can take no part of it.

    A silent node takes every mark. A ready one keeps what lives there, and takes what has ended only if it
    may be given more and has room for one unit.
    """
    if not by.is_(mark_unknown):
        return True
    worker, job, alloc, node = by["worker"], by["job"], by["alloc"], by["node"]
    is_live = s.alloc_phase[job, alloc] == AllocPhase.LIVE
    may_come = all_of(s.eligible[node], count_taken(s, node) + 1 <= s.cap)
    is_taken = any_of(s.silent[node], all_of(s.node_up[node], any_of(is_live, may_come)))
    is_refused = all_of(s.leading, s.holds[worker], not_(is_taken))
    return all_of(
        s.seen_occupies[worker, job, alloc] == node, iff(n.stage[worker] == Stage.REFUSED, is_refused)
    )


@step(
    "TRIG-17",
    "EVAL-18",
    "DISC-06",
    why="a follow-up for each allocation would plan once for each, and all but one of them in vain",
)
def attempts_make_one_follow_up(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what an attempt calls unknown waits for one follow-up, and for none if it runs for one."""
    if not by.is_(mark_unknown):
        return True
    worker, job, number, alloc = by["worker"], by["job"], by["number"], by["alloc"]
    has_one = s.marking[worker] > 0
    is_for_one = s.cause[job, number] == Cause.DEADLINE
    is_first = all_of(s.leading, s.holds[worker], none_of(has_one, is_for_one))
    is_remembered = n.marking[worker] == ite(is_first, s.made[job] + 1, s.marking[worker])
    is_called_so = all_of(not_(is_unknown(s, job, alloc)), is_unknown(n, job, alloc))
    deadline = ite(is_for_one, NONE, n.marking[worker] - 1)
    return all_of(
        n.made[job] == s.made[job] + ite(is_first, 1, 0),
        is_remembered,
        implies(is_called_so, all_of(n.deadline[job, alloc] == deadline, n.is_late[job, alloc] == 0)),
    )


@eventually(
    "DISC-02",
    "DISC-11",
    "NODEST-08",
    why="an allocation that stays unknown for ever is neither replaced nor given up",
    given=is_unknown,
    job=Kernel.jobs,
    alloc=Kernel.allocs,
)
def the_unknown_come_back_or_run_out_of_time(s: Kernel, job: Id, alloc: Id) -> Value:
    """Say that an allocation does not stay unknown with time left."""
    return any_of(not_(is_unknown(s, job, alloc)), s.is_late[job, alloc] > 0)
