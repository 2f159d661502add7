"""One recording as text: what was asked, then what was recorded beside what the model says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from click import style

from nomadspec.checkers.escaping import escape_line
from nomadspec.checkers.oracle.check import find_differences, judge_line
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judgement
from nomadspec.checkers.oracle.paths import list_steps
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.registry import Kind
from nomadspec.checkers.oracle.sides import Sides, list_leaves, split
from nomadspec.checkers.report.judging import describe, difference_as_data, plain, shorten
from nomadspec.checkers.report.table import bad, count_of, render_table, strong
from nomadspec.checkers.report.titles import name_with_title
from nomadspec.model.errors import InputError

_MOST_DIFFERENCES: Final = 200
_AROUND: Final = 4
"""So many answers that agree are shown around one that does not."""
_FEW: Final = 60
"""So many rows are shown without being asked for."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A recording, taken apart, with what is said of it."""

    kind: Kind
    judgement: Judgement
    differences: tuple[Difference, ...]
    sides: Sides

    def data(self) -> dict[str, object]:
        """Give it as data."""
        return {
            "verdict": self.judgement.verdict.value,
            "file": self.judgement.file,
            "family": self.kind.name,
            "id": self.judgement.id,
            "ruling": self.judgement.ruling.value,
            "reason": self.judgement.reason,
            "input": plain(self.sides.asked),
            "recorded": plain(self.sides.recorded),
            "model": plain(self.sides.model),
            "differences": [difference_as_data(one) for one in self.differences],
        }

    def render(self, *, in_full: bool = False) -> str:
        """Write it as text; ``in_full`` leaves nothing out."""
        first = self.differences[0].path if self.differences else ""
        asked = _near(dict(list_leaves(self.sides.asked)), first)
        return "\n".join(
            [
                describe(self.judgement),
                "",
                strong("input"),
                *_render_asked(asked, limit=len(asked) if in_full else _FEW),
                "",
                strong("answers"),
                *_render_answers(self.sides, in_full=in_full),
                *(["", *map(_describe_difference, self.differences)] if self.differences else []),
            ]
        )


def show_line(kind: Kind, line: Line, context: Context) -> Shown:
    """Judge a recording and take it apart; after the first difference the model may go astray."""
    judgement = judge_line(kind, line, context)
    differences: tuple[Difference, ...] = ()
    if judgement.difference is not None and not judgement.reason:
        differences = (judgement.difference, *_list_more(kind, line, context))
    return Shown(kind, judgement, differences, split(kind.name, line.document, differences))


def _list_more(kind: Kind, line: Line, context: Context) -> list[Difference]:
    more: list[Difference] = []
    try:
        more.extend(islice(find_differences(kind, line, context), 1, _MOST_DIFFERENCES))
    except InputError as error:  # the recording ends here for whoever judges it
        more.append(Difference(error.at, None, None, ""))
    return more


def _near(rows: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Of a sequence of operations, keep the one in question."""
    steps = list(list_steps(path))[:2]
    if len(steps) < 2 or not isinstance(steps[1], int):  # noqa: PLR2004 -- a list and a position in it
        return dict(rows)
    whole, one = f"{steps[0]}[", f"{steps[0]}[{steps[1]}]"
    return {at: value for at, value in rows.items() if not at.startswith(whole) or at.startswith(one)}


def _render_asked(rows: Mapping[str, Any], limit: int) -> list[str]:
    shown = [(escape_line(path), shorten(value)) for path, value in islice(rows.items(), limit)]
    left = len(rows) - len(shown)
    more = [f"  ... and {count_of(left, 'value')} more: add --all"] if left else []
    return [render_table(("at", "value"), shown), *more]


def _render_answers(sides: Sides, *, in_full: bool) -> list[str]:
    recorded, model = dict(list_leaves(sides.recorded)), dict(list_leaves(sides.model))
    paths = [*recorded, *(path for path in model if path not in recorded)]
    rows = [(path, recorded.get(path, ABSENT), model.get(path, ABSENT)) for path in paths]
    differing = {at for at, (_, told, computed) in enumerate(rows) if repr(told) != repr(computed)}
    near = {at + step for at in differing for step in range(-_AROUND, _AROUND + 1)}
    shown = [
        _row(row, is_equal=at not in differing)
        for at, row in enumerate(rows)
        if in_full or at in near or (not differing and at < _FEW)
    ]
    left = len(rows) - len(shown)
    more = [f"  ... and {count_of(left, 'answer')} more that agree: add --all"] if left else []
    return [render_table(("", "at", "recorded", "model"), shown), *more]


def _row(row: tuple[str, Any, Any], *, is_equal: bool) -> tuple[str, str, str, str]:
    path, recorded, model = row
    if is_equal:
        return " ", escape_line(path), shorten(recorded), style("same", dim=True)
    return bad("!"), escape_line(path), shorten(recorded), shorten(model)


def _describe_difference(difference: Difference) -> str:
    rule = f": {name_with_title(difference.rule)}" if difference.rule else ""
    return f"  {escape_line(difference.path)}{rule}"
