"""The overview, and how every call ends."""

import os
import subprocess
import sys
import time

import click
import pytest

from nomadspec import __version__
from nomadspec.checkers.cli.main import COMPLETION_VARIABLE, overview
from nomadspec.checkers.cli.verbs import SECTIONS, list_verbs
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


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = "import sys; from nomadspec.checkers.cli.main import run; run(['--help']); print(*sys.modules)"
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds = time.monotonic() - began

    modules = set(done.stdout.splitlines()[-1].split())
    assert not modules & {"z3", "hypothesis", "networkx", "msgspec", "xxhash", "pygraphviz"}
    assert not [name for name in modules if name.startswith("nomadspec.model.") and name.endswith("bounded")]
    assert seconds < 5  # a machine under load; alone it takes a tenth of a second


def test_a_shell_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(COMPLETION_VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "nomadspec explore --model core --scope fl")
    monkeypatch.setenv("COMP_CWORD", "5")

    assert "plain,flip\n" == call().out


def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", "from nomadspec.checkers.cli.main import main; main()", "--help"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)

    assert (141, b"") == (done.returncode, done.stderr)
