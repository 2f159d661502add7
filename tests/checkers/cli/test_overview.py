"""The overview of all verbs."""

import click
import pytest

from nomadspec import __version__
from nomadspec.checkers.cli.overview import overview
from nomadspec.checkers.cli.verbs import MEANT, SECTIONS, list_verbs
from tests.checkers.cli.calling import call


def test_help_names_every_verb() -> None:
    called = call("--help")

    assert 0 == called.code
    for verb in list_verbs():
        assert f"  {verb.name} " in called.out


def test_the_overview_is_written_from_the_list_alone() -> None:
    formatter = click.HelpFormatter()
    overview.format_commands(click.Context(overview), formatter)

    assert [f"{title}:" for title, _ in SECTIONS] == [
        line for line in formatter.getvalue().splitlines() if line.endswith(":")
    ]


@pytest.mark.parametrize("verb", [verb.name for verb in list_verbs()])
def test_every_verb_teaches_with_examples(verb: str) -> None:
    called = call(verb, "--help")

    assert 0 == called.code
    assert f"nomadspec {verb} " in called.out.partition("Usage:")[2].partition("\n")[2]
    assert "--json" in called.out


def test_the_version_is_printed() -> None:
    assert f"nomadspec {__version__}\n" == call("--version").out


def test_a_bare_call_shows_the_overview_and_is_no_verdict() -> None:
    called = call()

    assert 2 == called.code
    assert "Check:" in called.out


def test_an_unknown_verb_gets_the_nearest() -> None:
    called = call("exlore")

    assert (2, "") == (called.code, called.out)
    assert "nomadspec: There is no verb named 'exlore'; did you mean explore?\n" == called.err


def test_help_is_a_word_as_well() -> None:
    assert call("--help").out == call("help").out
    assert call("story", "--help").out == call("help", "story").out
    assert "did you mean story" in call("help", "storry").err


def test_a_word_that_is_often_tried_as_a_verb_leads_to_one() -> None:
    called = call("why", "web[0]")

    assert 2 == called.code
    assert "no verb named 'why'; `schedule INPUT --why` shows" in called.err


def test_each_such_word_is_no_verb_and_names_one() -> None:
    verbs = {verb.name for verb in list_verbs()}

    assert set() == verbs & set(MEANT)
    assert all(set(told.replace("`", " ").split()) & verbs for told in MEANT.values())
