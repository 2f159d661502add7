"""The page of coverage."""

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.checkers.reference.coverage import compute_coverage_page
from nomadspec.checkers.reference.mentions import list_naming, read_tests
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.model.specification.catalogue import list_ids

IDS = list_ids()


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


def test_ids_that_nothing_cites_stand_with_title_kind_and_reason() -> None:
    page = compute_coverage_page(ROOT)

    assert (
        "| `ALLOC-17` | Signals and restarts stay between user and client. | actor | "
        "Signals and restarts go to the client and write nothing on the server. |"
    ) in page


def test_a_cited_id_shows_its_title() -> None:
    page = compute_coverage_page(ROOT)

    assert "| `BROKER-04` | A delayed eval is not offered before its Wait or WaitUntil has passed. |" in page
