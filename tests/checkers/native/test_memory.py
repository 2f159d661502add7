"""Memory outside of Python: it grows and keeps what is in it."""

import ctypes
import os
import resource
from pathlib import Path

import pytest

from nomadspec.checkers.explore.limits import measure_memory_bytes
from nomadspec.checkers.native.memory import Memory


@pytest.fixture(params=["memory", "file"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path if request.param == "file" else None


def test_it_begins_with_nothing_in_it(folder: Path | None) -> None:
    memory = Memory(10_000, folder=folder)

    assert memory.size >= 10_000
    assert bytes(10_000) == memory.read(0, 10_000)


def test_it_grows_with_its_content(folder: Path | None) -> None:
    memory = Memory(1, folder=folder)
    memory.write(0, b"kept")
    size = memory.size

    memory.ensure(size)
    assert size == memory.size
    memory.ensure(1 << 24)

    assert memory.size >= 1 << 24
    assert b"kept" == memory.read(0, 4)
    assert b"kept" == ctypes.string_at(memory.address, 4)
    assert bytes(8) == memory.read((1 << 24) - 8, 8)


def test_large_memory_stays_where_it_is() -> None:
    memory = Memory(1)
    memory.ensure(1 << 22)
    memory.write((1 << 22) - 4, b"kept")
    address = memory.address

    memory.ensure(1 << 26)

    assert (address, b"kept") == (memory.address, memory.read((1 << 22) - 4, 4))


def test_who_holds_much_of_it_can_start_processes() -> None:
    held = [Memory(1) for _ in range(8)]
    for memory in held:
        memory.ensure(1 << 22)

    child = os.fork()
    if not child:
        os._exit(0)

    assert 0 == os.waitpid(child, 0)[1]


def test_where_addresses_are_few_memory_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomadspec.checkers.native.memory._MOST", 1 << 62)
    memory = Memory(1)

    for size in (1 << 22, 1 << 23, 1 << 24):
        memory.ensure(size)
        memory.put(size // 8 - 1, size)

    assert [1 << 22, 1 << 23, 1 << 24] == [memory.word((1 << bits) // 8 - 1) for bits in (22, 23, 24)]


def test_words_have_no_sign() -> None:
    memory = Memory(64)
    memory.put(3, -1)
    memory.put(4, 5)

    assert (1 << 64) - 1 == memory.word(3)
    assert 5 == memory.word(4)
    assert 0 == memory.word(2)


def test_it_is_given_back() -> None:
    memory = Memory(100)
    memory.close()

    with pytest.raises(ValueError, match="closed"):
        memory.read(0, 1)


def test_what_lies_in_a_file_comes_back_after_a_rest(tmp_path: Path) -> None:
    memory = Memory(1 << 24, folder=tmp_path)
    memory.write(0, b"x" * (1 << 24))
    held = measure_memory_bytes()

    memory.rest()

    assert measure_memory_bytes() <= held - (1 << 23)
    assert b"x" * (1 << 24) == memory.read(0, 1 << 24)
    assert [] == list(tmp_path.iterdir())


def test_a_full_disk_is_known_when_memory_is_asked_for(tmp_path: Path) -> None:
    memory = Memory(1, folder=tmp_path)
    memory.write(0, b"kept")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, usual[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            memory.ensure(1 << 20)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    assert b"kept" == memory.read(0, 4)


def test_what_is_shown_can_be_written() -> None:
    memory = Memory(100)

    with memory.view(8, 8) as view:
        view[0] = 7

    assert 7 == memory.word(1)
