"""Makes an input smaller that still does the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, Final

_MOST_S: Final = 30.0


def minimise(content: bytes, still_fails: Callable[[bytes], bool], most_s: float = _MOST_S) -> bytes:
    """Take away what can be taken away, in members and items where it is JSON, else in bytes."""
    end_s = monotonic() + most_s
    has_changed = True
    while has_changed and monotonic() < end_s:
        has_changed = False
        for smaller in _list_smaller(content):
            if monotonic() >= end_s:
                break
            if len(smaller) < len(content) and still_fails(smaller):
                content, has_changed = smaller, True
                break
    return content


def _list_smaller(content: bytes) -> Iterator[bytes]:
    head, cut, tail = content.rpartition(b"\n")
    try:
        tree = json.loads(tail)
    except (ValueError, RecursionError):
        yield from _list_cuts(content)
        return
    for smaller in _list_trees(tree):
        yield head + cut + json.dumps(smaller).encode()
    yield from _list_cuts(head)


def _list_cuts(content: bytes) -> Iterator[bytes]:
    size = len(content) // 2
    while size:
        for start in range(0, len(content), size):
            yield content[:start] + content[start + size :]
        size //= 2


def _list_trees(tree: Any) -> Iterator[Any]:
    """List trees with less in them, the smallest first."""
    if isinstance(tree, dict):
        for name in tree:
            yield {key: value for key, value in tree.items() if key != name}
        for name, value in tree.items():
            for smaller in _list_trees(value):
                yield {**tree, name: smaller}
    elif isinstance(tree, list):
        yield from (tree[: len(tree) // 2], tree[len(tree) // 2 :])
        for at in range(len(tree)):
            yield tree[:at] + tree[at + 1 :]
        for at, value in enumerate(tree):
            for smaller in _list_trees(value):
                yield [*tree[:at], smaller, *tree[at + 1 :]]
    elif isinstance(tree, str) and len(tree) > 1:
        yield from (tree[: len(tree) // 2], tree[len(tree) // 2 :])
