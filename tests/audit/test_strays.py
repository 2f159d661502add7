"""Random texts that index tables behind their ends, against an independent reading of the same texts.

A text has no answer in a world where it depends on what a table has not. That is worked out here by trying
every value that could stand there. What the language asks for is between that and the strong reading, in
which a conjunction with a part that is false is false and all else of what is unknown is unknown: it may miss
no text of the one kind, so that nothing holds wrongly, and blame none beyond the other, so that no alarm is
false.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any, TypeAlias

import pytest

from nomadspec.model.language.domain import FLAG, NONE, opt, upto
from nomadspec.model.language.logic import Value, all_of, any_of, count, exists, for_all, implies, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import Property, always
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.world import World, field, index

Text: TypeAlias = tuple[Any, ...]
Said: TypeAlias = Callable[[Any, Any], Value]
Cells: TypeAlias = dict[str, Any]

POSTS = 2
MOST = 3
UNKNOWN = None


class Street(World):
    """Two posts with a lamp and a level each, a number, and somebody who stands at one of them or nowhere."""

    posts = index("post", POSTS, "the posts of a street")
    lit = field(posts, FLAG, init=False, about="the lamp is lit")
    level = field(posts, upto(MOST), init=0, about="how high the water stands")
    n = field(upto(MOST), init=0, about="a number")
    at = field(opt(posts), init=NONE, about="where somebody stands")


# drawing


def draw_number(random: Random, depth: int, names: tuple[str, ...]) -> Text:
    kinds = ["n", "n", "constant", *names, *(["level", "level", "add", "choose"] if depth else [])]
    match random.choice(kinds):
        case "constant":
            return ("constant", random.randint(0, MOST))
        case "level":
            return ("level", draw_key(random, depth - 1, names))
        case "add":
            return ("add", draw_number(random, depth - 1, names), random.choice((-2, -1, 1, 2)))
        case "choose":
            return (
                "choose",
                draw_flag(random, depth - 1, names),
                draw_number(random, depth - 1, names),
                draw_number(random, depth - 1, names),
            )
        case name:
            return (name,)


def draw_key(random: Random, depth: int, names: tuple[str, ...]) -> Text:
    return ("at",) if random.random() < 0.2 else draw_number(random, max(depth, 0), names)


def draw_flag(  # noqa: PLR0911 -- one case an operator
    random: Random, depth: int, names: tuple[str, ...] = ()
) -> Text:
    if not depth:
        return random.choice([("lit", draw_key(random, 0, names)), ("stands",)])
    more = depth - 1
    match random.choice(
        ["lit", "lit", "most", "same", "not", "and", "and", "or", "implies", "each", "some", "many"]
    ):
        case "lit":
            return ("lit", draw_key(random, more, names))
        case "most" | "same" as kind:
            return (kind, draw_number(random, more, names), draw_number(random, more, names))
        case "not":
            return ("not", draw_flag(random, more, names))
        case "many":
            return ("many", draw_flag(random, more, (*names, "p")), random.randint(0, POSTS))
        case "each" | "some" as kind:
            return (kind, draw_flag(random, more, (*names, "p")))
        case kind:
            return (kind, draw_flag(random, more, names), draw_flag(random, more, names))


# as the language reads it


def _say_arithmetic(text: Text) -> Said:
    match text:
        case ("constant", number):
            return lambda _s, _p: number
        case ("add", one, more):
            number = say(one)
            return lambda s, p: number(s, p) + more
        case ("choose", flag, one, other):
            chosen, then, otherwise = say(flag), say(one), say(other)
            return lambda s, p: ite(chosen(s, p), then(s, p), otherwise(s, p))
        case ("lit", one):
            key = say(one)
            return lambda s, p: s.lit[key(s, p)]
        case ("level", one):
            key = say(one)
            return lambda s, p: s.level[key(s, p)]
    return {
        "n": lambda s, _p: s.n,
        "p": lambda _s, p: p,
        "at": lambda s, _p: s.at,
        "stands": lambda s, _p: s.at != NONE,
    }[text[0]]


def say(text: Text) -> Said:
    """Give the function of the world and a post that a text is in the language."""
    match text:
        case ("not", one):
            denied = say(one)
            return lambda s, p: not_(denied(s, p))
        case ("each", one):
            flag = say(one)
            return lambda s, _p: for_all(flag(s, each) for each in s.posts)
        case ("some", one):
            flag = say(one)
            return lambda s, _p: exists(flag(s, each) for each in s.posts)
        case ("many", one, number):
            flag = say(one)
            return lambda s, _p: count(flag(s, each) for each in s.posts) >= number
        case ("most" | "same" | "and" | "or" | "implies", one, other):
            left, right = say(one), say(other)
            return {
                "most": lambda s, p: left(s, p) <= right(s, p),
                "same": lambda s, p: left(s, p) == right(s, p),
                "and": lambda s, p: all_of(left(s, p), right(s, p)),
                "or": lambda s, p: any_of(left(s, p), right(s, p)),
                "implies": lambda s, p: implies(left(s, p), right(s, p)),
            }[text[0]]
    return _say_arithmetic(text)


# as it is read here


def _look_up(table: str, key: Text, world: Cells, p: int, keys: set[tuple[str, int]], beyond: Any) -> Any:
    at = _evaluate(key, world, p, keys, beyond)
    if at is UNKNOWN:
        return UNKNOWN
    if key == ("at",) and at == NONE:
        return False if table == "lit" else 0
    if 0 <= at < POSTS:
        return world[table][at]
    keys.add((table, at))
    return beyond.get((table, at), UNKNOWN)


def _evaluate(  # noqa: C901, PLR0911, PLR0912 -- one case an operator
    text: Text, world: Cells, p: int, keys: set[tuple[str, int]], beyond: Any
) -> Any:
    def of(part: Text, at: int = p) -> Any:
        return _evaluate(part, world, at, keys, beyond)

    match text:
        case ("constant", number):
            return number
        case ("n",):
            return world["n"]
        case ("p",):
            return p
        case ("at",):
            return world["at"]
        case ("stands",):
            return world["at"] != NONE
        case ("lit" | "level" as table, key):
            return _look_up(table, key, world, p, keys, beyond)
        case ("add", number, more):
            value = of(number)
            return UNKNOWN if value is UNKNOWN else value + more
        case ("choose", flag, one, other):
            chosen, then, otherwise = of(flag), of(one), of(other)
            return UNKNOWN if chosen is UNKNOWN else then if chosen else otherwise
        case ("most", one, other):
            left, right = of(one), of(other)
            return UNKNOWN if UNKNOWN in (left, right) else left <= right
        case ("same", one, other):
            left, right = of(one), of(other)
            return UNKNOWN if UNKNOWN in (left, right) else left == right
        case ("not", flag):
            value = of(flag)
            return UNKNOWN if value is UNKNOWN else not value
        case ("and", one, other):
            return _join([of(one), of(other)])
        case ("or", one, other):
            return _deny(_join([_deny(of(one)), _deny(of(other))]))
        case ("implies", one, other):
            return _deny(_join([of(one), _deny(of(other))]))
        case ("each", flag):
            return _join([of(flag, at) for at in range(POSTS)])
        case ("some", flag):
            return _deny(_join([_deny(of(flag, at)) for at in range(POSTS)]))
        case ("many", flag, number):
            values = [of(flag, at) for at in range(POSTS)]
            return UNKNOWN if UNKNOWN in values else sum(values) >= number
    raise AssertionError(text)


def _join(values: list[Any]) -> Any:
    return False if False in values else UNKNOWN if UNKNOWN in values else True


def _deny(value: Any) -> Any:
    return UNKNOWN if value is UNKNOWN else not value


def depends_on_what_is_not_there(text: Text, world: Cells) -> bool:
    """Tell whether a text says something else where something else stands behind the ends of tables."""
    keys: set[tuple[str, int]] = set()
    _evaluate(text, world, 0, keys, {})
    answers: set[Any] = set()
    while True:
        values = [(False, True) if table == "lit" else range(MOST + 1) for table, _ in sorted(keys)]
        found = set(keys)
        answers.clear()
        for chosen in product(*values):
            answers.add(_evaluate(text, world, 0, found, dict(zip(sorted(keys), chosen, strict=True))))
        if found == keys:
            return len(answers) > 1
        keys = found


def is_known(text: Text, world: Cells) -> bool:
    return _evaluate(text, world, 0, set(), {}) is not UNKNOWN


def list_worlds() -> list[tuple[Cells, tuple[int, ...]]]:
    """List all worlds of the street, as they are read here and as cells."""
    worlds = []
    for lit in product((False, True), repeat=POSTS):
        for level in product((0, 1, MOST), repeat=POSTS):
            for n, at in product(range(MOST + 1), range(NONE, POSTS)):
                worlds.append(({"lit": lit, "level": level, "n": n, "at": at}, (*lit, *level, n, at)))
    return worlds


WORLDS = list_worlds()


@rule("Street-1")
def wait(s: Street, t: Street) -> None:
    """The number goes on."""
    t.require(s.n < MOST)
    t.n = s.n + 1


def make_property(text: Text) -> Property:
    said = say(text)

    @always("Street-1", why="it was drawn")
    def drawn(s: Street) -> Value:
        return all_of(said(s, 0))

    return drawn


def make_rule(guard: Text, key: Text, value: Text) -> Rule:
    required, place, written = say(guard), say(key), say(value)

    @rule("Street-2")
    def light(s: Street, t: Street) -> None:
        """A lamp changes."""
        t.require(all_of(required(s, 0)))
        t.lit[place(s, 0)] = all_of(written(s, 0))

    return light


def assert_between(model: Model, texts: Any, misses: Any, about: object) -> None:
    bounded = model.at()
    names = [prop.name for prop in bounded.model.properties]
    asked = bounded.model.find_property(TEXTS_HAVE_ANSWERS) if TEXTS_HAVE_ANSWERS in names else None
    for world, cells in WORLDS:
        has_answers = asked is None or bounded.holds(asked, cells)

        assert not (has_answers and misses(world)), ("it has no answer, and nothing is said", world, about)
        assert has_answers or not texts(world), ("it has an answer, and is blamed", world, about)


def assert_property_is_asked(seed: int) -> None:
    text = draw_flag(Random(seed), 3)
    model = Model("street", "a street", Street, (wait,), (make_property(text),))

    assert_between(model, lambda w: is_known(text, w), lambda w: depends_on_what_is_not_there(text, w), text)


def assert_rule_is_asked(seed: int) -> None:
    random = Random(seed)
    guard, value = draw_flag(random, 2), draw_flag(random, 2)
    key = draw_key(random, 2, ())
    model = Model("street", "a street", Street, (wait, make_rule(guard, key, value)))

    def is_nowhere(at: Any) -> bool:
        return not (0 <= at < POSTS or (at == NONE and key == ("at",)))

    def is_right(world: Cells) -> bool:
        does = _evaluate(guard, world, 0, set(), {})
        at = _evaluate(key, world, 0, set(), {})
        return does is False or (
            does is True and at is not UNKNOWN and not is_nowhere(at) and is_known(value, world)
        )

    def is_wrong(world: Cells) -> bool:
        does = _evaluate(guard, world, 0, set(), {})
        at = _evaluate(key, world, 0, set(), {})
        if depends_on_what_is_not_there(guard, world):
            return True
        if does is not True or at is UNKNOWN:
            return False
        is_nobody = at == NONE and key == ("at",)
        return is_nowhere(at) or (not is_nobody and depends_on_what_is_not_there(value, world))

    assert_between(model, is_right, is_wrong, (guard, key, value))


def list_seeds(usual: int, end: int) -> list[Any]:
    """List seeds, of which only the first are tried whenever the tests run."""
    return [*range(usual), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(usual, end))]


@pytest.mark.parametrize("seed", list_seeds(20, 60))
def test_a_property_is_asked_for_an_answer(seed: int) -> None:
    assert_property_is_asked(seed)


@pytest.mark.parametrize("seed", list_seeds(15, 40))
def test_a_rule_is_asked_for_an_answer(seed: int) -> None:
    assert_rule_is_asked(seed)


@pytest.mark.parametrize(
    ("key", "is_asked"),
    [
        pytest.param(lambda s: ite(s.n == 0, NONE, s.at), False, id="beside a cell of ids"),
        pytest.param(lambda s: ite(s.n == 0, NONE, ite(s.n == 1, s.n, s.at)), True, id="beside a number too"),
        pytest.param(lambda s: ite(s.n == 0, NONE, ite(s.n == 1, s.n, 0)), True, id="beside a number"),
        pytest.param(lambda s: ite(s.n == 0, 1 - 2, 0), True, id="beside a place"),
    ],
)
def test_a_number_below_0_is_nobody_only_beside_ids(key: Callable[[Any], Value], is_asked: bool) -> None:
    @always("Street-1", why="somebody's lamp is out")
    def somebody_is_in_the_dark(s: Street) -> Value:
        return not_(s.lit[key(s)])

    bounded = Model("street", "a street", Street, (wait,), (somebody_is_in_the_dark,)).at()

    assert (TEXTS_HAVE_ANSWERS in [prop.name for prop in bounded.model.properties]) == is_asked


@pytest.mark.deep
def test_texts_are_asked_for_answers() -> None:
    for seed in range(100, 1500):
        assert_property_is_asked(seed)
        assert_rule_is_asked(seed)
