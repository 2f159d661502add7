"""Small worlds for the tests of random search: starts, ends, and a rule that is written wrongly."""

from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import Value, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, eventually, lemma, sometimes, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, size


class Lamp(World):
    """Lamps that are lit, one after another, and a level that somebody turns up."""

    lamps = ids("lamp", 3, "what can be lit")
    top = size(4, "how far the level goes")
    lit = field(lamps, FLAG, init=False, about="the lamp is lit")
    level = field(upto(top), init=0, about="how far it is turned up")


@rule("L-1", lamp=Lamp.lamps)
def begin(s: Lamp, t: Lamp, lamp: Id) -> None:
    """One lamp is lit at the beginning."""
    t.require(not_(s.lit[lamp]))
    t.lit[lamp] = True


@rule("L-2", lamp=Lamp.lamps)
def light(s: Lamp, t: Lamp, lamp: Id) -> None:
    """A lamp is lit."""
    t.require(not_(s.lit[lamp]))
    t.lit[lamp] = True


@rule("L-3")
def turn_up(s: Lamp, t: Lamp) -> None:
    """The level is turned up."""
    t.require(s.level < s.top)
    t.level = s.level + 1


@rule("L-3")
def turn_far(s: Lamp, t: Lamp) -> None:
    """The level is turned up, beyond its end as well."""
    t.level = s.level + 1


@rule("L-3")
def turn_twice(s: Lamp, t: Lamp) -> None:
    """The level is turned up by two."""
    t.require(s.level + 2 <= s.top)
    t.level = s.level + 2


@rule("L-3")
def turn_off(s: Lamp, t: Lamp) -> None:
    """Nothing is on any more."""
    t.require(s.level >= 0)
    t.level = 0


@rule("L-4")
def never(s: Lamp, t: Lamp) -> None:
    """This can be asked for but does not happen from the first world on."""
    t.require(s.level == s.top)


def is_at_rest(s: Lamp) -> Value:
    """True while every world may be the last one."""
    return s.level <= s.top


@always("L-3", why="it breaks on purpose")
def level_is_low(s: Lamp) -> Value:
    """The level is at most two."""
    return s.level <= 2


@step("L-3", why="it breaks on purpose")
def level_never_falls(s: Lamp, n: Lamp) -> Value:
    """The level only grows."""
    return s.level <= n.level


@sometimes("L-3", why="it can be reached")
def level_is_one(s: Lamp) -> Value:
    """The level is one."""
    return s.level == 1


@eventually("L-3", why="it is not seen on a walk")
def level_is_top(s: Lamp) -> Value:
    """The level is at its end."""
    return s.level == s.top


@lemma("L-3", why="the least lemma")
def level_is_zero(s: Lamp) -> Value:
    """The level is not turned up."""
    return s.level == 0


STARTS = Model("starts", "three first worlds", Lamp, rules=(light,), starts=(begin,))
"""Every world in which all lamps are lit is stuck."""

RESTING = Model("resting", "nothing ever happens", Lamp, rules=(never,), is_at_rest=is_at_rest)
STUCK = Model("stuck", "nothing ever happens, and it should", Lamp, rules=(never,))
FAR = Model("far", "a level beyond its end", Lamp, rules=(turn_far,))
LEVELS = Model(
    "levels",
    "a level goes up and down while lamps are lit",
    Lamp,
    rules=(light, turn_up, turn_twice, turn_off),
    properties=(level_is_low, level_never_falls, level_is_one, level_is_top, level_is_zero),
    is_at_rest=is_at_rest,
)
