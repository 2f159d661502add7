from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.language.domain import upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Kind, always, sometimes, step
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, size
from nomadspec.model.specification.profiles import INTENDED, UNNAMED
from tests.model.language.toys import Shop, compile_text, idle, rule_of, shop_of

SMALL = Scope("small", "as small as can be", {"clerks": 1})
LARGE = Scope("large", "larger", {"most": 9}, profile="X-01")
FINE = always("X-1", why="w")(compile_text("fine(s)", "return s.is_open"))
SEEN = sometimes("X-1", why="w")(compile_text("seen(s)", "return s.is_open"))
OPEN = rule_of(compile_text("open_door(s, t)", "t.is_open = True"))
ASKS = ("fine(s)", "return s.is_open if s.has(UNCHECKED_CAPACITY) else not_(s.is_open)")
ASKS_A_STEP = ("shut(s, n, by)", "return not_(n.is_open) if s.has(UNCHECKED_CAPACITY) else s.is_open")
SHOP = shop_of(idle, properties=(FINE, SEEN), scopes=(SMALL, LARGE), starts=(OPEN,))


# scopes and sizes


def test_the_first_scope_is_the_default() -> None:
    bounded = SHOP.at()

    assert ("small", {"clerks": 1, "desks": 3, "hours": 2, "most": 3}) == (bounded.scope, bounded.sizes)


def test_a_scope_is_found_by_its_name() -> None:
    assert LARGE is SHOP.find_scope("large")
    assert {"clerks": 2, "desks": 3, "hours": 2, "most": 9} == SHOP.at("large").sizes


def test_sizes_that_are_given_win() -> None:
    assert {"clerks": 4, "desks": 3, "hours": 2, "most": 1} == SHOP.at(
        "large", sizes={"most": 1, "clerks": 4}
    ).sizes


def test_without_scopes_there_is_one_of_defaults() -> None:
    assert ("default", 2) == (shop_of(idle).at().scope, shop_of(idle).at().sizes["clerks"])


@pytest.mark.parametrize(
    ("sizes", "problem"),
    [
        ({"clerks": -1}, "The size clerks must be a number of at least 0, not -1"),
        ({"most": "3"}, "The size most must be a number of at least 0, not '3'"),
        ({"most": 1.5}, "The size most must be a number of at least 0, not 1.5"),
        ({"most": True}, "The size most must be a number of at least 0, not True"),
    ],
)
def test_a_size_that_makes_no_sense_is_refused(sizes: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        SHOP.at(sizes=sizes)


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="There is no size of shop named 'clerk'; did you mean clerks"):
        SHOP.at(sizes={"clerk": 1})


def test_a_size_may_have_a_least_value() -> None:
    class Narrow(World):
        most = size(1, "at least one", least=1)
        asked = field(upto(most), init=0, about="asked")

    with pytest.raises(UsageError, match="The size most must be a number of at least 1, not 0"):
        Model("narrow", "a", Narrow, ()).at(sizes={"most": 0})


# profiles


def test_the_profile_is_the_one_asked_for_else_the_scopes() -> None:
    assert "X-02" == SHOP.at("large", profile="X-02").profile.name
    assert "X-01" == SHOP.at("large").profile.name
    assert INTENDED == SHOP.at("small", profile="intended").profile


def test_no_profile_is_assumed_for_a_text_that_asks_for_a_quirk() -> None:
    asking = {
        "Rule Close": shop_of(rule_of(compile_text("close(s, t)", "t.is_open = s.has(UNCHECKED_CAPACITY)"))),
        "Property fine": shop_of(idle, properties=(always("X-1", why="w")(compile_text(*ASKS)),)),
        "Property shut": shop_of(idle, properties=(step("X-1", why="w")(compile_text(*ASKS_A_STEP)),)),
        "is_at_rest of shop": shop_of(idle, is_at_rest=compile_text(*ASKS)),
    }
    for who, model in asking.items():
        with pytest.raises(ModelError, match=rf"^{who} \(.*: it asks for the quirk X-01, and no profile was"):
            model.at()
        assert "X-02" == model.at(profile="X-02").profile.name


def test_what_asks_for_no_quirk_needs_no_profile() -> None:
    bounded = SHOP.at("small")

    assert (UNNAMED, frozenset()) == (bounded.profile, bounded.quirks)
    assert SHOP.at("small", profile=bounded.profile.name).initial == bounded.initial


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no profile named 'nomad'"):
        SHOP.at(profile="nomad")


# parts by their names


def test_parts_are_found_by_their_names() -> None:
    assert idle is SHOP.find_rule("Idle")
    assert OPEN is SHOP.find_rule("OpenDoor")
    assert SEEN is SHOP.find_property("seen")


