"""Lists of rows by ID of which some are changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from operator import attrgetter
from typing import Final, TypeVar

from nomadspec.model.cluster.entities import Allocation, Node

Row = TypeVar("Row", bound=Allocation | Node)
_read_id: Final = attrgetter("id")


def change(listed: tuple[Row, ...], changed: Mapping[str, Row | None]) -> tuple[Row, ...]:
    """Change some rows of a list by ID; None takes one away."""
    rows = [*listed]
    for row_id, row in changed.items():
        at = bisect_left(rows, row_id, key=_read_id)
        end = at + 1 if at < len(rows) and rows[at].id == row_id else at
        rows[at:end] = [] if row is None else [row]
    return tuple(rows)
