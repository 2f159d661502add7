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
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Final

from nomadspec.checkers.reference.citations import Citation
from nomadspec.model.specification import quirks
from nomadspec.model.specification.quirk import Quirk

_WORD: Final = re.compile(r"[A-Za-z0-9_]+(?:[/!-][A-Za-z0-9-]+)*")
_APPLIED: Final = re.compile(r"([A-Z]\w*)\(")
_OWN_TESTS: Final = ("checkers/reference", "docs", "tidy", "packaging")
"""Tests of pages and of the house: what they name is not what they test."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """What test files import, use and say: for each name or word the files that have it."""

    files: Mapping[str, int]
    """Every test file, with its place in their order."""
    imported: Mapping[str, set[str]] = field(default_factory=partial(defaultdict, set))
    """Names from the model and the invariants."""
    modules: Mapping[str, set[str]] = field(default_factory=partial(defaultdict, set))
    """Where names are imported from, as files: ``model/cluster/components/deliveries.py``."""
    used: Mapping[str, set[str]] = field(default_factory=partial(defaultdict, set))
    """Names in code."""
    words: Mapping[str, set[str]] = field(default_factory=partial(defaultdict, set))
    """Words of texts and comments."""
    applied: Mapping[str, set[str]] = field(default_factory=partial(defaultdict, set))
    """What texts apply to arguments, and texts of one word."""

    def find_naming(self, citation: Citation) -> set[str]:
        """Find the files that name what carries a citation; names that nobody has are looked up as well."""
        name = citation.name
        match citation.kind:
            case "rule":
                return self.imported[_function_of(name)] | self.applied[name]
            case "lifecycle":
                return self.imported[name.upper().replace("-", "_")]
            case "quirk":
                return self.words[name] | self.imported[_list_quirk_constants()[name]]
            case "function":
                importing = self.modules[citation.owner]
                mirror = {_mirror_of(citation.owner)} & self.files.keys()
                return mirror | (importing if name.startswith("_") else importing & self.used[name])
            case _:
                return self.imported[name] | self.words[name]


@cache
def read_tests(tests: Path) -> Mentions:
    """Read every test file below a folder, those of pages and of the house left out."""
    paths = {path.relative_to(tests).as_posix(): path for path in sorted(tests.rglob("test_*.py"))}
    read = [name for name in paths if not name.startswith(_OWN_TESTS)]
    found = Mentions({name: place for place, name in enumerate(read)})
    for name in read:
        _read(paths[name].read_text(encoding="utf-8"), name, found)
    return found


def list_naming(tests: Mentions, citation: Citation) -> list[str]:
    """List the test files that name what carries a citation, or the ID itself."""
    naming = tests.words[citation.spec_id] | tests.find_naming(citation)
    return sorted(naming, key=tests.files.__getitem__)


def _function_of(rule: str) -> str:
    """Give the name of a rule in Python: ``expire_delivery``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", rule).lower()


def _read(text: str, name: str, found: Mentions) -> None:
    nodes, names_used = _list_nodes(ast.parse(text))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    own = [node for node in imports if str(node.module).startswith("nomadspec.")]
    of_model = [node for node in own if str(node.module).startswith(_NAMED)]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    said = [*texts, *_list_comments(text)]
    for index, names in (
        (found.imported, (alias.name for node in of_model for alias in node.names)),
        (found.modules, (file for node in own for file in _list_files(node))),
        (found.used, (part for name in names_used for part in name.split("."))),
        (found.words, (word for part in said for word in _WORD.findall(part))),
        (found.applied, (word for part in said for word in (*_APPLIED.findall(part), part))),
    ):
        for each in names:
            index[each].add(name)


def _list_nodes(tree: ast.AST) -> tuple[list[ast.AST], set[str]]:
    """List the nodes of a syntax tree, and the names that they use or give, dotted ones as they stand."""
    nodes, names = [tree], set[str]()
    for node in nodes:  # it grows meanwhile
        is_constant = isinstance(node, ast.Constant)
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, str) and not is_constant:
                names.add(value)
    return nodes, names


def _list_comments(text: str) -> list[str]:
    """List the comments, which syntax trees leave out."""
    if "#" not in text:
        return []
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
