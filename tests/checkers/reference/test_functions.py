"""The page of functions that cite by their docstrings."""

from nomadspec.checkers.reference.citations import list_citations
from nomadspec.checkers.reference.functions import compute_functions_page
from nomadspec.checkers.reference.sources import ROOT


def test_every_citation_links_to_a_heading_of_the_page() -> None:
    page = compute_functions_page(ROOT)
    links = {citation.link for citation in list_citations() if citation.kind == "function"}

    assert links
    assert all(f"{{#{link.partition('#')[2]}}}" in page for link in links)


def test_a_function_stands_with_what_it_does() -> None:
    rows = [line for line in compute_functions_page(ROOT).splitlines() if line.startswith("| `")]

    assert any(row.count("|") == 4 and "OBJ-" in row for row in rows)
