"""Which sets are rows, and which must be permuted."""

from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.models import CLUB, GRID
from tests.checkers.stepper.models import DESK


def names(bounded: BoundedModel) -> tuple[list[str], list[str]]:
    sorts = find_sorts(bounded.frame)
    return [ids.name for ids in sorts.rows], [ids.name for ids in sorts.named]


def test_sets_that_only_index_are_rows() -> None:
    assert (["workers"], ["jobs", "nodes"]) == names(find_model("core").at("small", profile="nomad-2.0"))
    assert (["rms"], []) == names(find_model("2pc").at("small", profile="nomad-2.0"))
    assert (["notes"], ["clerks"]) == names(DESK.at())


def test_ids_in_cells_or_twice_in_an_index_are_named() -> None:
    assert (["guests"], ["people", "dogs"]) == names(CLUB.at("small"))


def test_of_two_sorts_that_meet_the_larger_is_rows() -> None:
    assert (["rows"], ["columns"]) == names(GRID.at())
    assert (["columns"], ["rows"]) == names(GRID.at(sizes={"rows": 2, "columns": 3}))


def test_a_single_id_needs_no_name() -> None:
    assert ([], ["nodes"]) == names(
        find_model("core").at("small", sizes={"workers": 1, "jobs": 1}, profile="nomad-2.0")
    )


def test_both_kinds_together() -> None:
    sorts = find_sorts(CLUB.at("small").frame)

    assert (*sorts.rows, *sorts.named) == sorts.all
