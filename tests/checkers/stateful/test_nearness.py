"""How far a world is from a flag."""

import pytest

from nomadspec.checkers.stateful.nearness import write_nearness
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.logic import Value, all_of, any_of, ite, not_
from nomadspec.model.language.term import Term
from tests.checkers.simulate.models import LEVELS

BOUNDED = LEVELS.at()
WORLD: Value = BOUNDED.world(BOUNDED.cell_terms)
LIT = WORLD.lit[0]


def far(flag: Value, level: int, *, is_lit: bool = False) -> float:
    assert isinstance(flag, Term)
    layout = Layout(BOUNDED)
    cells = list(BOUNDED.initial[0])
    cells[BOUNDED.frame.placed["level"].base] = level
    cells[BOUNDED.frame.placed["lit"].base] = is_lit
    return write_nearness(flag, BOUNDED, layout)(layout.pack(tuple(cells)))


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        (WORLD.level >= 3, 2 / 3),
        (WORLD.level <= 0, 1 / 2),
        (not_(WORLD.level <= 2), 2 / 3),
        (WORLD.level == 1, 0),
        (WORLD.level == 2, 1),
        (all_of(WORLD.level == 1, LIT), 1 / 2),
        (any_of(WORLD.level == 1, LIT), 0),
        (not_(any_of(WORLD.level == 1, LIT)), 1 / 2),
        (not_(all_of(WORLD.level == 1, LIT)), 0),
        (ite(LIT, WORLD.level == 1, WORLD.level >= 2), 1 / 2),
    ],
)
def test_it_is_a_part_of_what_is_missing(flag: Value, expected: float) -> None:
    assert expected == pytest.approx(far(flag, 1))


def test_where_it_is_0_the_flag_holds() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    layout = Layout(bounded)
    cells = bounded.initial[0]
    for _ in range(12):
        world = bounded.world(cells)
        terms = bounded.world(bounded.cell_terms)
        for prop in bounded.model.properties:
            flag = prop(terms) if prop.kind.value in {"always", "sometimes"} else None
            if isinstance(flag, Term):
                assert bool(prop(world)) is (write_nearness(flag, bounded, layout)(layout.pack(cells)) == 0)
        *_, (_, cells) = bounded.successors(cells)
