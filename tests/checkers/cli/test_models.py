"""``nomadspec models``."""

import re
from pathlib import Path

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.checkers.shop import write_shop


def test_all_models_are_listed() -> None:
    called = call("models")

    assert 0 == called.code
    assert "two-phase commit" in called.out
    assert len(called.out.splitlines()) < 40, "a list fits a screen: with NAME there is more"
    assert "`nomadspec models NAME` shows one" in called.out


def test_a_model_is_shown_with_what_its_searches_must_find() -> None:
    assert "16,559,713" in call("models", "core").out


def test_classics_are_named_and_each_is_shown_where_it_is_asked_for() -> None:
    assert "acceptors choose one value by ballots" in call("models").out
    assert "hanoi/careless-move" in call("models", "hanoi").out


def test_one_model_is_shown() -> None:
    called = call("models", "2pc")

    assert "two-phase commit" in called.out
    assert "the benchmark protocol" not in called.out


def test_models_are_found_by_words() -> None:
    assert ["2pc"] == [one["name"] for one in call("models", "resource", "manager", "--json").data["models"]]
    assert (
        "No model is named 'xyzzy', and none has this word or synonyms in what its scopes"
        in call("models", "xyzzy").err
    )


def test_claims_about_resources_are_listed_beside_them() -> None:
    assert re.search(r"resources +13  which sets of allocations a node can take", call("models").out)
    assert "ports_are_never_given_twice" in call("models", "resources").out
    assert ["resources"] == [one["name"] for one in call("models", "resources", "--json").data["models"]]


def test_a_users_model_is_shown(tmp_path: Path) -> None:
    assert "how many may wait" in call("models", f"{write_shop(tmp_path)}:SHOP").out


def test_the_object_keeps_to_its_schema() -> None:
    check_output(call("models", "--json").data)


def test_several_names_list_these_models() -> None:
    listed = call("models", "core", "raft", "--json").data["models"]

    assert ["core", "raft"] == [one["name"] for one in listed]
    called = call("models", "core", "nosuch")
    assert 2 == called.code
    assert "No model is named 'core nosuch', and none has all these words" in called.err
