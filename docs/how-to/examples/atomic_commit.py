"""Atomic commit: managers that end alike. Two-phase commit is one way to bring that about."""

import sys
from enum import IntEnum

from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value, for_all, implies, ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, properties_in
from nomadspec.model.language.refinement import refines
from nomadspec.model.language.rule import rule, rules_in
from nomadspec.model.language.world import World, field, ids
from nomadspec.model.small.two_phase_commit import Manager, TwoPhase


class Outcome(IntEnum):
    OPEN = 0
    COMMITTED = 1
    ABORTED = 2


class Commit(World):
    """What the managers have settled on: nothing of how they find out."""

    rms = ids("rm", 3, "resource managers")
    outcome = field(rms, Outcome, init=Outcome.OPEN, about="what a manager has settled on")


@rule("Commit-1", rm=Commit.rms)
def commit(s: Commit, t: Commit, rm: Id) -> None:
    """A manager commits, since none has aborted."""
    nobody_has = for_all(s.outcome[other] != Outcome.ABORTED for other in s.rms)
    t.require(s.outcome[rm] == Outcome.OPEN, nobody_has)
    t.outcome[rm] = Outcome.COMMITTED


@rule("Commit-2", rm=Commit.rms)
def abort(s: Commit, t: Commit, rm: Id) -> None:
    """A manager aborts, since none has committed."""
    t.require(
        s.outcome[rm] == Outcome.OPEN, for_all(s.outcome[other] != Outcome.COMMITTED for other in s.rms)
    )
    t.outcome[rm] = Outcome.ABORTED


@rule("Commit-3")
def end_early(s: Commit, t: Commit) -> None:
    """All managers that are left abort at once."""
    t.require(for_all(s.outcome[rm] == Outcome.OPEN for rm in s.rms))
    for rm in s.rms:
        t.outcome[rm] = Outcome.ABORTED


@always("Commit-1", why="nobody commits what another aborts")
def all_end_alike(s: Commit) -> Value:
    return for_all(
        implies(s.outcome[one] == Outcome.COMMITTED, s.outcome[other] != Outcome.ABORTED)
        for one in s.rms
        for other in s.rms
    )


COMMIT = Model(
    name="atomic-commit",
    about="managers that end alike",
    world=Commit,
    rules=rules_in(sys.modules[__name__]),
    properties=properties_in(sys.modules[__name__]),
    is_at_rest=lambda s: for_all(s.outcome[rm] != Outcome.OPEN for rm in s.rms),
)


@refines(COMMIT)
def as_commit(s: TwoPhase, t: Commit) -> None:
    """Only what a manager has settled on shows; that it is prepared does not."""
    for rm in s.rms:
        t.outcome[rm] = ite(
            s.state[rm] == Manager.COMMITTED,
            Outcome.COMMITTED,
            ite(s.state[rm] == Manager.ABORTED, Outcome.ABORTED, Outcome.OPEN),
        )
