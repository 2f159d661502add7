"""``nomadspec rules``."""

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
    assert "The snapshot index" not in short
    assert short.endswith("\n\nWhat the IDs say: add --ids, or give one of them, such as Core!Dequeue.\n")
    titles = call("rules", "Dequeue", "--model", "core", "--json").data["titles"]
    assert titles["BROKER-22"] == "Each delivery gets a fresh token and a nack timer and is counted."


def test_rules_are_found_by_words() -> None:
    found = call("rules", "fresh", "token", "--json").data["rules"]
    assert {("Dequeue", "core")} <= {(one["name"], one["model"]) for one in found}
    assert "Dequeue, a rule of core" in call("rules", "fresh token snapshot", "--model", "core").out


def test_an_unknown_rule_is_a_wrong_call() -> None:
    called = call("rules", "Deqeue")

    assert (
        2,
        "nomadspec: There is no rule named 'Deqeue'; did you mean Dequeue or DeleteEval?\n",
    ) == (
        called.code,
        called.err,
    )


@pytest.mark.parametrize("words", [("--model", "core"), pytest.param((), marks=pytest.mark.deep)])
def test_the_object_keeps_to_its_schema(words: tuple[str, ...]) -> None:
    check_output(call("rules", *words, "--json").data)
