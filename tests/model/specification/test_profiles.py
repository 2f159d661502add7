import pytest

from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, UNNAMED, find_profile
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    UNCHECKED_CAPACITY,
    list_quirks,
)


def test_intended_has_no_quirk() -> None:
    assert not any(INTENDED.has(quirk) for quirk in list_quirks())


def test_where_no_profile_is_named_none_is_assumed() -> None:
    with pytest.raises(ModelError, match=r"it asks for the quirk X-01, and no profile was named: name one"):
        UNNAMED.has(UNCHECKED_CAPACITY)


def test_the_release_has_those_that_were_shipped() -> None:
    assert NOMAD_2_0.has(DROPPED_DELAYED_FIRES)
    assert not NOMAD_2_0.has(UNCHECKED_CAPACITY)


def test_names_give_the_profiles() -> None:
    assert INTENDED == find_profile("intended")
    assert NOMAD_2_0 == find_profile("nomad-2.0")


def test_a_quirk_is_a_profile_of_its_own() -> None:
    profile = find_profile("BUG-013")

    assert ("BUG-013", frozenset({CANCELLED_IS_DELIVERED})) == (profile.name, profile.quirks)


def test_quirks_are_added_and_taken_away() -> None:
    profile = find_profile("  nomad-2.0  -02/S5 +X-01 ")

    assert "nomad-2.0 -02/S5 +X-01" == profile.name
    assert NOMAD_2_0.quirks - {DROPPED_DELAYED_FIRES} | {UNCHECKED_CAPACITY} == profile.quirks


def test_taking_away_what_is_not_there_changes_nothing() -> None:
    assert frozenset() == find_profile("intended -X-01").quirks


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "A profile needs a name: intended, nomad-2.0, or the ID of a quirk"),
        ("  ", "A profile needs a name"),
        ("intended X-01", r"'X-01' in the profile 'intended X-01' must begin with \+ or -"),
    ],
)
def test_a_malformed_profile_is_refused(name: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        find_profile(name)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nomad-2", "no profile named 'nomad-2'; did you mean nomad-2.0"),
        ("intended +X-99", "no quirk named 'X-99'"),
        ("intended -", "no quirk named ''"),
    ],
)
def test_an_unknown_name_in_a_profile_is_refused(name: str, problem: str) -> None:
    with pytest.raises(UnknownNameError, match=problem):
        find_profile(name)


def test_the_profiles_that_are_no_quirks_are_named_first() -> None:
    with pytest.raises(UnknownNameError, match=r"known are intended, nomad-2\.0, "):
        find_profile("foo")
