"""What makes two searches the same: a digest of everything that their worlds and steps follow from."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from xxhash import xxh3_128

from nomadspec.model.language.fingerprint import format_digest
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property


def compute_identity(task: Task) -> str:
    """Compute the digest of cells, initial worlds, traced rules and traced properties."""
    bounded, frame = task.bounded, task.bounded.frame
    terms = _Terms()
    for name, interval in zip(frame.cell_names, frame.intervals, strict=True):
        terms.note("cell", name, interval.low, interval.high, interval.is_flag)
    terms.note("initial", *task.stepper.initial)
    for traced in bounded.traced:
        terms.note("rule", traced.instance.rule.name, traced.instance.arguments)
        for flag in traced.guard:
            terms.add(flag)
        for cell, value in traced.writes.items():
            terms.note("write", cell)
            terms.add(value)
    if bounded.model.is_at_rest is not None:
        terms.add(bounded.model.is_at_rest(bounded.world(bounded.cell_terms)))
    for prop in task.properties:
        terms.note("property", prop.name, prop.kind.value)
        for value in _list_values(task, prop):
            terms.add(value)
    return terms.digest()


def _list_values(task: Task, prop: Property) -> Iterator[Value]:
    """List what tracing makes of a property."""
    bounded = task.bounded
    world = bounded.world(bounded.cell_terms)
    if prop.kind is Kind.STEP:
        for traced in bounded.traced:
            by = By(traced.instance.rule, traced.instance.arguments)
            yield prop(world, bounded.world(traced.after(bounded.cell_terms)), by)
        return
    for case in bounded.list_cases(prop):
        for text in prop.texts:
            yield text(world, *case)


class _Terms:
    """A digest of terms that are written one after another, each shared part once."""

    def __init__(self) -> None:
        self._hash = xxh3_128()
        self._numbers: dict[int, int] = {}

    def note(self, *words: object) -> None:
        self._hash.update(repr(words).encode())

    def add(self, value: Value) -> None:
        self.note("use", self._number(value))

    def digest(self) -> str:
        return format_digest(self._hash.intdigest())

    def _number(self, value: Value) -> str:
        if not isinstance(value, Term):
            return repr(value)
        waiting = [value]
        while waiting:
            term = waiting[-1]
            missing = [part for part in reversed(term.args) if self._is_missing(part)]
            waiting += missing
            if not missing:
                waiting.pop()
                self._note_term(term)
        return self._write(value)

    def _is_missing(self, part: object) -> TypeGuard[Term]:
        return isinstance(part, Term) and part.id not in self._numbers

    def _note_term(self, term: Term) -> None:
        if term.id not in self._numbers:
            self._numbers[term.id] = len(self._numbers)
            self.note("term", term.op, *map(self._write, term.args))

    def _write(self, value: Value) -> str:
        return f"#{self._numbers[value.id]}" if isinstance(value, Term) else repr(value)
