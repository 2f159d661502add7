"""The pages outside docs/ link to files that are there; the build of the documentation checks the others."""

import re
from pathlib import Path

from tests.tidy.source import ROOT

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def find_broken(page: Path) -> list[str]:
    """List the relative links of a page that lead nowhere."""
    targets = LINK.findall(page.read_text())
    return [
        f"{page.name}: {target} is not there" for target in targets if not (page.parent / target).exists()
    ]


def test_every_link_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "tests").rglob("*.md"), *(ROOT / "notebooks").rglob("*.md")]
    found = [finding for page in pages for finding in find_broken(page)]

    assert not found, "\n".join(found)


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[here](page.md#top) [there](gone.md) [far](https://example.org)")

    assert ["page.md: gone.md is not there"] == find_broken(page)