@pytest.mark.parametrize(
    ("find", "problem"),
    [
        (SHOP.find_scope, "There is no scope of shop named 'smal'; did you mean small?"),
        (SHOP.find_rule, "There is no rule of shop named 'smal'; known are Idle, OpenDoor."),
        (SHOP.find_property, "There is no property of shop named 'smal'; known are fine, seen."),
    ],
    ids=["scope", "rule", "property"],
)
def test_an_unknown_part_is_refused(find: Callable[[str], Any], problem: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        find("smal")

    assert problem == str(caught.value)


def test_properties_are_listed_by_kind() -> None:
    assert (FINE,) == SHOP.list_properties(Kind.ALWAYS, Kind.STEP)
    assert (FINE, SEEN) == SHOP.list_properties(*Kind)


def test_more_properties_come_after_those_that_are_there() -> None:
    more = shop_of(idle, properties=(FINE,)).with_properties([SEEN])

    assert (FINE, SEEN) == more.properties


# what no scope can make sense of

EAGER = always("X-1", why="w")(compile_text("deadlock(s)", "return s.is_open"))
BARE: Any = compile_text("serve(s, t)", "t.asked = 1")

NUMBER: Any = int

REFUSED: dict[str, Callable[[], Model]] = {
    "The world of the model odd is <class 'int'>: give a subclass of World": lambda: Model(
        "odd", "a", NUMBER, ()
    ),
    "The world of the model odd is <class .*World'>: give": lambda: Model("odd", "a", World, ()),
    "The model shop has two rules named Idle: rename one": lambda: shop_of(idle, idle),
    "The model shop has two rules named OpenDoor: rename one": lambda: shop_of(OPEN, starts=(OPEN,)),
    "The model shop has two properties named fine": lambda: shop_of(idle, properties=(FINE, FINE)),
    "The model shop has two scopes named small": lambda: shop_of(idle, scopes=(SMALL, SMALL)),
    "The model shop has no scope": lambda: shop_of(idle, scopes=()),
    "The rules of the model shop include a function that is not called \\(serve\\): decorate it": lambda: (
        shop_of(BARE)
    ),
    "The rules of the model shop include a function .*\\(serve\\)": lambda: shop_of(idle, starts=(BARE,)),
    "The properties of the model shop include a function .*\\(serve\\)": lambda: shop_of(
        idle, properties=(BARE,)
    ),
    "is_at_rest of the model shop is no function": lambda: shop_of(idle, is_at_rest=FINE),
    "A property cannot be named deadlock: that is what stories": lambda: shop_of(idle, properties=(EAGER,)),
}


@pytest.mark.parametrize("problem", REFUSED)
def test_a_model_that_makes_no_sense_is_refused(problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        REFUSED[problem]()


def test_parts_may_come_from_a_generator() -> None:
    """Once they were gone through, a model without properties held."""
    rules: Any = (rule for rule in (idle,))
    properties: Any = iter((FINE, SEEN))
    made = Model("shop", "a shop", Shop, rules, properties)

    assert ((idle,), (FINE, SEEN)) == (made.rules, made.properties)


def test_one_part_alone_is_refused() -> None:
    one: Any = FINE
    with pytest.raises(ModelError, match=r"^The properties of the model shop are .*: give a tuple, such as"):
        shop_of(idle, properties=one)


def test_a_scope_with_a_wrong_size_is_refused_with_the_model() -> None:
    with pytest.raises(UnknownNameError, match="There is no size of shop named 'clark'"):
        shop_of(idle, scopes=(Scope("small", "w", {"clark": 1}),))
    with pytest.raises(UsageError, match="The size clerks must be a number of at least 0, not -3"):
        shop_of(idle, scopes=(Scope("small", "w", {"clerks": -3}),))


def test_a_default_below_the_least_is_refused_with_the_model() -> None:
    class Narrow(World):
        most = size(0, "at least one", least=1)

    with pytest.raises(UsageError, match="The size most must be a number of at least 1, not 0"):
        Model("narrow", "a", Narrow, ())


def test_the_shop_is_a_model_of_its_world() -> None:
    assert Shop is SHOP.world


# what scopes promise


def test_a_scope_promises_what_names_it_and_what_names_none() -> None:
    own = sometimes("X-1", why="w", scopes=("large",))(compile_text("own(s)", "return s.is_open"))
    shop = shop_of(idle, properties=(FINE, SEEN, own), scopes=(SMALL, LARGE))
    sizes = {name: shop.at(name).sizes for name in ("small", "large")}

    assert [True, True] == [shop.promises(SEEN, name, sizes[name]) for name in sizes]
    assert [False, True] == [shop.promises(own, name, sizes[name]) for name in sizes]
    assert not shop.promises(own, "large", {**sizes["large"], "most": 1})


def test_a_promise_of_no_scope_is_refused() -> None:
    own = sometimes("X-1", why="w", scopes=("larg",))(compile_text("own(s)", "return s.is_open"))

    with pytest.raises(UnknownNameError, match="did you mean large"):
        shop_of(idle, properties=(FINE, own), scopes=(SMALL, LARGE))
