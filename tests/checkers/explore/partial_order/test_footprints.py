"""What steps read and write."""

from nomadspec.checkers.explore.partial_order.facts import take_as_written
from nomadspec.checkers.explore.partial_order.footprints import collect_reads, find_footprints, find_users
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.partial_order.errands import ABOVE, ERRANDS, FIRST, SECOND

BOUNDED = ERRANDS.at()
FACTS = take_as_written(BOUNDED)


def name_cells(cells: frozenset[int]) -> set[str]:
    return {BOUNDED.frame.cell_names[cell] for cell in cells}


def test_a_step_reads_what_its_guard_and_its_values_read() -> None:
    footprints = find_footprints(FACTS, ())

    assert {"left", "right"} == name_cells(footprints[SECOND].reads)
    assert {"left"} == name_cells(footprints[SECOND].writes)


def test_a_step_reads_what_is_asked_about_it() -> None:
    (prop,) = [prop for prop in ERRANDS.properties if prop.name == "left_before_above"]

    assert {"above"} == name_cells(find_footprints(FACTS, ())[ABOVE].reads)
    assert {"left", "above"} == name_cells(find_footprints(FACTS, [prop])[ABOVE].reads)


def test_what_is_certain_of_a_step_is_not_asked() -> None:
    bounded = find_model("2pc").at("small", profile="nomad-2.0")
    (prop,) = [prop for prop in bounded.model.properties if prop.name == "finished_managers_stay"]
    count = next(at for at, one in enumerate(bounded.instances) if one.rule.name == "CountPrepared")

    facts = take_as_written(bounded)
    assert find_footprints(facts, ())[count] == find_footprints(facts, [prop])[count]


def test_constants_read_nothing() -> None:
    assert frozenset() == collect_reads([True, 7])
    assert frozenset({0}) == collect_reads([BOUNDED.cell_terms[0], False])


def test_users_are_listed_by_cell() -> None:
    bounded: BoundedModel = ERRANDS.at()
    left = bounded.frame.cell_names.index("left")

    readers, writers = find_users(find_footprints(FACTS, ()), len(bounded.cell_terms))

    assert 1 << FIRST | 1 << SECOND == readers[left] == writers[left]
