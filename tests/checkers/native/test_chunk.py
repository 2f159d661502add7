"""A chunk of successors: made, cut, and stored."""

import sys

from nomadspec.checkers.native.chunk import Chunk
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.checkers.stepper.layout import Layout
from tests.checkers.native.calling import make_program
from tests.checkers.native.models import CALM


def make() -> tuple[Chunk, Table, StoredWorlds]:
    bounded = CALM.at()
    program, words = make_program(bounded)
    worlds = StoredWorlds(words, [Layout(bounded).pack(bounded.initial[0])])
    return Chunk(program, 2), Table(program, worlds), worlds


def test_successors_are_counted_up_to_a_world() -> None:
    chunk, table, worlds = make()
    made = chunk.make(worlds, 0, 1)
    chunk.insert(table, worlds, 0, made.count, sys.maxsize)
    more = chunk.make(worlds, 1, len(worlds))

    assert (9, 1, 9) == (made.count, made.end, len(worlds))
    assert [9 * at for at in range(1, 9)] == [chunk.count_until(at, more.count) for at in range(1, 9)]
    assert 0 == chunk.count_until(0, more.count)


def test_it_is_cut_behind_the_world_with_which_there_is_no_room() -> None:
    chunk, table, worlds = make()
    chunk.insert(table, worlds, 0, chunk.make(worlds, 0, 1).count, sys.maxsize)
    made = chunk.make(worlds, 1, 9)

    inserted = chunk.insert(table, worlds, 1, made.count, 10)

    assert (True, 1, 9) == (inserted.is_cut, inserted.last_parent, inserted.count)
    assert len(worlds) >= 10
    assert 4 * (len(worlds) - 9) == len(inserted.parents)


def test_what_happened_is_taken_once() -> None:
    chunk, table, worlds = make()
    made = chunk.make(worlds, 0, 1)
    inserted = chunk.insert(table, worlds, 0, made.count, sys.maxsize)

    assert not inserted.is_cut
    assert made.count == sum(chunk.take_fired())
    assert 0 == sum(chunk.take_fired())


def test_nothing_is_noted_unless_it_is_asked() -> None:
    chunk, _, worlds = make()
    chunk.make(worlds, 0, 1)

    assert [] == chunk.read_notes()
