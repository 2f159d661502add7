"""What is asked of a step, as machine code: a function for each instance, since compilers like small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.native.notes import BITS
from nomadspec.checkers.native.writer import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.native.writer import Writer
    from nomadspec.model.language.logic import Value as Logical


def write_step_checks(out: Writer, words: int, position: int, asked: Sequence[tuple[int, Logical]]) -> str:
    """Write the function that asks the questions which an instance may answer otherwise than by yes."""
    out.begin("entry")
    out.load([f"%w{at}" for at in range(words)])
    for question, value in asked:
        with out.only_if(write_is_open(out, question)):
            fails, holds = out.name("fails"), out.name("holds")
            out.ensure(value, holds, fails)
            out.begin(fails)
            write_note(out, question, position, "%made")
            out.go(holds)
            out.begin(holds)
    out.do("ret void")
    given = ", ".join(f"i64 %w{at}" for at in range(words))
    head = f"define void @steps{position}({given}, i64 %world, i64 %made, ptr %notes, ptr %open) noinline {{"
    return "\n".join([head, *out.lines, "}"])


def write_is_open(out: Writer, question: int) -> str:
    """Ask whether a question is still open."""
    where = out.let(f"getelementptr i64, ptr %open, i64 {question // BITS}")
    bits = out.let(f"and i64 {out.let(f'load i64, ptr {where}')}, {signed(1 << question % BITS)}")
    return out.let(f"icmp ne i64 {bits}, 0")


def write_note(out: Writer, question: int, position: int, made: str) -> None:
    """Note that a question about a step was answered; its place among the successors orders the notes."""
    order = out.shift(made, 1)
    out.do(f"call void @note(ptr %notes, ptr %open, i64 {question}, i64 %world, i64 {position}, i64 {order})")
