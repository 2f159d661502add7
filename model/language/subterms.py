"""The parts of terms: each once, those first of which others are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.term import Argument


def list_parts(root: Argument, known: Container[int] = ()) -> Sequence[Term]:
    """List a term and its parts that are not known by number, parts first: they were made before it."""
    found: dict[int, Term] = {}
    waiting = [root]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Term) and term.id not in known and term.id not in found:
            found[term.id] = term
            waiting += term.args
    return [found[number] for number in sorted(found)]


def list_leaves(value: Value) -> Iterator[Value]:
    """List what a value may be: what it chooses from, where it is a choice."""
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Term) and part.op == "ite":
            if part.id not in seen:
                seen.add(part.id)
                waiting += part.args[1:]
        else:
            yield part


def find_position(cell: Term) -> int:
    """Find which cell a term is."""
    (position,) = cell.reads
    return position


def is_cell(value: Value) -> bool:
    """True if a value is that of a cell, and nothing made of it."""
    return isinstance(value, Term) and value.op == "cell"
