"""Bounds: numbers that are known once a scope says how large the declared sizes are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final, Protocol

from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Named(Protocol):
    """A declaration, of which only the name matters here: a size that a scope gives a number, or a set."""

    name: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A number, or an expression over declared sizes, known once a scope says how large they are."""

    terms: tuple[tuple[int, tuple[Named, ...]], ...]
    """A sum of products: a factor and the sizes that it multiplies."""

    @property
    def text(self) -> str:
        """Write the expression; sizes have their names once the class body is complete."""
        return " + ".join(_product_text(factor, sizes) for factor, sizes in self.terms)

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        """Compute the number in a scope."""
        result = 0
        for factor, declared in self.terms:
            value = factor
            for size in declared:
                value *= sizes[size.name]
            result += value
        return result

    def __add__(self, other: Bound | Named | int) -> Bound:
        """Add a number, a size or another bound."""
        return Bound(self.terms + as_bound(other).terms)

    def __mul__(self, other: Bound | Named | int) -> Bound:
        """Multiply with a number, a size or another bound."""
        return Bound(tuple((a * b, x + y) for (a, x), (b, y) in product(self.terms, as_bound(other).terms)))

    __radd__ = __add__
    __rmul__ = __mul__


ZERO: Final = Bound(())
"""The empty sum."""


def as_bound(value: Bound | Named | int) -> Bound:
    """Read a plain number or a declared size as a bound; a declared set is as large as its size."""
    value = getattr(value, "bound", value)
    if isinstance(value, Bound):
        return value
    if isinstance(value, int):
        return Bound(((int(value), ()),))
    if not hasattr(value, "name"):
        raise ModelError(f"{value!r} bounds nothing: give a number, a declared size, or a sum or product.")
    return Bound(((1, (value,)),))


def _product_text(factor: int, sizes: tuple[Named, ...]) -> str:
    names = [size.name for size in sizes]
    return " * ".join(names if names and factor == 1 else [str(factor), *names])
