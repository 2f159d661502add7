"""Cells that renaming exchanges."""

from nomadspec.checkers.explore.partial_order.places import number_places
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.partial_order.errands import ERRANDS

BOUNDED = ERRANDS.at()


def test_without_renaming_each_cell_is_a_place() -> None:
    assert list(range(BOUNDED.frame.cell_count)) == number_places(BOUNDED, is_renamed=False)


def test_cells_of_exchanged_names_are_one_place() -> None:
    places = dict(zip(BOUNDED.frame.cell_names, number_places(BOUNDED, is_renamed=True), strict=True))

    assert places["mark[piece1]"] == places["mark[piece2]"]
    assert len(set(places.values())) == len(places) - 1


def test_places_in_an_order_that_shows_are_kept_apart() -> None:
    core = find_model("core").at("small", profile="nomad-2.0")
    places = dict(zip(core.frame.cell_names, number_places(core, is_renamed=True), strict=True))

    assert (
        places["allocs[job1, placement1]"]
        == places["allocs[job2, placement1]"]
        != places["allocs[job1, placement2]"]
    )
