"""``nomadspec properties``."""

import re

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


def test_properties_are_listed_and_shown() -> None:
    assert "managers_agree" in call("properties").out
    assert "managers_agree" not in call("properties", "--model", "core").out
    assert "managers_agree, a property of 2pc\n" in call("properties", "managers_agree").out


def test_claims_about_resources_are_listed_beside_them() -> None:
    found = call("properties", "NET-02", "--json").data["properties"]

    assert ["ports_are_never_given_twice"] == [one["name"] for one in found]
    assert "a claim of resources" in call("properties", "ports_are_never_given_twice").out
    assert "  kernel  " not in call("properties", "--model", "resources").out
    assert 2 == call("properties", "ports_are_lent", "--model", "resources").code


def test_the_ids_of_a_property_stand_with_their_titles() -> None:
    title = "No two resource managers end committed and aborted"
    assert f"TwoPhase!TCConsistent: {title}" in call("properties", "managers_agree").out
    assert title in call("properties", "--model", "2pc", "--ids").out
    assert title not in call("properties", "--model", "2pc").out
    titles = call("properties", "managers_agree", "--json").data["titles"]
    assert titles["TwoPhase!TCConsistent"] == f"{title}."


def test_a_few_properties_and_claims_that_words_select_stand_with_the_titles_of_their_ids() -> None:
    few = call("properties", "ports", "address").out

    assert re.search(r"^ports_are_never_given_twice, a claim of resources$", few, re.MULTILINE)
    assert re.search(r"^ +NET-14: A dynamic port ", few, re.MULTILINE)
    assert call("properties", "job").out.startswith("PROPERTY ")
    assert call("properties", "ports", "address", "--ids").out.startswith("PROPERTY ")


def test_properties_and_claims_are_found_by_words() -> None:
    assert (
        "managers_agree, a property of 2pc"
        in call("properties", "committed", "while", "another", "--model", "2pc").out
    )
    found = call("properties", "ports", "--model", "resources", "--json").data["properties"]
    assert "ports_are_never_given_twice" in [one["name"] for one in found]


def test_a_property_is_found_by_the_beginning_of_its_name() -> None:
    assert "managers_agree, a property of 2pc" in call("properties", "managers_ag").out


def test_a_property_names_the_rules_that_share_an_id_with_it() -> None:
    shown = call("properties", "no_live_alloc_on_down_node", "--model", "kernel").out
    assert re.search(r"^  rules +LoseNode: ", shown, re.MULTILINE)
    (data,) = call("properties", "no_token_is_shared", "--model", "core", "--json").data["properties"]
    assert "Dequeue" in data["rules"]


def test_an_id_that_only_rules_cite_leads_to_them() -> None:
    called = call("properties", "BROKER-20")

    assert 2 == called.code
    assert called.err.startswith(
        "nomadspec: No property cites BROKER-20: Dequeue waits for a ready evaluation"
    )
    assert called.err.endswith(
        "; rules that do: Dequeue (kernel) and Discard (kernel); `nomadspec rules BROKER-20` shows them.\n"
    )


def test_an_id_is_known_in_any_case() -> None:
    assert call("properties", "BROKER-20").err == call("properties", "broker-20").err
    assert call("rules", "BROKER-20").out == call("rules", "broker-20").out


def test_an_id_that_nothing_cites_is_told_apart() -> None:
    called = call("properties", "WIRE-012")

    assert 2 == called.code
    assert called.err.endswith("nor does any of the rules that were searched.\n")


def test_an_unknown_property_is_a_wrong_call() -> None:
    assert (2, 2) == (call("properties", "nope").code, call("properties", "--model", "nope").code)


def test_the_object_keeps_to_its_schema() -> None:
    check_output(call("properties", "--json").data)


@pytest.mark.parametrize("wanted", ["F-05", "BUG-013"])
def test_a_property_is_found_by_a_finding_that_violates_it_and_by_its_cure(wanted: str) -> None:
    data = call("properties", wanted, "--json").data
    found = {one["name"]: one for one in data["properties"]}["terminal_eval_keeps_its_status"]

    assert "F-05" in found["findings"]
    assert "BUG-013" in found["quirks"]
    assert {"F-05", "BUG-013"} <= data["titles"].keys()
    assert "findings      F-05: " in call("properties", wanted).out


def test_several_names_and_ids_show_each() -> None:
    shown = call("properties", "NET-02", "no_node_is_oversubscribed", "--json").data["properties"]

    assert ["no_node_is_oversubscribed", "ports_are_never_given_twice"] == sorted({x["name"] for x in shown})
    assert "No property is named 'F-99'" in call("properties", "F-05", "F-99").err
