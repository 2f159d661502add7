"""Unknown values in ordinary Python."""

import operator
from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.smt.question import Answer
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import all_of, as_number, iff, implies, ite, not_
from tests.checkers.smt.resources.claims import list_ways, prove_statement

HOLDS: list[Callable[[Any], Any]] = [
    lambda d: d.number("a") + 1 > d.number("a"),
    lambda d: 5 - (d.number("a") - 2) == 7 - d.number("a"),
    lambda d: sum([d.number("a"), d.number("b")]) == d.number("b") + d.number("a"),
    lambda d: max(d.number("a"), d.number("b")) >= d.number("a"),
    lambda d: (d.number("a") or 7) != 0,
    lambda d: ite(d.flag("f"), d.number("a"), 3) == (d.number("a") if d.flag("f") else 3),
    lambda d: as_number(d.flag("f")) <= 1,
    lambda d: iff(not_(d.flag("f")), d.flag("f") == False),  # noqa: E712 -- comparing is the subject
    lambda d: implies(d.number("a") < d.number("b"), not_(d.number("a") >= d.number("b"))),
    lambda d: ite(d.flag("f"), d.number("a"), d.number("a")) == d.number("a"),
    lambda d: len({d.number("a"), d.number("b")}) == (1 if d.number("a") == d.number("b") else 2),
    lambda d: (d.text("t") == d.text("u")) == (d.text("u") == d.text("t")),
]

SETS: list[Callable[[Any], Any]] = [
    lambda d: (
        (d.number("a") in d.numbers("s")) == (d.number("a") in (d.numbers("s") | {9})) or d.number("a") == 9
    ),
    lambda d: implies(d.numbers("s") <= d.numbers("t"), d.numbers("t") >= d.numbers("s")),
    lambda d: (frozenset({1}) | d.numbers("s")) >= {1},
    lambda d: not_((d.numbers("s") | {d.number("a")}).isdisjoint({d.number("a")})),
    lambda d: d.numbers("s").difference({d.number("a")}).isdisjoint({d.number("a")}),
    lambda d: d.numbers("s").difference(d.numbers("t")).isdisjoint(d.numbers("t")),
    lambda d: bool(d.numbers("s")) or d.number("a") not in d.numbers("s"),
]


@pytest.mark.parametrize("say", HOLDS + SETS, ids=range(len(HOLDS + SETS)))
def test_they_compute_as_plain_values_do(say: Callable[[Draw], Any]) -> None:
    assert Answer.KEPT is prove_statement(say).answer


@pytest.mark.parametrize(
    "compare", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
)
def test_comparisons_can_go_either_way(compare: Callable[[Any, Any], Any]) -> None:
    assert Answer.BROKEN is prove_statement(lambda d: compare(d.number("a"), d.number("b"))).answer


def test_what_the_text_decides_is_not_asked() -> None:
    _, ways = list_ways(lambda d: d.number("a") == d.number("a"))

    assert [True] == [way.outcome for way in ways]


def test_a_set_that_is_added_to_changes() -> None:
    def add(draw: Any) -> Any:
        numbers = draw.numbers("s")
        numbers.add(draw.number("a"))
        return all_of(not_(numbers.isdisjoint({draw.number("a")})), numbers >= draw.numbers("s"))

    assert Answer.KEPT is prove_statement(add).answer


def test_a_set_of_any_size_is_not_gone_through() -> None:
    with pytest.raises(ImpossibleError, match="cannot be gone through"):
        prove_statement(lambda d: all(d.numbers("s")))


def test_numbers_are_not_compared_with_other_things() -> None:
    def compare(draw: Any) -> Any:
        return draw.number("a") == "a"

    with pytest.raises(ImpossibleError, match="which is no number"):
        prove_statement(compare)


def test_they_show_their_term() -> None:
    search, _ = list_ways(lambda _draw: True)

    assert "drawn.a" == f"{search.number('a')}"
