"""The table of worlds: it grows, and finds what is in it."""

import sys

from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.comparing import compile_for
from tests.checkers.native.calling import make_program
from tests.checkers.native.models import CALM


def list_entries(table: Table) -> dict[int, int]:
    slots = ((at, table.memory.word(at)) for at in range(table.slots))
    return {at: slot for at, slot in slots if slot}


def test_a_larger_table_has_the_same_entries_near_their_places() -> None:
    program, words = make_program(CALM.at())
    worlds = StoredWorlds(words, range(5000))
    table = Table(program, worlds)
    before = list_entries(table)

    table.make_room(60_000)
    after = list_entries(table)

    assert 65_000 < 0.7 * table.slots < 1.5 * 65_000
    assert sorted(before.values()) == sorted(after.values())
    assert list(range(1, 5001)) == sorted(slot & 0xFFFFFFFF for slot in after.values())
    for at, slot in after.items():
        distance = (at - (slot >> 32) * table.slots // (1 << 32)) % table.slots
        assert distance < 50


def test_a_table_that_is_large_enough_stays() -> None:
    program, words = make_program(CALM.at())
    table = Table(program, StoredWorlds(words, [1, 2, 3]))
    address = table.memory.address

    table.make_room(1000)

    assert (address, 8 << 16) == (table.memory.address, table.size)


def test_a_search_finds_each_world_once_while_the_table_grows() -> None:
    task = make_task(find_model("core").at("flip", profile="nomad-2.0"), [], "none", stops_at_first=True)
    search = compile_for(task, Search(task).explored)

    while not search.is_over and len(search.explored.worlds) < 120_000:
        search.expand(1, sys.maxsize)

    worlds = list(search.explored.worlds)
    assert len(worlds) == len(set(worlds)) >= 120_000
