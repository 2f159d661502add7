"""A cache of a fixed size that tells what is used often from what was used once: the algorithm 2Q.

What is new enters a short queue; what is used again moves to a long one. What falls out of the short queue is
remembered by its name for a while, and enters the long queue at once if it comes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

V = TypeVar("V")


class TwoQueues(msgspec.Struct, Generic[V], frozen=True):
    """The cache; each queue begins with what was used longest ago."""

    capacity: int
    values: Mapping[str, V] = {}
    once: tuple[str, ...] = ()
    often: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """The names that fell out of the short queue, oldest first."""


def look_up(cache: TwoQueues[V], key: str) -> tuple[V | None, TwoQueues[V]]:
    """Look a value up, which counts as a use of it."""
    return cache.values.get(key), _use(cache, key) if key in cache.values else cache


def put(cache: TwoQueues[V], key: str, value: V) -> TwoQueues[V]:
    """Put a value in, in place of an older one of its name or of another name."""
    if key in cache.values:
        return replace(_use(cache, key), values={**cache.values, key: value})
    is_back = key in cache.gone
    roomy = _make_room(cache, is_back=is_back)
    values = {**roomy.values, key: value}
    if is_back:
        return replace(roomy, values=values, often=(*roomy.often, key), gone=_without(roomy.gone, key))
    return replace(roomy, values=values, once=(*roomy.once, key))


def _use(cache: TwoQueues[V], key: str) -> TwoQueues[V]:
    return replace(cache, once=_without(cache.once, key), often=(*_without(cache.often, key), key))


def _make_room(cache: TwoQueues[V], *, is_back: bool) -> TwoQueues[V]:
    """Drop one value if the cache is full: from the short queue if that is too long, else from the other."""
    if len(cache.values) < cache.capacity:
        return cache
    short = cache.capacity // 4
    if cache.once and (len(cache.once) > short or (len(cache.once) == short and not is_back)):
        gone = (*cache.gone, cache.once[0])[-(cache.capacity // 2) :]
        return replace(cache, values=_drop(cache.values, cache.once[0]), once=cache.once[1:], gone=gone)
    return replace(cache, values=_drop(cache.values, cache.often[0]), often=cache.often[1:])


def _without(keys: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(each for each in keys if each != key)


def _drop(values: Mapping[str, V], key: str) -> dict[str, V]:
    return {name: value for name, value in values.items() if name != key}
