"""Where a mistake can be made: the number of a node of a definition, and what to do to a copy of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

Tree = TypeVar("Tree", bound=ast.AST)

Node: TypeAlias = Any
"""A node of a syntax tree; what it has depends on where it was found."""

Change: TypeAlias = Callable[[Node], tuple[str, str, ast.expr | ast.stmt]]
"""Changes a node of a copy; gives the text before and after, and the node whose line is told."""


@dataclass(frozen=True, slots=True)
class Place:
    """A kind of mistake, the node where it is made (counted as ``ast.walk`` gives them), and the change."""

    kind: str
    at: int
    change: Change


def copy_tree(node: Tree) -> Tree:
    """Copy a syntax tree; the general copy of Python takes ten times as long."""
    copied = type(node).__new__(type(node))
    for name, value in vars(node).items():
        setattr(copied, name, _copy_value(value))
    return copied


def _copy_value(value: object) -> object:
    if isinstance(value, ast.AST):
        return copy_tree(value)
    return [_copy_value(item) for item in value] if isinstance(value, list) else value
