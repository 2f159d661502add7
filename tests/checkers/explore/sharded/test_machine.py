"""A hand with machine code: each world has one shard, and what was stored last can be forgotten."""

from array import array

from nomadspec.checkers.explore.compiled import compile_program, list_questions
from nomadspec.checkers.explore.sharded.machine import MachineHand
from nomadspec.checkers.explore.sharded.messages import Bulk
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.native.program import Program
from tests.checkers.stepper.models import DESK

TASK = make_task(DESK.at(sizes={"notes": 2}), [], "none", stops_at_first=True)


def make_hand(shards: int) -> MachineHand:
    program = compile_program(TASK)
    assert isinstance(program, Program)
    return MachineHand(
        program, list_questions(TASK), len(TASK.bounded.instances), range(shards), shards, 100, None
    )


def read_places(bulk: Bulk) -> list[int]:
    places = array("I")
    places.frombytes(memoryview(bulk))
    return list(places)


def pack(*worlds: int) -> bytes:
    width = 8 * -(-TASK.layout.bits // 64)
    return b"".join(world.to_bytes(width, "little") for world in worlds)


def test_each_world_belongs_to_one_shard() -> None:
    hand = make_hand(3)

    found = [read_places(hand.adopt(shard, pack(*range(200)))) for shard in range(3)]

    assert list(range(200)) == sorted(place for places in found for place in places)
    assert all(len(places) > 40 for places in found)


def test_what_was_stored_last_can_be_forgotten() -> None:
    hand = make_hand(2)
    initial = TASK.stepper.initial[0]
    for shard in range(2):
        hand.adopt(shard, pack(initial))

    taken = hand.expand(pack(initial), 0, [])
    given = [(shard, [taken.parcels[shard]]) for shard in range(2)]
    first = hand.insert(given, [])
    again = hand.insert(given, [])
    hand.undo()
    hand.insert(given, [])
    told = hand.insert_and_tell(given, [])

    assert 1 == taken.worlds
    assert sum(map(len, taken.parcels)) == sum(one.count for one in first)
    assert any(bytes(memoryview(one.births)) for one in first)
    assert not any(bytes(memoryview(one.births)) for one in again)
    assert [one.count for one in told] == [len(read_places(one.found)) for one in told]


def test_a_round_ends_where_there_is_no_more_room() -> None:
    hand = make_hand(1)
    hand.adopt(0, pack(TASK.stepper.initial[0]))

    taken = hand.expand(pack(*([TASK.stepper.initial[0]] * 100_000)), 0, [])

    assert 0 < taken.worlds < 100_000
