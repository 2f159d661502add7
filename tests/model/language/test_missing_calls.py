"""What a text forgets to call is refused, with file and line: it would always say the same."""

from typing import Any

import pytest

from nomadspec.model.errors import NamingError, StyleError, UncalledError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import Value, count, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, step
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids
from tests.model.language.toys import (
    Shop,
    compile_text,
    idle,
    load_property_text,
    load_rule_text,
    rule_of,
    shop_of,
)

SERVE = rule_of(compile_text("serve(s, t, c)", "t.line.push(c)\nt.asked = 1"), c=Shop.clerks)


def load_step(body: str) -> BoundedModel:
    """Load the shop with one step property ``fine``, written as text."""
    told: Any = compile_text("fine(s, n, by)", body)
    told.__globals__["serve"] = SERVE
    return shop_of(SERVE, properties=(step("X-1", why="it matters")(told),)).at()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "t.require(not_(s.line.is_empty == True))",
            r"is_empty is compared, and not called: write is_empty\(",
        ),
        ("t.require(s.line.head != 1)", r"head is compared, and not called: write head\("),
        ("t.require(not_(s.line.has in (0, 1)))", r"has is compared, and not called: write has\("),
        ("t.require(not_(s.line.has in {0, 1}))", "has is looked up, and not called"),
        ("if s.line.is_empty: t.is_open = False", "is_empty is branched on, and not called"),
        ("if s.has: t.is_open = False", "has is branched on, and not called"),
        ("t.require(not_(t.require == 1))", "require is compared, and not called"),
        ("t.require(t.when not in (0, 1))", "when is compared, and not called"),
        (
            "ask = t.require; t.busy[c] = True if ask(s.is_open) else False",
            ".* gives is branched on",
        ),
        (
            "ask = lambda: t.require(s.is_open)\nask() and t.line.push(c)",
            ".* gives is branched on",
        ),
        ("ask = lambda: t.require(s.is_open)\nif ask() == True: t.line.push(c)", r".* gives is compared"),
        ("t.require(s.line.is_empty)", r".*a function that is not called \(is_empty\)"),
    ],
)
def test_a_question_that_is_not_called_is_no_value(line: str, problem: str) -> None:
    with pytest.raises(StyleError, match=rf"^Rule Serve \(shop.py:\d\): {problem}"):
        assert load_rule_text(line).instances


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return not_(n.line.has in (0, 1))", "has is compared"),
        ("return not by.is_", "is_ is branched on"),
        ("return not_(by.is_ in (0, 1))", "is_ is compared"),
        ("return n.asked != 1 or not_(n.line.head == 1)", "head is compared"),
    ],
)
def test_a_step_is_asked_by_calls_even_where_it_is_known_what_the_rule_writes(
    body: str, problem: str
) -> None:
    with pytest.raises(UncalledError, match=rf"^Property fine \(shop.py:2\): {problem}, and not called"):
        load_step(body)


@pytest.mark.parametrize("sign", ["==", "!="])
def test_the_arguments_of_a_step_are_no_single_value(sign: str) -> None:
    with pytest.raises(
        StyleError, match=r"it compares by\.arguments with 1: ask for one of them, by\['job'\]"
    ):
        load_step(f"return not_(by.arguments {sign} 1)")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return not_(for_all == True)", r"compares a function that is not called \(for_all\)"),
        ("return not_(len in (0, 1))", r"compares a function that is not called \(len\)"),
        ("return Shop != 1", "compares .*Shop"),
        ("return (s.asked,) != 1", "compares a tuple of 1 with a value of 1"),
        ("return (not_,) != (1,)", r"compares a function that is not called \(not_\)"),
        ("return object() != object()", "compares an object of object"),
        ("return (c for c in s.clerks) != (c for c in s.clerks)", "compares a generator"),
        ("return object() != s.is_open", "compares an object of object, which equals nothing but itself"),
        ("return True if maximum else False", r"branches on a function that is not called \(maximum\)"),
        ("return LANGUAGE['not_'] != 1", r"compares a function that is not called \(not_\)"),
        ("return all([not_, len])", r"branches on a function that is not called \(len\)"),
        ("return bool(exists)", r"branches on a function that is not called \(exists\)"),
        ("return not exists", r"branches on a function that is not called \(exists\)"),
        ("return (lambda: s.is_open) != True", "compares a function that is not called, so"),
        ("return True if (s.busy[c] for c in s.clerks) else False", "branches on a generator"),
        ("return (s.busy[c] for c in s.clerks) != [True]", "compares a generator"),
        ("return not (s.asked == 2,)", "branches on a tuple of 1, which is true"),
        ("return [s.asked] != (2,)", "compares a list of 1 with a tuple of 1"),
        ("return (s.asked, 1) != (2,)", "compares a tuple of 2 with a tuple of 1"),
        ("is_shut = lambda: not_(s.is_open); return is_shut != True", r"compares .* \(is_shut\)"),
        (
            "is_shut = lambda: not_(s.is_open); return exists(True for c in s.clerks if is_shut)",
            r"branches on",
        ),
    ],
)
def test_a_function_that_is_not_called_is_no_value(body: str, problem: str) -> None:
    told: Any = compile_text("fine(s)", body)
    told.__globals__["LANGUAGE"] = {"not_": not_}
    with pytest.raises(StyleError, match=rf"^Property fine \(shop.py:2\): it {problem}"):
        shop_of(idle, properties=(always("X-1", why="it matters")(told),)).at()


