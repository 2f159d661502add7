"""Which steps keep what may be noticed, and which make it."""

from typing import Any

from nomadspec.checkers.explore.partial_order.facts import take_as_written
from nomadspec.checkers.explore.partial_order.footprints import find_footprints
from nomadspec.checkers.explore.partial_order.observables import Keeping, Observable, find_observables
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import all_of, any_of, not_
from tests.checkers.explore.models import DIAL
from tests.checkers.explore.partial_order.errands import ABOVE, ERRANDS, FIRST, SECOND

BOUNDED = ERRANDS.at()
FACTS = take_as_written(BOUNDED)
ALL = (1 << len(BOUNDED.instances)) - 1


def observe(bounded: BoundedModel) -> dict[str, Observable]:
    properties = bounded.model.properties
    facts = take_as_written(bounded)
    found = find_observables(facts, properties, find_footprints(facts, ()))
    return {observable.name: observable for observable in found}


def test_a_broken_world_is_made_by_who_breaks_it_and_kept_by_all() -> None:
    seen = observe(BOUNDED)

    assert {"left_is_low", "is_above"} == seen.keys()
    assert Observable("left_is_low", ALL, 1 << SECOND) == seen["left_is_low"]
    assert Observable("is_above", ALL, 1 << ABOVE) == seen["is_above"]


def test_parts_are_asked_about_one_by_one() -> None:
    left = BOUNDED.cell_terms[BOUNDED.frame.cell_names.index("left")]
    above = BOUNDED.cell_terms[BOUNDED.frame.cell_names.index("above")]
    keeping: Any = Keeping(FACTS, find_footprints(FACTS, ()))

    assert ALL & ~(1 << FIRST | 1 << SECOND) == keeping.find_keepers(left == 0)
    assert ALL == keeping.find_keepers(any_of(left == 1, above == 1))
    assert 1 << FIRST | 1 << ABOVE == keeping.find_makers(any_of(left == 1, above == 1))
    assert 1 << FIRST | 1 << SECOND == keeping.find_makers(not_(left == 0))
    assert 1 << ABOVE == keeping.find_makers(all_of(left == 0, above == 1))


def test_flags_of_many_cells_are_taken_apart() -> None:
    terms = BOUNDED.cell_terms
    keeping: Any = Keeping(FACTS, find_footprints(FACTS, ()))
    many = all_of(*(term <= 1 for term in terms))

    assert ALL & ~(1 << SECOND) == keeping.find_keepers(many)
    assert ALL == keeping.find_keepers(not_(many))


def test_a_step_that_is_said_to_write_more_than_was_traced_is_not_trusted() -> None:
    footprints = [*find_footprints(FACTS, ())]
    footprints[ABOVE] = footprints[FIRST]
    left = BOUNDED.cell_terms[BOUNDED.frame.cell_names.index("left")]

    assert not Keeping(FACTS, footprints).find_keepers(left == 1) >> ABOVE & 1


def test_budgets_that_only_grow_are_kept() -> None:
    bounded = DIAL.at()
    turned = observe(bounded)["turned"]

    assert (1 << len(bounded.instances)) - 1 == turned.keepers
    assert ["TurnBack"] == [
        one.rule.name for at, one in enumerate(bounded.instances) if turned.makers >> at & 1
    ]
