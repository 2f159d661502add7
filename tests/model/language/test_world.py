from collections.abc import Callable
from enum import IntEnum
from typing import Any

import pytest

from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.domain import FLAG, NONE, counter, opt, upto
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.sets import Members
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally
from nomadspec.model.specification.quirks import UNCHECKED_CAPACITY
from tests.model.language.toys import Place, Shop, idle, load_rule_text, shop_of


def declare(**parts: Any) -> type[World]:
    """Declare a world class with these parts."""
    made = type("Made", (World,), parts)
    assert issubclass(made, World)
    return made


# what a class body declares


def test_the_schema_keeps_the_order_of_the_class_body() -> None:
    fields = [part.name for part in Shop.schema.fields]

    assert [
        "is_open",
        "busy",
        "mood",
        "asked",
        "rang",
        "desk",
        "plan",
        "seen",
        "shown",
        "dusty",
        "line",
    ] == fields
    assert ["clerks", "desks", "places"] == [part.name for part in Shop.schema.sets]
    assert ["line"] == [part.name for part in Shop.schema.queues]
    assert ["taken"] == [part.name for part in Shop.schema.totals]


def test_sizes_are_the_declared_ones_and_those_of_sets() -> None:
    assert {"hours": 2, "most": 3, "clerks": 2, "desks": 3} == {
        part.name: part.default for part in Shop.schema.sizes
    }


def test_an_index_that_brings_its_own_size_gives_it_its_name() -> None:
    made = declare(rows=index("row", size(4, "rows"), "the rows"))

    assert ["rows"] == [part.name for part in made.schema.sizes]


def test_an_index_needs_no_size_of_its_own() -> None:
    made = declare(rows=index("row", 4, "the rows"))

    assert [("rows", 4)] == [(part.name, part.default) for part in made.schema.sizes]
    assert [False] == [part.is_symmetric for part in made.schema.sets]


def test_sets_may_share_a_declared_size() -> None:
    most = size(4, "how many of each")
    made = declare(most=most, rows=ids("row", most, "the rows"), columns=ids("column", most, "the columns"))

    assert ["most"] == [part.name for part in made.schema.sizes]
    assert [True, True] == [part.is_symmetric for part in made.schema.sets]


def test_a_subclass_has_what_its_base_declares() -> None:
    class Larger(Place):
        rang = field(FLAG, init=False, about="the bell rang")

    assert ["busy", "rang"] == [part.name for part in Larger.schema.fields]


def test_declarations_read_as_themselves_on_the_class() -> None:
    parts = [Shop.clerks, Shop.most, Shop.asked, Shop.line, Shop.taken]

    assert ["clerks", "most", "asked", "line", "taken"] == [part.name for part in parts]


def test_only_ids_are_interchangeable() -> None:
    assert Shop.clerks.is_symmetric
    assert not Shop.places.is_symmetric


def test_members_count_from_one() -> None:
    assert "clerk1" == Shop.clerks.name_of(0)


def test_a_budget_says_so() -> None:
    assert ["rang"] == [part.name for part in Shop.schema.fields if part.is_budget]


# what a class body may not declare


@pytest.mark.parametrize(
    "name", ["cells", "clear", "condition", "frame", "guard", "has", "require", "schema", "when"]
)
def test_names_of_the_world_itself_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match=f"Made declares '{name}', a name that every world uses itself"):
        declare(**{name: field(FLAG, init=False, about="clashes")})


def test_one_declaration_has_one_name() -> None:
    flag = field(FLAG, init=False, about="a flag")

    with pytest.raises(ModelError, match=r"Made declares a once more as 'b': keep one of them\."):
        declare(a=flag, b=flag)


STRANGE: dict[str, Callable[[], dict[str, Any]]] = {
    "Made.a uses clerks,": lambda: {"a": field(Place.clerks, FLAG, init=False, about="of others")},
    "Made.b uses clerks,": lambda: {"b": field(opt(Place.clerks), init=NONE, about="of others")},
    "Made.c uses a size without a name,": lambda: {"c": field(upto(size(3, "inline")), init=0, about="c")},
    "Made.d uses most,": lambda: {"d": field(counter(Shop.most * 2 + 1), init=0, about="of others")},
    "Made.e uses most,": lambda: {
        "most": size(1, "its own"),
        "e": index("hour", Shop.most, "of others"),
    },
    "Made.f uses clerks,": lambda: {"f": queue(Place.clerks, "of others")},
    "Made.g uses desk,": lambda: {"g": tally(Shop.desk, "of others")},
}


