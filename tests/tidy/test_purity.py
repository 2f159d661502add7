"""The model and the invariants are pure: no I/O, no clock, no randomness, and few imports."""

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.tidy.source import Source

ALLOWED_PACKAGES = {"msgspec", "nomadspec", "rpds", "xxhash"}
IMPURE_MODULES = {
    "asyncio", "glob", "http", "io", "locale", "logging", "multiprocessing", "os",
    "pathlib", "pickle", "platform", "random", "secrets", "select", "shutil", "signal", "socket",
    "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval"}
CLOCK_CALLS = {"now", "today", "utcnow"}
"""Of datetime, whose arithmetic is pure and whose clock is not."""


def find_impurities(source: Source) -> list[str]:
    """List the imports and calls that reach outside, with the reason."""
    return [f"{source.at(node)}: {complaint}" for node, complaint in _walk(source.parse())]


def _walk(tree: ast.Module) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node, why) for alias in names if (why := _judge_module(alias.name)))
            case ast.ImportFrom(module=str(module)):
                yield from ((node, why) for why in [_judge_module(module)] if why)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="datetime" | "date"), attr=name)) if (
                name in CLOCK_CALLS
            ):
                yield node, f"{name}() reads the clock: pass in the time as an argument"
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield node, f"{name}() has no place here: what is not determined is an argument"


def _judge_module(name: str) -> str:
    top = name.partition(".")[0]
    if top in IMPURE_MODULES:
        return f"{top} reaches outside: pass in what you need as an argument"
    if top not in ALLOWED_PACKAGES and top not in sys.stdlib_module_names:
        return f"{top} is not among {', '.join(sorted(ALLOWED_PACKAGES))} and the standard library"
    return ""


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from os import path",
        "import networkx",
        "import z3",
        "open('x')",
        "datetime.now(utc)",
    ],
)
def test_an_impurity_is_found(line: str) -> None:
    (finding,) = find_impurities(Source("m.py", line))

    assert finding.startswith("m.py:1: ")


@pytest.mark.parametrize(
    "line", ["import msgspec", "from functools import cache", "from nomadspec.model import x"]
)
def test_what_is_pure_may_stay(line: str) -> None:
    assert [] == find_impurities(Source("m.py", line))
