"""Reading the server's regular expressions: the syntax of RE2 as Go has it.

Python's `re` differs in what it takes (look-around, back-references, possessive and nested repetition, a lone
brace), in what classes and the dollar sign mean, in how cases fold, and in the time it may need, so that
translating would be as much work as reading. Names of scripts are known for the common ones only.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NoReturn

from nomadspec.model.cluster.constraints.regex_characters import (
    PERL_CLASSES,
    POSIX_CLASSES,
    CharacterSet,
    Item,
    compute_range,
    find_unicode_class,
)
from nomadspec.model.cluster.constraints.regex_program import (
    Check,
    Place,
    Program,
    Take,
    is_match,
    join_choices,
    repeat,
)

_MOST_REPEATS: Final = 1000
"""No counted repetition, nor nested ones multiplied, may ask for more."""
_MOST_NESTED: Final = 1000
"""No expression may be higher as a tree; each group that captures, and each repetition, is a level of it."""
_MOST_INSTRUCTIONS: Final = 3_000_000
"""The engine takes no expression whose program would fill its memory."""

_COUNT: Final = re.compile(r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}")
_GROUP: Final = re.compile(r"\(\?P?<([0-9A-Za-z_]+)>")
_FLAGS: Final = re.compile(r"\(\?(?P<on>[imsU]*)(?P<off>-[imsU]+)?(?P<end>[:)])")
_UNICODE: Final = re.compile(r"\\([pP])(?:\{(\^?)([^{}]*)\}|(.))", re.DOTALL)
_HEX: Final = re.compile(r"\\x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))")
_OCTAL: Final = re.compile(r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})")
_CONTROLS: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PLACES: Final = {"A": Place.TEXT_BEGIN, "z": Place.TEXT_END, "b": Place.WORD_EDGE, "B": Place.NO_WORD_EDGE}
_LAST_CHARACTER: Final = 0x10FFFF
_REMEMBERED: Final = 100_000
"""So many answers are kept: a scheduler asks the same of the same values again and again."""
_REMEMBERED_PROGRAMS: Final = 10_000


class _InvalidError(Exception):
    """The expression is not one; what exactly is wrong decides nothing."""


def _refuse() -> NoReturn:
    raise _InvalidError


@dataclass(frozen=True, slots=True)
class _Atom:
    """Something that can be repeated, and how often it already repeats what it holds."""

    program: Program
    repeats: int = 1
    height: int = 1


@dataclass(slots=True)
class _Group:
    """A group that is being read: the choices that are complete, the present one, the flags outside."""

    outer_flags: frozenset[str]
    captures: bool = False
    choices: list[Program] = field(default_factory=list)
    present: list[_Atom] = field(default_factory=list)
    repeats: int = 1
    height: int = 1

    def end_choice(self) -> None:
        """Begin the next choice."""
        self.repeats = max([self.repeats, *(atom.repeats for atom in self.present)])
        self.height = max([self.height, *(atom.height for atom in self.present)])
        self.choices.append(tuple(step for atom in self.present for step in atom.program))
        self.present = []

    def close(self) -> _Atom:
        """Make the whole group one atom."""
        self.end_choice()
        return _Atom(join_choices(self.choices), self.repeats, self.height + self.captures)


class _Reader:
    """One pass over an expression; open groups stand on a stack."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.flags: frozenset[str] = frozenset()
        self.groups = [_Group(self.flags)]
        self.names: set[str] = set()
        self.has_repeated = False
        self.has_no_class = False
        """Whether no named class ends behind here: a search for each would take its square."""

    def read(self) -> Program:
        while self.at < len(self.text):
            repeated = self.has_repeated
            self.has_repeated = False
            self._read_one(self.text[self.at], repeated=repeated)
        if len(self.groups) > 1:
            _refuse()
        return self.groups[0].close().program

    def _read_one(self, character: str, *, repeated: bool) -> None:
        if character == "(":
            self._open()
        elif character == ")":
            self._close()
        elif character == "|":
            self._skip(1)
            self.groups[-1].end_choice()
        elif character in "*+?" or (character == "{" and _COUNT.match(self.text, self.at)):
            self._repeat(character, repeated=repeated)
        elif character == "\\":
            self._read_escape()
        else:
            self._read_plain(character)

    def _skip(self, count: int) -> None:
        self.at += count

    def _add(self, program: Program) -> None:
        self.groups[-1].present.append(_Atom(program))

    def _add_atom(self, atom: _Atom) -> None:
        if atom.height > _MOST_NESTED:
            _refuse()
        self.groups[-1].present.append(atom)

    def _add_set(self, *items: Item, negated: bool = False) -> None:
        self._add((Take(CharacterSet(items, negated)),))

    def _add_literal(self, character: str) -> None:
        self._add_set(self._range(character, character))

    def _range(self, low: str, high: str) -> Item:
        return compute_range(low, high, folded="i" in self.flags)

    def _read_plain(self, character: str) -> None:
        if character == "[":
            self._read_set()
            return
        self._skip(1)
        lines = "m" in self.flags
        if character == ".":
            newline = () if "s" in self.flags else (compute_range("\n", "\n"),)
            self._add_set(*newline, negated=True)
        elif character == "^":
            self._add((Check(Place.LINE_BEGIN if lines else Place.TEXT_BEGIN),))
        elif character == "$":
            self._add((Check(Place.LINE_END if lines else Place.TEXT_END),))
        else:
            self._add_literal(character)

    # --- groups and flags --------------------------------------------------------------------------------

    def _open(self) -> None:
        if not self.text.startswith("(?", self.at):
            self._skip(1)
            self.groups.append(_Group(self.flags, captures=True))
        elif name := _GROUP.match(self.text, self.at):
            if name[1] in self.names:
                _refuse()
            self.names.add(name[1])
            self._skip(len(name[0]))
            self.groups.append(_Group(self.flags, captures=True))
        else:
            self._open_with_flags()

    def _open_with_flags(self) -> None:
        match = _FLAGS.match(self.text, self.at) or _refuse()
        flags = (self.flags | set(match["on"])) - set(match["off"] or "")
        self._skip(len(match[0]))
        if match["end"] == ":":
            self.groups.append(_Group(self.flags))
        self.flags = flags

    def _close(self) -> None:
        self._skip(1)
        if len(self.groups) == 1:
            _refuse()
        group = self.groups.pop()
        self.flags = group.outer_flags
        self._add_atom(group.close())

    # --- repetition --------------------------------------------------------------------------------------

    def _repeat(self, character: str, *, repeated: bool) -> None:
        least, most = self._read_count(character)
        if self.text.startswith("?", self.at):
            self._skip(1)  # the preference for few is no matter of whether there is a match
        present = self.groups[-1].present
        if repeated or not present:
            _refuse()
        atom = present.pop()
        times = least if most is None else most
        # A repetition of none hides what it repeats from the limit.
        repeats = 1 if most == 0 else atom.repeats * max(times, 1) if character == "{" else atom.repeats
        if max(least, most or 0) > 1 and repeats > _MOST_REPEATS:
            _refuse()
        if len(atom.program) * max(least, most or 0) > _MOST_INSTRUCTIONS:
            _refuse()
        self._add_atom(_Atom(repeat(atom.program, least, most), repeats, atom.height + 1))
        self.has_repeated = True

    def _read_count(self, character: str) -> tuple[int, int | None]:
        match = _COUNT.match(self.text, self.at)
        if character != "{" or match is None:
            self._skip(1)
            return (1 if character == "+" else 0), (1 if character == "?" else None)
        self._skip(len(match[0]))
        least = self._read_bound(match[1])
        most = least if match[2] is None else None if match[3] is None else self._read_bound(match[3])
        if most is not None and least > most:
            _refuse()
        return least, most

    def _read_bound(self, digits: str) -> int:
        if len(digits) > len(str(_MOST_REPEATS)) or int(digits) > _MOST_REPEATS:
            _refuse()
        return int(digits)

    # --- escapes -----------------------------------------------------------------------------------------

    def _read_escape(self) -> None:
        kind = self.text[self.at + 1 : self.at + 2]
        if kind in _PLACES:
            self._skip(2)
            self._add((Check(_PLACES[kind]),))
        elif kind == "Q":
            self._read_quoted()
        elif item := self._read_class():
            self._add_set(item)
        else:
            self._add_literal(self._read_escaped())

    def _read_quoted(self) -> None:
        quoted, end, _ = self.text[self.at + 2 :].partition("\\E")
        self._skip(2 + len(quoted) + len(end))
        for character in quoted:
            self._add_literal(character)

    def _read_class(self) -> Item | None:
        r"""Read one of \d \D \s \S \w \W \p \P, if it stands here."""
        kind = self.text[self.at + 1 : self.at + 2]
        folded = "i" in self.flags
        if kind and kind in "dswDSW":
            self._skip(2)
            return Item(PERL_CLASSES[kind.lower()], kind.isupper(), folded)
        if kind and kind in "pP":
            match = _UNICODE.match(self.text, self.at) or _refuse()
            self._skip(len(match[0]))
            member = find_unicode_class(match[4] or match[3]) or _refuse()
            return Item(member, (kind == "P") != bool(match[2]), folded)
        return None

    def _read_escaped(self) -> str:
        """Read an escape that stands for one character."""
        kind = self.text[self.at + 1 : self.at + 2]
        if kind in _CONTROLS:
            self._skip(2)
            return _CONTROLS[kind]
        if match := _OCTAL.match(self.text, self.at):
            self._skip(len(match[0]))
            return chr(int(match[1], 8))
        if match := _HEX.match(self.text, self.at):
            self._skip(len(match[0]))
            code = int(match[1] or match[2], 16)
            return chr(code) if code <= _LAST_CHARACTER else _refuse()
        if kind and kind.isascii() and not kind.isalnum():
            self._skip(2)
            return kind
        _refuse()

    # --- sets --------------------------------------------------------------------------------------------

    def _read_set(self) -> None:
        self._skip(1)
        negated = self.text.startswith("^", self.at)
        self._skip(negated)
        items = [self._read_item()]  # a bracket in the first place is one of the characters
        while not self.text.startswith("]", self.at):
            items.append(self._read_item())
        self._skip(1)
        self._add_set(*items, negated=negated)

    def _read_item(self) -> Item:
        if item := self._read_posix_class():
            return item
        if self.text.startswith("\\", self.at) and (item := self._read_class()):
            return item
        low = self._read_member()
        if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
            return self._range(low, low)
        self._skip(1)
        high = self._read_member()
        return self._range(low, high) if low <= high else _refuse()

    def _read_posix_class(self) -> Item | None:
        if self.has_no_class or not self.text.startswith("[:", self.at):
            return None
        end = self.text.find(":]", self.at + 2)
        if end < 0:
            self.has_no_class = True
            return None
        name = self.text[self.at + 2 : end]
        member = POSIX_CLASSES.get(name.removeprefix("^")) or _refuse()
        self.at = end + 2
        return Item(member, name.startswith("^"), "i" in self.flags)

    def _read_member(self) -> str:
        if self.at >= len(self.text):
            _refuse()
        if self.text[self.at] == "\\":
            return self._read_escaped()
        self._skip(1)
        return self.text[self.at - 1]


@lru_cache(maxsize=_REMEMBERED_PROGRAMS)
def compile_regex(text: str) -> Program | None:
    """Read an expression; what is not one has no program.

    Spec: FEAS-31.
    """
    try:
        return _Reader(text).read()
    except _InvalidError:
        return None


@lru_cache(maxsize=_REMEMBERED)
def is_regex_match(expression: str, text: str) -> bool:
    """True if the expression is valid and matches somewhere in the text.

    Spec: FEAS-31.
    """
    program = compile_regex(expression)
    return program is not None and is_match(program, text)
