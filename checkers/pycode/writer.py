"""Traced terms as Python text that reads a packed world called ``w``.

A term that is used more than once becomes a local variable, defined where it is first needed; so does one
that would nest too deeply for Python's parser. Flags are ints or bools: as a *test* whatever is true, as a
*value* 0 or 1.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.model.language.subterms import list_parts
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.term import Argument

_DEEPEST: Final = 30
"""Python refuses more than 200 nested parentheses."""


@dataclass(frozen=True, slots=True)
class Text:
    """A term as Python text, in both readings."""

    value: str
    test: str
    depth: int = 0


class Writer:
    """Writes the terms of one function."""

    def __init__(self, bounded: BoundedModel, layout: Layout, roots: Iterable[Argument]) -> None:
        """Count how often each part of the roots is used."""
        self._bounded = bounded
        self._layout = layout
        self._uses: Counter[int] = Counter()
        seen: set[int] = set()
        for root in roots:
            for term in list_parts(root, seen):
                seen.add(term.id)
                self._uses.update(part.id for part in term.args if isinstance(part, Term))
            if isinstance(root, Term):
                self._uses[root.id] += 1
        self._texts: dict[int, Text] = {}

    def fork(self) -> Writer:
        """Give a writer for a block inside: what it defines is unknown outside."""
        inner = Writer(self._bounded, self._layout, ())
        inner._uses = self._uses
        inner._texts = dict(self._texts)
        return inner

    def define(self, root: Argument) -> list[str]:
        """Give the definitions that the text of a term needs first."""
        lines = []
        for term in list_parts(root, self._texts):
            text = self._write(term)
            is_shared = self._uses[term.id] > 1 and text.depth > 0
            if is_shared or text.depth > _DEEPEST:
                lines.append(f"t{term.id} = {text.value}")
                text = Text(f"t{term.id}", f"t{term.id}")
            self._texts[term.id] = text
        return lines

    def text(self, value: Argument) -> Text:
        """Give the text of a constant, or of a term after its definitions."""
        if isinstance(value, Term):
            return self._texts[value.id]
        return Text(repr(int(value)), repr(bool(value)))

    def _write(self, term: Term) -> Text:
        if term.op == "cell":
            return self._write_cell(next(iter(term.reads)), is_flag=term.is_flag)
        parts = [self.text(part) for part in term.args]
        depth = 1 + max(part.depth for part in parts)
        if term.op in {"and", "or"}:
            test = f"({f' {term.op} '.join(part.test for part in parts)})"
            return Text(f"(1 if {test} else 0)", test, depth)
        if term.op == "eq" and self._is_cell(term.args[0]) and not isinstance(term.args[1], Term):
            text = self._compare_cell(term.args[0], term.args[1])
        else:
            text = _OPERATORS[term.op](parts)
        return Text(text, text, depth)

    def _write_cell(self, cell: int, *, is_flag: bool) -> Text:
        shift, mask, low = self._layout.shifts[cell], self._layout.mask([cell]), self._low(cell)
        if is_flag:
            return Text(f"(w >> {shift} & 1)", f"(w & {mask})")
        value = f"((w >> {shift} & {mask >> shift}) + {low})" if low else f"(w >> {shift} & {mask >> shift})"
        return Text(value, value)

    def _low(self, cell: int) -> int:
        return self._bounded.frame.intervals[cell].low

    def _is_cell(self, value: Argument) -> bool:
        return isinstance(value, Term) and value.op == "cell"

    def _compare_cell(self, cell: Argument, value: Argument) -> str:
        """Compare the bits where they are."""
        at = next(iter(cell.reads)) if isinstance(cell, Term) else 0
        bits = (int(value) - self._low(at)) << self._layout.shifts[at]
        return f"(w & {self._layout.mask([at])} == {bits})"


def indent(lines: Iterable[str]) -> list[str]:
    """Put lines into a block."""
    return [f" {line}" for line in lines]


def _choose(parts: list[Text]) -> str:
    condition, then, otherwise = parts
    return f"({then.value} if {condition.test} else {otherwise.value})"


_OPERATORS: Final[dict[str, Callable[[list[Text]], str]]] = {
    "eq": lambda parts: f"({parts[0].value} == {parts[1].value})",
    "le": lambda parts: f"({parts[0].value} <= {parts[1].value})",
    "add": lambda parts: f"({parts[0].value} + {parts[1].value})",
    "mul": lambda parts: f"({parts[0].value} * {parts[1].value})",
    "neg": lambda parts: f"(-{parts[0].value})",
    "number": lambda parts: parts[0].value,
    "not": lambda parts: f"(not {parts[0].test})",
    "ite": _choose,
}
