"""What the pipelined applier must make of how entries end: what it sees when, what is news, what is old."""

from typing import Final

from nomadspec.invariants.kernel.entries import is_counted
from nomadspec.invariants.kernel.judging import is_void
from nomadspec.model.kernel.applier import apply_plan, refuse_gang
from nomadspec.model.kernel.pipeline import (
    await_completion,
    collect,
    commit,
    dispatch,
    evaluate,
    evaluate_gang,
    is_under_way,
    judge_again,
)
from nomadspec.model.kernel.state import Flight, Kernel, Lead, Stage
from nomadspec.model.logic import Value, all_of, any_of, exists, for_all, iff, implies, ite, not_
from nomadspec.model.property import By, step
from nomadspec.model.quirks import PHANTOM_EFFECTS, VOID_EFFECTS

_JUDGING: Final = (apply_plan, refuse_gang, evaluate, evaluate_gang)


def has_failed(s: Kernel) -> Value:
    """Say that an entry has failed, and that the applier has still to see it."""
    return exists(s.flight[f] == Flight.CRASHED for f in s.flights)


@step("PLAN-30", "PLAN-31", why="two plans that are judged at once may be given the same room")
def plans_are_judged_one_at_a_time(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- as it was before
    """Say that the applier takes a plan from the queue only when it has none in hand."""
    if not by.is_(*_JUDGING):
        return True
    return for_all(s.stage[w] != Stage.JUDGED for w in s.workers)


@step("PLAN-31", "PLAN-34", why="what is built on an entry that failed is built on nothing")
def nothing_is_built_on_what_failed(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- as it was before
    """Say that nothing is judged, handed to the log or committed before a failure has been seen."""
    if not by.is_(*_JUDGING, dispatch, commit):
        return True
    return True if s.has(PHANTOM_EFFECTS) else not_(has_failed(s))


@step("PLAN-31", "PLAN-34", why="what was built on an entry that failed must fail with it")
def failures_are_seen_last(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- as it was before
    """Say that the applier sees a failure only when nothing is under way that was built on it."""
    if not by.is_(collect, await_completion, judge_again):
        return True
    is_quiet = for_all(not_(is_under_way(s, f)) for f in s.flights)
    return True if s.has(PHANTOM_EFFECTS) else implies(s.flight[by["flight"]] == Flight.CRASHED, is_quiet)


@step("PLAN-30", "PLAN-31", "PLAN-36", why="who waits without need holds up all later plans")
def appliers_wait_only_when_they_must(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- as before
    """Say that only an applier with a plan in hand waits for an end: for a place, or to see a failure."""
    if not by.is_(await_completion):
        return True
    is_full = for_all(is_counted(s, f) for f in s.flights)
    has_plan = exists(s.stage[w] == Stage.JUDGED for w in s.workers)
    must_wait = is_full if s.has(PHANTOM_EFFECTS) else any_of(is_full, has_failed(s))
    return all_of(has_plan, must_wait)


@step("PLAN-30", "PLAN-31", "PLAN-37", why="a snapshot that is older than a commit that was seen is dropped")
def what_was_seen_since_the_last_plan_is_news(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a commit which is seen while others are under way is news until the next plan is taken."""
    if by.is_(evaluate, evaluate_gang):
        return not_(n.has_news)
    if not by.is_(collect):
        return True
    f = by["flight"]
    is_last = for_all(implies(is_counted(s, o), o == f) for o in s.flights)
    return ite(is_last, not_(n.has_news), implies(s.flight[f] == Flight.LANDED, n.has_news))


@step("PLAN-31", "PLAN-33", "PLAN-37", why="who takes an old snapshot for the newest judges by it")
def overtaken_snapshots_are_known(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a snapshot is known to be old exactly since an entry was committed later than it was taken.

    Where it shows what was handed to the log after that entry, it counts as the newer one.
    """
    if not by.is_(commit):
        return implies(n.is_outrun, s.is_outrun)
    passes = all_of(n.has_snap, is_counted(s, by["flight"]), s.snap_lead != Lead.AHEAD)
    return ite(passes, n.is_outrun, iff(n.is_outrun, s.is_outrun))


@step("PLAN-34", "PLAN-98", why="what the applier takes for written is not judged again")
def ends_say_what_was_written(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry which the store took in has landed, and that one which it refused has failed."""
    if not by.is_(commit):
        return True
    f, job = by["flight"], by["job"]
    end = Flight.LANDED if s.has(VOID_EFFECTS) else ite(is_void(s, f, job), Flight.CRASHED, Flight.LANDED)
    awaited = all_of(s.leading, is_counted(s, f))
    return n.flight[f] == ite(awaited, end, Flight.FREE)
