"""How the server reads numbers, truth values and lists out of strings.

Its readers are those of the Go language, and Python's are more generous: they take surrounding white space,
the digits of every script, and 0x10 without an exponent.
"""

import re
from functools import lru_cache
from typing import Final

TRUE_WORDS: Final = frozenset({"1", "t", "T", "TRUE", "true", "True"})
FALSE_WORDS: Final = frozenset({"0", "f", "F", "FALSE", "false", "False"})
WHITE_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1

_DIGITS: Final = r"[0-9](?:_?[0-9])*"
_HEX_DIGITS: Final = r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_INTEGER: Final = re.compile(r"[+-]?[0-9]+\Z")
_DECIMAL: Final = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?\Z")
_HEXADECIMAL: Final = re.compile(
    rf"[+-]?0[xX]_?(?:{_HEX_DIGITS}(?:\.(?:{_HEX_DIGITS})?)?|(?<!_)\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}\Z"
)
_SPECIAL: Final = re.compile(r"(?:[+-]?inf(?:inity)?|nan)\Z", re.IGNORECASE | re.ASCII)
_REMEMBERED: Final = 10_000
"""So many lists that were read are kept."""
_MOST_DIGITS: Final = 19
"""So many digits a signed 64-bit integer has at most."""


def parse_integer(text: str) -> int | None:
    """Read a base-10 signed 64-bit integer: an optional sign and digits, nothing around them.

    Spec: FEAS-35.
    """
    if not _INTEGER.match(text):
        return None
    size = parse_digits(text.lstrip("+-"), _MOST_DIGITS)
    if size is None:
        return None
    value = -size if text.startswith("-") else size
    return value if INT64_MIN <= value <= INT64_MAX else None


def parse_digits(digits: str, most: int) -> int | None:
    """Read decimal digits, of which at most so many count: zeros in front never do.

    Python refuses to read thousands of digits, and no number of the server has more than twenty.
    """
    counting = digits.lstrip("0")
    return None if len(counting) > most else int(counting or "0")


def parse_float(text: str) -> float | None:
    """Read a 64-bit float in Go's syntax; one that is out of range is none.

    Spec: FEAS-35.
    """
    plain = text.replace("_", "")
    if _DECIMAL.match(text):
        value = float(plain)
        return None if abs(value) == float("inf") else value
    if _HEXADECIMAL.match(text):
        return _parse_hexadecimal(plain)
    return float(text) if _SPECIAL.match(text) else None


def _parse_hexadecimal(text: str) -> float | None:
    try:
        return float.fromhex(text)
    except OverflowError:
        return None


def parse_boolean(text: str) -> bool | None:
    """Read a truth value: one of six words each.

    Spec: FEAS-27.
    """
    if text in TRUE_WORDS:
        return True
    return False if text in FALSE_WORDS else None


@lru_cache(maxsize=_REMEMBERED)
def split_list(text: str) -> frozenset[str]:
    """Read a comma-separated list; the empty string is the list of one empty element.

    Spec: FEAS-32.
    """
    return frozenset(element.strip(WHITE_SPACE) for element in text.split(","))
