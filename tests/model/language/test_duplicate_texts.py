"""What a loop defines says the same under each name, and is refused."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from nomadspec.model.errors import ModelError
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value
from nomadspec.model.language.property import Property, always, eventually, step
from nomadspec.model.language.rule import Rule, rule, weak, where
from tests.model.language.toys import Shop, idle, shop_of


def name(text: Callable[..., Value], number: int) -> Callable[..., Value]:
    text.__name__ = f"{text.__name__.strip('<>')}_{number}"
    return text


def ask_in_a_loop(numbers: Iterable[int]) -> list[Property]:
    made = []
    for number in numbers:

        def differs(s: Shop) -> Value:
            return s.asked != number  # noqa: B023 -- the slip

        made.append(always("X-1", why="w")(name(differs, number)))
    return made


def step_in_a_loop(numbers: Iterable[int]) -> list[Property]:
    return [
        step("X-1", why="w")(name(lambda s, n: s.asked != n.asked + number, number))  # noqa: B023 -- the slip
        for number in numbers
    ]


def ask_one(number: int) -> Property:
    return always("X-1", why="w")(name(lambda s: s.asked != number, number))


def lead_to_one(number: int) -> Property:
    def is_left(s: Shop) -> Value:
        return s.asked > 0

    return eventually("X-1", why="w", given=lambda s: s.asked == number)(name(is_left, number))


def serve_in_a_loop(numbers: Iterable[int]) -> list[Rule]:
    made = []
    for number in numbers:

        def serve(s: Shop, t: Shop, c: Id) -> None:
            """Somebody is served."""
            t.require(s.asked == number)  # noqa: B023 -- the slip
            t.busy[c] = True

        made.append(rule("X-1", c=Shop.clerks)(name(serve, number)))
    return made


@pytest.mark.parametrize("make", [ask_in_a_loop, step_in_a_loop])
def test_properties_of_a_loop_are_refused(make: Callable[[Iterable[int]], list[Property]]) -> None:
    with pytest.raises(
        ModelError, match=r"^The properties .*_1 and .*_3 of the model shop are one and the same"
    ):
        shop_of(idle, properties=tuple(make((1, 3))))


def test_rules_of_a_loop_are_refused() -> None:
    with pytest.raises(
        ModelError, match=r"^The rules Serve1 and Serve2 of the model shop are one and the same"
    ):
        shop_of(*serve_in_a_loop((1, 2)))


def count_one(number: int) -> Rule:
    def is_asked(s: Shop) -> Value:
        return s.asked == number

    def ring(s: Shop, t: Shop) -> None:
        """The bell rings."""
        t.require(s.is_open)

    return rule("X-1", fair=weak(), makes=where(is_asked, Shop.rang))(name(ring, number))


def test_rules_that_count_by_different_conditions_are_accepted() -> None:
    assert ["Ring1", "Ring2"] == [one.name for one in shop_of(count_one(1), count_one(2)).rules]
    with pytest.raises(
        ModelError, match=r"^The rules Ring1 and Again of the model shop are one and the same"
    ):
        shop_of(count_one(1), replace(count_one(1), name="Again"))


@pytest.mark.parametrize("make", [ask_one, lead_to_one])
def test_what_a_function_makes_of_different_values_is_accepted(make: Callable[[int], Property]) -> None:
    assert shop_of(idle, properties=(make(1), make(3))).at().model.properties


@pytest.mark.parametrize("make", [ask_one, lead_to_one])
def test_what_a_function_makes_of_the_same_value_is_refused(make: Callable[[int], Property]) -> None:
    one, other = make(1), make(1)
    renamed = Property("again", *[getattr(other, field) for field in Property.__slots__[1:]])
    with pytest.raises(ModelError, match="are one and the same text"):
        shop_of(idle, properties=(one, renamed))


def test_one_function_may_have_two_names() -> None:
    twice = shop_of(idle, replace(idle, name="IdleAgain"))

    assert ["Idle", "IdleAgain"] == [rule.name for rule in twice.rules]
