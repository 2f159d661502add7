"""What an engine is asked to check."""

from dataclasses import replace

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.requested_properties import (
    find_asked,
    find_asked_of_runs,
    find_usual,
    list_with_lemmas,
    name_idle_lemmas,
    name_promised_elsewhere,
)
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.stateful import machine_of, run
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.property import Kind

BOUNDED = find_model("2pc").at("hasty")


def test_without_a_wish_everything_is_asked() -> None:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    asked = find_asked(bounded, None)

    assert bounded.model.properties == asked.properties
    assert asked.has_deadlock


LEMMAS = [prop.name for prop in BOUNDED.model.properties if prop.is_lemma]


@pytest.mark.parametrize(
    ("scope", "profile", "idle"),
    [
        ("hasty", None, LEMMAS),
        ("hasty", "intended", []),
        ("small", "nomad-2.0", []),
        ("small", "X-03", LEMMAS),
    ],
)
def test_a_lemma_is_asked_without_a_wish_unless_a_quirk_is_at_work(
    scope: str, profile: str | None, idle: list[str]
) -> None:
    """A quirk of which the model asks nothing breaks nothing."""
    bounded = find_model("2pc").at(scope, profile=profile)
    everything = [prop.name for prop in bounded.model.properties]

    assert idle == list(name_idle_lemmas(bounded))
    for asked in (find_asked(bounded, None), find_usual(bounded)):
        assert [name for name in everything if name not in idle] == [prop.name for prop in asked.properties]
    assert sorted([*everything, "deadlock"]) == sorted(
        one if isinstance(one, str) else one.name for one in list_with_lemmas(bounded)
    )


def test_a_search_and_a_walk_list_the_lemmas_that_they_did_not_ask() -> None:
    lemma = "commit_counts_everyone"
    searched = explore(BOUNDED, stop_at_first=False)
    walked = simulate(BOUNDED, seed=1, stop_at_first=False)

    for report in (searched, walked):
        assert tuple(LEMMAS) == report.idle
        assert not set(LEMMAS) & {*report.checked, *(one.property for one in report.findings)}
    for named in (explore(BOUNDED, properties=[lemma]), simulate(BOUNDED, seed=1, properties=[lemma])):
        assert ((), (lemma,)) == (named.idle, tuple(one.property for one in named.findings))


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
    there, elsewhere = (promising.at(scope, profile="intended") for scope in ("small", "hasty"))

    assert {} == name_promised_elsewhere(there)
    assert {"promised in the scope small"} == set(name_promised_elsewhere(elsewhere).values())
    assert () == find_usual(elsewhere).names(Kind.SOMETIMES)[:-1]
    assert find_usual(elsewhere).names(Kind.ALWAYS) == find_usual(there).names(Kind.ALWAYS)
