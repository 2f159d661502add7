"""Which tests name what: a convention that needs no marker, and says no more than it knows.

A test file *names* a rule or property when it imports it from the model or the invariants, or when a text or
comment of the file holds its name as a word (``Dequeue(worker1, job1)``). It names a lifecycle when it
imports the table, and an ID when a text or comment holds it. That a name is there
does not say that the test is good.
"""

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from nomadspec.checkers.reference.citations import Citation

_WORD: Final = re.compile(r"[A-Za-z0-9_]+(?:[/!-][A-Za-z0-9-]+)*")
_OWN_TESTS: Final = ("checkers/reference", "docs", "tidy", "packaging")
"""Tests of pages and of the house: what they name is not what they test."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """What one test file imports from the model and the invariants, and the words of its texts."""

    file: str
    imported: frozenset[str]
    words: frozenset[str]

    def names(self, citation: Citation) -> bool:
        """Tell whether the file names what carries the citation, or the ID itself."""
        if citation.spec_id in self.words:
            return True
        constant = _constant_of(citation)
        return constant in self.imported or (citation.kind != "lifecycle" and citation.name in self.words)


@cache
def read_tests(tests: Path) -> tuple[Mentions, ...]:
    """Read every test file below a folder, those of pages and of the house left out."""
    files = sorted(tests.rglob("test_*.py"))
    return tuple(
        _read(path, path.relative_to(tests).as_posix())
        for path in files
        if not path.relative_to(tests).as_posix().startswith(_OWN_TESTS)
    )


def list_naming(tests: tuple[Mentions, ...], citation: Citation) -> list[str]:
    """List the test files that name what carries a citation."""
    return [mentions.file for mentions in tests if mentions.names(citation)]


def _constant_of(citation: Citation) -> str:
    """Give the name under which Python code imports it: ``expire_delivery``, ``EVALUATION_FULL``."""
    if citation.kind == "rule":
        return re.sub(r"(?<!^)(?=[A-Z])", "_", citation.name).lower()
    return citation.name.upper().replace("-", "_") if citation.kind == "lifecycle" else citation.name


def _read(path: Path, name: str) -> Mentions:
    text = path.read_text(encoding="utf-8")
    imported = {
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("nomadspec.model", "nomadspec.invariants"))
        for alias in node.names
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    texts = (token.string for token in tokens if token.type in {tokenize.STRING, tokenize.COMMENT, *_PIECES})
    return Mentions(
        name, frozenset(imported), frozenset(word for part in texts for word in _WORD.findall(part))
    )


_PIECES: Final = {
    getattr(tokenize, name) for name in ("FSTRING_MIDDLE", "TSTRING_MIDDLE") if hasattr(tokenize, name)
}
"""Later Pythons cut texts with inserted values into pieces."""
