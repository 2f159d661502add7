"""One world as tables for a notebook: of a model its fields by id, of a cluster its objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter
from typing import Final

from nomadspec.checkers.escaping import escape_markup
from nomadspec.checkers.pages.cluster_changes import KINDS, list_objects
from nomadspec.checkers.report.table import count_of
from nomadspec.model.cluster.store.state import State

_CELL: Final = re.compile(r"([^\[]*)\[([^\]]*)\](.*)", re.DOTALL)
_EMPTY: Final = frozenset({"0", "false", "NONE", "SKIP", "absent", ""})
"""What a field holds where nothing happened to it yet."""
_MOST_ROWS: Final = 200
_CHANGED: Final = "background:rgba(240,170,0,.28);font-weight:bold"
_ALIGNED: Final = "text-align:left"

Table = Mapping[str, Mapping[str, str]]
"""Rows by their names, each with its cells by column."""


@dataclass(frozen=True, slots=True)
class WorldShown:
    """A world by itself: ``tables`` holds its values, and Jupyter shows them with what a step changed."""

    title: str
    tables: Mapping[str, Table]
    before: Mapping[str, Table] = field(default_factory=dict, repr=False)
    """The tables of the world before it, so that the difference is seen; empty for the first one."""
    hides_empty: bool = False
    """Whether fields that are empty in every row are only named."""

    def __repr__(self) -> str:
        """Name it, and say how much it holds."""
        rows = sum(map(len, self.tables.values()))
        return f"<nomadspec world {self.title!r}: {count_of(rows, 'row')}>"

    def find(self, row: str, column: str) -> str:
        """Find a value: of a job, a node or another id, or of the world as a whole (row ``""``)."""
        return next(table[row][column] for table in self.tables.values() if column in table.get(row, {}))

    def list_changes(self) -> list[tuple[str, str, str, str]]:
        """List what differs from the world before: row, column, old value, new value."""
        return [
            (row, column, self._was(caption, row, column), value)
            for caption, table in self.tables.items()
            for row, cells in table.items()
            for column, value in cells.items()
            if self._is_changed(caption, row, column, value)
        ]

    def _was(self, caption: str, row: str, column: str) -> str:
        return self.before.get(caption, {}).get(row, {}).get(column, "absent")

    def _is_changed(self, caption: str, row: str, column: str, value: str) -> bool:
        return bool(self.before) and value != self._was(caption, row, column)

    def _repr_html_(self) -> str:
        parts, all_hidden = [f"<p><b>{escape_markup(self.title)}</b></p>"], []
        for caption, table in self.tables.items():
            shown, hidden = self._pick_columns(caption, table)
            parts += self._write_table(caption, table, shown) if shown else []
            all_hidden += [f"{name} ({caption})" for name in hidden]
        if all_hidden:
            summary = f"{count_of(len(all_hidden), 'field')} empty or 0 in every row"
            names = escape_markup(", ".join(all_hidden))
            parts.append(f"<details><summary>{summary}</summary>{names}</details>")
        return "\n".join(parts)

    def _pick_columns(self, caption: str, table: Table) -> tuple[list[str], list[str]]:
        """Tell the columns to show from those that are empty everywhere, and were before."""
        columns = list(dict.fromkeys(name for cells in table.values() for name in cells))
        if not self.hides_empty:
            return columns, []
        shown = [
            name
            for name in columns
            if any(
                cells.get(name, "") not in _EMPTY or self._is_changed(caption, row, name, cells[name])
                for row, cells in table.items()
            )
        ]
        return shown, [name for name in columns if name not in shown]

    def _write_table(self, caption: str, table: Table, columns: Sequence[str]) -> Iterator[str]:
        head = "".join(f'<th style="{_ALIGNED}">{escape_markup(name)}</th>' for name in [caption, *columns])
        yield f"<table><thead><tr>{head}</tr></thead><tbody>"
        for row, cells in islice(table.items(), _MOST_ROWS):
            values = "".join(self._write_cell(caption, row, name, cells.get(name, "")) for name in columns)
            yield f'<tr><th style="{_ALIGNED}">{escape_markup(row)}</th>{values}</tr>'
        yield "</tbody></table>"
        if len(table) > _MOST_ROWS:
            yield f"<p>and {len(table) - _MOST_ROWS:,} more</p>"

    def _write_cell(self, caption: str, row: str, column: str, value: str) -> str:
        if not self._is_changed(caption, row, column, value):
            return f'<td style="{_ALIGNED}">{escape_markup(value)}</td>'
        title = escape_markup(f"was {self._was(caption, row, column)}").replace('"', "&quot;")
        return f'<td style="{_ALIGNED};{_CHANGED}" title="{title}">{escape_markup(value)}</td>'


def tabulate_cells(cells: Mapping[str, object]) -> Mapping[str, Table]:
    """Put the cells of a model's world into tables: one for each kind of ids, and one for what has none."""
    tables: dict[str, dict[str, dict[str, str]]] = {}
    for name, value in cells.items():
        parts = _CELL.fullmatch(name)
        column, row = (parts[1] + parts[3], parts[2]) if parts else (name, "")
        caption = ", ".join(one.rstrip("0123456789") for one in row.split(", ")) or "world"
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        tables.setdefault(caption, {}).setdefault(row, {})[column] = shown
    return tables


def tabulate_objects(state: State) -> Mapping[str, Table]:
    """Put the objects of a cluster into tables: nodes, jobs, deployments, evaluations, allocations."""
    tables: dict[str, dict[str, Mapping[str, str]]] = {}
    for kind, name, fields in sorted(list_objects(state), key=itemgetter(1)):
        tables.setdefault(kind, {})[name] = fields
    return {kind: tables[kind] for kind in KINDS if kind in tables}
