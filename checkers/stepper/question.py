"""A yes-or-no question about packed worlds, answered once for each combination of the cells that it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.model.language.logic import any_of
from nomadspec.model.language.property import Property
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value


class Question:
    """A question with its answers so far."""

    __slots__ = ("_answer", "_answers", "_layout", "_mask", "value")

    def __init__(self, layout: Layout, value: Value, answer: Callable[[Cells], bool]) -> None:
        """Keep what the interpreter answers, and the cells that the traced value reads."""
        self._layout = layout
        self.value = value
        self._mask = read_mask(layout, value)
        self._answer = answer
        self._answers: dict[int, bool] = {}

    def ask(self, packed: int) -> bool:
        """Answer for a packed world."""
        key = packed & self._mask
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = self._answer(self._layout.unpack(packed))
        return known


def read_mask(layout: Layout, value: Value) -> int:
    """Compute the mask of the cells that a traced value reads; a constant reads none."""
    return layout.mask(value.reads) if isinstance(value, Term) else 0


def ask_rest(bounded: BoundedModel, layout: Layout) -> Question:
    """Ask whether a world may have no successor."""
    rest = bounded.model.is_at_rest
    value = False if rest is None else rest(bounded.world(bounded.cell_terms))
    return Question(layout, value, bounded.is_at_rest)


def ask_property(
    bounded: BoundedModel, layout: Layout, prop: Property, case: tuple[Argument, ...] = ()
) -> Question:
    """Ask whether a property of worlds holds (for these arguments)."""
    value = prop(bounded.world(bounded.cell_terms), *case)
    return Question(layout, value, lambda cells: bounded.holds(prop, cells, *case))


def ask_kept(bounded: BoundedModel, layout: Layout, prop: Property, case: tuple[Argument, ...]) -> Question:
    """Ask whether an ``until`` or ``unless`` is unbroken in a world where it is owed."""
    world = bounded.world(bounded.cell_terms)
    value = any_of(*(text(world, *case) for text in (prop.text, prop.keeps) if text is not None))
    return Question(
        layout, value, lambda cells: bounded.is_kept(prop, cells, *case) or bounded.holds(prop, cells, *case)
    )


def ask_premise(
    bounded: BoundedModel, layout: Layout, prop: Property, case: tuple[Argument, ...]
) -> Question | None:
    """Ask whether an ``eventually`` is promised from a world on; None without a premise of its own."""
    if prop.given is None:
        return None
    value = prop.given(bounded.world(bounded.cell_terms), *case)
    return Question(layout, value, lambda cells: bounded.is_given(prop, cells, *case))
