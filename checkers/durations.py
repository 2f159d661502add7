"""Durations as people write them: ``30s``, ``1.5h`` or ``1h30m``."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from nomadspec.model.cluster.entities.scalar import NS_PER_S

_UNITS_NS: Final[Mapping[str, int]] = {
    "ms": NS_PER_S // 1000,
    "s": NS_PER_S,
    "m": 60 * NS_PER_S,
    "h": 3600 * NS_PER_S,
    "d": 24 * 3600 * NS_PER_S,
}
_PART: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h|d)", re.ASCII)
_DURATION: Final = re.compile(rf"(?:{_PART.pattern})+", re.ASCII)


def read_duration_ns(word: str) -> int | None:
    """Read a duration; None where it is none."""
    if _DURATION.fullmatch(word) is None:
        return None
    return int(sum(Decimal(number) * _UNITS_NS[unit] for number, unit in _PART.findall(word)))
