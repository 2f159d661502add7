"""What can happen in a world as machine code, where a model is so large that Python would take long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.native.asking import make_possible
from nomadspec.checkers.native.build import is_available
from nomadspec.checkers.native.words import WideError

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel

_LEAST_INSTANCES: Final = 150
"""Where fewer things can happen, Python is as quick, and there is nothing to compile."""


def is_worth_compiling(bounded: BoundedModel) -> bool:
    """True if machine code is possible here, and quicker than Python."""
    return len(bounded.instances) >= _LEAST_INSTANCES and is_available()


def find_possible(bounded: BoundedModel, layout: Layout) -> Callable[[int], list[int]] | None:
    """Give the function that lists what can happen in a world; None where it is not worth compiling."""
    if not is_worth_compiling(bounded):
        return None
    try:
        return make_possible(bounded, layout).list
    except WideError:
        return None
