"""The names that a function uses."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType


def list_names(code: CodeType) -> Iterator[str]:
    """List the global names and members that a code uses, and those in the functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from list_names(constant)
