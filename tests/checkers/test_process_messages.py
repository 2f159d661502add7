"""What is told between processes arrives, and nothing in it is executed."""

import ast
from array import array
from pathlib import Path
from pickle import PickleBuffer
from types import MappingProxyType

import msgspec
import pytest

from nomadspec.checkers import process_messages
from nomadspec.checkers.explore.sharded.messages import Noted, Parcel, Stored, Taken
from nomadspec.checkers.process_messages import decode, encode
from nomadspec.checkers.verdict import Budget, Finding, Verdict
from nomadspec.model.errors import ImpossibleError, InputError, UnknownNameError
from nomadspec.model.language.story import Application, Story

STORY = Story("m", "s", {"a": 1}, "p", (Application("R", {"x": 1, "y": "b", "z": True}),), witnesses=())


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(1 << 63),
        (1 << 64) + 1,
        -(1 << 200),
        1.5,
        "x\x00\ud7ff",
        b"\x00\xff",
        [1, (2, [3]), {"a": (4,)}, {5}, frozenset({6})],
        {(1, 2): {3: 4}},
        [],
        array("H", [1, 65535]),
        Verdict.HOLDS,
        Budget("b", 3, 2),
        Finding("p", None, STORY),
        Taken(1, (Parcel(b"a", b"b"),), (Noted(0, 1, 2),)),
    ],
    ids=repr,
)
def test_what_is_told_is_heard(value: object) -> None:
    heard = decode(encode(value))

    assert value == heard
    assert type(value) is type(heard)


def test_a_mapping_that_nobody_can_change_becomes_one_that_is_alike() -> None:
    assert {"a": 1} == decode(encode(MappingProxyType({"a": 1})))


def test_errors_keep_all_that_they_say() -> None:
    for error in (InputError("f", "bad", at="x"), UnknownNameError("rule", "Dequeu", ["Dequeue"])):
        heard = decode(encode(error))

        assert (type(error), str(error), vars(error)) == (type(heard), str(heard), vars(heard))


def test_bulks_are_placed_and_not_copied() -> None:
    memory = bytearray(24)
    stored = Stored(memoryview(memory), PickleBuffer(memory), memoryview(memory)[:0], (1, 2), 3, ())
    placed: list[memoryview] = []

    def place(bulk: memoryview) -> int:
        placed.append(bulk)
        return len(placed) - 1

    heard = decode(encode(stored, place), placed.__getitem__)

    assert [24, 24, 0] == [memoryview(bulk).nbytes for bulk in (heard.births, heard.worlds, heard.found)]
    memory[0] = 7
    assert 7 == memoryview(heard.births)[0]


class Stranger:
    """Nothing of the package."""


@pytest.mark.parametrize(
    "value", [Stranger(), print, Stranger, object()], ids=["own", "call", "class", "any"]
)
def test_nothing_else_is_told(value: object) -> None:
    with pytest.raises(ImpossibleError, match="No process can be told"):
        encode([value])


@pytest.mark.parametrize(
    "message",
    [
        [8, "os", "system", "true"],
        [8, "subprocess", "Popen", "true"],
        [8, "nomadspec.checkers.process_messages", "encode", "x"],
        [8, "nomadspec.checkers.verdict", "Verdict", "HOLDS"],
        [9, "nomadspec.checkers.verdict", "Budget", "HOLDS"],
        [10, "builtins", "SystemExit", [1], [2]],
        [8, "nomadspec.checkers.verdict", "nothing"],
        [8, "nomadspec_evil", "Budget"],
        [77, "nomadspec.checkers.verdict", "Budget"],
    ],
    ids=str,
)
def test_what_is_heard_makes_records_of_this_package_only(message: list[object]) -> None:
    with pytest.raises(ImpossibleError, match="which nothing is made of"):
        decode(msgspec.msgpack.encode(message))


PICKLING = ("pickle", "marshal", "shelve")
SENDING = ("recv", "Pool", "Queue", "Manager")
"""What reads pickles when it is called, in the package multiprocessing."""


def test_nothing_of_the_program_reads_pickles() -> None:
    """PickleBuffer is a view that Ray does not copy; what Ray itself does is its own."""
    root = Path(process_messages.__file__).parents[1]
    found = set[str]()
    for path in [*root.glob("checkers/**/*.py"), *root.glob("model/**/*.py")]:
        text = path.read_text()
        if not any(word in text for word in (*PICKLING, *SENDING)):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Attribute) and node.attr in SENDING:
                found.add(f"pickle.{node.attr}")

    pickling = {name for name in found if name.split(".")[0] in {*PICKLING, "cloudpickle"}}
    assert {"pickle.PickleBuffer"} == pickling
