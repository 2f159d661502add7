"""The generated page about lifecycles."""

import re
from pathlib import Path

import pytest

from nomadspec.checkers.diagrams.pages import find_stale_lifecycle_docs, generate_lifecycle_docs
from nomadspec.model.lifecycle.catalogue import LIFECYCLES

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    docs = tmp_path_factory.mktemp("docs")
    generate_lifecycle_docs(docs)
    return docs


def test_the_committed_page_and_pictures_show_what_the_tables_say() -> None:
    assert find_stale_lifecycle_docs(DOCS) == ()


def test_generating_again_writes_nothing(generated: Path) -> None:
    assert generate_lifecycle_docs(generated) == ()


def test_a_page_that_was_edited_by_hand_is_written_again(generated: Path) -> None:
    page = generated / "concepts" / "lifecycles.md"
    before = page.read_text()
    page.write_text(before + "by hand")

    assert generate_lifecycle_docs(generated) == (page,)
    assert page.read_text() == before


def test_a_picture_of_something_else_is_drawn_again(generated: Path) -> None:
    picture = generated / "diagrams" / "node.svg"
    before = picture.read_bytes()
    picture.write_bytes((generated / "diagrams" / "job.svg").read_bytes())

    assert generate_lifecycle_docs(generated) == (picture,)
    assert picture.read_bytes() == before


def test_every_picture_that_the_page_links_to_is_there(generated: Path) -> None:
    page = generated / "concepts" / "lifecycles.md"
    targets = set(re.findall(r"\]\((\.\./diagrams/[^)]+)\)", page.read_text()))

    assert len(targets) == 2 * (len(LIFECYCLES) + 2)
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("name", LIFECYCLES)
def test_the_page_lists_every_arrow(generated: Path, name: str) -> None:
    page = (generated / "concepts" / "lifecycles.md").read_text()
    section = page.split(f"## {LIFECYCLES[name].title}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| from")]

    assert len(rows) == len(LIFECYCLES[name].arrows)
    assert all(remark.text in section for remark in LIFECYCLES[name].remarks)
