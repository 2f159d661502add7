"""What a call is about."""

from pathlib import Path

import click
import pytest

from nomadspec.checkers.cli.choice import Choice, SizeType, check_properties, load_models
from nomadspec.model.errors import UnknownNameError
from tests.checkers.cli.calling import call
from tests.checkers.shop import SHOP, write_shop


def test_a_choice_is_bounded() -> None:
    bounded = Choice("core", "small", {"jobs": 1}, "intended").bound()

    assert ("small", 1, "intended") == (bounded.scope, bounded.sizes["jobs"], bounded.profile.name)


def test_a_choice_writes_its_own_command_line() -> None:
    choice = Choice("my shop.py:X", "small", {"jobs": 1}, "nomad-2.0 +X-01")

    assert choice.line("explore", "--keep-going") == (
        "nomadspec explore --model 'my shop.py:X' --scope small --set jobs=1 "
        "--profile 'nomad-2.0 +X-01' --keep-going"
    )


def test_a_choice_without_details_stays_short() -> None:
    assert "nomadspec explore --model core" == Choice("core").line("explore")


def test_a_size_is_a_name_and_a_number() -> None:
    assert ("flips", 2) == SizeType().convert("flips=2", None, None)


@pytest.mark.parametrize(
    "text", ["flips", "=2", "flips=", "flips=-1", "flips=a", "flips=²", "flips=" + "9" * 5000]
)
def test_anything_else_is_no_size(text: str) -> None:
    with pytest.raises(click.BadParameter, match="should read NAME=VALUE with a whole number from 0 "):
        SizeType().convert(text, None, None)


def test_deadlock_is_a_property_of_every_model() -> None:
    check_properties(Choice("2pc").bound(), ["deadlock", "managers_agree"])
    with pytest.raises(UnknownNameError):
        check_properties(Choice("2pc").bound(), ["dedlock"])


FLAKY = SHOP.replace("class Shop", "TIMES = [0]\n\n\nclass Shop").replace(
    "    t.require(s.waiting < s.patience)\n",
    "    TIMES[0] += 1\n    t.require(TIMES[0] % 2 == 1, s.waiting < s.patience)\n",
)


def test_rules_that_are_not_pure_are_a_slip_of_their_file(tmp_path: Path) -> None:
    called = call("simulate", "--model", write_shop(tmp_path, "flaky.py", FLAKY), "--seed", "1")

    assert 3 == called.code
    assert "flaky.py:" in called.err
    assert "it changes TIMES while it is read" in called.err


def test_what_a_model_prints_leaves_the_result_alone(tmp_path: Path) -> None:
    text = SHOP.replace("class Shop", "print('hello')\n\n\nclass Shop").replace(
        "    t.require(s.waiting < s", "    print('in a rule')\n    t.require(s.waiting < s"
    )
    called = call("explore", "--model", write_shop(tmp_path, "loud.py", text), "--json")

    assert "nomadspec/explore/1" == called.data["schema"]
    assert {"hello", "in a rule"} <= set(called.err.splitlines())


def test_without_a_name_all_models_are_loaded() -> None:
    assert ["core", "2pc", "kernel"] == list(load_models(None))
    assert ["2pc"] == list(load_models("2pc"))
    with pytest.raises(UnknownNameError):
        load_models("")


STALE = "".join(
    f"plain,{name}\n"
    for name in (
        "stale_token_changes_nothing",
        "stale_token_has_no_effect",
        "stale_servers_show_the_job",
    )
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("explore --model co", "plain,core\n"),
        ("explore --model my", "file,my\n"),
        ("explore --model 2pc --scope h", "plain,hasty\n"),
        ("explore --model 2pc --property manag", "plain,managers_agree\n"),
        ("properties stale", STALE),
        ("prove --model resources cpu", "plain,cpu_is_never_oversubscribed\n"),
        ("rules Deq", "plain,Dequeue\n"),
        ("exp", "plain,explore\n"),
    ],
)
def test_names_are_completed(monkeypatch: pytest.MonkeyPatch, line: str, found: str) -> None:
    words = ["nomadspec", *line.split()]
    monkeypatch.setenv("_NOMADSPEC_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))

    assert found == call().out


@pytest.mark.parametrize("word", ["", " ", "\t"])
@pytest.mark.parametrize("verb", ["findings", "models", "properties", "rules"])
def test_an_empty_word_is_refused_in_one_sentence(verb: str, word: str) -> None:
    called = call(verb, word)

    assert (2, "") == (called.code, called.out)
    assert called.err.startswith("nomadspec: Invalid value for ")
    assert ": a word to look for is empty; leave it out to list all. `nomadspec" in called.err
    assert 1 == called.err.count("\n")
    assert called.err == call(verb, "deployment", word).err
