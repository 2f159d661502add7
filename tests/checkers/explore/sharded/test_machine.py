"""A hand with machine code: each world has one shard, and what was stored last can be forgotten."""

from functools import partial

from nomadspec.checkers.explore.compiled import compile_program, list_questions
from nomadspec.checkers.explore.sharded.machine import MachineHand
from nomadspec.checkers.native.program import Program
from tests.checkers.explore.sharded.handling import (
    TASK,
    assert_a_round_ends_without_room,
    assert_each_world_has_one_shard,
    assert_what_was_stored_last_is_forgotten,
    pack,
)

write = partial(pack, unit_bits=64)


def make_hand(shards: int) -> MachineHand:
    program = compile_program(TASK)
    assert isinstance(program, Program)
    return MachineHand(program, list_questions(TASK), range(shards), shards, 100, None)


def test_each_world_belongs_to_one_shard() -> None:
    assert_each_world_has_one_shard(make_hand, write)


def test_what_was_stored_last_can_be_forgotten() -> None:
    assert_what_was_stored_last_is_forgotten(make_hand, write)


def test_a_round_ends_where_there_is_no_more_room() -> None:
    assert_a_round_ends_without_room(make_hand, write)


def test_what_lies_in_memory_is_told_by_views() -> None:
    hand, initial = make_hand(1), write(TASK.stepper.initial[0])
    hand.adopt(0, initial)

    taken = hand.expand(initial, 0, [])
    (stored,) = hand.insert([(0, taken.parcels)], [])
    told = [stored.births, stored.worlds, stored.found, taken.parcels[0].worlds, taken.parcels[0].entries]

    assert [memoryview] * 5 == [type(bulk) for bulk in told]  # a PickleBuffer of one may crash Python
