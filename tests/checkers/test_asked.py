"""What an engine is asked to check."""

from dataclasses import replace

import pytest

from nomadspec.checkers.asked import find_asked, find_asked_of_runs, find_usual, name_promised_elsewhere
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.stateful import machine_of, run
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.property import Kind

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


def test_a_text_is_one_name() -> None:
    assert ("managers_agree",) == find_asked(BOUNDED, "managers_agree").names(Kind.ALWAYS)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [([], "or `deadlock`"), (["everyone_is_told"], "explore --property everyone_is_told")],
)
def test_what_no_run_can_show_is_refused(wanted: list[str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        find_asked_of_runs(BOUNDED, wanted)
    with pytest.raises(UsageError, match=told):
        simulate(BOUNDED, seed=1, properties=wanted)
    with pytest.raises(UsageError, match=told):
        machine_of(BOUNDED, properties=wanted)
    with pytest.raises(UsageError, match=told):
        run(BOUNDED, properties=wanted)


@pytest.mark.parametrize(
    "wanted", [["deadlock"], ["all_commit"], ["everyone_is_told", "managers_agree"], None]
)
def test_what_a_run_can_show_is_looked_for(wanted: list[str] | None) -> None:
    assert find_asked(BOUNDED, wanted) == find_asked_of_runs(BOUNDED, wanted)


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
