"""The parts of terms: each once, those first of which others are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

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


def find_position(cell: Term) -> int:
    """Find which cell a term is."""
    (position,) = cell.reads
    return position
