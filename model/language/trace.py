"""Tracing: a rule's text is run once on terms, and what it required and wrote is kept.

The result, a ``TracedInstance``, is data: the conjuncts of the guard and a term for each cell that changes.
The memoising interpreter takes its read sets, the compiler emits code from it and the solver translates it.
An instance whose guard folds to False in the scope does not exist.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import ModelError, StyleError, suggest
from nomadspec.model.language.frame import Row
from nomadspec.model.language.logic import Value, all_of, look_away, look_out
from nomadspec.model.language.subterms import find_position
from nomadspec.model.language.term import Term, TermTable
from nomadspec.model.language.value_wording import is_of_world, say_class
from nomadspec.model.language.world import RESERVED, Disabled, World

if TYPE_CHECKING:
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.domain import Interval
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.rule import Rule


_SLIPS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What a rule's or property's text may raise by mistake."""

WITHOUT_ANSWER: Final = (ArithmeticError, LookupError, StopIteration)
"""What a text raises that asks a table of its own, or ``next``, for what is not there: a violation."""

_MISUSES: Final = {
    re.compile(r"'(?P<kind>\w+)' object is not callable"): "is called, but is no function: index a table "
    "with [...], and name a field alone",
    re.compile(r"object of type '(?P<kind>\w+)' has no len\(\)"): "has no len(): write count(True for i in "
    "s.set), or the size that the set was declared with",
}
"""What Python says of what stands for values of the world, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A rule with constant arguments; the number counts the instances of a scope (-1 for a start rule's)."""

    number: int
    rule: Rule
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class TracedInstance:
    """What an instance requires and writes: the guard's conjuncts, and a value for each cell that changes."""

    instance: Instance
    guard: tuple[Term, ...]
    writes: dict[int, Value]
    failure: ModelError | None = None
    """What its text raises wherever the guard holds, as for a key that a table of its own does not have."""

    def before(self, cells: Sequence[Value]) -> tuple[Value, ...]:
        """Give the cells before the step, with the values of those that the guard settles."""
        known = list(cells)
        for position, value in self.list_settled().items():
            known[position] = value
        return tuple(known)

    def list_settled(self) -> dict[int, Value]:
        """List the cells that the guard settles, each with its value."""
        return dict(filter(None, map(_find_settled, self.guard)))

    def after(self, cells: Sequence[Value]) -> tuple[Value, ...]:
        """Give the cells after the step, from the terms of the cells before it."""
        after = list(cells)
        for position, value in self.writes.items():
            after[position] = value
        return tuple(after)


def _find_settled(part: Term) -> tuple[int, Value] | None:
    """Find the cell that a conjunct of a guard settles, and its value."""
    inner = part.args[0]
    if part.op == "cell":
        return find_position(part), True
    if not isinstance(inner, Term) or inner.op != "cell":
        return None
    if part.op == "not":
        return find_position(inner), False
    is_pinned = part.op == "eq" and not isinstance(part.args[1], Term)
    return (find_position(inner), part.args[1]) if is_pinned else None


def trace_cells(
    frame: FiniteFrame,
    within: Sequence[Collection[int] | None] | None = None,
    *,
    worlds: int = 1,
    table: TermTable | None = None,
) -> tuple[Value, ...]:
    """Make the term of each cell of a scope, or of several worlds in a row, in one table (of their own).

    Where it is known which values a cell can have, its term has no others; a single one stands for itself.
    """
    made_in = table or TermTable()
    intervals = frame.intervals * worlds
    return tuple(
        _make_cell(made_in, position, *each)
        for position, each in enumerate(zip(intervals, within or (None,) * len(intervals), strict=True))
    )


def _make_cell(table: TermTable, position: int, interval: Interval, within: Collection[int] | None) -> Value:
    low, high = (interval.low, interval.high) if not within else (min(within), max(within))
    if within and low == high:
        return bool(low) if interval.is_flag else low
    return table.cell(
        position,
        low,
        high,
        is_flag=interval.is_flag,
        is_name=_is_name(interval),
        is_id=interval.domain.members is not None,
    )


def _is_name(interval: Interval) -> bool:
    members = interval.domain.members
    return members is not None and members.is_symmetric


