"""What is never equal is refused where it is compared, in whatever function that is, with file and line."""

import __future__

import linecache
from collections.abc import Iterator
from typing import Any

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.usual_profile import name_usual_profile
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import NamingError, StyleError
from nomadspec.model.language import comparison_checks
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.checked_texts import keeping_checked_texts
from nomadspec.model.language.comparison_checks import checking
from nomadspec.model.language.model import Model
from nomadspec.model.language.shadowed_definitions import UnreadTextWarning
from nomadspec.model.specification.profiles import find_profile

HEAD = """
from collections import Counter, deque, namedtuple
from dataclasses import dataclass
from enum import Enum
import operator
from nomadspec import *

class Lamps(World):
    posts = index("post", 3, "where lamps stand")
    men = ids("man", 2, "who light them")
    lit = field(posts, FLAG, init=False, about="the lamp burns")
    by = field(posts, opt(men), init=NONE, about="who lit it")
    many = field(upto(3), init=0, about="how many burn")

@rule("X-1", p=Lamps.posts, m=Lamps.men)
def light(s, t, p, m):
    '''A man lights a lamp.'''
    t.require(not_(s.lit[p]))
    t.lit[p] = True
    t.by[p] = m
    t.many = s.many + 1
"""
TAIL = """
kind = step if dark.__code__.co_argcount == 3 else always
dark = kind("X-1", why="it is cheap")(dark)
MODEL = Model("lamps", "lamps", Lamps, (light,), (dark,), is_at_rest=lambda s: True)
"""
NEVER_EQUAL = """
def best(s): return s.many, 0
def dark(s): return best(s) != 3

def best(s):
    found = (s.many, 0)
    return found
def dark(s): return all_of(s.many < 9, best(s) != 3)

best = lambda s: [p for p in s.posts]
def dark(s): return best(s) != 3

LAST = (2,)
def dark(s): return for_all(implies(p == LAST, not_(s.lit[p])) for p in s.posts)

LAST = [2]
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p == LAST)

def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p in [(0,), (2,)])

def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p in {(0,), (2,)})

def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p not in (0, 1) and (p,) in (0, 1))

def dark(s): return for_all(implies(p == range(2, 3), not_(s.lit[p])) for p in s.posts)

def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if (p,) in range(3))

ENDS = deque([(2,)])
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p in ENDS)

ENDS = {1: (0,), 2: (2,)}
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p in ENDS.values())

def end(s): return {2}
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p == end(s))

NEXT = {(0,): 1, (1,): 3}
def dark(s): return for_all(s.many != NEXT.get(p, 9) for p in s.posts)

ENDS = [(2,)]
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if ENDS.count(p))

same = lambda a, b: a == b
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if same(p, (2,)))

class Ask:
    @staticmethod
    def same(a, b): return a == b
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if Ask.same(p, [2]))

class Color(Enum):
    RED = 2
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p == Color.RED)

class Pair:
    def __init__(self, a): self.a = a
def dark(s):
    one, two = Pair(s.many), Pair(3)
    return one != two

@dataclass(frozen=True)
class One:
    a: object
@dataclass(frozen=True)
class Two:
    a: object
def dark(s):
    one, two = One(s.many), Two(3)
    return one != two

@dataclass(frozen=True)
class One:
    a: object
def is_last(p):
    one, two = One(p), One((2,))
    return one == two
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if is_last(p))

Pair = namedtuple("Pair", "a b")
def dark(s): return Pair(s.many, 1) != [3, 1]

def dark(s): return tuple(s.lit[p] for p in s.posts) != (True, True)

def dark(s): return tuple(s.lit[p] for p in s.posts) != [True, True, True]

def all_lit(s): return {0: s.many}
def dark(s): return all_lit(s) != {0: 3, 1: 3}

def ends(s): return {p for p in s.posts if p != 1}
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if ends(s) != {(0,), (2,)})

ENDS = Counter([(0,), (2,)])
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if ENDS[p] == 1)

def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if divmod(p, 3) == (0, 2, 0))

def all_lit(s): return {"lit": s.many}
def dark(s): return all_lit(s) != {"dark": 3}

class Color(Enum):
    RED = 2
class Paint(Enum):
    RED = 2
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if Paint.RED == Color.RED)

ENDS = {(0,), (2,)}
def dark(s): return for_all(not_(s.lit[p]) for p in {*s.posts} & ENDS)

ENDS = {(0,), (2,)}
def dark(s): return for_all(not_(s.lit[p]) for p in {*s.posts} - ({*s.posts} - ENDS))

ENDS = {(0,), (2,)}
def dark(s): return s.many < 3 if ENDS.issubset(p for p in s.posts) else True

ENDS = {(0,), (2,)}
def dark(s): return for_all(not_(s.lit[p]) for p in ENDS.intersection(s.posts))

def dark(s):
    match (s.many, s.lit[0]):
        case (3,): return False
        case _: return True

def dark(s):
    match [s.many]:
        case {"many": 3}: return False
        case _: return True

def dark(s):
    match (2,):
        case 2: return s.many < 3
        case _: return True

def one(s): return (s.many,)
BOTH = (lambda s: one(s) != 3, lambda s: s.many < 9)
def dark(s): return BOTH[0](s)

def one(s): return (s.many,)
def none(s): return ()
def dark(s): return one(s) < none(s)

def dark(s): return not_(all_of(s.many == 3, next((p for p in s.posts if p > 5), None) == NONE))

def is_last(p): return {0: False, 1: False}.get(p)
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if is_last(p) == True)

def best(p):
    if p > 7: return p
def dark(s):
    found = best(2)
    return s.many < 9 if found != 3 else s.many < 3

def best(s): found = s.many
def dark(s):
    found = best(s)
    return found != 3

def dark(s, n, by):
    if not by.is_(light): return True
    key = (by["p"],)
    return key != 2

def dark(s, n, by):
    if not by.is_(light): return True
    return not (0 <= by["p"] == (2,))

def dark(s, n, by):
    if not by.is_(light) or by["p"] != 2: return True
    return by["p"] != (2,)

def dark(s, n, by):
    match by["p"] if by.is_(light) else 0:
        case (2,): return False
        case _: return True

def two(p):
    match p:
        case 7 | "2" as x: return True
        case _: return False
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if two(p))

def two(p):
    match p:
        case {"x": 1}: return True
        case _: return False
def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if two(p))
"""
"""Each of these properties is false as it was meant, and would hold as it is written."""
MAY_BE_EQUAL = """
ABSENT = None
ARROWS = {(ABSENT, 0), (0, 1)}
def dark(s): return s.many < 3 if (0, 1) in ARROWS else True

NEXT = {0: 1, 1: 2}
def dark(s): return for_all(s.many < 3 for p in s.posts if NEXT.get(p) is not None)

NEXT = {0: 1, 1: 2}
def dark(s): return for_all(s.many < 3 for p in s.posts if NEXT.get(p) != 1)

NEAR = {0: (1,), 1: (0, 2), 2: (1,)}
def dark(s): return for_all(s.many < 3 for p in s.posts if NEAR[p] == (1,) and p not in NEAR[p])

def dark(s): return for_all(s.many < 3 for p in s.posts for q in s.posts if (p, q) in [(0, 1), (1, 2)])

def dark(s): return for_all(s.many < 3 for p in s.posts if 0 <= p < 2 and p in [q for q in s.posts])

def near(s): return (q for q in s.posts if q < 2)
def dark(s): return for_all(s.many < 3 for p in s.posts if p in list(near(s)))

LABELS = {0: "first"}
def dark(s): return for_all(s.many < 3 for p in s.posts if LABELS.get(p) == "first")

def dark(s): return for_all(s.many < 3 for p in s.posts if {q for q in s.posts if q != p} != set())

class Sum:
    def __init__(self, a): self.a = a
    def __eq__(self, other): return self.a == other
    __hash__ = None
def dark(s): return not_(Sum(s.many) == 3)

ENDS = {0, 2}
def dark(s): return for_all(s.many < 3 for p in ({*s.posts} & ENDS) - {2})

ENDS = Counter([0, 2])
def dark(s): return for_all(s.many < 3 for p in list(s.posts)[1:] if ENDS[p] == 1 and divmod(p, 2) == (1, 0))

def dark(s):
    match (s.posts, 1):
        case (one, *rest): return s.many < 3
        case _: return True

def say(text):
    match text:
        case ("not_", one): return not_(say(one))
        case ("implies", one, other): return implies(say(one), say(other))
        case ("is", flag): return flag
def dark(s): return say(("implies", ("is", s.many < 9), ("not_", ("is", s.many > 2))))

def late(p):
    if p > 0: return p - 1
def dark(s): return for_all(s.many < 3 for p in s.posts if late(p) is not None)

def dark(s, n, by):
    match by["p"] if by.is_(light) else 0:
        case 0 | 1: return n.many < 3
        case _: return n.many < 3
"""
"""Each of these properties is false, and is found to be so."""


