"""Rules and properties whose names a file defines twice: the first of them would be asked by nobody."""

import linecache
import sys
from importlib import util
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any

import pytest

from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import properties_in
from nomadspec.model.language.rule import rules_in
from nomadspec.model.language.shadowed_definitions import UnreadTextWarning

DOOR = '''"""A door."""

from nomadspec import FLAG, Model, World, always as promise, field, rule


class Door(World):
    open = field(FLAG, init=False, about="the door is open")


@rule("Door-1")
def push(s, t):
    """Somebody opens it."""
    t.open = True


@promise("Door-2", why="it is cold outside")
def is_closed(s):
    return s.open == False


'''


def load(tmp_path: Path, text: str) -> ModuleType:
    file = tmp_path / "door.py"
    file.write_text(text)
    spec = util.spec_from_file_location("door_of_a_test", file)
    assert spec is not None and spec.loader is not None  # noqa: PT018 -- of a file there are both
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("twice", "lost"),
    [
        ('@promise("Door-3", why="w")\ndef is_closed(s):\n    return s.open == s.open\n', "line 17"),
        ("def is_closed(s):\n    return True\n", "line 17"),
        ('@promise("Door-3", why="w")\ndef push(s):\n    return s.open == s.open\n', "line 11"),
        ("class push:\n    pass\n", "line 11"),
        ("is_closed = None\n", "line 17"),
        ("from os import path as push\n", "line 11"),
        ("for push in ():\n    pass\n", "line 11"),
        ("del is_closed\n", "line 17"),
    ],
)
def test_a_name_that_is_defined_again_is_refused(tmp_path: Path, twice: str, lost: str) -> None:
    module = load(tmp_path, DOOR + twice)

    for list_in in (rules_in, properties_in):
        with pytest.raises(ModelError, match=rf"door\.py:\d+: \w+ is defined again, .*{lost} is lost"):
            list_in(module)


@pytest.mark.parametrize(
    "more",
    ["", "def helper(s):\n    return s\n\n\ndef helper(s):\n    return s.open\n", "is_closed = is_closed\n"],
)
def test_other_names_may_come_again(tmp_path: Path, more: str) -> None:
    module = load(tmp_path, DOOR + more)

    assert ["push"] == [one.text.__name__ for one in rules_in(module)]
    assert ["is_closed"] == [one.name for one in properties_in(module)]


NAMED = 'MODEL = Model("door", "a door", Door, rules=(push,), properties=(is_closed,))\n'
AGAIN = '@promise("Door-3", why="w")\ndef is_closed(s):\n    return s.open == s.open\n'


def write_cell(name: str, text: str) -> dict[str, Any]:
    """Run a text as a notebook runs a cell: its lines are known, and there is no file."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), names)  # noqa: S102 -- the text is ours
    return names


def test_a_model_that_names_its_properties_loses_none() -> None:
    with pytest.raises(ModelError, match=r"^cell 1:22: is_closed is defined again, .* line 17 is lost"):
        write_cell("cell 1", DOOR + AGAIN + NAMED)


def test_a_name_may_come_again_once_a_model_has_used_it() -> None:
    text = DOOR + NAMED + AGAIN + NAMED

    assert "Door-3" == write_cell("cell 2", text)["MODEL"].properties[0].spec[0]


def test_definitions_of_two_functions_do_not_hide_each_other() -> None:
    made = indent(DOOR[DOOR.index("@promise") :], "    ") + "    return is_closed\n\n\n"
    text = DOOR + f"def one():\n{made}def other():\n{made}"

    assert write_cell("cell 3", text + NAMED.replace("is_closed", "one()"))["MODEL"].properties


def test_a_definition_is_lost_within_a_function_as_well() -> None:
    made = indent(DOOR[DOOR.index("@promise") :] + AGAIN, "    ") + "    return is_closed\n\n\n"
    text = DOOR.replace("def is_closed", "def is_shut")

    with pytest.raises(ModelError, match=r"^cell 4:28: is_closed is defined again, .* line 23 is lost"):
        write_cell("cell 4", f"{text}def one():\n{made}" + NAMED.replace("is_closed", "one()"))


def test_where_a_text_cannot_be_read_a_warning_says_so() -> None:
    text = DOOR + NAMED
    with pytest.warns(UnreadTextWarning, match="^The text of <string>, from which door has rules"):
        exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102 -- the text is ours


def test_a_module_without_a_file_is_not_read() -> None:
    assert () == rules_in(ModuleType("notebook"))
    assert () == properties_in(sys.modules["builtins"])
