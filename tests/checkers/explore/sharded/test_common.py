"""Memory that processes see: parts do not overlap, and what lies there is recognised."""

import os

from nomadspec.checkers.explore.sharded.common import PIECE_BYTES, Common, Part, take_from
from nomadspec.checkers.native.memory import Memory


def test_parts_of_all_pieces_lie_apart() -> None:
    common = Common(2)
    parts = [take_from(common, piece, 100) for piece in (0, 1, 0)]

    begins = [common.find(part.address) for part in parts]

    assert [0, PIECE_BYTES, 128] == begins
    assert [256, PIECE_BYTES + 128] == [common.find_free(piece) for piece in range(2)]


def test_what_lies_elsewhere_is_not_found() -> None:
    assert Common(1).find(Memory(1).address) is None


def test_who_finds_no_room_takes_memory_of_its_own() -> None:
    common = Common(1)

    assert isinstance(take_from(common, 0, PIECE_BYTES), Part)
    assert isinstance(take_from(common, 0, 1), Memory)


def test_what_one_process_writes_another_reads() -> None:
    common = Common(1)
    part = take_from(common, 0, 8)

    child = os.fork()
    if not child:
        part.view(2, 3)[:] = b"yes"
        os._exit(0)
    os.waitpid(child, 0)

    assert b"\0\0yes\0\0\0" == bytes(part.view(0, 8))
