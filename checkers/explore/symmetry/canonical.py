"""The choice between the two ways to a canonical form."""

from __future__ import annotations

from math import factorial, prod
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.symmetry.candidates import Candidates
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.explore.symmetry.tables import Tables

if TYPE_CHECKING:
    from nomadspec.checkers.explore.symmetry.sorts import Sorts
    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.frame import FiniteFrame

_MOST_IN_TABLES: Final = 120
"""How many permutations of named sorts are remembered for each piece; beyond, colours are cheaper."""


def make_symmetry(frame: FiniteFrame, layout: Layout) -> Tables | Candidates:
    """Make the canonical form of a scope."""
    sorts = find_sorts(frame)
    return (Tables if has_few_renamings(frame, sorts) else Candidates)(frame, layout, sorts)


def has_few_renamings(frame: FiniteFrame, sorts: Sorts) -> bool:
    """True if the permutations of the named sorts are few enough to be tried one by one."""
    return prod(factorial(frame.length(ids)) for ids in sorts.named) <= _MOST_IN_TABLES
