"""Small models for the tests of the solver's engine, and questions to the solver about what was read."""

from typing import Any

import z3

from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt, upto
from nomadspec.model.language.logic import Value, all_of, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, step
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally

ENOUGH = 3_000_000
"""The steps that the solver may take: twice as many as the longest answer takes, on any machine."""


class Desk(World):
    """Clerks who take folders from a line, mark them, and lay them on shelves."""

    clerks = ids("clerk", 2, "who works")
    shelves = ids("shelf", 2, "where folders lie")
    length = size(2, "how many marks a folder has")
    marks = index("mark", length, "the places for marks")
    most = size(3, "how many are served")
    room = size(1, "how many marks name a shelf", least=1)

    busy = field(clerks, FLAG, init=False, about="the clerk works")
    at = field(clerks, opt(shelves), init=NONE, about="the shelf where the clerk is")
    marked = field(clerks, marks, opt(shelves), init=NONE, about="the shelves that were marked")
    copied = field(clerks, marks, opt(shelves), init=NONE, about="the marks that were copied")
    turns = field(clerks, counter(most), init=0, about="how often the clerk was served")
    closed = field(FLAG, init=False, about="the office is closed")
    served = field(counter(most), init=0, about="how many were served")
    level = field(upto(room), init=0, about="how full the room is")
    line = queue(clerks, "who waits")
    named = tally(marked, "marks that name a shelf")


@rule("DESK-01", clerk=Desk.clerks)
def begin(s: Desk, t: Desk, clerk: Id) -> None:
    """An idle clerk begins, and waits."""
    t.require(not_(s.busy[clerk]), not_(s.closed))
    t.busy[clerk] = True
    t.line.push(clerk)


@rule("DESK-02", clerk=Desk.clerks)
def finish(s: Desk, t: Desk, clerk: Id) -> None:
    """The first who waits is served."""
    t.require(s.line.head(clerk), s.served < s.most)
    t.busy[clerk] = False
    t.served = s.served + 1
    t.line.pop(clerk)


@always("DESK-01", why="who waits has something to do")
def waiting_clerks_are_busy(s: Desk) -> Value:
    """Whoever waits is busy."""
    return for_all(implies(s.line.has(x), s.busy[x]) for x in s.clerks)


@always("DESK-01", why="a busy clerk waits for his turn")
def busy_clerks_wait(s: Desk) -> Value:
    """Whoever is busy waits."""
    return for_all(implies(s.busy[x], s.line.has(x)) for x in s.clerks)


@step("DESK-02", why="nobody is served twice at once")
def served_grows_by_one(s: Desk, n: Desk) -> Value:
    """The count of the served never jumps."""
    return all_of(s.served <= n.served, n.served <= s.served + 1)


def desk(*rules: Rule, properties: tuple[Property, ...] = (), **parts: Any) -> BoundedModel:
    """Bound a model of the desk with these rules."""
    model = Model("desk", "a desk", Desk, rules, properties, (Scope("small", "for tests"),), **parts)
    return model.at(profile="intended")


def read(*rules: Rule, **parts: Any) -> OpenWorld:
    """Read a model of the desk with these rules over sets of any size."""
    return OpenWorld(desk(*rules, **parts))


def is_valid(statement: Value, *premises: Value, steps: int = ENOUGH) -> bool:
    """Ask the solver whether a statement follows from premises."""
    solver = z3.Solver()
    solver.set("rlimit", steps)
    solver.add(*premises, z3.Not(statement) if z3.is_expr(statement) else z3.BoolVal(not statement))
    return bool(solver.check() == z3.unsat)


def can_be(*premises: Value) -> bool:
    """Ask the solver whether all of this can be at once."""
    solver = z3.Solver()
    solver.set("rlimit", ENOUGH)
    solver.add(*premises)
    return bool(solver.check() == z3.sat)


def run(changed: Rule) -> tuple[OpenWorld, OpenStep]:
    """Read one rule."""
    world = read(changed)
    (step,) = world.steps
    return world, step


def before(world: OpenWorld, name: str, *at: Value) -> Value:
    """Give a cell of the world before a step."""
    return world.before.fields[name](*at)
