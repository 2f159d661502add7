"""How the server quotes text in its messages: as the Go language writes it."""

from collections.abc import Mapping
from typing import Final

_SHORT: Final[Mapping[str, str]] = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    '"': r"\"",
    "\\": r"\\",
}
_ASCII_END: Final = 0x80
_SHORT_END: Final = 0x10000


def quote(text: str) -> str:
    """Put text between double quotes, and escape what would not be seen."""
    return f'"{"".join(map(_escape, text))}"'


def _escape(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < _ASCII_END:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < _SHORT_END else f"\\U{code:08x}"
