"""``nomadspec mutants``."""

from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.checkers.shop import SHOP, write_shop

WITH_A_HOLE = SHOP.replace("return s.asleep", "return s.waiting == 0")
"""Nobody looks whether the clerk ever sleeps."""


def test_a_hole_in_ones_own_properties_is_shown(tmp_path: Path) -> None:
    shop = write_shop(tmp_path, text=WITH_A_HOLE)
    called = call("mutants", "--model", f"{shop}:SHOP", "--json")
    (result,) = called.data["results"]
    survived = [(one["concerns"], one["before"]) for one in result["mutants"] if one["fate"] == "survived"]

    check_output(called.data)
    assert (1, "violated") == (called.code, called.data["verdict"])
    assert (["clerk_sleeps"], "clerk_sleeps") in survived
    assert {shop.name} == {Path(one["file"]).name for one in result["mutants"]}


def test_the_target_decides(tmp_path: Path) -> None:
    called = call("mutants", "--model", f"{write_shop(tmp_path, text=WITH_A_HOLE)}:SHOP", "--target", "10")

    assert 0 == called.code
    assert "HOLDS" in called.out
    assert "survived:" in called.out


def test_one_rule_of_two_phase_commit() -> None:
    called = call("mutants", "--model", "2pc", "--rule", "DecideCommit", "--scope", "hasty", "--full")

    assert 0 == called.code
    assert "model/small/two_phase_commit.py:" in called.out
    assert "judged by 1 search and the proofs" in called.out


def test_one_property_of_two_phase_commit() -> None:
    words = ("--property", "managers_agree", "--scope", "hasty", "--json")
    data = call("mutants", "--model", "2pc", *words).data
    made_true = [one for one in data["results"][0]["mutants"] if one["kind"] == "property made true"]

    check_output(data)
    assert ["killed"] == [one["fate"] for one in made_true]
    assert all("that writes" in one["noticed"][0] for one in made_true)


def test_a_sample_refutes_or_does_not(tmp_path: Path) -> None:
    words = ("mutants", "--model", f"{write_shop(tmp_path)}:SHOP", "--sample", "5", "--seed", "2", "--json")
    called = call(*words, "--target", "0")

    assert (0, "not-refuted", 5) == (
        called.code,
        called.data["verdict"],
        len(called.data["results"][0]["mutants"]),
    )
    assert call(*words).data["results"][0]["counts"] == called.data["results"][0]["counts"]


def test_time_leaves_it_open(tmp_path: Path) -> None:
    called = call("mutants", "--model", f"{write_shop(tmp_path)}:SHOP", "--time", "0.000001", "--json")

    assert (4, "inconclusive") == (called.code, called.data["verdict"])
    assert "time" == called.data["results"][0]["stopped_by"]


def test_a_run_goes_on_from_its_ledger(tmp_path: Path) -> None:
    words = (
        "mutants",
        "--model",
        f"{write_shop(tmp_path)}:SHOP",
        "--resume",
        tmp_path / "shop.mutants",
        "--json",
    )
    first, lines = call(*words), (tmp_path / "shop.mutants").read_text().count("\n")
    second = call(*words)

    assert first.data["results"][0]["mutants"] == second.data["results"][0]["mutants"]
    assert lines == (tmp_path / "shop.mutants").read_text().count("\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--model", "corr"), "There is no model named 'corr'"),
        (("--model", "core", "--rule", "Dequeu"), "There is no rule of core named 'Dequeu'"),
        (("--model", "core", "--property", "x"), "There is no property of core named 'x'"),
        (("--model", "core", "--scope", "x"), "There is no scope of core named 'x'"),
        (("--rule", "Dequeue"), "need --model NAME"),
        (("--sample", "0"), "--sample"),
    ],
)
def test_wrong_questions_are_refused(words: tuple[str, ...], sentence: str) -> None:
    called = call("mutants", *words)

    assert (2, "") == (called.code, called.out)
    assert sentence in called.err


def test_a_slip_in_a_file_names_it(tmp_path: Path) -> None:
    path = write_shop(tmp_path, text=SHOP.replace("init=0", "init=77"))
    called = call("mutants", "--model", path)

    assert (3, "") == (called.code, called.out)
    assert f"{path}: The field waiting begins at 77" in called.err
