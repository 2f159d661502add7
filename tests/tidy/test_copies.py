"""No rule copies a part of a record from elsewhere, column by column: the next column would be forgotten.

A record is assigned as a whole (``t.seen[worker] = ...``), or made of all of its parts. Who loads a model is
told of columns that are copied whole (model/language/copies.py); the house is told of a single cell as well,
and of what is chosen from two.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.tidy.source import Source

ADVICE = "assign the whole record, or one that Record.of(...) makes: the next column would be forgotten"


def find_copies(source: Source) -> list[str]:
    """List where a column of a record is given what another record, or the world, has of the same name."""
    return [
        f"{source.at(node)}: {ast.unparse(node)}: {ADVICE}"
        for node in ast.walk(source.parse())
        if isinstance(node, ast.Assign) and any(_is_copy(target, node.value) for target in node.targets)
    ]


def _is_copy(target: ast.expr, value: ast.expr) -> bool:
    into = _find_column(target)
    return (
        into is not None
        and _find_column(into.value) is not None
        and any(isinstance(one, ast.Attribute) and one.attr == into.attr for one in _list_sources(value))
    )


def _find_column(node: ast.expr) -> ast.Attribute | None:
    """Find what is indexed."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node if isinstance(node, ast.Attribute) else None


def _list_sources(value: ast.expr) -> Iterator[ast.expr]:
    """List what may be assigned: a column, one of two, or what a function gives of each id."""
    match value:
        case ast.Subscript():
            yield from _list_sources(value.value)
        case ast.Lambda():
            yield from _list_sources(value.body)
        case ast.Call(func=ast.Name(id="ite"), args=[_, then, otherwise]):
            yield from _list_sources(then)
            yield from _list_sources(otherwise)
        case _:
            yield value


@pytest.mark.parametrize(
    "line",
    [
        "t.snapshot.node_up[node] = s.node_up[node]",
        "t.snapshot.node_up = s.node_up",
        "t.seen[worker].occupies[job, i] = s.stale[server].occupies[job, i]",
        "t.when(s.leading).snapshot.node_up = lambda n: s.node_up[n]",
        "t.plan[worker].to[k] = ite(fits, s.entry[e].to[k], NONE)",
    ],
)
def test_a_copy_by_hand_is_found(line: str) -> None:
    assert [f"m.py:1: {line}: {ADVICE}"] == find_copies(Source("m.py", line))


@pytest.mark.parametrize(
    "line",
    [
        "t.snapshot = s.store",
        "t.node_up[node] = s.snapshot.node_up[node]",
        "t.snapshot.eligible[node] = False",
        "t.plan[worker].version = s.job_version[job]",
        "t.alloc_version[job, i] = plan.version",
    ],
)
def test_what_is_no_copy_of_a_column_is_not(line: str) -> None:
    assert [] == find_copies(Source("m.py", line))
