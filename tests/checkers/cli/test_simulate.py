"""``nomadspec simulate``."""

import shlex
from pathlib import Path

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


def test_nothing_found_is_not_refuted() -> None:
    called = call("simulate", "-m", "2pc", "--seed", "1", "--walks", "20", "--json")

    check_output(called.data)
    assert (0, "not-refuted", 1, 20) == (
        called.code,
        called.data["verdict"],
        called.data["seed"],
        called.data["walks"],
    )


def test_the_line_that_is_printed_walks_the_same_walks() -> None:
    first = call("simulate", "-m", "2pc", "-s", "hasty", "--json").data
    second = call(*shlex.split(first["again"])[1:], "--json").data

    assert (first["digest"], first["findings"]) == (second["digest"], second["findings"])


def test_a_violation_is_told_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    called = call("simulate", "-m", "2pc", "-s", "hasty", "--seed", "3", "--story-out", path)

    assert 1 == called.code
    assert "VIOLATED" in called.out
    assert 0 == call("story", path).code


def test_a_time_ends_it_without_an_error() -> None:
    data = call("simulate", "-m", "2pc", "--time", "0.1", "--json").data

    check_output(data)
    assert ("time", "not-refuted") == (data["stopped_by"], data["verdict"])


def test_the_text_says_that_nothing_is_proved() -> None:
    out = " ".join(call("simulate", "-m", "2pc", "--walks", "2", "--property", "managers_agree").out.split())

    assert "NOT-REFUTED sampled: no violation was found in" in out
    assert "other walks may find one" in out
    assert "--property managers_agree" in out


def test_weights_are_in_the_line_that_is_printed() -> None:
    words = ["--swarm", "--faults", "0.25", "--weight", "FlipNode=4", "--until-coverage", "0.9"]
    first = call("simulate", "-m", "core", "-s", "flip", *words, "--seed", "2", "--json").data
    second = call(*shlex.split(first["again"])[1:], "--json").data

    check_output(first)
    assert "coverage" == first["stopped_by"]
    assert first["digest"] == second["digest"]
    assert first["coverage"] == second["coverage"]


def test_a_coverage_that_is_not_reached_is_inconclusive() -> None:
    called = call("simulate", "-m", "core", "--until-coverage", "1", "--walks", "1", "--seed", "2", "--json")

    check_output(called.data)
    assert (4, "inconclusive") == (called.code, called.data["verdict"])


def test_a_wrong_weight_says_how_to_write_one() -> None:
    for words in ("FlipNode", "FlipNode=-1", "FlipNode=²", "=1"):
        called = call("simulate", "-m", "core", "--weight", words)

        assert 2 == called.code
        assert "should read RULE=N" in called.err


def test_the_way_to_what_was_asked_for_is_in_the_json() -> None:
    name = "four_litres_are_measured"
    data = call("simulate", "--model", "die-hard", "--property", name, "--seed", "1", "--json").data

    check_output(data)
    assert [name] == list(data["ways"])
    assert data["ways"][name]["steps"]


def test_a_weight_of_many_digits_is_refused() -> None:
    called = call("simulate", "--model", "2pc", "--weight", f"Prepare={'9' * 5000}")

    assert 2 == called.code
    assert "should read RULE=N with a whole number from 0 to 999,999,999, such as LoseNode=4" in called.err