@pytest.mark.parametrize("problem", STRANGE)
def test_what_another_world_declares_is_refused(problem: str) -> None:
    with pytest.raises(ModelError, match=f"{problem} which its world does not declare"):
        declare(**STRANGE[problem]())


class Hole(IntEnum):
    ONE = 1
    THREE = 3


HALF: Any = 0.5

WRONG: dict[str, Callable[[], Any]] = {
    "takes declared sets first and one domain last": lambda: field(FLAG, Shop.clerks, init=0, about="turned"),
    "'no domain' begins at 0, but its cells hold False or True": lambda: field(
        FLAG, init=0, about="no domain"
    ),
    "'a number' begins at True, but its cells hold a number": lambda: field(
        upto(3), init=True, about="a number"
    ),
    "'half' begins at 0.5, but its cells hold a number": lambda: field(upto(3), init=HALF, about="half"),
    r"tally\(field\) needs a field whose cells hold ids \('sum'\)": lambda: tally(Shop.asked, "sum"),
    r"tally\(field\) needs a field whose cells hold ids \('set'\)": lambda: tally(Shop.clerks, "set"),  # type: ignore[arg-type] # the slip
    r"queue\(set\) needs the declared set whose ids queue up": lambda: queue(3, "no set"),  # type: ignore[arg-type] # the slip
    "3 is no domain": lambda: field(Shop.clerks, 3, init=0, about="no domain"),  # type: ignore[arg-type] # the slip
    "<class 'bool'> is no domain": lambda: field(bool, init=False, about="a type"),  # type: ignore[arg-type] # the slip
    "Hole must count from 0 without gaps": lambda: field(Hole, init=1, about="a gap"),
}


