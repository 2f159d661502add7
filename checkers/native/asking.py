"""What can happen in one world, and what is worth telling of it, as functions of machine code.

A search asks inside of its own code (``expand.py``, ``inspect.py``). A walk goes from one world to one other
and asks here: a function takes the words of a world and lists numbers.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.build import MachineCode, Text, bind
from nomadspec.checkers.native.guards import share_guards
from nomadspec.checkers.native.notes import BITS, count_words
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.native.writer import Writer, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.writer import Operand
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.term import Term

_NAME: Final = "list"
_LEVEL: Final = 1
_MOST_LINES: Final = 20_000
"""Longer texts are compiled without optimisation, which would take seconds."""


class Lister:
    """A function that lists numbers; its code lives as long as this."""

    def __init__(self, words: Words, text: str, others: int, room: int) -> None:
        """Compile a text; its function takes a world and so many ``others``, and lists ``room`` at most."""
        level = _LEVEL if text.count("\n") <= _MOST_LINES else 0
        self._code = MachineCode([Text(text, level)], [_NAME])
        self._function = bind(self._code, _NAME, words.count + others + 1)
        self._starts = words.starts
        self._found = (ctypes.c_uint32 * max(1, room))()
        self._address = ctypes.addressof(self._found)

    def list(self, packed: int, *others: int) -> list[int]:
        """List the numbers; of words wider than those of the machine the low bits are taken."""
        count = self._function(*[packed >> start for start in self._starts], *others, self._address)
        return self._found[:count] if count else []


class Wanted:
    """Flags of a world (or of two in a row), and the answer of each that is worth telling."""

    def __init__(
        self, intervals: Sequence[Interval], layout: Layout, flags: Sequence[tuple[Operand, bool]]
    ) -> None:
        """Compile the flags, which read cells of these intervals that lie as the layout says."""
        self._groups = count_words(len(flags))
        words = Words(layout)
        text = _write_wanted(intervals, words, flags, self._groups)
        self._lister = Lister(words, text, self._groups, len(flags))

    def split(self, numbers: int) -> tuple[int, ...]:
        """Cut the bits of the numbers that are asked into words."""
        return tuple(numbers >> BITS * group for group in range(self._groups))

    def list(self, packed: int, asked: Sequence[int]) -> list[int]:
        """List those of the numbers asked, cut into words, whose flag has the answer worth telling."""
        return self._lister.list(packed, *asked)


def make_possible(bounded: BoundedModel, layout: Layout) -> Lister:
    """Make the function that lists the positions of the instances that can happen in a world."""
    words = Words(layout)
    out = _begin(bounded.frame.intervals, words)
    _write_guards(out, [(traced.instance.number, list(traced.guard)) for traced in bounded.traced])
    return Lister(words, _end(out, words, 0), 0, len(bounded.traced))


def _write_guards(out: Writer, guards: Sequence[tuple[int, list[Term]]]) -> None:
    """Ask guards in their order, and what neighbours share only once."""
    for shared, group in share_guards(guards):
        if shared is None:
            _tell(out, group[0][0])
            continue
        with out.only_if(out.flag(shared)):
            _write_guards(out, group)


def _write_wanted(
    intervals: Sequence[Interval], words: Words, flags: Sequence[tuple[Operand, bool]], groups: int
) -> str:
    out = _begin(intervals, words)
    for group in range(groups):
        members = range(BITS * group, min(len(flags), BITS * (group + 1)))
        asked = f"%q{group}"
        with out.only_if(out.let(f"icmp ne i64 {asked}, 0")):
            for number in members:
                bit = out.let(f"and i64 {asked}, {signed(1 << number % BITS)}")
                with out.only_if(out.let(f"icmp ne i64 {bit}, 0")):
                    _write_flag(out, number, *flags[number])
    return _end(out, words, groups)


def _write_flag(out: Writer, number: int, flag: Operand, is_wanted: bool) -> None:  # noqa: FBT001 -- a pair, taken apart
    value = out.flag(flag)
    with out.only_if(value if is_wanted else out.let(f"xor i1 {value}, true")):
        _tell(out, number)


def _begin(intervals: Sequence[Interval], words: Words) -> Writer:
    out = Writer(words, intervals)
    out.begin("entry")
    out.do("%made = alloca i64")
    out.do("store i64 0, ptr %made")
    out.load([f"%w{at}" for at in range(words.count)])
    return out


def _tell(out: Writer, number: int) -> None:
    made = out.let("load i64, ptr %made")
    out.do(f"store i32 {number}, ptr {out.let(f'getelementptr i32, ptr %found, i64 {made}')}")
    out.do(f"store i64 {out.let(f'add i64 {made}, 1')}, ptr %made")


def _end(out: Writer, words: Words, others: int) -> str:
    out.do(f"ret i64 {out.let('load i64, ptr %made')}")
    taken = [*(f"i64 %w{at}" for at in range(words.count)), *(f"i64 %q{at}" for at in range(others))]
    return "\n".join([f"define i64 @{_NAME}({', '.join(taken)}, ptr %found) {{", *out.lines, "}"])
