"""What an engine is asked to check."""

from dataclasses import replace

import pytest

from nomadspec.checkers.asked import find_asked, find_usual, name_promised_elsewhere
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.property import Kind

BOUNDED = find_model("2pc").at("hasty")


def test_without_a_wish_everything_is_asked() -> None:
    asked = find_asked(BOUNDED, None)

    assert BOUNDED.model.properties == asked.properties
    assert asked.has_deadlock


def test_names_and_properties_may_be_mixed_and_repeated() -> None:
    prop = BOUNDED.model.find_property("all_commit")
    asked = find_asked(BOUNDED, ["managers_agree", prop, "all_commit"])

    assert ("managers_agree", "all_commit") == asked.names(Kind.ALWAYS, Kind.SOMETIMES)
    assert ("all_commit",) == asked.names(Kind.SOMETIMES)
    assert not asked.has_deadlock


def test_deadlock_is_asked_for_by_its_name() -> None:
    assert ("deadlock",) == find_asked(BOUNDED, ["deadlock"]).names()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean managers_agree"):
        find_asked(BOUNDED, ["managers_agre"])


def test_a_search_asks_what_its_scope_promises() -> None:
    model = find_model("2pc")
    kept = [
        replace(prop, scopes=("small",)) if prop.kind is Kind.SOMETIMES else prop for prop in model.properties
    ]
    promising = replace(model, properties=tuple(kept))
    there, elsewhere = promising.at("small"), promising.at("hasty")

    assert {} == name_promised_elsewhere(there)
    assert {"promised in the scope small"} == set(name_promised_elsewhere(elsewhere).values())
    assert () == find_usual(elsewhere).names(Kind.SOMETIMES)[:-1]
    assert find_usual(elsewhere).names(Kind.ALWAYS) == find_usual(there).names(Kind.ALWAYS)
