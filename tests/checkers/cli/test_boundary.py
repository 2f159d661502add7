"""An error becomes one sentence and an exit code."""

import json
from contextlib import chdir
from pathlib import Path

import click
import pytest

from nomadspec.checkers.cli.boundary import Boundary
from nomadspec.checkers.cli.error_texts import TRACEBACK_VARIABLE, data_of, explain
from nomadspec.model.errors import DisabledError, ImpossibleError, InputError, UnknownNameError, UsageError
from tests.checkers.cli.calling import call


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UsageError("No."), 2, "No."),
        (UsageError(f"No {'9' * 5000}."), 2, f"No {'9' * 150}...{'9' * 149}."),
        (UsageError(f"No {'9' * 440}."), 2, f"No {'9' * 440}."),
        (InputError("f", "bad", at="x"), 3, "f, at x: bad."),
        (DisabledError("No."), 1, "No."),
        (ImpossibleError("No."), 5, "No."),
        (click.UsageError("Nope."), 2, "Nope. `nomadspec --help` shows what it takes."),
        (click.UsageError("Nope"), 2, "Nope. `nomadspec --help` shows what it takes."),
        (
            click.UsageError("Choose from:\n\tbash,\n\tzsh"),
            2,
            "Choose from: bash, zsh. `nomadspec --help` shows what it takes.",
        ),
        (click.UsageError("Yes?"), 2, "Yes? `nomadspec --help` shows what it takes."),
        (click.ClickException("Nope"), 2, "Nope"),
        (KeyboardInterrupt(), 4, "Interrupted before there was anything to report."),
        (click.Abort(), 4, "Interrupted before there was anything to report."),
        (OSError(28, "No space"), 4, "the system refuses to go on (No space); mend that and call again."),
        (OSError(5, "Broken", "f"), 4, "f: the system refuses to go on (Broken); mend that and call again."),
        (OSError(36, "Long", "f"), 3, "f: no file can have this name (Long); name another."),
        (MemoryError(), 4, "There was not enough memory to go on; try a smaller scope."),
    ],
)
def test_an_error_has_a_code_and_a_sentence(error: BaseException, code: int, sentence: str) -> None:
    assert (code, sentence) == explain(error)


def test_an_interrupt_that_python_wraps_while_a_class_is_made_is_one() -> None:
    """Python 3.11 does so with whatever comes while an attribute hears its name."""
    wrapped = RuntimeError("Error calling __set_name__")
    wrapped.__cause__ = KeyboardInterrupt()

    assert explain(KeyboardInterrupt()) == explain(wrapped)


@pytest.mark.parametrize("arguments", [("--effort",), ("--effort", "x"), ("--nope",)])
def test_a_wrong_option_leads_to_the_help_of_its_verb(arguments: tuple[str, ...]) -> None:
    ended = call("verify", *arguments)

    assert 2 == ended.code
    assert ended.err.strip().endswith("`nomadspec verify --help` shows what it takes.")


def test_a_defect_says_how_to_report_it() -> None:
    code, sentence = explain(ZeroDivisionError("division by zero"))

    assert 5 == code
    assert "a defect of nomadspec (ZeroDivisionError: division by zero)" in sentence
    assert f"{TRACEBACK_VARIABLE}=1" in sentence


def test_nothing_gets_through(capsys: pytest.CaptureFixture[str]) -> None:
    boundary = Boundary(wants_json=False)
    with boundary:
        raise ZeroDivisionError

    assert 5 == boundary.exit_code
    assert "Traceback" not in capsys.readouterr().err


def test_the_traceback_is_there_for_who_asks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TRACEBACK_VARIABLE, "1")
    with Boundary(wants_json=False):
        raise ZeroDivisionError

    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_traceback_shows_what_a_terminal_would_obey(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOMADSPEC_TRACEBACK", "1")
    with Boundary(wants_json=False):
        raise InputError("f\x1b[2K", "bad\x1b[8m")

    assert capsys.readouterr().err.replace("\n", "").isprintable()


def test_with_json_stdout_is_still_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    with Boundary(wants_json=True):
        raise UnknownNameError("size", "flps", ["flips"])

    data = json.loads(capsys.readouterr().out)
    assert ("nomadspec/error/1", "inconclusive", 2) == (data["schema"], data["verdict"], data["exit_code"])
    assert ("flps", ["flips"]) == (data["name"], data["known"])


def test_an_input_error_keeps_its_place() -> None:
    data = data_of(InputError("f", "bad", at="$.a"), 3, "s")

    assert ("f", "$.a") == (data["file"], data["at"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("explore", "my.py:M"), "one of your own is --model FILE.py:NAME. `nomadspec explore --help`"),
        (("explore", "--model"), "Option '--model' requires an argument"),
        (("models", "--colour"), "No such option '--colour'. Did you mean '--color'?"),
        (("explore", "--format", "json"), "No such option '--format'. Did you mean '--json'?"),
        (("verify", "--form"), "No such option '--form'. `nomadspec verify --help`"),
        (("diagram", "job", "--format", "gif"), "'gif' is not one of 'mermaid', 'dot', 'svg', 'png'"),
        (
            ("explore", "--model", "core", "--set", "flips"),
            "'flips' should read NAME=VALUE with a whole",
        ),
        (("explore", "--model", "core", "--set", "flips=x"), "'flips=x' should read NAME=VALUE"),
        (("explore", "--model", "core", "--set", "flip=1"), "There is no size of core named 'flip'"),
        (("explore", "--model", "core", "--scope", "smal"), "There is no scope of core named 'smal'"),
        (("explore", "--model", "core", "--profile", "nomad"), "There is no profile named 'nomad'"),
        (("explore", "--model", "cor"), "There is no model named 'cor'; did you mean core"),
        (("explore", "--model", "core", "--time", "0"), "'0' should be a number above 0."),
    ],
)
def test_a_wrong_call_gets_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    called = call(*words)

    assert (2, "") == (called.code, called.out)
    assert called.err.startswith("nomadspec: ")
    assert sentence in called.err
    assert 1 == called.err.count("\n")


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with chdir(gone):
        gone.rmdir()
        called = call("explore", "--model", "x.py:MODEL")

    assert (4, "nomadspec: The folder in which this was called is gone; call it in another.\n") == (
        called.code,
        called.err,
    )


def test_an_option_behind_two_dashes_belongs_to_the_program_that_is_called() -> None:
    theirs = call("conform", "--", "/nowhere/program", "--json")
    ours = call("conform", "--json", "--", "/nowhere/program")

    assert (2, b"") == (theirs.code, theirs.raw)
    assert (2, "nomadspec/error/1") == (ours.code, ours.data["schema"])
