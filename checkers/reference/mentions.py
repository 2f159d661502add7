"""Which tests name what: a convention that needs no marker, and says no more than it knows.

A test file *names* an ID when a text or comment of the file holds it, and a property likewise. It names

- a rule when it imports it, or when a text holds an application of it (``Dequeue(worker1, job1)``) or nothing
  but its name,
- a lifecycle when it imports the table, and a quirk when it imports the constant,
- a function when it is the test file of its own file, or imports from there and uses the name; what
  is private there is used by whoever imports from there.

That a name is there does not say that the test is good.
"""

import ast
import io
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from nomadspec.checkers.reference.citations import Citation
from nomadspec.model import quirks
from nomadspec.model.quirks import Quirk

_WORD: Final = re.compile(r"[A-Za-z0-9_]+(?:[/!-][A-Za-z0-9-]+)*")
_APPLIED: Final = re.compile(r"([A-Z]\w*)\(")
_OWN_TESTS: Final = ("checkers/reference", "docs", "tidy", "packaging")
"""Tests of pages and of the house: what they name is not what they test."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """What one test file imports, uses and says."""

    file: str
    imported: frozenset[str]
    """Names from the model and the invariants."""
    modules: frozenset[str]
    """Where names are imported from, as files: ``model/rules/deliveries.py``."""
    used: frozenset[str]
    """Names in its code."""
    words: frozenset[str]
    """Words of its texts and comments."""
    applied: frozenset[str]
    """What its texts apply to arguments, and texts of one word."""

    def names(self, citation: Citation) -> bool:
        """Tell whether the file names what carries the citation, or the ID itself."""
        if citation.spec_id in self.words:
            return True
        match citation.kind:
            case "rule":
                return _function_of(citation.name) in self.imported or citation.name in self.applied
            case "lifecycle":
                return citation.name.upper().replace("-", "_") in self.imported
            case "quirk":
                return citation.name in self.words or _list_quirk_constants()[citation.name] in self.imported
            case "function":
                is_used = citation.name.startswith("_") or citation.name in self.used
                return self.file == _mirror_of(citation.owner) or (citation.owner in self.modules and is_used)
            case _:
                return citation.name in self.imported | self.words


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


def _function_of(rule: str) -> str:
    """Give the name of a rule in Python: ``expire_delivery``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rule).lower()


def _read(path: Path, name: str) -> Mentions:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    own = [node for node in imports if str(node.module).startswith("nomadspec.")]
    of_model = [node for node in own if str(node.module).startswith(_NAMED)]
    nodes = list(ast.walk(tree))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    said = [*texts, *_list_comments(text)]
    return Mentions(
        name,
        imported=frozenset(alias.name for node in of_model for alias in node.names),
        modules=frozenset(file for node in own for file in _list_files(node)),
        used=frozenset(part for node in nodes for part in _list_names(node)),
        words=frozenset(word for part in said for word in _WORD.findall(part)),
        applied=frozenset(found for part in said for found in (*_APPLIED.findall(part), part)),
    )


def _list_names(node: ast.AST) -> list[str]:
    """List the names that a node of a syntax tree uses or gives, each part of a dotted one by itself."""
    if isinstance(node, ast.Constant):
        return []
    values = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
    return [part for value in values for part in value.split(".")]


def _list_comments(text: str) -> list[str]:
    """List the comments, which syntax trees leave out."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def _list_files(node: ast.ImportFrom) -> list[str]:
    """List the files that an import may mean: a name of a package may be a module of its own."""
    path = str(node.module).removeprefix("nomadspec.").replace(".", "/")
    return [f"{path}.py", *(f"{path}/{alias.name}.py" for alias in node.names)]


@cache
def _list_quirk_constants() -> Mapping[str, str]:
    return {value.id: name for name, value in vars(quirks).items() if isinstance(value, Quirk)}


def _mirror_of(file: str) -> str:
    folder, _, name = file.rpartition("/")
    return f"{folder}/test_{name}"


_NAMED: Final = ("nomadspec.model", "nomadspec.invariants")
