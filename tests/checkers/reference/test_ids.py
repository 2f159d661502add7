"""The list of IDs, and that everything the code cites is in it."""

from pathlib import Path

import pytest

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.checkers.reference.ids import find_chapter, list_ids, read_ids
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.model.errors import InputError, UnknownNameError

IDS = list_ids(ROOT)


def test_every_cited_id_is_defined_somewhere() -> None:
    unknown = []
    for citation in list_citations():
        try:
            find_chapter(IDS, citation.spec_id)
        except UnknownNameError as error:
            unknown.append(f"{citation.kind} {citation.name}: {error}")

    assert not unknown, "\n".join(unknown)


def test_an_unknown_id_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no spec ID named 'BROKER-99'; did you mean BROKER-"):
        find_chapter(IDS, "BROKER-99")


def test_where_an_id_is_defined() -> None:
    assert ["01", "02", "12", "bugs", "own", "Core"] == [
        find_chapter(IDS, spec_id)
        for spec_id in ("OBJ-026a", "BROKER-22", "02/S5", "BUG-013", "X-01", "Core!Apply")
    ]


def test_the_list_is_complete_by_count() -> None:
    chapters = list(IDS.values())

    assert [206, 136, 64, 216, 97, 113, 105, 83, 142, 47, 102, 166] == [
        chapters.count(f"{number:02}") for number in range(1, 13)
    ]
    assert 95 == chapters.count("bugs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("EVAL-01 02\n", "ids.txt, at line 1: expected an ID, a tab and a chapter"),
        ("EVAL-01\t02\nEVAL-01\t02\n", "ids.txt, at line 2: the ID is listed twice"),
    ],
)
def test_a_damaged_list_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "ids.txt"
    path.write_text(text)

    with pytest.raises(InputError) as caught:
        read_ids(path)

    assert message in str(caught.value)
