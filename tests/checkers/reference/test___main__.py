"""The command that writes the pages."""

from pathlib import Path

import pytest

from nomadspec.checkers.reference import __main__ as command
from nomadspec.checkers.reference.__main__ import main
from nomadspec.model.errors import UnknownNameError


def test_stale_pages_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "list_stale", lambda _: ["docs/reference/rules.md"])

    code = main(["--check"])

    assert (1, "docs/reference/rules.md is stale\n") == (code, capsys.readouterr().out)


def test_pages_are_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "write_pages", lambda _: ["docs/reference/rules.md"])

    code = main([])

    assert (0, "docs/reference/rules.md written\n") == (code, capsys.readouterr().out)


def test_anything_else_is_answered_with_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--force"])

    assert (2, "usage: python -m nomadspec.checkers.reference [--check]\n") == (code, capsys.readouterr().err)


def test_an_unknown_id_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Path) -> list[str]:
        raise UnknownNameError("spec ID", "BROKER-99", ["BROKER-22"])

    monkeypatch.setattr(command, "write_pages", fail)

    code = main([])

    assert (2, "There is no spec ID named 'BROKER-99'; did you mean BROKER-22?\n") == (
        code,
        capsys.readouterr().err,
    )


def test_an_installed_package_has_no_pages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "ROOT", tmp_path)

    code = main([])

    assert (2, "The reference pages belong to a checkout of the repository, and this is none.\n") == (
        code,
        capsys.readouterr().err,
    )
