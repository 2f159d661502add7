"""Each public name is shown in code that the documentation runs, and says what it is."""

import inspect
import re
from typing import Final

import pytest

import nomadspec
from tests.tidy.source import ROOT

PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE: Final = "\n".join(
    code
    for page in PAGES
    for code in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
)
SHOWN: Final = set(re.findall(r"\w+", CODE))
NAMES: Final = [name for name in nomadspec.__all__ if not name.startswith("_")]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_shown_documented_and_typed(name: str) -> None:
    found = getattr(nomadspec, name)

    assert name in SHOWN
    assert inspect.getdoc(found)
    if inspect.isfunction(found):
        told = inspect.signature(found)
        assert told.return_annotation is not told.empty
        assert not [one.name for one in told.parameters.values() if one.annotation is one.empty]


WORD: Final = re.compile(r"class \w+\((\w+)\)|@(\w+)|(?<![\w.])(?<!def )(\w+)\(|(?:^|(?<=\w ))(\w+)(?= \w|$)")
"""A base class, what decorates, what is called, and what stands alone or with others like it."""


def list_words(page: str) -> set[str]:
    """List the words of the language, as the first column of the first table of its page has them."""
    rows = page.partition("| you write |")[2].partition("\n\n")[0].splitlines()[2:]
    spans = [span for row in rows for span in re.findall(r"`(.+?)`", row.split(" | ")[0])]
    words = {word for span in spans for found in WORD.findall(span) for word in found if word}
    return words - {"IntEnum", "def"}


def test_the_words_of_the_language_are_public_names() -> None:
    words = list_words((ROOT / "docs/concepts/language.md").read_text())

    assert {"World", "always", "field", "for_all", "remember", "FLAG", "where"} <= words <= {*NAMES}