@pytest.fixture(autouse=True)
def _forget_files() -> Iterator[None]:
    yield
    linecache.cache.pop("lamps.py", None)


def load(text: str, flags: int = 0) -> BoundedModel:
    """Load the lamps with the property ``dark``, from a file of theirs."""
    lines = f"{HEAD}{text}{TAIL}".splitlines(keepends=True)
    linecache.cache["lamps.py"] = (len(lines), None, lines, "lamps.py")
    names: dict[str, Any] = {"__name__": "lamps"}
    exec(compile("".join(lines), "lamps.py", "exec", flags, dont_inherit=True), names)  # noqa: S102 -- the text is ours
    model: Model = names["MODEL"]
    return model.at()


@pytest.mark.parametrize("text", NEVER_EQUAL.strip().split("\n\n"))
def test_what_is_never_equal_is_refused(text: str) -> None:
    with pytest.raises(StyleError, match=r"^Property dark \(lamps.py:\d+\): "):
        load(text)


@pytest.mark.parametrize("name", ["eq", "ne", "contains", "countOf", "indexOf"])
def test_what_compares_where_nobody_looks_is_refused(name: str) -> None:
    with pytest.raises(StyleError, match=r"^Property dark \(lamps.py:\d+\): it uses operator"):
        load(f"def dark(s): return operator.{name}([s.many], [])")


