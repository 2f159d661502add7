import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from nomadspec.checkers.mutants.edits import Edit, find_definition, list_edits
from nomadspec.checkers.mutants.mutant import list_mutants
from nomadspec.model.errors import ImpossibleError
from tests.checkers.mutants.jar import JAR

Lister = Callable[[str], list[Edit]]

EDITS = {(one.part.name, one.edit.kind, one.edit.before, one.edit.after) for one in list_mutants(JAR)}


@pytest.mark.parametrize(
    "edit",
    [
        ("fill", "condition dropped", "s.sweets < s.room", "True"),
        ("fill", "condition dropped", "s.sweets + 1 == s.room", "True"),
        ("fill", "comparison turned", "s.sweets < s.room", "s.sweets <= s.room"),
        ("fill", "comparison turned", "s.lid == Lid.OPEN", "s.lid != Lid.OPEN"),
        ("fill", "off by one", "1", "2"),
        ("fill", "effect left out", "t.sweets = s.sweets + 1", "pass"),
        ("fill", "effect left out", "full.lid = Lid.SHUT", "pass"),
        ("fill", "value mixed up", "Lid.SHUT", "Lid.OPEN"),
        (
            "take",
            "branches swapped",
            "ite(s.sweets == 1, Lid.OPEN, s.lid)",
            "ite(s.sweets == 1, s.lid, Lid.OPEN)",
        ),
        ("has_sweets", "comparison turned", "s.sweets > 0", "s.sweets >= 0"),
        ("joy_lasts", "property made true", "joy_lasts", "True"),
        ("all_are_happy", "property made true", "all_are_happy", "True"),
    ],
)  # fmt: skip
def test_a_mistake_is_made(edit: tuple[str, str, str, str]) -> None:
    assert edit in EDITS


def test_quantifiers_are_turned_in_properties() -> None:
    turned = {
        (name, before[:7], after[:7]) for name, kind, before, after in EDITS if kind == "quantifier turned"
    }

    assert ("joy_lasts", "for_all", "exists(") in turned
    assert ("the_lid_is_shut", "exists(", "for_all") in turned


@pytest.fixture
def edits_of(tmp_path: Path) -> Lister:
    """List the mistakes of a rule that stands in a file of its own."""

    def list_of(text: str) -> list[Edit]:
        path = tmp_path / "pour.py"
        path.write_text(text)
        return list_edits(str(path), 1, {}, is_property=False)

    return list_of


def test_neighbouring_effects_of_one_form_are_swapped(edits_of: Lister) -> None:
    found = edits_of("def pour(s, t):\n    t.a = s.x\n    t.b = s.y\n    t.c = 1\n")

    assert ["t.a = s.x; t.b = s.y"] == [edit.before for edit in found if edit.kind == "effects swapped"]
    assert ["t.a = s.y; t.b = s.x"] == [edit.after for edit in found if edit.kind == "effects swapped"]


def test_a_quantifier_that_is_chosen_is_turned(edits_of: Lister) -> None:
    found = edits_of("def pour(s, t):\n    enough = exists if s.has(1) else for_all\n    t.a = enough(s.x)\n")

    assert {"exists", "for_all"} == {edit.before for edit in found if edit.kind == "quantifier turned"}


def test_decorators_and_docstrings_are_left_alone(edits_of: Lister) -> None:
    text = '@rule(1)\ndef pour(s, t, a=2):\n    """Pour 3."""\n    t.a = s.x + 4\n'

    assert ["4"] == [edit.before for edit in edits_of(text) if edit.kind == "off by one"]


def test_the_line_of_the_mistake_is_told(edits_of: Lister) -> None:
    found = edits_of("def pour(s, t):\n    t.require(\n        s.x,\n        s.y,\n    )\n    t.a = 1\n")

    assert [3, 4] == [edit.line for edit in found if edit.kind == "condition dropped"]


def test_no_edit_changes_the_text_that_others_are_made_from() -> None:
    part = list_mutants(JAR)[0].part
    before = ast.dump(find_definition(part.file, part.line))
    list_edits(part.file, part.line, {}, is_property=False)

    assert before == ast.dump(find_definition(part.file, part.line))


def test_a_line_without_a_function_is_a_defect() -> None:
    with pytest.raises(ImpossibleError, match="No function is defined in line 1"):
        find_definition(list_mutants(JAR)[0].part.file, 1)
