"""The tables of chapters and prefixes."""

import pytest

from nomadspec.checkers.reference.chapters import APART, CHAPTERS, REASONS, UNCITED, find_uncited, prefix_of
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


def test_every_prefix_has_a_reason() -> None:
    assert {prefix_of(spec_id) for spec_id in IDS} == {each.prefix for each in UNCITED}
    assert {*(each.reason for each in UNCITED), *APART.values()} == REASONS.keys()
    assert set(IDS) >= APART.keys()


def test_every_chapter_has_a_place() -> None:
    assert set(IDS.values()) == {chapter.number for chapter in CHAPTERS}


def test_of_what_kind_an_id_is() -> None:
    assert ("the eval broker", "process") == (
        find_uncited("BROKER-22").subject,
        find_uncited("BROKER-22").reason,
    )
    assert "left out" == find_uncited("GC-72").reason
