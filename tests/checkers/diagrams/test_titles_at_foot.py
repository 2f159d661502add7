"""Titles at the foot of pages."""

import re

import pytest

from nomadspec.checkers.diagrams.titles_at_foot import HEADING, add_titles
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.report.titles import list_ids_in
from nomadspec.model.specification.catalogue import list_titles

PAGES = ("lifecycles", "cluster-properties", "kernel")


def test_each_id_has_its_title_once() -> None:
    page = add_titles("# Page\n\nAs GC-23 says, and `02/S13`, and GC-23; UTF-8 is none.\n")
    rows = [f"| {one} | {list_titles()[one]} |" for one in ("02/S13", "GC-23")]

    assert page.endswith("\n".join([f"\n\n{HEADING}\n", "| ID | title |", "| --- | --- |", *rows, ""]))


def test_titles_that_stand_there_are_written_anew() -> None:
    page = add_titles("As GC-23 says.\n")

    assert page == add_titles(page)
    assert add_titles("As GC-20 says.\n") == add_titles(page.replace("As GC-23", "As GC-20"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_committed_tells_what_its_ids_say(name: str) -> None:
    page = (ROOT / f"docs/concepts/{name}.md").read_text()
    told, _, foot = page.partition(f"\n{HEADING}\n")

    assert page == add_titles(page), "run `python -m nomadspec.checkers.reference`"
    assert "(#titles-of-the-ids)" in told
    assert list_ids_in(told) == re.findall(r"^\| (\S+) \| .+ \|$", foot, re.MULTILINE)[2:]
