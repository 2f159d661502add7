"""Profiles that make no difference to a model share a run."""

from nomadspec.checkers.equivalent_profiles import list_alike, list_asked
from nomadspec.model.specification.quirks import HASTY_COMMIT, REUSED_TOKEN, UNCHECKED_CAPACITY


def test_profiles_that_answer_alike_are_alike() -> None:
    assert ("intended",) == list_alike("core", "small", "nomad-2.0", ["intended", "X-01"])


def test_a_quirk_that_the_model_asks_for_makes_a_difference() -> None:
    assert () == list_alike("2pc", "hasty", "X-03", ["intended", "nomad-2.0"])


def test_a_quirk_of_another_model_makes_none() -> None:
    assert ("X-01",) == list_alike("2pc", None, "intended", ["X-01", "X-03"])


def test_what_a_model_asks_for_is_known() -> None:
    assert {HASTY_COMMIT} == list_asked("2pc", "small", "intended")
    assert {REUSED_TOKEN, UNCHECKED_CAPACITY} == list_asked("core", None, "intended")
