"""A model whose parts can have any names: what is counted, ordered and waits for its turn.

It speaks of all that the engine has unknowns of its own for: counts of one set and of pairs, totals, first
and last numbers, and queues.
"""

from dataclasses import dataclass
from typing import Any

from nomadspec.model.language.domain import FLAG, NONE, Id, Map, counter, opt
from nomadspec.model.language.logic import Value, all_of, count, exists, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, index, queue, size, tally


@dataclass(frozen=True)
class Names:
    """What the parts of the world are called that a test names."""

    aim: str = "aim"
    scalar: str = "round"
    table: str = "likes"
    total: str = "liked"
    things: str = "things"
    size: str = "most"
    label: str = "thing"


class Parts:
    """A world, read by what its parts stand for and not by their names."""

    def __init__(self, world: Any, names: Names) -> None:
        self.aim = getattr(world, names.aim)
        self.likes = getattr(world, names.table)
        self.liked = getattr(world, names.total)
        self.things = getattr(world, names.things)
        self.most = getattr(world, names.size)

    def likes_aim(self, x: Id) -> Value:
        """True while a thing likes the one that is looked for."""
        return self.likes[x] == self.aim

    def likes_itself(self, x: Id) -> Value:
        """True while a thing likes itself."""
        return self.likes[x] == x


def make_model(names: Names) -> Model:
    """Make the model: its first two properties are true, the others are false after a few steps."""
    world = make_world(names)
    properties = (*list_true(names), *list_false(names))
    scopes = (Scope("small", "all"),)
    starts = (make_start(world, names),)
    return Model("named", "a model", world, list_rules(world, names), properties, scopes, starts=starts)


def make_world(names: Names) -> type[World]:
    """Declare a world whose parts have these names."""
    most = size(2, "things that can be made", least=2)
    things = index(names.label, most, "things, in the order in which they are made")
    likes = field(things, opt(things), init=NONE, about="the thing that a thing likes")
    parts: dict[str, Any] = {
        names.size: most,
        names.things: things,
        names.table: likes,
        names.aim: size(1, "the thing that is looked for"),
        names.scalar: field(counter(most), init=0, about="what was made last"),
        "made": field(counter(most), init=0, about="things made so far", budget=True),
        "is_seen": field(things, FLAG, init=False, about="one before it likes what is looked for"),
        "is_over": field(FLAG, init=False, about="somebody has looked"),
        names.total: tally(likes, "how many like a thing"),
        "line": queue(things, "who waits"),
    }
    return type("Named", (World,), {"__module__": __name__, **parts})


def list_rules(world: Any, names: Names) -> tuple[Rule, ...]:
    """Write the rules; who likes whom is given from the start."""
    things = getattr(world, names.things)

    @rule("NAMED-01", thing=things)
    def wait(s: Any, t: Any, thing: Id) -> None:
        """A thing in no line waits."""
        t.require(not_(s.line.has(thing)), thing < s.made)
        t.line.push(thing)

    @rule("NAMED-01", makes=world.made)
    def make(s: Any, t: Any) -> None:
        """Another thing is made."""
        t.made = s.made + 1
        setattr(t, names.scalar, s.made)

    @rule("NAMED-03", thing=things)
    def serve(s: Any, t: Any, thing: Id) -> None:
        """The first who waits goes."""
        t.require(s.line.head(thing))
        t.line.pop(thing)

    @rule("NAMED-04")
    def look(s: Any, t: Any) -> None:
        """Somebody looks which things come after one that likes what is looked for."""
        parts = Parts(s, names)
        t.is_over = True
        for thing in parts.things:
            t.is_seen[thing] = exists(all_of(y < thing, parts.likes_aim(y)) for y in parts.things)

    return wait, make, serve, look


def make_start(world: Any, names: Names) -> Rule:
    """Write the rule that makes the first worlds."""
    things = getattr(world, names.things)

    @rule("NAMED-02", chosen=Map(things, opt(things)))
    def begin(s: Any, t: Any, chosen: Value) -> None:
        """Each thing likes another, itself or nothing."""
        setattr(t, names.table, chosen)

    return begin


def list_true(names: Names) -> tuple[Property, ...]:
    """Write what is true."""

    @always("NAMED-02", why="who is found is counted")
    def found_are_counted(s: Any) -> Value:
        parts = Parts(s, names)
        is_found = exists(parts.likes_aim(x) for x in parts.things)
        return implies(all_of(s.is_over, is_found), count(parts.likes_aim(x) for x in parts.things) >= 1)

    @always("NAMED-01", why="a round is about a thing that is made")
    def rounds_are_made(s: Any) -> Value:
        return getattr(s, names.scalar) <= s.made

    return found_are_counted, rounds_are_made


def list_false(names: Names) -> tuple[Property, ...]:
    """Write what is false, though it would be true were the aim the member that is asked about."""

    @always("NAMED-02", why="false: who likes itself need not like what is looked for")
    def who_likes_itself_is_counted(s: Any) -> Value:
        parts = Parts(s, names)
        is_found = all_of(s.is_over, exists(parts.likes_itself(x) for x in parts.things))
        return implies(is_found, count(parts.likes_aim(x) for x in parts.things) >= 1)

    @always("NAMED-02", why="false: these are different things")
    def both_count_the_same(s: Any) -> Value:
        parts = Parts(s, names)
        found = count(parts.likes_aim(x) for x in parts.things)
        return found <= count(parts.likes_itself(x) for x in parts.things)

    @always("NAMED-02", why="false: these are different pairs")
    def pairs_count_the_same(s: Any) -> Value:
        parts = Parts(s, names)
        things = parts.things
        found = count(all_of(x != y, parts.likes_aim(x), parts.likes_aim(y)) for x in things for y in things)
        return found <= count(
            all_of(x != y, parts.likes_itself(x), parts.likes_aim(y)) for x in things for y in things
        )

    @always("NAMED-04", why="false: who is seen comes after one that likes another")
    def seen_come_after_who_likes_itself(s: Any) -> Value:
        parts = Parts(s, names)
        is_found = exists(parts.likes_itself(x) for x in parts.things)
        return for_all(implies(s.is_seen[x], is_found) for x in parts.things)

    @always("NAMED-02", why="false: two may like the same")
    def nobody_is_liked_twice(s: Any) -> Value:
        parts = Parts(s, names)
        return for_all(parts.liked[x] <= 1 for x in parts.things)

    return (
        who_likes_itself_is_counted,
        both_count_the_same,
        pairs_count_the_same,
        seen_come_after_who_likes_itself,
        nobody_is_liked_twice,
    )
