"""In which worlds a term is known of which some parts were read where a table has no member.

What was read there is unknown. A conjunction with a part that is false is false, whatever its other parts
are; a choice is what it chooses. So a text may have an answer although part of it has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from nomadspec.model.language.logic import Value, all_of, any_of, ite, not_
from nomadspec.model.language.stray_indexes import STRAY
from nomadspec.model.language.subterms import is_cell, list_parts
from nomadspec.model.language.term import Term
from nomadspec.model.language.term_substitution import build_anew

Known: TypeAlias = "tuple[Value, Value]"
"""Of a flag, where it is certainly true and certainly false; of a number, where it is known, and what."""


class Answers:
    """Finds of terms with marks where they are known."""

    def __init__(self, harmless: frozenset[int] = frozenset()) -> None:
        """Start anew; harmless marks are those of places that nothing ever reads where it matters."""
        self._known: dict[int, Known] = {}
        """Of marks and of what is made of them; whatever else there is, is known."""
        self._seen: set[int] = set()
        self._harmless = harmless

    def is_known(self, value: Value) -> Value:
        """True where a value is known."""
        if not isinstance(value, Term) or is_cell(value):
            return True
        one, other = self._read(value)
        return any_of(one, other) if value.is_flag else one

    def has_no_marks(self, value: Value) -> bool:
        """True if nothing that matters was read where it is not."""
        if isinstance(value, Term):
            self._read(value)
        return not isinstance(value, Term) or value.id not in self._known

    def read_flag(self, value: Value) -> Known:
        """Say where a flag is certainly true and where it is certainly false."""
        return self._read(value) if isinstance(value, Term) else (value, not_(value))

    def _read(self, value: Term) -> Known:
        for part in list_parts(value, self._seen):
            self._seen.add(part.id)
            if part.op == STRAY and part.args[0] not in self._harmless:
                self._known[part.id] = self._read_mark(part)
            elif any(isinstance(one, Term) and one.id in self._known for one in part.args):
                self._known[part.id] = self._combine(part)
        return self._given(value)

    def _read_mark(self, mark: Term) -> Known:
        _, lowest = mark.args
        return (False, False) if mark.is_flag else (False, lowest)

    def _given(self, part: Value) -> Known:
        if isinstance(part, Term) and part.id in self._known:
            return self._known[part.id]
        if isinstance(part, Term) and part.op == STRAY:
            return self._given(part.args[1])
        is_flag = part.is_flag if isinstance(part, Term) else isinstance(part, bool)
        return (part, not_(part)) if is_flag else (True, part)

    def _combine(self, part: Term) -> Known:
        given = [self._given(one) for one in part.args]
        match part.op:
            case "not":
                return given[0][1], given[0][0]
            case "and":
                return all_of(*(true for true, _ in given)), any_of(*(false for _, false in given))
            case "or":
                return any_of(*(true for true, _ in given)), all_of(*(false for _, false in given))
            case "ite":
                return _choose(given, is_flag=part.is_flag)
            case "number":
                return any_of(*given[0]), build_anew("number", [given[0][0]])
        return self._calculate(part, given)

    @staticmethod
    def _calculate(part: Term, given: Sequence[Known]) -> Known:
        are_flags = any(isinstance(one, Term) and one.is_flag for one in part.args)
        if are_flags:
            (one, no), (other, nor) = given
            return any_of(all_of(one, other), all_of(no, nor)), any_of(all_of(one, nor), all_of(no, other))
        is_known = all_of(*(known for known, _ in given))
        made = build_anew(part.op, [value for _, value in given])
        return (all_of(is_known, made), all_of(is_known, not_(made))) if part.is_flag else (is_known, made)


def _choose(given: Sequence[Known], *, is_flag: bool) -> Known:
    (true, false), (then, then_not), (other, other_not) = given
    if is_flag:
        return (
            any_of(all_of(true, then), all_of(false, other), all_of(then, other)),
            any_of(all_of(true, then_not), all_of(false, other_not), all_of(then_not, other_not)),
        )
    return any_of(all_of(true, then), all_of(false, other)), ite(true, then_not, other_not)
