"""The catalogue of IDs: what defines each, and a title for each that is one short sentence."""

import re

import pytest

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.catalogue import find_chapter, find_title, list_ids, list_titles

IDS = list_ids()
TITLES = list_titles()


def test_every_cited_id_has_a_title() -> None:
    untitled = []
    for citation in list_citations():
        try:
            find_title(citation.spec_id)
        except UnknownNameError as error:
            untitled.append(f"{citation.kind} {citation.name}: {error}")

    assert not untitled, "\n".join(untitled)


def test_an_unknown_id_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no spec ID named 'BROKER-99'; did you mean BROKER-"):
        find_chapter("BROKER-99")
    with pytest.raises(UnknownNameError, match=r"no spec ID named 'OBJ-1'"):
        find_title("OBJ-1")


def test_where_an_id_is_defined() -> None:
    assert ["01", "02", "12", "bugs", "own", "Core"] == [
        find_chapter(spec_id)
        for spec_id in ("OBJ-026a", "BROKER-22", "02/S5", "BUG-013", "X-01", "Core!Apply")
    ]


def test_the_catalogue_is_complete_by_count() -> None:
    chapters = list(IDS.values())

    assert [209, 136, 64, 216, 97, 113, 105, 83, 142, 47, 102, 169] == [
        chapters.count(f"{number:02}") for number in range(1, 13)
    ]
    assert [95, 9, 8] == [chapters.count(name) for name in ("bugs", "Core", "TwoPhase")]
    assert IDS.keys() == TITLES.keys()


# One test for all: what a test of its own costs is a thousand times what a title does.
def test_a_title_is_one_short_sentence() -> None:
    assert {} == {spec_id: title for spec_id, title in TITLES.items() if not is_short_sentence(title)}


def is_short_sentence(title: str) -> bool:
    is_sentence = re.fullmatch(r"\S.*[^.]\.", title) is not None and ". " not in title
    return is_sentence and len(title) < 120 and len(title.split()) >= 4


@pytest.mark.parametrize(
    "title",
    [
        "Too short a.",
        "No full stop is at its end",
        "Two. Sentences stand here.",
        " Begins with a space.",
        "x " * 60,
    ],
)
def test_what_is_no_short_sentence_is_no_title(title: str) -> None:
    assert not is_short_sentence(title)


def test_no_two_ids_share_a_title() -> None:
    owners: dict[str, list[str]] = {}
    for spec_id, title in TITLES.items():
        owners.setdefault(title.lower(), []).append(spec_id)

    assert not [shared for shared in owners.values() if len(shared) > 1]


def test_the_title_of_a_quirk_of_our_own_is_what_happens() -> None:
    assert find_title("X-01").startswith("The plan applier of the benchmark protocol commits a plan")
