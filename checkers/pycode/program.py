"""The rules of a bounded model as Python code over packed worlds: what can happen, and the world after it.

One function asks all guards, shared conditions first and once; each instance has a function for its effect,
written when it is first needed. None of it depends on what was seen before, so it is as quick in a world of a
kind never seen. Where tracing cannot show that a value stays in its domain, the code checks, and leaves it to
the interpreter to say what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Never

from nomadspec.checkers.pycode.possible import find_possible
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import TracedInstance

_MOST_BLOCKS: Final = 50
"""Python refuses more than 100 levels of indentation."""


@dataclass(frozen=True, slots=True)
class _Line:
    """The ranks of a queue: where they are, and those that were found in order."""

    cells: slice
    mask: int
    known: set[int]


class Program:
    """What can happen in packed worlds, and where it leads."""

    def __init__(self, bounded: BoundedModel, layout: Layout, *, may_compile: bool = True) -> None:
        """Write the guards, as machine code where that may be and is worth it; effects follow when needed."""
        self._bounded = bounded
        self._layout = layout
        self._effects: dict[int, Callable[[int], int | None]] = {}
        self._lines = _list_lines(bounded, layout)
        self.initial = tuple(layout.pack(cells) for cells in bounded.initial)
        possible = find_possible(bounded, layout) if may_compile else None
        self.list_possible: Callable[[int], list[int]] = possible or define("possible", self._write_guards())

    def compute_after(self, packed: int, position: int) -> int:
        """Compute the world after an instance that can happen."""
        effect = self._effects.get(position)
        if effect is None:
            traced = self._bounded.traced[position]
            effect = define("effect", write_effect(traced, self._bounded, self._layout))
            self._effects[position] = effect
        after = effect(packed)
        if after is None:
            self._blame(packed, position)
        for line in self._lines[position]:
            if after & line.mask not in line.known:
                self._check_line(packed, position, after, line)
        return after

    def _check_line(self, packed: int, position: int, after: int, line: _Line) -> None:
        """Remember ranks that are those of a queue; let the interpreter say what is wrong with others."""
        ranks = [rank for rank in self._layout.unpack(after)[line.cells] if rank]
        if sorted(ranks) == list(range(1, len(ranks) + 1)):
            line.known.add(after & line.mask)
        else:
            self._bounded.step(self._layout.unpack(packed), self._bounded.instances[position])

    def _blame(self, packed: int, position: int) -> Never:
        """Let the interpreter find the value that leaves its domain."""
        instance = self._bounded.instances[position]
        self._bounded.step(self._layout.unpack(packed), instance)
        raise ImpossibleError(
            f"The code of {instance.rule.name} leaves a domain where the interpreter does not."
        )

    def _write_guards(self) -> list[str]:
        guards = [(position, list(traced.guard)) for position, traced in enumerate(self._bounded.traced)]
        writer = Writer(self._bounded, self._layout, (flag for _, flags in guards for flag in flags))
        body = ["found = []", *_write_questions(guards, writer, 0), "return found"]
        return ["def possible(w):", *indent(body)]


def _list_lines(bounded: BoundedModel, layout: Layout) -> list[list[_Line]]:
    """List for each instance the queues that it changes."""
    lines = []
    for queue in bounded.frame.schema.queues:
        placed = bounded.frame.placed[queue.name]
        cells = range(placed.base, placed.base + placed.span)
        lines.append(_Line(slice(cells.start, cells.stop), layout.mask(cells), set()))
    return [
        [line for line in lines if any(line.cells.start <= cell < line.cells.stop for cell in traced.writes)]
        for traced in bounded.traced
    ]


def define(name: str, lines: Iterable[str]) -> Any:  # noqa: ANN401 - a function of whatever shape the text has
    """Give the function that some lines define."""
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)  # noqa: S102 - the text was written a moment ago, from a model that was run
    return scope[name]


def write_effect(traced: TracedInstance, bounded: BoundedModel, layout: Layout) -> list[str]:
    """Write the function that gives the world after an instance, or None where the interpreter complains."""
    if traced.failure is not None:
        return ["def effect(w):", *indent(["return None"])]
    writer = Writer(bounded, layout, traced.writes.values())
    body: list[str] = []
    constant = 0
    copied: dict[int, int] = {}
    parts = []
    for cell, value in traced.writes.items():
        interval, shift = bounded.frame.intervals[cell], layout.shifts[cell]
        source = _find_copied(value, cell, bounded)
        if source is not None:
            distance = shift - layout.shifts[source]
            copied[distance] = copied.get(distance, 0) | layout.mask([source])
        elif not isinstance(value, Term) and not interval.low <= value <= interval.high:
            return ["def effect(w):", *indent(["return None"])]
        elif not isinstance(value, Term):
            constant |= (int(value) - interval.low) << shift
        else:
            body += writer.define(value)
            text = writer.text(value).value
            if not interval.low <= value.low <= value.high <= interval.high:
                body += [f"if not {interval.low} <= {text} <= {interval.high}:", " return None"]
            parts.append(f"({text} - {interval.low}) << {shift}" if interval.low else f"{text} << {shift}")
    keep = ~layout.mask(traced.writes) & ((1 << layout.bits) - 1)
    moves = [
        f"(w & {mask}) {'<<' if distance >= 0 else '>>'} {abs(distance)}" for distance, mask in copied.items()
    ]
    body.append(f"return {' | '.join([f'w & {keep}', str(constant), *moves, *parts])}")
    return ["def effect(w):", *indent(body)]


def _find_copied(value: Value, cell: int, bounded: BoundedModel) -> int | None:
    """Find the cell whose bits are taken over as they are."""
    if not isinstance(value, Term) or value.op != "cell":
        return None
    source = next(iter(value.reads))
    intervals = bounded.frame.intervals
    is_alike = (intervals[source].low, intervals[source].high) == (intervals[cell].low, intervals[cell].high)
    return source if is_alike else None


def _write_questions(guards: Sequence[tuple[int, list[Term]]], writer: Writer, depth: int) -> list[str]:
    """Ask the guards of neighbours in their order, what several of them share only once."""
    lines = []
    at = 0
    while at < len(guards):
        position, flags = guards[at]
        if not flags:
            lines.append(f"found.append({position})")
            at += 1
            continue
        shared, length = _find_shared(guards, at)
        lines += writer.define(shared)
        inside = [
            (other, [flag for flag in rest if flag.id != shared.id])
            for other, rest in guards[at : at + length]
        ]
        lines.append(f"if {writer.text(shared).test}:")
        lines += indent(_write_block(inside, writer.fork(), depth + 1))
        at += length
    return lines


def _write_block(guards: Sequence[tuple[int, list[Term]]], writer: Writer, depth: int) -> list[str]:
    if depth < _MOST_BLOCKS:
        return _write_questions(guards, writer, depth)
    lines = []
    for position, flags in guards:
        for flag in flags:
            lines += writer.define(flag)
        test = " and ".join(writer.text(flag).test for flag in flags) or "True"
        lines.append(f"if {test}: found.append({position})")
    return lines


def _find_shared(guards: Sequence[tuple[int, list[Term]]], at: int) -> tuple[Term, int]:
    """Find the condition that an instance shares with most of its neighbours, and how many those are."""
    best, most = guards[at][1][0], 0
    for flag in guards[at][1]:
        length = 1
        while at + length < len(guards) and any(flag.id == other.id for other in guards[at + length][1]):
            length += 1
        if length > most:
            best, most = flag, length
    return best, most
