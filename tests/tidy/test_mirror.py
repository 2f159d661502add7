"""The tests' tree mirrors the source: `model/rule.py` is tested by `tests/model/test_rule.py`."""

import ast
from pathlib import PurePosixPath

from tests.tidy.source import Source, list_sources

TESTED_ELSEWHERE: dict[str, str] = {
    "nomadspec/__init__.py": "tests/packaging/test_names.py reads the public names",
    "model/__init__.py": "tests/packaging/test_imports.py tries the guard",
    "invariants/__init__.py": "as model/__init__.py",
    "checkers/__init__.py": "as model/__init__.py",
}
"""Sources without a test of their own, and why."""


def find_test_path(source: str) -> str:
    """Say where the tests of a source file belong."""
    path = PurePosixPath(source)
    return str(PurePosixPath("tests") / path.parent / f"test_{path.name}")


def is_empty(source: Source) -> bool:
    """Whether the file only says what it is, or only hands on other files' names."""
    nothing = (ast.Import, ast.ImportFrom)
    body = source.parse().body
    return all(isinstance(node, nothing) or _is_docstring(node) or _is_export(node) for node in body)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_export(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"


def test_every_source_file_has_its_test_file() -> None:
    sources = list_sources("nomadspec", "model", "invariants", "checkers")
    tests = {source.path for source in list_sources("tests")}
    untested = [
        f"{source.path}: write {find_test_path(source.path)}, or say in TESTED_ELSEWHERE what tests it"
        for source in sources
        if source.path not in TESTED_ELSEWHERE and not is_empty(source)
        if find_test_path(source.path) not in tests
    ]

    assert not untested, "\n".join(untested)


def test_every_exception_is_still_one() -> None:
    paths = {source.path for source in list_sources("nomadspec", "model", "invariants", "checkers")}
    tests = {source.path for source in list_sources("tests")}
    stale = [name for name in TESTED_ELSEWHERE if name not in paths or find_test_path(name) in tests]

    assert not stale, "\n".join(stale)


def test_where_a_test_belongs() -> None:
    assert "tests/model/small/test_core.py" == find_test_path("model/small/core.py")


def test_a_file_that_only_hands_on_names_is_empty() -> None:
    assert is_empty(Source("a.py", '"""Doc."""\nfrom b import c\n__all__ = ["c"]\n'))
    assert not is_empty(Source("a.py", "def f(): ...\n"))
