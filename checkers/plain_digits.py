"""Numbers that people write: in the digits 0 to 9 alone, where Python would take any digits and more."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

_DECIMAL: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")


def is_whole(text: str) -> bool:
    """True if a text is digits and nothing else: no sign, no underscore, no digits of other scripts."""
    return text.isascii() and text.isdecimal()


def is_decimal(text: str) -> bool:
    """True if a text is digits, of which some may stand behind a point."""
    return _DECIMAL.fullmatch(text) is not None


def write_decimal(number: float) -> str:
    """Write a number as ``is_decimal`` wants it, however large or small."""
    digits = format(Decimal(str(number)), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
