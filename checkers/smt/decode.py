"""The solver's example as a world: read off cell by cell, and never believed before it was replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from nomadspec.checkers.smt.translate import SolverState
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.trace import Instance


def decode(state: SolverState, example: Value) -> Cells:
    """Read the cells of a state off the solver's example."""
    return tuple(read_value(example, cell) for cell in state.cells)


def read_value(example: Value, term: Value) -> int:
    """Read the value of a term off the solver's example."""
    value = example.eval(term, model_completion=True)
    return z3.is_true(value) if z3.is_bool(value) else int(value.as_long())


def replay_step(bounded: BoundedModel, before: Cells, instance: Instance, claimed: Cells) -> Cells:
    """Run a step that the solver found on the interpreter, which must come to the same world."""
    after = bounded.step(before, instance)
    if after is None or after != claimed:
        raise ImpossibleError(
            f"The solver and the interpreter disagree about {instance.rule.name}{instance.arguments} "
            f"in the world {before}."
        )
    return after
