"""A model small enough to know each of its mutants: a jar of sweets, with a hole in its properties."""

import sys
from enum import IntEnum

from nomadspec.checkers.manifest import Published
from nomadspec.checkers.mutants.mutant import Mutant, list_mutants
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import Value, all_of, exists, for_all, implies, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, eventually, properties_in, sometimes, step
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, ids, size


class Lid(IntEnum):
    OPEN = 0
    SHUT = 1


class Jar(World):
    children = ids("child", 2, "who takes sweets")
    room = size(2, "how many sweets fit")
    sweets = field(upto(room), init=0, about="sweets in the jar")
    lid = field(Lid, init=Lid.OPEN, about="the lid")
    happy = field(children, FLAG, init=False, about="has had a sweet")
    labelled = field(FLAG, init=False, about="what nobody looks at")


def has_sweets(s: Jar) -> Value:
    return s.sweets > 0


@rule("JAR-1", fair=weak())
def fill(s: Jar, t: Jar) -> None:
    """A sweet is put in, and the jar is labelled when it is full."""
    t.require(s.sweets < s.room, s.lid == Lid.OPEN)
    full = t.when(s.sweets + 1 == s.room)
    t.sweets = s.sweets + 1
    full.labelled = True
    full.lid = Lid.SHUT


@rule("JAR-2", fair=weak(), child=Jar.children)
def take(s: Jar, t: Jar, child: Id) -> None:
    """A child takes a sweet."""
    t.require(has_sweets(s), not_(s.happy[child]))
    t.sweets = s.sweets - 1
    t.happy[child] = True
    t.lid = ite(s.sweets == 1, Lid.OPEN, s.lid)


@always("JAR-2", why="a sweet makes happy")
def nobody_is_robbed(s: Jar) -> Value:
    """The lid of an empty jar is open."""
    return implies(s.sweets == 0, s.lid == Lid.OPEN)


@step("JAR-2", why="joy lasts")
def joy_lasts(s: Jar, n: Jar) -> Value:
    """Who was happy stays so."""
    return for_all(implies(s.happy[child], n.happy[child]) for child in s.children)


@always("JAR-1", why="what cannot be needs no rule")
def too_many_sweets_are_labelled(s: Jar) -> Value:
    """A jar that is more than full is labelled, which says nothing."""
    return implies(s.sweets > s.room, s.labelled)


@sometimes("JAR-2", why="there is enough for all")
def all_are_happy(s: Jar) -> Value:
    """Everybody is happy."""
    return for_all(s.happy[child] for child in s.children)


@sometimes("JAR-1", why="the lid is of use")
def the_lid_is_shut(s: Jar) -> Value:
    """The lid is shut while somebody waits."""
    return all_of(s.lid == Lid.SHUT, exists(not_(s.happy[child]) for child in s.children))


@eventually("JAR-2", why="nobody waits for ever", child=Jar.children)
def each_is_happy_at_last(s: Jar, child: Id) -> Value:
    """A child is happy."""
    return s.happy[child]


def is_at_rest(s: Jar) -> Value:
    return for_all(s.happy[child] for child in s.children)


JAR = Model(
    name="jar",
    about="a jar of sweets",
    world=Jar,
    rules=(fill, take),
    properties=properties_in(sys.modules[__name__]),
    is_at_rest=is_at_rest,
    scopes=(Scope("two", "room for two"), Scope("three", "room for three", {"room": 3})),
)


def search_of(scope: str = "two", reduction: str = "none") -> Published:
    """Give the search of a scope as it would be published."""
    return Published("jar", scope, "nomad-2.0", reduction, "holds", 0.0, "fast")


def mutant_of(function: str, kind: str, before: str = "") -> Mutant:
    """Find a mutant by what it changes."""
    return next(
        one
        for one in list_mutants(JAR)
        if (one.part.name, one.edit.kind) == (function, kind) and before in one.edit.before
    )
