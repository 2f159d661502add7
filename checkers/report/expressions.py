"""Expressions of one's own, evaluated in the worlds along a story.

An expression is Python over one world, ``s``, as in a property: ``count(s.up[node] for node in s.nodes)``. It
sees the words of the language, what the modules of the model define, and each id under the name that stories
give it. It runs on plain values only, so that anything that Python can compute is in style here. Where it
asks a table for what it has not, it has no answer, and says so; one that only plain values can answer, as a
sorted list, is not looked at in that way.
"""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from click import style

from nomadspec.checkers.report.table import render_table
from nomadspec.model.errors import UsageError
from nomadspec.model.language import domain, logic
from nomadspec.model.language.answer_property import Duties
from nomadspec.model.language.part import Part
from nomadspec.model.language.story import label_instance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import CodeType

    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.story import Replay
    from nomadspec.model.language.world import World

_DOMAIN_WORDS: Final = ("NONE", "SKIP")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that can be read, and the names that it sees."""

    text: str
    code: CodeType
    names: Mapping[str, Any]
    duties: Duties
    """Where it has an answer, as far as that is known."""

    def as_text(self) -> Callable[[World], Any]:
        """Make the function of a world that it is, which can be read as the text of a property is."""
        text, file = f"lambda s: ({self.text.strip()}\n)", f"<{self.text}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        made: Callable[[World], Any] = eval(compile(text, file, "eval"), dict(self.names))  # noqa: S307 -- the user's own text
        return made

    def evaluate(self, bounded: BoundedModel, cells: Cells, where: str) -> Any:  # noqa: ANN401 -- whatever it computes
        """Compute it in a world, or say why it has no answer; ``where`` names the world, for an error."""
        broken = self.duties.find_broken(cells)
        if broken is not None:
            return broken
        try:
            return _compute(self.code, self.names, bounded.world(cells))
        except Exception as error:  # the user's own text may raise anything; it is told, with its cause
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise UsageError(f"The expression {self.text!r} fails {where} ({said}).") from error


def read_expressions(bounded: BoundedModel, texts: Iterable[str]) -> tuple[Expression, ...]:
    """Read expressions about the worlds of a model; one that is no Python is refused in a sentence."""
    names = list_names(bounded)
    return tuple(_read(bounded, text, names) for text in texts)


def list_names(bounded: BoundedModel) -> dict[str, Any]:
    """List what an expression sees beside the world: words, what the model's modules define, ids."""
    names: dict[str, Any] = {}
    for ids in bounded.frame.schema.sets:
        names |= {ids.name_of(member): member for member in range(bounded.frame.length(ids))}
    names |= {name: word for name, word in vars(logic).items() if _is_word(name, word)}
    names |= {name: vars(domain)[name] for name in _DOMAIN_WORDS}
    model = bounded.model
    parts: tuple[Rule | Property, ...] = (*model.rules, *model.properties)
    texts = (text for part in parts for text in part.texts)
    modules = dict.fromkeys((*(text.__module__ for text in texts), model.world.__module__))
    for module in modules:
        names |= vars(sys.modules[module]) if module in sys.modules else {}
    return names


def list_values(expressions: Iterable[Expression], replay: Replay) -> list[list[Any]]:
    """Evaluate each expression in each world of a replay, the first one included."""
    places = ["in the first world", *(f"after step {number}" for number in range(1, len(replay.worlds)))]
    return [
        [one.evaluate(replay.bounded, cells, at) for cells, at in zip(replay.worlds, places, strict=True)]
        for one in expressions
    ]


def values_data(expressions: Sequence[Expression], replay: Replay) -> list[dict[str, object]]:
    """Write what expressions are along a story as data."""
    values = list_values(expressions, replay)
    return [
        {"expression": one.text, "values": [_to_data(value) for value in row]}
        for one, row in zip(expressions, values, strict=True)
    ]


def render_values(expressions: Sequence[Expression], replay: Replay, about: str = "") -> str:
    """Write what expressions are along a story as a table: a row for each world where one changes."""
    values = [[show(value) for value in row] for row in list_values(expressions, replay)]
    marks = [f"[{number}]" for number in range(1, len(expressions) + 1)]
    heads = [f"  {mark} {one.text}" for mark, one in zip(marks, expressions, strict=True)]
    steps = [label_instance(replay.bounded, moment.instance) for moment in replay.moments]
    reached = ["first", *(f"{number} {step}" for number, step in enumerate(steps, 1))]
    rows = list(zip(reached, *values, strict=False))
    changes = _list_changes(rows)
    return "\n".join(
        [
            style(f"  ALONG THE STORY{f' OF {about}' if about else ''}", dim=True),
            *heads,
            "",
            render_table(("after", *marks), changes),
        ]
    )


def _list_changes(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Keep the rows where a value changes, and the last one: what stays needs no line."""
    kept = [next(group) for _, group in groupby(rows, key=lambda row: row[1:])]
    return kept if kept[-1] is rows[-1] else [*kept, rows[-1]]


def show(value: object) -> str:
    """Write a value as people do."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Enum):
        return domain.label_of(value)
    if isinstance(value, tuple | list | set | frozenset):
        return " ".join(map(show, value)) or "none"
    return str(value)


def _read(bounded: BoundedModel, text: str, names: Mapping[str, Any]) -> Expression:
    try:
        code = compile(text.strip(), "<expression>", "eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two: it is too deep
        at = f" at column {error.offset}" if isinstance(error, SyntaxError) and error.offset else ""
        said = error.msg if isinstance(error, SyntaxError) else str(error) or "it is nested too deep"
        raise UsageError(
            f"The expression {text!r} cannot be read{at} ({said}): write Python over the world s, "
            "count(s.busy[c] for c in s.clerks) for example."
        ) from error
    return Expression(text, code, names, _find_duties(bounded, code, names))


def _find_duties(bounded: BoundedModel, code: CodeType, names: Mapping[str, Any]) -> Duties:
    """Find in which worlds an expression has an answer."""
    try:
        return bounded.find_duties("no answer: it", partial(_compute, code, names))
    except Exception:  # noqa: BLE001 -- what is wrong with it, or asks for plain values, they will say
        return Duties(bounded.frame.intervals, bounded.cell_terms)


def _compute(code: CodeType, names: Mapping[str, Any], world: World) -> Any:  # noqa: ANN401 -- whatever it computes
    return _freeze(eval(code, {**names, "s": world}))  # noqa: S307 -- the user's own text


def _freeze(value: Any) -> Any:  # noqa: ANN401 -- whatever an expression computes
    """Take what is made while it is looked at, and refuse what is no value."""
    if isinstance(value, Part):
        raise TypeError("it gives a table, queue, set or world and no value: index it, or ask it")
    if hasattr(value, "__next__"):
        return tuple(value)
    return value


def _to_data(value: object) -> object:
    if isinstance(value, Enum):
        return domain.label_of(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list | set | frozenset):
        return [_to_data(item) for item in value]
    return str(value)


def _is_word(name: str, word: object) -> bool:
    """True if something of the module of words is one."""
    return not name.startswith("_") and callable(word) and getattr(word, "__module__", "") == logic.__name__
