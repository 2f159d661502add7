"""Sets of characters in the server's regular expressions."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

Member = Callable[[str], bool]
"""Whether a character belongs."""

_LAST_CASED: Final = 0x1E944
"""No character from here on has another case."""


def _within(*ranges: str) -> Member:
    """Make the class of all characters between the two of each range."""
    return lambda character: any(ends[0] <= character <= ends[1] for ends in ranges)


PERL_CLASSES: Final[Mapping[str, Member]] = {
    "d": _within("09"),
    "s": _within("\t\n", "\f\r", "  "),
    "w": _within("09", "AZ", "az", "__"),
}
"""Unlike Python's, these know no script but Latin's first page, and \\s lacks the vertical tab."""

POSIX_CLASSES: Final[Mapping[str, Member]] = {
    "alnum": _within("09", "AZ", "az"),
    "alpha": _within("AZ", "az"),
    "ascii": _within("\x00\x7f"),
    "blank": _within("\t\t", "  "),
    "cntrl": _within("\x00\x1f", "\x7f\x7f"),
    "digit": _within("09"),
    "graph": _within("!~"),
    "lower": _within("az"),
    "print": _within(" ~"),
    "punct": _within("!/", ":@", "[`", "{~"),
    "space": _within("\t\r", "  "),
    "upper": _within("AZ"),
    "word": PERL_CLASSES["w"],
    "xdigit": _within("09", "AF", "af"),
}

_CATEGORIES: Final[Mapping[str, str]] = {
    "C": "cfos",
    "L": "lmotu",
    "M": "cen",
    "N": "dlo",
    "P": "cdefios",
    "S": "ckmo",
    "Z": "lps",
}
CATEGORIES: Final = frozenset(
    name for first, seconds in _CATEGORIES.items() for name in (first, *(first + one for one in seconds))
)
r"""What \p{...} may name; Any is all of them."""

SCRIPT_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "Arabic": ("ARABIC ",),
    "Armenian": ("ARMENIAN ",),
    "Cyrillic": ("CYRILLIC ",),
    "Devanagari": ("DEVANAGARI ",),
    "Georgian": ("GEORGIAN ",),
    "Greek": ("GREEK ",),
    "Han": ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL ", "KANGXI RADICAL "),
    "Hangul": ("HANGUL ",),
    "Hebrew": ("HEBREW ",),
    "Hiragana": ("HIRAGANA ",),
    "Katakana": ("KATAKANA ",),
    "Latin": ("LATIN ",),
    "Thai": ("THAI ",),
}
"""How the names of a script's characters begin. Python has no table of scripts, so these are all we know."""


def find_unicode_class(name: str) -> Member | None:
    r"""Find what \p{name} stands for: a general category, a script, or Any."""
    if name == "Any":
        return lambda _: True
    if name in CATEGORIES:
        return lambda character: _is_in_category(character, name)
    beginnings = SCRIPT_NAMES.get(name)
    if beginnings is None:
        return None
    return lambda character: unicodedata.name(character, "").startswith(beginnings)


def _is_in_category(character: str, name: str) -> bool:
    category = unicodedata.category(character)
    return category.startswith(name) and category != "Cn"  # what is not assigned is in no class


@cache
def fold(character: str) -> str:
    """Compute the one character that stands for all its cases."""
    folded = character.casefold()
    if len(folded) > 1:
        folded = character.lower()
    return folded if len(folded) == 1 else character


@cache
def list_cases(character: str) -> tuple[str, ...]:
    """List the characters that differ from this one in case only, itself included."""
    return _compute_cases().get(fold(character), (character,))


@cache
def _compute_cases() -> Mapping[str, tuple[str, ...]]:
    cases: dict[str, list[str]] = {}
    for character in map(chr, range(_LAST_CASED)):
        cases.setdefault(fold(character), []).append(character)
    return {key: tuple(members) for key, members in cases.items() if len(members) > 1}


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a set: its members, or all but them, with or without regard to case."""

    member: Member
    negated: bool = False
    folded: bool = False

    def has(self, character: str) -> bool:
        """True if the part holds the character."""
        cases = list_cases(character) if self.folded else (character,)
        return self.negated != any(map(self.member, cases))


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """What one place of an expression matches: any of its items, or none of them.

    Spec: FEAS-31.
    """

    items: tuple[Item, ...]
    negated: bool = False

    def has(self, character: str) -> bool:
        """True if the set holds the character."""
        return self.negated != any(item.has(character) for item in self.items)


def compute_range(low: str, high: str, *, folded: bool = False) -> Item:
    """Make the part of a set that goes from one character to another."""
    return Item(_within(low + high), folded=folded)
