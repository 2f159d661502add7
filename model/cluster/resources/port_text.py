"""Lists of ports as operators write them: ``22,80,8000-8010``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Final

PORT_LIMIT: Final = 65536
"""Ports lie below this."""

_NUMBER: Final = re.compile(r"[0-9]+")
_RANGE_PARTS: Final = 2
_MOST_DIGITS: Final = 20
"""No 64-bit number has more."""


class PortTextError(ValueError):
    """A list of ports that cannot be read."""


@lru_cache(maxsize=64)  # each may hold every port
def read_ports(text: str) -> frozenset[int]:
    """Read a list of ports and ranges.

    The number just above the last port is let through here, and is found out only when it is marked.

    Spec: NET-04.
    """
    stripped = text.strip()
    if not stripped:
        return frozenset()
    return frozenset(chain.from_iterable(_merge(_read_item(item.strip()) for item in stripped.split(","))))


def _merge(ranges: Iterable[range]) -> list[range]:
    """Join ranges that overlap, so that each port is there once however often a text names it."""
    merged: list[range] = []
    for each in sorted(ranges, key=lambda one: (one.start, one.stop)):
        if merged and each.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, each.stop))
        else:
            merged.append(each)
    return merged


def _read_item(item: str) -> range:
    if not item:
        raise PortTextError("can't specify empty port")
    parts = item.split("-")
    if len(parts) > _RANGE_PARTS:
        raise PortTextError(f"{item} is neither a port nor a range of ports")
    first, last = _read_number(parts[0]), _read_number(parts[-1])
    if last < first:
        raise PortTextError(f"invalid range: ending value ({last}) less than starting ({first}) value")
    if last > PORT_LIMIT:
        raise PortTextError(f"port must be < {PORT_LIMIT} but found {last}")
    return range(first, last + 1)


def _read_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise PortTextError(f'strconv.ParseUint: parsing "{text}": invalid syntax')
    digits = text.lstrip("0")
    if not digits:
        raise PortTextError("0 is no port")
    if len(digits) > _MOST_DIGITS:
        raise PortTextError(f'strconv.ParseUint: parsing "{text}": value out of range')
    return int(digits)
