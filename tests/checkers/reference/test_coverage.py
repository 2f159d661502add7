"""The page of coverage."""

import re
from collections import Counter
from functools import cache

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.checkers.reference.coverage import compute_coverage_page
from nomadspec.checkers.reference.mentions import list_naming, read_tests
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.model.specification.catalogue import list_ids

IDS = list_ids()


@cache
def write_page() -> str:
    """Write the page once for all that is asked of it."""
    return compute_coverage_page(ROOT)


def test_every_id_is_on_the_page_once() -> None:
    named = Counter(re.findall(r"`(?=([^`]*)`)", write_page()))

    assert [] == [spec_id for spec_id in IDS if named[spec_id] != 1]


def test_the_count_is_true() -> None:
    page = write_page()

    cited = {citation.spec_id for citation in list_citations()}

    assert f"**{len(cited)} of {len(IDS)}** IDs are cited." in page


def test_a_cited_id_names_code_and_tests() -> None:
    page = write_page()

    (row,) = [line for line in page.splitlines() if line.startswith("| `Core!Dequeue` |")]

    assert "core rule [Dequeue](rules.md#core-dequeue)" in row
    assert "`checkers/" in row.rpartition(" | ")[2]


def test_every_cited_id_is_named_in_a_test() -> None:
    tests = read_tests(ROOT / "tests")
    named = {citation.spec_id for citation in list_citations() if list_naming(tests, citation)}

    assert not {citation.spec_id for citation in list_citations()} - named


def test_ids_that_nothing_cites_stand_with_title_kind_and_reason() -> None:
    page = write_page()

    assert (
        "| `GC-33` | A look-up error skips one job only. | follows | A look-up of the model never fails. |"
    ) in page


def test_a_cited_id_shows_its_title() -> None:
    page = write_page()

    assert "| `BROKER-04` | A delayed eval is not offered before its Wait or WaitUntil has passed. |" in page
