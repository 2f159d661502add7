import re

import pytest

from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.quirks import (
    HASTY_COMMIT,
    REUSED_TOKEN,
    UNCHECKED_CAPACITY,
    UNREACHABLE_TOTALS,
    find_quirk,
    list_quirks,
)


def test_ids_are_unique_and_of_a_known_kind() -> None:
    ids = [quirk.id for quirk in list_quirks()]

    assert len(ids) == len(set(ids))
    assert [] == [name for name in ids if not re.fullmatch(r"\d\d/S-?\d+|BUG-\d{3}|X-\d\d", name)]


def test_bugs_of_the_past_and_of_the_small_models_are_shipped_by_nobody() -> None:
    assert [UNREACHABLE_TOTALS, UNCHECKED_CAPACITY, REUSED_TOKEN, HASTY_COMMIT] == [
        quirk for quirk in list_quirks() if not quirk.shipped
    ]


def test_what_has_no_entry_elsewhere_names_the_rules_that_admit_it() -> None:
    assert [] == [
        quirk for quirk in list_quirks() if quirk.shipped and quirk.id.startswith("X-") and not quirk.spec
    ]


def test_each_says_what_happens_and_what_was_intended() -> None:
    assert [] == [
        quirk
        for quirk in list_quirks()
        if not (quirk.happens.endswith(".") and quirk.intended.endswith("."))
        or quirk.happens == quirk.intended
    ]


def test_a_quirk_is_found_and_shown_by_its_id() -> None:
    assert REUSED_TOKEN is find_quirk("X-02")
    assert "X-02" == str(REUSED_TOKEN)


def test_an_unknown_quirk_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"There is no quirk named 'BUG-13'; did you mean BUG-013"):
        find_quirk("BUG-13")
