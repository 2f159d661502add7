"""A printer that two clerks share, and that an operator may take away."""

import sys
from enum import IntEnum

from nomadspec.model.language.domain import NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, any_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import eventually_always, leads_to, properties_in, unless, until
from nomadspec.model.language.rule import rule, rules_in, strong, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, size


class Phase(IntEnum):
    IDLE = 0
    WAITING = 1
    PRINTING = 2


class Office(World):
    """What each clerk does, who holds the printer, and how often it was taken away."""

    clerks = ids("clerk", 2, "who prints")
    faults = size(2, "how often the printer is taken away")
    phase = field(clerks, Phase, init=Phase.IDLE, about="what a clerk does")
    holder = field(opt(clerks), init=NONE, about="who holds the printer")
    lost = field(counter(faults), init=0, about="how often it was taken away", budget=True)


@rule("Office-1", clerk=Office.clerks)
def ask(s: Office, t: Office, clerk: Id) -> None:
    """A clerk has something to print."""
    t.require(s.phase[clerk] == Phase.IDLE)
    t.phase[clerk] = Phase.WAITING


@rule("Office-2", fair=strong("clerk"), clerk=Office.clerks)
def take(s: Office, t: Office, clerk: Id) -> None:
    """A waiting clerk takes the printer, which is free."""
    t.require(s.phase[clerk] == Phase.WAITING, s.holder == NONE)
    t.phase[clerk] = Phase.PRINTING
    t.holder = clerk


@rule("Office-3", fair=weak("clerk"), clerk=Office.clerks)
def finish(s: Office, t: Office, clerk: Id) -> None:
    """A clerk has printed."""
    t.require(s.phase[clerk] == Phase.PRINTING)
    t.phase[clerk] = Phase.IDLE
    t.holder = NONE


@rule("Office-4", spends=Office.lost, clerk=Office.clerks)
def interrupt(s: Office, t: Office, clerk: Id) -> None:
    """An operator takes the printer away from a clerk, who waits again."""
    t.require(s.holder == clerk)
    t.phase[clerk] = Phase.WAITING
    t.holder = NONE


def is_waiting(s: Office, clerk: Id) -> Value:
    """True while the clerk waits for the printer."""
    return s.phase[clerk] == Phase.WAITING


def is_printing(s: Office, clerk: Id) -> Value:
    """True while the clerk prints."""
    return s.phase[clerk] == Phase.PRINTING


@leads_to("Office-2", why="nobody waits for ever", given=is_waiting, clerk=Office.clerks)
def gets_the_printer(s: Office, clerk: Id) -> Value:
    return is_printing(s, clerk)


@until("Office-2", why="nobody gives up", given=is_waiting, keeps=is_waiting, clerk=Office.clerks)
def waits_until_it_prints(s: Office, clerk: Id) -> Value:
    return is_printing(s, clerk)


@unless("Office-3", why="a page is not torn out", given=is_printing, keeps=is_printing, clerk=Office.clerks)
def prints_unless_it_is_done(s: Office, clerk: Id) -> Value:
    return s.phase[clerk] == Phase.IDLE


@eventually_always("Office-4", why="the operator leaves the office in peace at last")
def the_faults_are_over(s: Office) -> Value:
    return any_of(s.lost == 0, s.lost == s.faults)


OFFICE = Model(
    name="office",
    about="clerks who share a printer",
    world=Office,
    rules=rules_in(sys.modules[__name__]),
    properties=properties_in(sys.modules[__name__]),
    scopes=(Scope("small", "two clerks"),),
)
