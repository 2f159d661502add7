"""Rules and properties whose names a file defines twice: the first of them would be asked by nobody."""

import sys
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import properties_in
from nomadspec.model.language.rule import rules_in

DOOR = '''"""A door."""

from nomadspec import FLAG, World, always as promise, field, rule


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


def test_a_module_without_a_file_is_not_read() -> None:
    assert () == rules_in(ModuleType("notebook"))
    assert () == properties_in(sys.modules["builtins"])
