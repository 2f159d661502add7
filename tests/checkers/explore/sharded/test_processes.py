"""Hands in processes: bulks arrive whole, errors too, and a process that is killed is missed."""

import os
import signal
from collections.abc import Sequence
from pickle import PickleBuffer
from typing import Any

import pytest

from nomadspec.checkers.explore.sharded.crew import LostHandError
from nomadspec.checkers.explore.sharded.processes import ProcessCrew


class Parrot:
    """A hand that does what tests ask for."""

    def __init__(self, shards: Sequence[int], _take: object) -> None:
        self.shards = list(shards)

    def measure(self) -> int:
        return os.getpid()

    def adopt(self, shard: int, worlds: Any) -> Any:
        assert shard in self.shards
        return PickleBuffer(bytes(memoryview(worlds))[::-1])

    def expand(self, worlds: Any, first: int, _questions: object) -> Any:
        return first, PickleBuffer(bytes(memoryview(worlds)))

    def undo(self) -> None:
        raise OSError(28, "No space left on device")


def make_crew(hands: int = 2) -> ProcessCrew:
    make: Any = Parrot
    return ProcessCrew(make, hands, 2 * hands)


def test_bulks_go_there_and_back() -> None:
    crew = make_crew()
    content = os.urandom(100_000)

    taken: Any = crew.expand([(PickleBuffer(content), 1), (PickleBuffer(content[:7]), 2)], [])
    adopted = crew.adopt(3, PickleBuffer(content))

    assert content[::-1] == bytes(memoryview(adopted))
    assert [(1, content), (2, content[:7])] == [(first, bytes(memoryview(bulk))) for first, bulk in taken]
    crew.close()


def test_each_hand_has_a_process_of_its_own() -> None:
    crew = make_crew(3)

    found = set(crew.ask(range(3), "measure", [()] * 3))

    assert 3 == len(found - {os.getpid()})
    crew.close()
    for process in found:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_a_full_disk_there_is_an_error_here() -> None:
    crew = make_crew()

    with pytest.raises(OSError, match="No space left"):
        crew.undo()
    assert crew.adopt(0, PickleBuffer(b"still there"))
    crew.close()


def test_a_process_that_was_killed_is_missed() -> None:
    crew = make_crew()
    os.kill(crew.ask([1], "measure", [()])[0], signal.SIGKILL)

    with pytest.raises(LostHandError):
        crew.undo()
    crew.close()
