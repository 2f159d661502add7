"""What those who share a search tell one another."""

import pickle
from array import array

from nomadspec.checkers.explore.sharded.messages import (
    Noted,
    Parcel,
    Place,
    Stored,
    count_numbers,
    read_numbers,
)


def make_parcel(*parents: int) -> Parcel:
    worlds = b"".join(bytes([parent]) * 16 for parent in parents)
    return Parcel(worlds, array("Q", [7 << 32 | parent for parent in parents]).tobytes())


def test_a_parcel_is_cut_before_a_world() -> None:
    parcel = make_parcel(3, 3, 5, 8)

    assert [0, 2, 3, 4] == [len(parcel.cut(end)) for end in (3, 4, 6, 9)]
    assert bytes([3]) * 32 == bytes(parcel.cut(5).worlds)
    assert [7 << 32 | 3] * 2 == list(read_numbers(parcel.cut(5).entries))
    assert parcel is parcel.cut(100)


def test_a_parcel_is_sent_without_being_copied() -> None:
    parcel, bulks = make_parcel(1, 2), list[pickle.PickleBuffer]()

    text = pickle.dumps(parcel, protocol=5, buffer_callback=bulks.append)
    again = pickle.loads(text, buffers=bulks)  # noqa: S301 -- written above

    assert 2 == len(bulks)
    assert bytes(parcel.worlds) == bytes(memoryview(again.worlds))
    assert 2 == len(again) == count_numbers(again.entries)


def test_what_was_stored_is_sent_without_being_copied() -> None:
    view, bulks = memoryview(bytearray(24)), list[pickle.PickleBuffer]()
    stored = Stored(view, view[:8], view[:0], (1, 2), 3, (Noted(0, 5, 1, 9),))

    text = pickle.dumps(stored, protocol=5, buffer_callback=bulks.append)
    again = pickle.loads(text, buffers=bulks)  # noqa: S301 -- written above

    assert [24, 8, 0] == [memoryview(bulk).nbytes for bulk in bulks]
    assert [24, 8, 0] == [memoryview(bulk).nbytes for bulk in (again.births, again.worlds, again.found)]
    assert ((1, 2), 3, (Noted(0, 5, 1, 9),)) == (again.fired, again.count, again.noted)


def test_steps_come_before_the_worlds_that_they_lead_to() -> None:
    notes = [Noted(0, 5, 1, 9), Noted(1, 5, 1), Noted(2, 4, 8, 2), Noted(3, 5, 0, 1)]

    assert [2, 3, 1, 0] == [note.question for note in sorted(notes, key=lambda note: note.order)]


def test_what_must_not_be_written_is_copied_and_nothing_lies_nowhere() -> None:
    writable = bytearray(b"some")

    assert Place(writable).address == Place(memoryview(writable)).address
    assert Place(b"some").address
    assert 0 == Place(b"").address
