"""What every hand of a shared search has to do, whoever takes its steps."""

from array import array
from collections.abc import Callable

from nomadspec.checkers.explore.sharded.hand import Hand
from nomadspec.checkers.explore.sharded.messages import Bulk
from nomadspec.checkers.explore.task import make_task
from tests.checkers.stepper.models import DESK

TASK = make_task(DESK.at(sizes={"notes": 2}), [], "none", stops_at_first=True)

MakeHand = Callable[[int], Hand]
"""Makes a hand that has all of so many shards."""
Pack = Callable[..., bytes]
"""Writes worlds as the hand keeps them."""


def read_places(bulk: Bulk) -> list[int]:
    places = array("I")
    places.frombytes(memoryview(bulk))
    return list(places)


def pack(*worlds: int, unit_bits: int) -> bytes:
    """Write worlds one after the other, each in so many whole units."""
    width = unit_bits // 8 * -(-TASK.layout.bits // unit_bits)
    return b"".join(world.to_bytes(width, "little") for world in worlds)


def assert_each_world_has_one_shard(make_hand: MakeHand, write: Pack) -> None:
    hand = make_hand(3)

    found = [read_places(hand.adopt(shard, write(*range(200)))) for shard in range(3)]

    assert list(range(200)) == sorted(place for places in found for place in places)
    assert all(len(places) > 40 for places in found)


def assert_what_was_stored_last_is_forgotten(make_hand: MakeHand, write: Pack) -> None:
    hand = make_hand(2)
    initial = TASK.stepper.initial[0]
    for shard in range(2):
        hand.adopt(shard, write(initial))

    taken = hand.expand(write(initial), 0, [])
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


def assert_a_round_ends_without_room(make_hand: MakeHand, write: Pack) -> None:
    hand = make_hand(1)
    initial = TASK.stepper.initial[0]
    hand.adopt(0, write(initial))

    taken = hand.expand(write(*([initial] * 100_000)), 0, [])

    assert 0 < taken.worlds < 100_000
