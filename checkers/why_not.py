"""Why a rule is not possible in a world: each condition that it requires, true or false, and what it read.

The rule's own text is run on plain values. Each ``t.require`` is found in its source, its conditions are
taken apart where they are joined by ``all_of``, and each part is computed once more by itself, while it is
noted which cells it reads.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomadspec.model.errors import ModelError
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.story import Application, label_instance
from nomadspec.model.language.trace import blaming

if TYPE_CHECKING:
    from types import FrameType

    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.sets import Size
    from nomadspec.model.language.trace import Instance
    from nomadspec.model.language.world import World


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that a rule requires: its text and place, whether it holds, and what it read."""

    text: str
    file: str
    line: int
    holds: bool
    reads: tuple[tuple[str, object], ...]
    """Cells by name, each with its value as people write it, in the order in which they were read."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a step requires in a world, and what goes wrong with it where all of that holds."""

    step: Application
    conditions: tuple[Condition, ...]
    problem: str | None = None
    """Why the step fails though its rule allows it, or why its text could not be followed to its end."""

    @property
    def is_possible(self) -> bool:
        """True if the step can happen."""
        return self.problem is None and not self.missing

    @property
    def missing(self) -> tuple[Condition, ...]:
        """List the conditions that do not hold."""
        return tuple(one for one in self.conditions if not one.holds)


def find_reasons(bounded: BoundedModel, cells: Cells, instance: Instance) -> Reasons:
    """Find out what a step requires in a world, and which of it does not hold."""
    rule = instance.rule
    seen = _Seen(cells)
    notes = _Notes(seen, rule.file, rule.line)
    problem = None
    try:
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            before = bounded.model.world(bounded.frame, seen)
            writer = _make_asking(bounded.model.world, notes)(
                bounded.frame, list(cells), condition=True, guard=[]
            )
            rule(before, writer, *instance.arguments)
        if all(part.holds for part in notes.parts):
            bounded.step(cells, instance)
    except ModelError as error:
        problem = str(error)
    conditions = tuple(
        Condition(part.text, part.file, part.line, part.holds, _label(bounded, cells, part.reads))
        for part in notes.parts
    )
    is_told = problem is not None and all(part.holds for part in notes.parts)
    return Reasons(label_instance(bounded, instance), conditions, problem if is_told else None)


def _label(bounded: BoundedModel, cells: Cells, reads: Sequence[int]) -> tuple[tuple[str, object], ...]:
    frame = bounded.frame
    return tuple((frame.cell_names[at], frame.intervals[at].label(cells[at])) for at in reads)


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    file: str
    line: int
    holds: bool
    reads: tuple[int, ...]


class _Seen(Sequence[int]):
    """The cells of a world, which note what is read of them."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._read: dict[int, None] = {}

    def __len__(self) -> int:
        return len(self._cells)

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 -- a cell, or a slice of them
        self._read.update(dict.fromkeys(range(len(self))[at] if isinstance(at, slice) else [at]))
        return self._cells[at]

    def take(self) -> tuple[int, ...]:
        """Give what was read since this was asked, and forget it."""
        found, self._read = tuple(self._read), {}
        return found


@dataclass(slots=True)
class _Notes:
    """What was required so far."""

    seen: _Seen
    file: str
    line: int
    parts: list[_Part] = field(default_factory=list)

    def add_feature(self, text: str, *, holds: bool) -> None:
        """Note which features a rule is part of, or in whose stead it is."""
        self.parts.append(_Part(text, self.file, self.line, holds, ()))

    def add(self, frame: FrameType, conditions: Sequence[Any]) -> None:
        """Note what a call of ``t.require`` asks, part by part where its text can be found."""
        nodes = _find_arguments(frame)
        if len(nodes) != len(conditions) or any(isinstance(node, ast.Starred) for node in nodes):
            text = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
            self._add(frame, text, frame.f_lineno, all_of(*conditions))
            return
        for node in nodes:
            for part in _split(node):
                self._compute(frame, part)

    def _compute(self, frame: FrameType, node: ast.expr) -> None:
        names = {**frame.f_globals, **frame.f_locals}
        self.seen.take()
        code = compile(ast.Expression(node), frame.f_code.co_filename, "eval")
        value = eval(code, names)  # noqa: S307 -- a part of the rule's own text, which was just run
        self._add(frame, ast.unparse(node), node.lineno, value)

    def _add(self, frame: FrameType, text: str, line: int, value: object) -> None:
        reads = self.seen.take()
        self.parts.append(_Part(text, frame.f_code.co_filename, line, bool(value), reads))


def _make_asking(world: type[World], notes: _Notes) -> type[World]:
    """Make the world after a step, which notes what is required instead of ending the rule."""

    class Asking(world):  # type: ignore[valid-type, misc] # the class of the model's worlds
        def require(self, *conditions: Any) -> None:
            notes.add(sys._getframe(1), conditions)  # noqa: SLF001 -- whose text it is

        def require_features(self, needed: Sequence[Size], replaced: Sequence[Size]) -> None:
            for one in needed:
                notes.add_feature(_say_on(one), holds=bool(self.frame.size(one) > 0))
            for one in replaced:
                notes.add_feature(_say_off(one), holds=bool(self.frame.size(one) == 0))

    return Asking


def _say_on(size: Size) -> str:
    return f"s.{size.name}" if size.is_feature else f"s.{size.name} > 0"


def _say_off(size: Size) -> str:
    return f"not_(s.{size.name})" if size.is_feature else f"s.{size.name} == 0"


def _split(node: ast.expr) -> Iterator[ast.expr]:
    """Take apart what is joined by ``all_of``."""
    is_joined = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "all_of"
    if is_joined and isinstance(node, ast.Call) and node.args and not _has_starred(node):
        for part in node.args:
            yield from _split(part)
    else:
        yield node


def _has_starred(call: ast.Call) -> bool:
    return any(isinstance(part, ast.Starred) for part in call.args) or bool(call.keywords)


def _find_arguments(frame: FrameType) -> list[ast.expr]:
    """Find the arguments of the call that a frame is in, by its place in the source."""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    calls = _list_calls(frame.f_code.co_filename)
    return calls.get(positions, [])


@lru_cache(maxsize=32)
def _list_calls(file: str) -> dict[tuple[int | None, ...], list[ast.expr]]:
    """List the calls of a file by where they stand; none where it cannot be read any more."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return {}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {(one.lineno, one.end_lineno, one.col_offset, one.end_col_offset): one.args for one in found}
