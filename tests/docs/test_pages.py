"""The documentation says what is the case: its commands and code are run, its outputs compared."""

import re
from pathlib import Path

import pytest

from tests.docs.blocks import SEQUENCES, check_page, make_directory
from tests.tidy.source import ROOT

QUICK = ("index", "add-a-rule")
"""The pages that are run with the usual tests; the others, which take seconds, are run in CI."""


@pytest.mark.parametrize(
    "sequence",
    [
        pytest.param(pages, id=name, marks=[] if name in QUICK else [pytest.mark.deep])
        for pages in SEQUENCES
        for name in (Path(pages[0]).stem,)
    ],
)
def test_the_pages_are_true(sequence: tuple[str, ...], tmp_path: Path) -> None:
    directory = make_directory(tmp_path)
    differences = {
        page: [difference.actual for difference in check_page((ROOT / page).read_text(), directory)]
        for page in sequence
    }

    assert not any(differences.values()), (
        f"run `python -m tests.docs.blocks --rewrite` and read the diff: {differences}"
    )


def test_every_page_with_code_is_run() -> None:
    run = {page for pages in SEQUENCES for page in pages}
    with_code = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "docs").rglob("*.md")
        if re.search(r"^```(console|python)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    left = {page for page in with_code - run if not page.startswith(("docs/adr/", "docs/reference/"))}

    assert set() == left


def test_no_heading_begins_with_a_digit() -> None:
    """Its ID would as well, and the script of the site stops at such an ID."""
    for page in sorted(set((ROOT / "docs").rglob("*.md")) - set((ROOT / "docs" / "reference").iterdir())):
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)

        assert [] == re.findall(r"^#+ \d(?!.*\{#).*|^#+ .*\{#\d.*", text, re.MULTILINE), page


def test_no_code_of_a_sentence_is_broken_over_two_lines() -> None:
    """The site shows such code as it stands, with the line broken."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = re.sub(
            r"^ *```.*?^ *```$", "\n", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        broken = [
            code
            for paragraph in re.split(r"\n\s*\n", text)
            for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", paragraph)
            if "\n" in code
        ]
        assert [] == broken, page
