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
