"""Statements about servers: leadership, the log, and garbage collection."""

from __future__ import annotations

from nomadspec.checkers.scenario.doing import do_possible
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.language import WordError
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import (
    EnqueueCoreEval,
    FailPlan,
    GainLeadership,
    LoseEntry,
    LoseLeadership,
)
from nomadspec.model.cluster.components.core_gc import Work
from nomadspec.model.errors import UsageError, suggest


@statement("leader lost")
def lose_leader(run: Run) -> None:
    """The leader is lost; what was in flight is not committed. Until one is elected nothing is written."""
    _lose_leader(run, 0)


def _lose_leader(run: Run, committed: int) -> None:
    if not run.world.is_led:
        raise UsageError("there is no leader to lose: write 'leader elected' first")
    do_possible(run, LoseLeadership(committed=committed), settles=False)
    run.held.add(GainLeadership.__name__)


@statement("leader lost committing COUNT")
def lose_leader_late(run: Run, count: int) -> None:
    """The leader is lost; the first entries in flight are committed, though nobody is told so."""
    _lose_leader(run, count)


@statement("leader elected")
def elect_leader(run: Run) -> None:
    """A server becomes the leader."""
    if run.world.is_led:
        raise UsageError("there is a leader already: write 'leader lost' first")
    run.held.discard(GainLeadership.__name__)
    do_possible(run, GainLeadership())


@statement("plan entry fails")
def fail_entry(run: Run) -> None:
    """The entry of the plan that is in flight is never committed."""
    do_possible(run, FailPlan())


@statement("next entry fails")
def lose_entry(run: Run) -> None:
    """The next entry of the log, whatever it is, is not committed."""
    do_possible(run, LoseEntry())


@statement("collect garbage")
def collect_garbage(run: Run) -> None:
    """Force garbage collection."""
    do_possible(run, EnqueueCoreEval(work=Work.FORCED.value))


@statement("collect garbage WORK")
def collect_some(run: Run, work: str) -> None:
    """Collect one kind of garbage as its timer would: eval-gc, job-gc, node-gc, deployment-gc."""
    known = [each.value for each in Work]
    if work not in known:
        raise WordError(work, f"{work!r} is no garbage collection; {suggest(work, known)}")
    do_possible(run, EnqueueCoreEval(work=work))
