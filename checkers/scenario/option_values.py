"""The values of options: whole numbers, yes and no, durations, and words of a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nomadspec.checkers.durations import read_duration_ns
from nomadspec.checkers.plain_digits import is_whole
from nomadspec.checkers.scenario.language import Options, WordError

_MOST_DIGITS: Final = 9
_UNITS: Final[Mapping[str, str]] = {"cpu": "MHz", "memory": "MB"}


def read_amount(options: Options, name: str, usual: int) -> int:
    """Read a whole number among options."""
    word = options.get(name, str(usual))
    if not is_whole(word):
        unit = f" of {_UNITS[name]}" if name in _UNITS else ""
        raise WordError(word, f"{name} {word!r} is no whole number{unit}: write digits only")
    if len(word) > _MOST_DIGITS:
        raise WordError(word, f"{name} {word!r} is too large: write at most {_MOST_DIGITS} digits")
    return int(word)


def read_flag(options: Options, name: str, *, usual: bool = False) -> bool:
    """Read yes or no among options."""
    word = options.get(name, "yes" if usual else "no")
    if word not in {"yes", "no"}:
        raise WordError(word, f"{name} {word!r} is neither yes nor no")
    return word == "yes"


def read_duration(options: Options, name: str, usual: str) -> int:
    """Read a duration among options, in nanoseconds."""
    word = options.get(name, usual)
    duration_ns = read_duration_ns(word)
    if duration_ns is None:
        raise WordError(word, f"{name} {word!r} is no duration: write one such as 30s or 1h30m")
    return duration_ns


def read_word(options: Options, name: str, words: Sequence[str], usual: str = "") -> str:
    """Read one of some words among options."""
    word = options.get(name, usual or words[0])
    if word not in words:
        raise WordError(word, f"{name} {word!r} is none of {', '.join(words)}")
    return word
