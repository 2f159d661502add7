"""What values are as machine code: words, flags, and memory of one kind or another."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from nomadspec.checkers.native.algorithms.types import FULL
from nomadspec.checkers.native.writer import signed

if TYPE_CHECKING:
    from collections.abc import Mapping

_SEQUENCE: Final = "Sequence["


@dataclass(frozen=True, slots=True)
class Kind:
    """What LLVM calls a type; for addresses, what is found there."""

    name: str
    element: Kind | None = None
    """What memory is made of."""
    record: type[Any] | None = None
    """The class whose fields are words one behind another."""

    def list_fields(self) -> Mapping[str, str]:
        """Map the fields of a record, in their order, to what their annotations say."""
        return {} if self.record is None else {field.name: str(field.type) for field in fields(self.record)}


WORD: Final = Kind("i64")
FLAG: Final = Kind("i1")
NOTHING: Final = Kind("void")
WORDS: Final = Kind("ptr", WORD)


@dataclass(frozen=True, slots=True)
class Value:
    """A name or a constant, as it stands in the text."""

    text: str
    kind: Kind = WORD


@dataclass(frozen=True, slots=True)
class Shape:
    """What algorithms are specialised for: what algorithms/shape.py has, and how wide positions are."""

    words: int = 1
    lanes: int = 1
    is_reduced: bool = False
    position_bits: int = 16

    def find(self, name: str) -> int:
        """Give one of the constants."""
        return {"WORDS": self.words, "LANES": self.lanes, "IS_REDUCED": self.is_reduced}[name]


def read_kind(annotation: str, scope: Mapping[str, Any], shape: Shape) -> Kind:
    """Read what an annotation says."""
    annotation = annotation.removesuffix(" | None")
    if annotation.startswith(_SEQUENCE):
        return Kind("ptr", read_kind(annotation[len(_SEQUENCE) : -1], scope, shape))
    known = {
        "Word": WORD,
        "bool": FLAG,
        "None": NOTHING,
        "Words": WORDS,
        "Halves": Kind("ptr", Kind("i32")),
        "Positions": Kind("ptr", Kind(f"i{shape.position_bits}")),
    }
    return known[annotation] if annotation in known else Kind("ptr", record=scope[annotation])


def write_constant(number: int) -> str:
    """Write a word as LLVM reads it."""
    return str(signed(number & FULL))
