"""Lemmas about the line in which evaluations wait for blocked evals to look at them."""

from nomadspec.model.kernel.blocked import is_arriving
from nomadspec.model.kernel.broker import is_on
from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, Stage
from nomadspec.model.language.logic import Flag, all_of, any_of, count, for_all, implies, ite, not_, one_of
from nomadspec.model.language.property import always


@always("BLOCKED-10", "BLOCKED-22", why="of two that come at once neither would be the newer", lemma=True)
def arriving_evals_have_turns_of_their_own(s: Kernel) -> Flag:
    """No two evaluations of a job have the same turn."""
    return for_all(
        implies(
            all_of(o < e, is_arriving(s, j, o), is_arriving(s, j, e)), s.arriving[j, o] != s.arriving[j, e]
        )
        for j in s.jobs
        for e in s.eval_numbers
        for o in s.eval_numbers
    )


@always(
    "BLOCKED-10", "BLOCKED-22", why="the next evaluation would overtake one that waits already", lemma=True
)
def arriving_evals_have_the_first_turns(s: Kernel) -> Flag:
    """No turn is later than there are evaluations of the job in the line."""
    return for_all(
        any_of(s.arriving[j, e] == 0, s.arriving[j, e] <= count(is_arriving(s, j, o) for o in s.eval_numbers))
        for j in s.jobs
        for e in s.eval_numbers
    )


@always("BLOCKED-10", "EVAL-10", why="a number that was not given out stands in no line", lemma=True)
def arriving_evals_were_made(s: Kernel) -> Flag:
    """What is on its way to blocked evals was made."""
    return for_all(implies(is_arriving(s, j, e), e < s.made[j]) for j in s.jobs for e in s.eval_numbers)


@always(
    "LEADER-08", "BLOCKED-46", why="blocked evals that are switched on begin with an empty line", lemma=True
)
def nothing_arrives_while_blocked_evals_are_off(s: Kernel) -> Flag:
    """Nothing is on its way to blocked evals that are off."""
    return any_of(is_on(s), for_all(not_(is_arriving(s, j, e)) for j in s.jobs for e in s.eval_numbers))


@always("WORKER-32", "EVAL-13", why="what is handed over twice would have two turns", lemma=True)
def evals_in_hand_do_not_arrive(s: Kernel) -> Flag:
    """What a worker has still to see to is not on its way to blocked evals."""
    return for_all(
        implies(all_of(s.holds[w], s.stage[w] != Stage.ACKING), not_(is_arriving(s, s.job[w], s.number[w])))
        for w in s.workers
    )


@always(
    "BLOCKED-10", "EVAL-20", why="it says what wakes it", lemma=True, j=Kernel.jobs, e=Kernel.eval_numbers
)
def tracked_evals_are_escaped_as_their_jobs(s: Kernel, j: JobId, e: EvalNumber) -> Flag:
    """What is tracked is escaped if its job is, and captured otherwise."""
    kept = ite(s.escaped[j], BlockedIn.ESCAPED, BlockedIn.CAPTURED)
    return one_of(s.blocked_in[j, e], BlockedIn.OUT, kept)
