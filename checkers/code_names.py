"""The names that a function uses."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType


def list_codes(code: CodeType) -> Iterator[CodeType]:
    """List a code and those of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from list_codes(constant)


def list_names(code: CodeType) -> Iterator[str]:
    """List the global names and members that a code uses, and those in the functions inside it."""
    for one in list_codes(code):
        yield from one.co_names
