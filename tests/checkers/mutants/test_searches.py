import pytest

from nomadspec.checkers.manifest import list_published
from nomadspec.checkers.mutants.scene import MOST_WORLDS
from nomadspec.checkers.mutants.searches import list_searches
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError
from tests.checkers.mutants.jar import JAR


def test_a_published_model_is_judged_by_what_is_published() -> None:
    titles = [entry.title for entry in list_searches(find_model("core"))]

    assert "core unchecked, X-01" in titles
    assert "core full, symmetry, nomad-2.0" in titles


def test_profiles_that_make_no_difference_share_a_search() -> None:
    titles = [entry.title for entry in list_searches(find_model("2pc"))]

    assert ["2pc hasty, X-03", "2pc full, symmetry, nomad-2.0", "2pc small, nomad-2.0"] == titles


def test_large_scopes_are_searched_with_symmetry_and_small_ones_without() -> None:
    found = {(entry.scope, entry.reduction) for entry in list_searches(find_model("core"))}

    assert ("flip", "symmetry") in found
    assert ("flip", "none") not in found
    assert {"none"} == {entry.reduction for entry in list_searches(find_model("2pc"), ["small"])}


def test_every_published_scope_of_the_kernel_judges() -> None:
    found = list_searches(find_model("kernel"))

    assert {one.scope for one in list_published() if one.model == "kernel"} == {one.scope for one in found}


def test_each_scope_has_its_turn_before_any_has_the_next_and_large_ones_come_last() -> None:
    found = list_searches(find_model("kernel"))
    small = [one for one in found if (one.distinct or 0) <= MOST_WORLDS]
    first = list(dict.fromkeys(one.scope for one in small))

    assert small == list(found[: len(small)])
    assert first == [one.scope for one in small[: len(first)]]
    assert [one.seconds for one in small[: len(first)]] == sorted(one.seconds for one in small[: len(first)])


def test_a_model_of_ones_own_is_judged_in_each_scope() -> None:
    assert [("two", "nomad-2.0"), ("three", "nomad-2.0")] == sorted(
        ((entry.scope, entry.profile) for entry in list_searches(JAR)), reverse=True
    )


def test_scopes_can_be_chosen() -> None:
    assert {"three"} == {entry.scope for entry in list_searches(JAR, ["three"])}
    with pytest.raises(UnknownNameError):
        list_searches(JAR, ["four"])
