"""The table of chapters."""

import pytest

from nomadspec.checkers.reference.chapters import CHAPTERS, prefix_of
from nomadspec.model.specification.catalogue import list_ids

IDS = list_ids()


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


def test_every_chapter_has_a_place() -> None:
    assert set(IDS.values()) == {chapter.number for chapter in CHAPTERS}
