"""The tables of chapters and prefixes."""

import pytest

from nomadspec.checkers.reference.chapters import CHAPTERS, REASONS, WAITING, find_waiting, prefix_of
from nomadspec.checkers.reference.ids import list_ids
from nomadspec.checkers.reference.sources import ROOT

IDS = list_ids(ROOT)


@pytest.mark.parametrize(
    ("spec_id", "prefix"),
    [
        ("BROKER-22", "BROKER"),
        ("OBJ-026a", "OBJ"),
        ("04/S-02", "04/S"),
        ("02/S5", "02/S"),
        ("Core!Ack", "Core"),
    ],
)
def test_the_prefix_of_an_id(spec_id: str, prefix: str) -> None:
    assert prefix == prefix_of(spec_id)


def test_every_prefix_says_what_it_waits_for() -> None:
    assert {prefix_of(spec_id) for spec_id in IDS} == {waiting.prefix for waiting in WAITING}
    assert {waiting.reason for waiting in WAITING} == REASONS.keys()


def test_every_chapter_has_a_place() -> None:
    assert set(IDS.values()) == {chapter.number for chapter in CHAPTERS}


def test_what_an_id_waits_for() -> None:
    assert ("the eval broker", "kernel") == (
        find_waiting("BROKER-22").subject,
        find_waiting("BROKER-22").reason,
    )
