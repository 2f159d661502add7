"""What holds of a world that is new, as machine code: asked only where the step changed what it reads.

What held before a step and reads nothing that the step writes holds after it. So an instance says which
questions it can change the answer to, and only those are asked of a world that it leads to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomadspec.checkers.native.notes import BITS, count_words
from nomadspec.checkers.native.writer import Writer, signed
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.words import Words
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value as Logical

HEAD = "define i64 @inspect(ptr %world, i64 %number, i64 %position, i64 %order, ptr %notes, ptr %open) {"
DECLARATION = "declare i64 @inspect(ptr, i64, i64, i64, ptr, ptr)"
"""What others say to call it."""


@dataclass(frozen=True, slots=True)
class WorldQuestion:
    """A property of worlds: its number, what tracing found, and which answer is worth a note."""

    number: int
    value: Logical
    noted_when: bool
    """True for what must be reached, False for what must always hold."""
    is_decisive: bool
    """Whether the search ends with such a note."""


def write_inspection(bounded: BoundedModel, words: Words, asked: Sequence[WorldQuestion], count: int) -> str:
    """Write the function that asks about a new world; it answers whether the search is decided."""
    out = Writer(words, bounded.frame.intervals)
    groups = count_words(count)
    out.begin("entry")
    out.do("%decided = alloca i64")
    out.do("store i64 0, ptr %decided")
    pointers = [out.let(f"getelementptr i64, ptr %world, i64 {at}") for at in range(words.count)]
    out.load([out.let(f"load i64, ptr {pointer}") for pointer in pointers])
    row = out.let(f"mul i64 %position, {groups}")
    for group in range(groups):
        members = [question for question in asked if question.number // BITS == group]
        if members:
            _write_group(out, members, row, group)
    out.do(f"ret i64 {out.let('load i64, ptr %decided')}")
    table = _write_table(bounded, asked, groups)
    return "\n".join([table, HEAD, *out.lines, "}"])


def _write_group(out: Writer, members: Sequence[WorldQuestion], row: str, group: int) -> None:
    index = row if not group else out.let(f"add i64 {row}, {group}")
    touched = out.let(f"load i64, ptr {out.let(f'getelementptr i64, ptr @touched, i64 {index}')}")
    is_open = out.let(f"load i64, ptr {out.let(f'getelementptr i64, ptr %open, i64 {group}')}")
    todo = out.let(f"and i64 {touched}, {is_open}")
    with out.only_if(out.let(f"icmp ne i64 {todo}, 0")):
        for question in members:
            bit = out.let(f"and i64 {todo}, {signed(1 << question.number % BITS)}")
            with out.only_if(out.let(f"icmp ne i64 {bit}, 0")):
                _write_question(out, question)


def _write_question(out: Writer, question: WorldQuestion) -> None:
    value = out.flag(question.value)
    noted = value if question.noted_when else out.let(f"xor i1 {value}, true")
    with out.only_if(noted):
        out.do(
            f"call void @note(ptr %notes, ptr %open, i64 {question.number}, i64 %number, i64 %position, "
            "i64 %order)"
        )
        if question.is_decisive:
            out.do("store i64 1, ptr %decided")


def _write_table(bounded: BoundedModel, asked: Sequence[WorldQuestion], groups: int) -> str:
    """Write for each instance which questions it can answer; none where it never happens."""
    touched = [0] * len(bounded.instances)
    for traced in bounded.traced:
        for question in asked:
            if isinstance(question.value, Term) and not question.value.reads.isdisjoint(traced.writes):
                touched[traced.instance.number] |= 1 << question.number
    rows = [bits >> BITS * group & (1 << BITS) - 1 for bits in touched for group in range(groups)]
    words = ", ".join(f"i64 {signed(row)}" for row in rows) or "i64 0"
    return f"@touched = private constant [{max(1, len(rows))} x i64] [{words}]"
