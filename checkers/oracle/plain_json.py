"""Objects as sparse JSON in which a whole number is a whole number, however it was spelled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from nomadspec.model.cluster.codec import write


def write_plain(row: msgspec.Struct) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Write an object without its zero members; JSON knows one kind of numbers."""
    return make_plain(write(row))


def make_plain(tree: Any) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Spell whole numbers as such."""
    if isinstance(tree, str | int):  # most of what there is
        return tree
    if isinstance(tree, float) and tree.is_integer():
        return int(tree)
    if isinstance(tree, Mapping):
        return {key: make_plain(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [make_plain(value) for value in tree]
    return tree
