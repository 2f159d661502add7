"""Paths into a JSON tree, such as ``ops[3].state.ready.service[0]``, and patterns of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

Step = str | int
"""The name of a member, or a position."""

_ANY_POSITION: Final = r"\[\d+\]"
_QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
_ANY_STEP: Final = rf"(?:[^.\[\]]+|\[{_QUOTED}\])"
_PLAIN_NAME: Final = re.compile(r"[^.\[\]\"\s]+")
_STEP: Final = re.compile(rf"\[(\d+)\]|\[({_QUOTED})\]|\.?([^.\[\]]+)")


def step_into(path: str, key: Step) -> str:
    """Extend a path by the name of a member or by a position."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if not (_PLAIN_NAME.fullmatch(key) and key.isprintable()):
        return f"{path}[{json.dumps(key)}]"
    return f"{path}.{key}" if path else key


def list_steps(path: str) -> Iterator[Step]:
    """List the steps of a path."""
    for found in _STEP.finditer(path):
        position, quoted, plain = found.groups()
        yield int(position) if position else json.loads(quoted) if quoted else plain


def fits(pattern: str, path: str) -> bool:
    """True if a pattern is a run of whole steps anywhere in a path.

    ``state.ready`` fits ``ops[3].state.ready.service[0]``; a ``*`` stands for one step, ``[]`` for any
    position, a leading ``^`` for the beginning of the path; the empty pattern fits everything.
    """
    return _compile(pattern).search(path) is not None


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    if not pattern:
        return re.compile("")
    start = "^" if pattern.startswith("^") else r"(?:^|\.|(?=\[))"
    body = re.escape(pattern.removeprefix("^")).replace(r"\[\]", _ANY_POSITION).replace(r"\*", _ANY_STEP)
    return re.compile(rf"{start}{body}(?=$|[.\[])")
