"""A member of a set of any size, while somebody goes through the set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import z3

if TYPE_CHECKING:
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.sets import Ids


@dataclass(slots=True, eq=False)
class Member:
    """An unknown member of a set, while it is open."""

    ids: Ids
    symbol: Value
    count: Value
    """How many members the set has."""
    is_used: bool = False
    turn: int = 0
    turns: int = 1
    """Which turn it is, of how many: one, but where somebody compares turns (turns.py)."""

    @property
    def is_inside(self) -> Value:
        """True while it is a member."""
        return z3.And(self.symbol >= 0, self.symbol < self.count)
