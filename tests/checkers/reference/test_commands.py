"""The pages of the command line."""

import json
from pathlib import Path

import pytest

from nomadspec.checkers.cli.verbs import Verb, list_verbs
from nomadspec.checkers.reference import commands
from nomadspec.checkers.reference.commands import compute_commands_page, compute_schemas_page
from nomadspec.model.errors import ImpossibleError


def test_every_verb_shows_its_help() -> None:
    page = compute_commands_page()

    assert all(f"### `{verb.name}` {{#{verb.name}}}" in page for verb in list_verbs())
    inside = ["check", "show", "refine", "make", "run", "words", "search", "judge"]
    assert page.count("Usage: nomadspec ") == 1 + len(list_verbs()) + len(inside)
    assert "Usage: nomadspec vectors check [OPTIONS] PATH..." in page


def test_schemas_are_listed_with_what_they_describe(tmp_path: Path) -> None:
    folder = tmp_path / "docs/reference/json"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text(json.dumps({"description": "what x prints"}))

    assert "| [x.json](json/x.json) | What x prints. |" in compute_schemas_page(tmp_path)


def test_a_verb_that_is_listed_and_not_there_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "SECTIONS", (("Check", (Verb("guess", "say what might be"),)),))

    with pytest.raises(ImpossibleError, match="The verb guess is listed and not there"):
        compute_commands_page()
