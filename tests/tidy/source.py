"""The project's files, as the house lints read them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("nomadspec", "model", "invariants", "checkers")
TEXT_SUFFIXES = {".py", ".md", ".toml", ".txt", ".json", ".yml", ".ipynb", ".svg", ".dot", ".mmd", ".cfg"}
SKIPPED = {"site", "build", "dist", "typings"}


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file."""

    path: str
    text: str

    def parse(self) -> ast.Module:
        """Parse the file."""
        return _parse(self.text, self.path)

    def at(self, node: ast.stmt | ast.expr) -> str:
        """Say where a node stands, as editors understand it."""
        return f"{self.path}:{node.lineno}"


@lru_cache(maxsize=1)
def _parse(text: str, path: str) -> ast.Module:
    """Parse a text, and keep the tree until the next is asked for: all together would fill the memory."""
    return ast.parse(text, path)


def list_sources(*folders: str) -> list[Source]:
    """Read the Python files below some folders of the project."""
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return [Source(str(path.relative_to(ROOT)), path.read_text()) for path in paths]


def list_all_sources() -> list[Source]:
    """Read every Python file of the project."""
    return [*list_sources(*PACKAGES, "tests"), Source("run.py", (ROOT / "run.py").read_text())]


def list_text_files() -> Iterator[Path]:
    """List the files that people read, caches and environments left out."""
    for path in sorted(ROOT.iterdir()):
        if path.name in SKIPPED or path.name.startswith((".", "pytest-of-")) or path.suffix == ".egg-info":
            continue
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in inside if file.is_file() and file.suffix in TEXT_SUFFIXES)


def list_functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """List the functions and methods of a file; expressions, which are most of it, hold none."""
    found: list[ast.AST] = [tree]
    for node in found:
        for name in _BLOCKS:
            found += getattr(node, name, ())
    return [node for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Where statements hold others."""


def count_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function, its decorators left out."""
    return (node.end_lineno or node.lineno) - node.lineno + 1
