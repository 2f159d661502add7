r"""Text from inputs in what is written: one function for each kind of output.

Names, IDs and messages come from files that anybody may have made. What a terminal, a browser or an editor
would obey instead of showing it (control characters, those that turn the direction of text, halves of
characters) is spelled out as in Python and JSON: ``\x1b``, ``\u202e``.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from typing import Final

_STYLES: Final = re.compile(r"(\n|\x1b\[(?:[012]|3[1-6])m)")
"""Line ends, and the colours that this program gives text."""
_JSON_ESCAPES: Final = re.compile(r"[^\x00-\x7e]|\x7f")
_MARKUP: Final = {ord("&"): "&amp;", ord('"'): "&quot;", ord("<"): "&lt;", ord(">"): "&gt;"}
_UUID: Final = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_FIRST_PLANE: Final = 0xFFFF


def escape_line(text: str) -> str:
    """Spell out all that is not shown as it is, line ends included."""
    if text.isprintable():
        return text
    return "".join(map(_escape, text))


def escape_lines(text: str) -> str:
    """Spell out what is not shown as it is in text of several lines."""
    return "\n".join(map(escape_line, text.split("\n")))


def escape_screen(text: str) -> str:
    """Let a finished text through to a terminal: lines and the colours of this program, nothing else."""
    if text.isprintable():
        return text
    parts = _STYLES.split(text)
    return "".join(part if at % 2 else escape_line(part) for at, part in enumerate(parts))


def escape_markup(text: str) -> str:
    """Write text into Mermaid, HTML or SVG, where a line end is a tag."""
    return escape_lines(text).translate(_MARKUP).replace("\n", "<br/>")


def shorten_ids(text: str) -> str:
    """Shorten the IDs of real objects to their first eight digits, as Nomad's command line does."""
    return _UUID.sub(r"\1", text)


def join_words(words: Iterable[str]) -> str:
    """Write words as one line that a shell reads as these words; what is not shown stands in ``$'...'``."""
    return " ".join(shlex.quote(word) if word.isprintable() else f"$'{_spell(word)}'" for word in words)


def spell_value(value: object) -> str:
    """Write what a cell holds for people: a flag as JSON has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_json(value: object, indent: int | None = None) -> str:
    """Write JSON that is safe to show: all that is not shown as it is stands as an escape of JSON."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text if text.isprintable() else _JSON_ESCAPES.sub(_escape_json, text)


def _escape(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def _spell(word: str) -> str:
    """Spell out a word as bash, zsh and ksh read it within ``$'...'``."""
    quoted = word.replace("\\", "\\\\").replace("'", "\\'")
    return "".join(each if each.isprintable() else _spell_one(ord(each)) for each in quoted)


def _spell_one(code: int) -> str:
    """Spell out a character by four digits or eight: two would be a byte, and go on in what follows."""
    return f"\\u{code:04x}" if code <= _FIRST_PLANE else f"\\U{code:08x}"


def _escape_json(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable():
        return character
    code = ord(character)
    if code <= _FIRST_PLANE:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