@pytest.mark.parametrize("text", MAY_BE_EQUAL.strip().split("\n\n"))
def test_what_may_be_equal_is_compared_as_ever(text: str) -> None:
    bounded = load(text)

    assert Verdict.VIOLATED == explore(bounded).verdict


def test_annotations_that_are_not_worked_out_change_nothing() -> None:
    with pytest.raises(StyleError, match="it compares a tuple with 3"):
        load(
            "best = lambda s: (s.many, 0)\ndef dark(s): return best(s) != 3",
            __future__.annotations.compiler_flag,
        )


def test_where_no_text_is_read_an_id_still_equals_no_tuple() -> None:
    text = "def dark(s): return for_all(not_(s.lit[p]) for p in s.posts if p == (2,))"
    names: dict[str, Any] = {"__name__": "nowhere"}
    with pytest.warns(UnreadTextWarning, match="compares no list, tuple or text with a number"):
        exec(f"{HEAD}{text}{TAIL}", names)  # noqa: S102 -- the text is ours

    with pytest.raises(NamingError, match="is compared with a tuple"):
        names["MODEL"].at()


HELPERS = """
def note(found, p): {}

def find(s):
    found = {{}}
    note(found, "near")
    return found.get("far")
def dark(s): return any_of(s.many < 3, find(s) == "far")
"""


def test_a_function_that_writes_to_what_it_is_given_has_no_value_to_return() -> None:
    assert load(HELPERS.format("found['p'] = p")).instances


def test_a_function_that_ends_without_a_value_is_named_where_none_is_compared() -> None:
    with pytest.raises(StyleError, match=r"and note\(\) ends without a value, which it should return"):
        load(HELPERS.format("found.get(p)"))


def test_engines_run_a_text_as_it_was_written() -> None:
    bounded = load("def dark(s): return s.many < 3")
    text: Any = bounded.model.properties[0].text
    usual = text.__code__
    with checking([text]):
        looks = text.__code__

    assert looks is not usual
    assert text.__code__ is usual


@pytest.mark.parametrize("scope", [("2pc", "small"), ("core", "small"), ("kernel", "duplicates")])
def test_no_published_model_has_a_text_that_would_be_refused(scope: tuple[str, str]) -> None:
    """All that is looked at in the texts of users."""
    with keeping_checked_texts(None):
        assert bind_anew(*scope).instances


@pytest.mark.deep
@pytest.mark.parametrize("name", list_model_names(with_classics=True))
def test_no_scope_has_a_text_that_would_be_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_checks, "OURS", "nobody.")
    with keeping_checked_texts(None):
        for scope in find_model(name).scopes:
            assert bind_anew(name, scope.name).instances


def bind_anew(name: str, scope: str) -> BoundedModel:
    """Bind a published model, which tests share otherwise."""
    model = find_model(name)
    found = model.find_scope(scope)
    profile = find_profile(name_usual_profile(found))
    return BoundedModel(model, scope, model.sizes_of(found.sizes), profile)
