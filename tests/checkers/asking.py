"""Models with texts that ask a table for what it has not, or that raise something, a few steps away."""

from dataclasses import replace
from typing import Final

from nomadspec.model.language.domain import FLAG, Id, opt, upto
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import By, always, eventually, sometimes, step
from nomadspec.model.language.rule import rule, weak
from nomadspec.model.language.world import World, field, ids, index, size

NEXT: Final = {0: 1, 1: 2, 2: 3}
"""Which post follows; nobody wrote down what follows the last one."""


class Street(World):
    """Guests who walk along lamp posts."""

    many = size(4, "how many posts there are")
    guests = ids("guest", 2, "who walks")
    posts = index("post", many, "the posts along the street")
    lit = field(posts, FLAG, init=False, about="the lamp is lit")
    at = field(guests, upto(many), init=0, about="how many posts a guest has passed")
    home = field(opt(posts), init=-1, about="where somebody lives")
    hour = field(upto(3), init=0, about="how late it is")


@rule("S-1", fair=weak(), guest=Street.guests)
def walk(s: Street, t: Street, guest: Id) -> None:
    """A guest passes a post."""
    t.require(s.at[guest] < s.many - 1)
    t.at[guest] = s.at[guest] + 1


@rule("S-2", fair=weak())
def pass_time(s: Street, t: Street) -> None:
    """It gets later."""
    t.require(s.hour < 3)
    t.hour = s.hour + 1


@rule("S-3", guest=Street.guests)
def light_next(s: Street, t: Street, guest: Id) -> None:
    """A guest lights the lamp ahead, without a look whether there is one."""
    t.require(s.hour == 0)
    t.lit[s.at[guest] + 1] = False


@rule("S-4", guest=Street.guests)
def light_next_if_any(s: Street, t: Street, guest: Id) -> None:
    """A guest lights the lamp ahead, if there is one."""
    t.require(s.hour == 0)
    t.when(s.at[guest] + 1 < s.many).lit[s.at[guest] + 1] = False


@rule("S-5", post=Street.posts)
def light_behind(s: Street, t: Street, post: Id) -> None:
    """A lamp lights the one behind it."""
    t.require(s.hour == 2)
    t.lit[post + 1] = False


@rule("S-5", post=Street.posts)
def light_behind_if_any(s: Street, t: Street, post: Id) -> None:
    """A lamp lights the one behind it, if there is one."""
    t.require(s.hour == 2)
    t.when(post + 1 < s.many).lit[post + 1] = False


@always("S-1", why="nobody lights a lamp")
def the_next_is_dark(s: Street) -> Value:
    """The lamp ahead of each guest is dark."""
    return for_all(not_(s.lit[s.at[g] + 1]) for g in s.guests)


@always("S-1", why="nobody lights a lamp")
def the_next_is_dark_if_any(s: Street) -> Value:
    """The lamp ahead of each guest is dark, if there is one, and so is the one at home."""
    ahead = for_all(implies(s.at[g] + 1 < s.many, not_(s.lit[s.at[g] + 1])) for g in s.guests)
    behind = for_all(any_of(s.at[g] == 0, not_(s.lit[s.at[g] - 1])) for g in s.guests)
    return all_of(ahead, behind, not_(s.lit[s.home]))


@always("S-1", why="the day has an end")
def it_is_never_midnight(s: Street) -> Value:
    """It gets as late as three."""
    return s.hour <= 3


@step("S-2", why="nobody lights a lamp")
def the_hour_is_dark(s: Street, n: Street, by: By) -> Value:
    """The lamp whose number is the next hour is dark."""
    return any_of(not by.is_(pass_time), not_(n.lit[n.hour + 1]))


@step("S-2", why="nobody lights a lamp")
def what_follows_is_dark(s: Street, n: Street, by: By) -> Value:
    """The post that follows the one whose lamp was lit is dark."""
    return implies(s.hour == 2, not_(n.lit[NEXT[by["post"]]])) if by.is_(light_behind_if_any) else True


@always("S-1", why="nobody lights a lamp")
def all_that_follow_are_dark(s: Street) -> Value:
    """The posts that follow others are dark."""
    return for_all(not_(s.lit[NEXT[post]]) for post in s.posts)


@eventually("S-2", why="time passes")
def it_gets_late(s: Street) -> Value:
    """It gets late."""
    return s.hour == 3


@sometimes("S-1", why="somebody arrives")
def somebody_arrives(s: Street) -> Value:
    """Somebody has passed all posts but one."""
    return any_of(*(s.at[g] == s.many - 1 for g in s.guests))


def _rest(_s: Street) -> bool:
    return True


SOUND: Final = Model(
    "street",
    "guests and lamp posts",
    Street,
    (walk, pass_time, light_next_if_any),
    (the_next_is_dark_if_any, it_is_never_midnight, it_gets_late, somebody_arrives),
    is_at_rest=_rest,
)
"""Whatever is asked behind the last post is asked under a condition."""

ASKED: Final = replace(SOUND, properties=(*SOUND.properties, the_next_is_dark))
WRITTEN: Final = replace(SOUND, rules=(*SOUND.rules, light_next))
STEPPED: Final = replace(SOUND, properties=(*SOUND.properties, the_hour_is_dark))
CONSTANT: Final = replace(SOUND, rules=(*SOUND.rules, light_behind))
RAISED: Final = replace(SOUND, properties=(*SOUND.properties, all_that_follow_are_dark))
RAISED_BY_STEP: Final = replace(
    SOUND,
    rules=(*SOUND.rules, light_behind_if_any),
    properties=(*SOUND.properties, what_follows_is_dark),
)

WRONG: Final[dict[str, tuple[Model, int, str]]] = {
    "asked": (ASKED, 3, "Property the_next_is_dark reads lit at post5, but posts has 4."),
    "written": (WRITTEN, 3, " writes lit at post5, but posts has 4."),
    "stepped": (STEPPED, 2, "Property the_hour_is_dark of PassTime reads lit at post5, but posts has 4."),
    "constant": (CONSTANT, 2, "LightBehind(post4) writes lit at post5, but posts has 4."),
    "raised": (RAISED, 0, "its text raises KeyError: 3."),
    "raised by step": (RAISED_BY_STEP, 2, "its text raises KeyError: 3."),
}
"""Models, how far their texts are from having no answer, and what is missing there."""
