"""Memory outside of Python: it grows and keeps what is in it."""

import ctypes

import pytest

from nomadspec.checkers.native.memory import Memory


@pytest.mark.parametrize("is_populated", [False, True])
def test_it_begins_with_nothing_in_it(is_populated: bool) -> None:
    memory = Memory(10_000, is_populated=is_populated)

    assert memory.size >= 10_000
    assert bytes(10_000) == memory.read(0, 10_000)


def test_it_grows_with_its_content() -> None:
    memory = Memory(1)
    memory.write(0, b"kept")
    size = memory.size

    memory.ensure(size)
    assert size == memory.size
    memory.ensure(1 << 24)

    assert memory.size >= 1 << 24
    assert b"kept" == memory.read(0, 4)
    assert b"kept" == ctypes.string_at(memory.address, 4)
    assert bytes(8) == memory.read((1 << 24) - 8, 8)


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
