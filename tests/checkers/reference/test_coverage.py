"""The page of coverage."""

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.checkers.reference.coverage import compute_coverage_page
from nomadspec.checkers.reference.ids import list_ids
from nomadspec.checkers.reference.mentions import list_naming, read_tests
from nomadspec.checkers.reference.sources import ROOT

IDS = list_ids(ROOT)


def test_every_id_is_on_the_page_once() -> None:
    page = compute_coverage_page(ROOT)

    twice = [spec_id for spec_id in IDS if page.count(f"`{spec_id}`") != 1]

    assert not twice


def test_the_count_is_true() -> None:
    page = compute_coverage_page(ROOT)

    cited = {citation.spec_id for citation in list_citations()}

    assert f"**{len(cited)} of {len(IDS)}** IDs are cited." in page


def test_a_cited_id_names_code_and_tests() -> None:
    page = compute_coverage_page(ROOT)

    (row,) = [line for line in page.splitlines() if line.startswith("| `Core!Dequeue` |")]

    assert "core rule [Dequeue](rules.md#core-dequeue)" in row
    assert "`checkers/" in row.rpartition(" | ")[2]


def test_every_cited_id_is_named_in_a_test() -> None:
    tests = read_tests(ROOT / "tests")
    named = {citation.spec_id for citation in list_citations() if list_naming(tests, citation)}

    assert not {citation.spec_id for citation in list_citations()} - named


def test_ids_that_nothing_cites_stand_with_their_kind() -> None:
    page = compute_coverage_page(ROOT)

    assert "**Not cited:** clients (actor): `CLIENT-02`, " in page
