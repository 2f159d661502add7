from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.model.language.logic import (
    Value,
    all_of,
    any_of,
    binding,
    count,
    exists,
    for_all,
    implies,
    none_of,
    not_,
)
from nomadspec.model.language.property import always, sometimes
from nomadspec.model.language.witness import Watcher
from tests.model.language.toys import Shop, cells_of, compile_text, idle, shop_of

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers")


def explain(body: str, *, kind: str = "always", **values: int) -> tuple[tuple[str, ...], ...]:
    """Evaluate a property of the shop on a world and give its witnesses."""
    makers: dict[str, Callable[..., Any]] = {"always": always, "sometimes": sometimes}
    make = makers[kind]
    prop = make("X-1", why="w")(compile_text("fine(s)", f"return {body}"))
    bounded = shop_of(idle, properties=(prop,)).at()
    return bounded.explain(prop, cells_of(bounded, **values))


@pytest.mark.parametrize(
    ("body", "witnesses"),
    [
        ("for_all(not_(s.busy[c]) for c in s.clerks)", [("clerk2",)]),
        ("for_all(s.busy[c] for c in s.clerks)", [("clerk1",)]),
        (
            "for_all(implies(x != y, s.busy[x]) for x in s.clerks for y in s.clerks)",
            [("clerk1", "clerk2")],
        ),
        ("not_(exists(s.busy[c] for c in s.clerks))", [("clerk2",)]),
        ("none_of(exists(s.busy[c] for c in s.clerks))", [("clerk2",)]),
        ("for_all(exists(s.seen[c, d] for d in s.desks) for c in s.clerks)", [("clerk1",)]),
        ("for_all(count(s.seen[c, d] for d in s.desks) == 0 for c in s.clerks)", [("clerk2",)]),
        ("count(s.busy[c] for c in s.clerks) == 0", []),
        ("s.asked > 0", []),
        ("for_all(s.busy[0] for twice in (1, 2))", []),
        ("all_of(for_all(s.busy[c] for c in s.clerks), for_all(s.dusty[d] for d in s.desks))",
         [("clerk1",), ("desk1",), ("desk2",), ("desk3",)]),
    ],
)  # fmt: skip
def test_what_made_it_false_is_named(body: str, witnesses: list[tuple[str, ...]]) -> None:
    assert witnesses == list(explain(body, busy_clerk2=True, seen_clerk2_desk3=True))


@pytest.mark.parametrize(
    ("body", "witnesses"),
    [
        ("exists(s.busy[c] for c in s.clerks)", [("clerk2",)]),
        ("any_of(exists(s.dusty[d] for d in s.desks), exists(s.busy[c] for c in s.clerks))", [("clerk2",)]),
        ("exists(for_all(s.seen[c, d] for d in s.desks) for c in s.clerks)", []),
        ("not_(for_all(s.busy[c] for c in s.clerks))", [("clerk1",)]),
    ],
)
def test_what_made_a_sometimes_true_is_named(body: str, witnesses: list[tuple[str, ...]]) -> None:
    assert witnesses == list(explain(body, kind="sometimes", busy_clerk2=True))


def test_a_quantifier_is_worth_the_same_under_a_watcher() -> None:
    def formula() -> list[Value]:
        flags = [True, False]
        return [
            for_all(flag for flag in flags),
            exists(flag for flag in flags),
            for_all(any_of(a, not_(b)) for a in flags for b in flags if b),
            exists(all_of(a, b) for a in flags for b in flags),
            count(implies(a, b) for a in flags for b in flags),
            none_of(*flags),
        ]

    with binding(Watcher()):
        watched = formula()

    assert formula() == watched


def test_twenty_witnesses_are_enough() -> None:
    watcher = Watcher()
    watcher.for_all(False for _ in watcher.iterate(Shop.clerks, 25))

    assert [f"clerk{number}" for number in range(1, 21)] == [
        name for (name,) in watcher.witnesses(holds=False)
    ]


def test_the_same_binding_is_named_once() -> None:
    watcher = Watcher()
    for _ in range(2):
        watcher.for_all(False for _ in watcher.iterate(Shop.clerks, 1))

    assert (("clerk1",),) == watcher.witnesses(holds=False)


def test_a_sum_has_no_witness() -> None:
    watcher = Watcher()
    with binding(watcher):
        worth = count(exists(flag for flag in (True,)) for _ in watcher.iterate(Shop.clerks, 3))

    assert 3 == worth
    assert () == watcher.witnesses(holds=True)
