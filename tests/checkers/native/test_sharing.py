"""Machine code for several tables: whose a world is, and what is removed from a table."""

from array import array

from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.table import Table
from nomadspec.checkers.native.worlds import StoredWorlds
from tests.checkers.native.calling import address_of, make_program
from tests.checkers.native.models import CALM, SHELF


def test_each_world_is_selected_once_and_keeps_its_words() -> None:
    program, words = make_program(SHELF.at("wide"))
    worlds = StoredWorlds(words, [number << 60 | number for number in range(500)])
    seen = []
    for shard in range(7):
        out, places = Memory(500 * worlds.width), array("I", bytes(4)) * 500
        count = program.sharing.select(
            worlds.memory.address, 500, 7, shard, out.address, places.buffer_info()[0]
        )
        seen += places[:count].tolist()
        assert worlds.memory.read(places[0] * worlds.width, worlds.width) == out.read(0, worlds.width)
        assert 30 < count < 120

    assert list(range(500)) == sorted(seen)


def test_successors_go_to_those_whose_they_are() -> None:
    program, words = make_program(CALM.at())
    worlds = StoredWorlds(words, range(100))
    entries = array("Q", [3 << 32 | at for at in range(100)])
    boxes = [(Memory(8 * 100), Memory(8 * 100)) for _ in range(2)]
    context = array("Q", [number for one, other in boxes for number in (one.address, other.address, 0)])

    program.sharing.split(worlds.memory.address, address_of(entries), 100, 1000, 2, address_of(context))

    found = {
        one.word(at): other.word(at)
        for shard, (one, other) in enumerate(boxes)
        for at in range(context[3 * shard + 2])
    }
    assert {at: 3 << 32 | 1000 + at for at in range(100)} == found


def test_a_table_is_as_it_was_after_its_last_worlds_are_removed() -> None:
    program, words = make_program(CALM.at())
    worlds = StoredWorlds(words, range(30_000))
    table = Table(program, worlds)
    before = table.memory.read(0, table.size)
    worlds.pack(range(100_000, 120_000))
    table.enter(30_000)

    assert before != table.memory.read(0, table.size)
    table.remove(30_000)

    assert before == table.memory.read(0, table.size)