@pytest.mark.parametrize("problem", WRONG)
def test_a_declaration_that_makes_no_sense_is_refused(problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        WRONG[problem]()


def test_a_field_needs_a_domain() -> None:
    with pytest.raises(ModelError, match="takes declared sets first and one domain last"):
        field(init=0, about="nothing")


# how a rule sees it


def read_first(text: Callable[[Shop], Value]) -> Value:
    """Evaluate on the first world of the shop."""
    bounded = shop_of(idle).at(profile="intended +X-01")
    world = bounded.world(bounded.initial[0])
    assert isinstance(world, Shop)
    return text(world)


def test_sizes_sets_and_quirks_read_as_constants() -> None:
    assert 3 == read_first(lambda s: s.most)
    assert [0, 1, 2] == read_first(lambda s: list(s.desks))
    assert read_first(lambda s: s.has(UNCHECKED_CAPACITY))


def test_a_set_can_be_gone_through_more_than_once() -> None:
    def pairs(s: Shop) -> Value:
        clerks = s.clerks
        return [(x, y) for x in clerks for y in clerks]

    assert [(0, 0), (0, 1), (1, 0), (1, 1)] == read_first(pairs)


def test_a_set_of_a_world_knows_its_members_only() -> None:
    assert isinstance(read_first(lambda s: s.clerks), Members)


@pytest.mark.parametrize(
    ("how", "body"),
    [
        ("compared", "t.require(s.clerks == s.clerks)"),
        ("compared", "t.require(s.busy == s.busy)"),
        ("compared", "t.require(s.seen[0] != s.seen[1])"),
        ("compared", "t.require(s.line == s.line)"),
        ("compared", "t.require(s.taken == s.taken)"),
        ("compared", "t.require(s == s)"),
        ("compared", "t.require(t.seen == s.seen)"),
        ("looked up", "t.require(s.busy in {1, 2})"),
        ("looked up", "t.asked = {s.line: 1}[s.line]"),
        ("branched on", "t.require(not s.line)"),
        ("branched on", "t.asked = 1 if s.clerks else 2"),
        ("branched on", "t.require(s.busy or s.seen)"),
    ],
)
def test_tables_sets_queues_and_worlds_are_no_values(how: str, body: str) -> None:
    problem = f"A (world|table|set|queue|table of totals) is {how} as if it were one value"
    with pytest.raises(StyleError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        load_rule_text(body)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("t.require(s.has('X-01'))", r"s.has\('X-01'\) asks for no quirk: give one of"),
        ("s.require(s.is_open)", "require belongs to t, the world after the step"),
        ("s.when(s.is_open).asked = 1", "when belongs to t, the world after the step"),
        ("t.when(s.is_open).require(s.busy[c])", r".* write t.require\(implies\(condition, ...\)\)"),
        ("s.asked = 1", "asked of s cannot be assigned to: write to t"),
        ("t.askd = 1", "Shop has no field 'askd' to assign to; it has is_open, busy, mood,"),
        ("t.clerks = 1", "Shop has no field 'clerks' to assign to"),
        ("t.most = 1", "Shop has no field 'most' to assign to"),
        ("t.line = 1", "The queue line is assigned to: write t"),
        ("t.require = s.is_open", r"require is assigned to, which is no field, .*: call it, require\(...\)"),
        ("s.has = s.is_open", r"has is assigned to, which is no field, .*: call it, has\(...\)"),
        ("t.guard = [s.is_open]", "guard is assigned to, which is no field, .*: write to a field"),
        ("t.taken = 1", "Shop has no field 'taken' to assign to"),
    ],
)
def test_a_slip_with_the_world_is_taught(body: str, problem: str) -> None:
    with pytest.raises(StyleError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        load_rule_text(body)


# columns that are cleared together


class Shift:
    desk = field(Shop.clerks, opt(Shop.desks), init=NONE, about="the clerk's desk today")
    seen = field(Shop.clerks, Shop.desks, FLAG, init=True, about="the clerk has been there")


class Day:
    is_over = field(FLAG, init=False, about="the day is over")
    taken = tally(Shift.desk, "clerks at a desk")


class Bare:
    """Declares nothing."""


class Old:
    is_new = field(FLAG, init=False, about="it is new")


class Office(Day, Shift, Bare, Old, Shop):
    """A shop with columns that go back to their first values together."""

    is_new = field(FLAG, init=True, about="it is new")


def clear(text: Callable[[Office, Office], None]) -> dict[str, Any]:
    """Run a text that clears, where each cell of the columns is another than the first; give these cells."""

    @rule("X-1")
    def dirty(s: Office, t: Office) -> None:
        """Everything is used."""
        t.desk = 1
        t.seen = False
        t.is_over = s.is_open

    @rule("X-1")
    def begin(s: Office, t: Office) -> None:
        """A day begins."""
        text(s, t)

    bounded = Model("office", "x", Office, (begin,), starts=(dirty,)).at()
    (first,) = bounded.initial
    after = bounded.step(first, bounded.instances[0])
    assert after is not None
    old, new = bounded.describe(first), bounded.describe(after)
    return {name: value for name, value in new.items() if old[name] != value}


OFF = {"desk[clerk1]": "NONE"} | {f"seen[clerk1, desk{i}]": True for i in (1, 2, 3)}


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_columns_are_cleared_for_an_id_where_a_condition_holds() -> None:
    assert OFF == clear(lambda s, t: t.when(s.is_open).clear(Shift, 0))
    assert {} == clear(lambda s, t: t.when(s.asked > 0).clear(Shift, 0))


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_columns_are_cleared_for_everybody() -> None:
    everybody = OFF | {name.replace("clerk1", "clerk2"): value for name, value in OFF.items()}

    assert everybody == clear(lambda _s, t: t.clear(Shift))
    assert {"is_over": False} == clear(lambda _s, t: t.clear(Day))


SLIPS: dict[str, Callable[[Office, Office], None]] = {
    "Office has no Place: clear a class that it is of": lambda _s, t: t.clear(Place),
    "Shop is cleared, but clerks has no value to go back to": lambda _s, t: t.clear(Shop),
    "Day is cleared for 1 ids, but is_over has fewer": lambda _s, t: t.clear(Day, 0),
    "is_over of s cannot be assigned to": lambda s, _t: s.clear(Day),
    "Bare is cleared, but declares no columns": lambda _s, t: t.clear(Bare),
    "Old is cleared, but Office declares is_new again": lambda _s, t: t.clear(Old),
}


@pytest.mark.usefixtures("ids_may_be_numbers")
@pytest.mark.parametrize("problem", SLIPS)
def test_a_slip_in_clearing_is_refused(problem: str) -> None:
    with pytest.raises(StyleError, match=problem):
        clear(SLIPS[problem])