def trace_instance(
    instance: Instance, world: type[World], frame: FiniteFrame, cells: tuple[Term, ...]
) -> TracedInstance | None:
    """Run a rule on terms; None where its guard can never hold in the scope."""
    return read_run(instance, run_rule(instance, world, frame, cells), cells)


def read_run(instance: Instance, run: Run | None, cells: tuple[Term, ...]) -> TracedInstance | None:
    """Read what a rule's text did; None where its guard can never hold in the scope."""
    required = False if run is None else all_of(*run.guard)
    if run is None or required is False:
        return None
    writes = {position: value for position, value in enumerate(run.after) if value is not cells[position]}
    return TracedInstance(instance, list_conjuncts(required), writes, run.failure)


@dataclass(frozen=True, slots=True)
class Run:
    """What a rule's text did: what it required, the cells after it, and what it raised instead."""

    guard: list[Value]
    after: list[Value]
    failure: ModelError | None


def run_rule(
    instance: Instance, world: type[World], frame: FiniteFrame, cells: tuple[Term, ...]
) -> Run | None:
    """Run a rule on terms; None where it requires what is never so."""
    rule = instance.rule
    after: list[Value] = list(cells)
    guard: list[Value] = []
    failure: ModelError | None = None
    try:
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            rule(world(frame, cells), world(frame, after, condition=True, guard=guard), *instance.arguments)
    except Disabled:
        return None
    except StyleError as error:
        if not has_no_answer(error):
            raise
        failure, after = error, list(cells)
    return Run(guard, after, failure)


def has_no_answer(error: ModelError) -> bool:
    """True if a text asked for what is not there, which is no slip of style."""
    return isinstance(error.__cause__, WITHOUT_ANSWER)


def list_conjuncts(flag: Value) -> tuple[Term, ...]:
    """List what must hold so that a flag holds that can."""
    if not isinstance(flag, Term):
        return ()
    return tuple(part for part in flag.args if isinstance(part, Term)) if flag.op == "and" else (flag,)


def blaming(who: str, file: str, line: int) -> AbstractContextManager[None]:
    """Turn what a rule's or property's text raises into a ModelError that names the place in the text."""
    return _Blaming(who, file, line)


class _Blaming:
    """No generator, since each step of an interpreter asks for one."""

    __slots__ = ("_file", "_line", "_token", "_who")

    def __init__(self, who: str, file: str, line: int) -> None:
        self._who = who
        self._file = file
        self._line = line

    def __enter__(self) -> None:
        self._token = look_out()

    def __exit__(self, _kind: object, slip: BaseException | None, _trace: object) -> None:
        look_away(self._token)
        if isinstance(slip, ModelError):
            raise type(slip)(f"{self._who} ({_place(slip, self._file, self._line)}): {slip}") from slip
        if isinstance(slip, _SLIPS):
            raise StyleError(f"{self._who} ({_place(slip, self._file, self._line)}): {_say(slip)}") from slip


def _say(slip: Exception) -> str:
    if isinstance(slip, AttributeError) and isinstance(slip.obj, int) and slip.name in {"name", "value"}:
        return (
            f"it asks a plain number for its {slip.name}: an argument or value over an enum is its number; "
            "compare it with a member, mood == Mood.CALM, or ask the enum, Mood(mood).name."
        )
    if isinstance(slip, AttributeError) and slip.name is not None:
        owner = slip.obj.__name__ if isinstance(slip.obj, type) else say_class(type(slip.obj).__name__)
        if isinstance(slip.obj, Row):
            table = slip.obj.placed.field.name
            return f"{table} is a table and has no {slip.name!r}: index it, such as {table}[i]."
        hidden = RESERVED if isinstance(slip.obj, World) else ()
        names = [name for name in dir(slip.obj) if not name.startswith("_") and name not in hidden]
        return f"{owner} has no {slip.name!r}" + (f"; {suggest(slip.name, names)}" if names else ".")
    for pattern, instead in _MISUSES.items():
        misused = pattern.fullmatch(str(slip))
        if misused is not None and is_of_world(misused["kind"]):
            return f"{say_class(misused['kind'])} {instead}."
    return f"its text raises {type(slip).__name__}: {str(slip) or 'without a word'}."


def _place(error: BaseException, file: str, line: int) -> str:
    """Find the innermost line of the text's own file that the error passed through."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{file.removeprefix(sys.prefix)}:{lines[-1] if lines else line}"
