"""``nomadspec rules``."""

import re

import pytest

from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


def test_rules_are_listed_and_shown() -> None:
    assert "DecideCommit" in call("rules").out
    assert "DecideCommit" not in call("rules", "--model", "core").out
    assert "Dequeue, a rule of core\n" in call("rules", "BROKER-22").out


def test_a_list_for_people_binds_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    bound: list[object] = []
    monkeypatch.setattr(BoundedModel, "__init__", lambda *given: bound.append(given))
    listed = call("rules").out

    assert "DecideCommit" in listed
    assert [] == bound


def test_the_ids_of_a_rule_stand_with_their_titles() -> None:
    assert "BROKER-22: Each delivery gets a fresh token and a nack timer" in call("rules", "BROKER-22").out
    listed = call("rules", "--model", "core", "--ids").out
    assert "WORKER-08" in listed
    assert "The snapshot index of a delivery is the latest index of its first snapshot." in listed
    short = call("rules", "--model", "core").out
    assert not re.search(r"\b[A-Z]+-\d+|Core!", short)
    assert short.endswith(": add --ids, words that select a few, or the name of one.\n")
    titles = call("rules", "Dequeue", "--model", "core", "--json").data["titles"]
    assert titles["BROKER-22"] == "Each delivery gets a fresh token and a nack timer and is counted."


def test_a_few_rules_that_words_select_stand_with_the_titles_of_their_ids() -> None:
    few = call("rules", "all_at_once").out

    assert re.search(r"^RejectAllAtOnce, a rule of kernel$", few, re.MULTILINE)
    assert re.search(r"PLAN-47: Of a plan marked all_at_once nothing commits", few)
    assert "  reads " not in few
    assert "FORMALISES" in call("rules", "all_at_once", "--ids").out


def test_many_rules_that_words_select_are_a_list_without_ids() -> None:
    many = call("rules", "job").out

    assert many.startswith("RULE ")
    assert not re.search(r"\b[A-Z]+-\d+", many)


def test_rules_are_found_by_words() -> None:
    found = call("rules", "fresh", "token", "--json").data["rules"]
    assert {("Dequeue", "core")} <= {(one["name"], one["model"]) for one in found}
    assert "Dequeue, a rule of core" in call("rules", "fresh token snapshot", "--model", "core").out


def test_an_unknown_rule_is_a_wrong_call() -> None:
    called = call("rules", "Deqeue")

    assert 2 == called.code
    assert called.err.startswith(
        "nomadspec: No rule is named 'Deqeue', and none has this word or synonyms in "
    )
    assert called.err.endswith(" its name, sentences, IDs or their titles; did you mean Dequeue?\n")


def test_where_words_are_found_nowhere_it_says_where_they_were_searched() -> None:
    called = call("rules", "moon_phase")

    assert 2 == called.code
    assert called.err.startswith("nomadspec: No rule is named 'moon_phase', and none has all these words")
    assert called.err.endswith("; `nomadspec rules` lists all.\n")


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("lost_after", "MarkUnknown"),
        ("max_client_disconnect", "MarkUnknown"),
        ("auto-revert", "FailDeployment"),
        ("progress_deadline", "FailDeployment"),
        ("nack_timeout", "ExpireDelivery"),
        ("in_place", "UpdateJobInPlace"),
        ("all_at_once", "RejectAllAtOnce"),
        ("deregister", "PurgeJob"),
        ("deregistered", "StopJob"),
        ("leader election", "GainLeader"),
        ("preempted", "PlanPreemption"),
        ("cancelled", "CancelCancelable"),
        ("canceled", "WriteOutcome"),
        ("oversubscription", "ApplyPlan"),
        ("plan rejection", "RejectAllAtOnce"),
        ("rejected", "RejectAllAtOnce"),
        ("refused plans", "RejectAllAtOnce"),
        ("JobID", "StopJob"),
        ("NodeID", "LoseNode"),
        ("ModifyIndex", "Begin"),
        ("DesiredStatus", "PlanPreemption"),
        ("desired_status", "MigrateAlloc"),
    ],
)
def test_rules_are_found_as_nomad_spells_it(wanted: str, name: str) -> None:
    found = call("rules", wanted, "--model", "kernel").out

    assert re.search(rf"^{name}\b", found, re.MULTILINE)


def test_a_rule_names_the_properties_that_share_an_id_with_it() -> None:
    shown = call("rules", "ApplyPlan", "--model", "kernel").out

    assert "no_node_is_oversubscribed: allocations that do not fit starve those that were there" in shown
    assert re.search(r"and \d+ more: add --json", shown)
    (data,) = call("rules", "Dequeue", "--model", "core", "--json").data["rules"]
    assert "no_token_is_shared" in data["properties"]


@pytest.mark.parametrize("wanted", ["X-20", "x-20"])
def test_a_rule_is_found_by_the_quirk_that_it_asks_for(wanted: str) -> None:
    shown = call("rules", wanted).out

    assert shown.startswith("LoseHandler, a rule of kernel\n")
    assert re.search(r"^  quirks +X-20: ", shown, re.MULTILINE)


def test_rules_are_found_by_a_finding() -> None:
    data = call("rules", "F-05", "--json").data

    assert all("F-05" in one["findings"] for one in data["rules"])
    assert "Dequeue" in {one["name"] for one in data["rules"]}
    assert {"F-05", "BUG-013"} <= data["titles"].keys()


@pytest.mark.parametrize("verb", ["rules", "properties"])
def test_a_finding_that_no_model_shows_leads_to_where_it_is_shown(verb: str) -> None:
    called = call(verb, "D-10")

    assert 2 == called.code
    assert called.err.endswith("; `nomadspec findings D-10` does.\n")


def test_an_id_that_only_properties_cite_leads_to_them() -> None:
    called = call("rules", "BATCH-03")

    assert 2 == called.code
    assert called.err.startswith("nomadspec: No rule cites BATCH-03: ")
    assert called.err.endswith("; `nomadspec properties BATCH-03` shows them.\n")


@pytest.mark.parametrize("words", [("--model", "core"), pytest.param((), marks=pytest.mark.deep)])
def test_the_object_keeps_to_its_schema(words: tuple[str, ...]) -> None:
    check_output(call("rules", *words, "--json").data)


def test_several_ids_show_the_rules_of_each() -> None:
    both = call("rules", "X-18", "X-20", "--json").data["rules"]

    assert {"X-18", "X-20"} == {quirk for one in both for quirk in one["quirks"]} & {"X-18", "X-20"}
    assert both == [one for quirk in ("X-18", "X-20") for one in call("rules", quirk, "--json").data["rules"]]
    assert "No rule cites BATCH-03" in call("rules", "X-18", "BATCH-03").err


def test_words_beside_the_id_of_a_quirk_leave_some_of_its_rules() -> None:
    assert call("rules", "X-20", "handler").out.startswith("LoseHandler, a rule of kernel\n")
    assert "none has all these words" in call("rules", "X-20", "blocked").err