@pytest.mark.parametrize(
    "line",
    [
        "ask = lambda: t.require(s.is_open)\nask(); t.line.push(c)",
        "return t.require(s.is_open)",
        "t.busy = [c == k for k in s.clerks]",
        "t.seen = [not_(s.seen[k, d]) for k in s.clerks for d in s.desks]",
        "t.plan[c] = [s.plan[k, i] for i in s.places for k in s.clerks if k == c]",
    ],
)
def test_a_guard_by_itself_and_lists_in_the_order_of_ids_are_accepted(line: str) -> None:
    assert load_rule_text(line).instances


def test_a_list_of_values_in_a_row_names_ids() -> None:
    with pytest.raises(NamingError, match="tells one from the others by its place"):
        load_rule_text("t.busy = [True, False]")


def test_a_rule_is_no_value() -> None:
    with pytest.raises(StyleError, match="it compares the rule Serve, so that the answer is always the same"):
        load_step("return serve != 1")


@pytest.mark.parametrize(
    "body",
    [
        "has = s.line.has; return for_all(not_(has(c)) for c in s.clerks)",
        "def is_calm(c): return s.mood[c] == Mood.CALM\nreturn for_all(is_calm(c) == True for c in s.clerks)",
        "def said(exists): return exists == s.is_open\nreturn said(True)",
        "def said(has): return for_all(iff(has == s.is_open, True) for c in s.clerks)\nreturn said(True)",
        "return s.is_open if all(c == c for c in s.clerks) and any([s.most == 3, False]) else True",
        "return s.is_open if all_of == any_of else not_(s.is_open)",
        "return s.is_open if s.most == 3 and (s.most, s.hours) in ((3, 2), (2, 1)) else True",
        "return s.is_open if (s.most, s.hours) == ((3, 2) if s.most else (1,)) else True",
        "shut = None\nif shut is None: shut = lambda: not_(s.is_open)\nreturn shut()",
        "word = 'implies'\nreturn implies(s.is_open, s.asked < 2) if word == 'implies' else s.is_open",
        "match ('not_', s.is_open):\n    case ('not_', said): return not_(said)",
    ],
)
def test_what_is_called_or_is_a_value_is_accepted(body: str) -> None:
    assert load_property_text(body).instances


class Lit(Shop):
    """A shop that is asked by methods of its own."""

    def is_dark(self) -> Value:
        """Tell whether nobody asked."""
        return self.asked == 0


class Shelf(Record):
    """A record with a method."""

    stock = field(upto(2), init=0, about="what is left")

    def is_empty(self) -> Value:
        """Tell whether nothing is left."""
        return self.stock == 0


class Store(Lit):
    """A shop with shelves."""

    shelf = record(Shelf)
    shelves = record(Shelf, Shop.desks)


class Bare(Lit):
    """A shop with a method that no engine can see."""

    @property
    def name(self) -> Value:
        """Tell whether somebody asked."""
        return not_(self.asked is self.rang)


def load_lit(body: str, world: type[Lit] = Lit) -> BoundedModel:
    """Load the shop that has methods with one property ``fine``."""
    prop = always("X-1", why="it matters")(compile_text("fine(s)", body))
    return Model("lit", "a shop", world, (idle,), (prop,)).at()


def test_a_method_of_a_world_is_called() -> None:
    load_lit("return any_of(s.is_dark(), s.is_open)")
    for body in ("return s.is_dark != True", "return True if s.is_dark else False"):
        with pytest.raises(UncalledError, match=r"^Property fine .* is_dark is .*, and not called"):
            load_lit(body)


def test_a_method_of_a_record_is_called() -> None:
    load_lit("return for_all(iff(s.shelf == s.shelves[d], s.shelf.is_empty()) for d in s.desks)", Store)
    for body in (
        "return s.shelf.is_empty != True",
        "return for_all(s.shelves[d].is_empty != 1 for d in s.desks)",
    ):
        with pytest.raises(UncalledError, match=r"^Property fine .* is_empty is compared, and not called"):
            load_lit(body, Store)


def test_a_method_of_a_world_is_read() -> None:
    with pytest.raises(StyleError, match=r"^The method Bare\.name \(.*: it compares with `is`"):
        load_lit("return s.name", Bare)


class Diary(World):
    """A world with a table that is called as a question is."""

    days = ids("day", 2, "when it is written")
    head = field(days, FLAG, init=False, about="the day has a head line")


@rule("X-1", day=Diary.days)
def head_line(s: Diary, t: Diary, day: Id) -> None:
    """A head line is written."""
    t.require(not_(s.head[day]))
    t.head[day] = True


def test_a_table_may_be_called_as_a_question_is() -> None:
    bounded = Model("diary", "days", Diary, (head_line,)).at()

    assert 2 == len(list(bounded.successors(bounded.initial[0])))


def count_again(s: Shop) -> Value:
    """Forget to return what was counted."""
    count(s.busy[c] for c in s.clerks)


def count_open(s: Shop, clerk: int) -> Value:
    """Count something for the first clerk alone."""
    if clerk == 0:
        return s.asked
    return 2


def test_what_a_function_forgets_to_return_equals_nothing() -> None:
    def fine(s: Shop) -> Value:
        return count_again(s) != 2

    def sound(s: Shop) -> Value:
        return count_open(s, 1) != 3

    shop_of(idle, properties=(always("X-1", why="it matters")(sound),)).at()
    with pytest.raises(StyleError, match=r"compares what count_again\(\) gives, which is nothing"):
        shop_of(idle, properties=(always("X-1", why="it matters")(fine),)).at()
