"""What a proof is about, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.verdict import Reading

if TYPE_CHECKING:
    from nomadspec.checkers.smt.open_frame import OpenFrame
    from nomadspec.model.language.bounded import BoundedModel


def read_open(frame: OpenFrame) -> Reading:
    """List what may be any number in an open world, and what the scope has fixed."""
    own = {ids.size.name for ids in frame.schema.sets}
    sets = [ids.name for ids in frame.schema.sets if frame.is_open(ids)]
    numbers = [
        size.name
        for size in frame.schema.sizes
        if z3.is_expr(frame.sizes[size.name]) and size.name not in own
    ]
    fixed = {ids.name: frame.length(ids) for ids in frame.schema.sets if not frame.is_open(ids)}
    fixed |= {size.name: frame.sizes[size.name] for size in frame.schema.sizes if not size.is_open}
    return Reading((*sets, *numbers), fixed)


def describe_open(frame: OpenFrame) -> str:
    """Say what may be any number in an open world, and what the scope has fixed."""
    sets = [ids.name for ids in frame.schema.sets if frame.is_open(ids)]
    own = {ids.size.name for ids in frame.schema.sets}
    unknown = [size.name for size in frame.schema.sizes if z3.is_expr(frame.sizes[size.name])]
    numbers = [name for name in unknown if name not in own]
    fixed = [f"{frame.length(ids)} {ids.name}" for ids in frame.schema.sets if not frame.is_open(ids)]
    features = [size.name for size in frame.schema.sizes if not size.is_open]
    present = [name for name in features if frame.sizes[name]]
    absent = [name for name in features if not frame.sizes[name]]
    parts = [
        f"any number of {join_words(sets)}" if sets else "",
        f"any {join_words(numbers)}" if numbers else "",
        join_words(fixed),
        f"with {join_words(present)}" if present else "",
        f"without {join_words(absent)}" if absent else "",
    ]
    return "; ".join(part for part in parts if part) or "the whole model"


def describe_scope(bounded: BoundedModel) -> str:
    """Say how many of everything there are in a scope."""
    return ", ".join(f"{name} {value}" for name, value in bounded.sizes.items()) or "the whole model"


def join_words(words: Sequence[str]) -> str:
    """Write words as an enumeration: ``a, b and c``."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
