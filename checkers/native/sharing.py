"""What several tables share, as machine code: algorithms/merging.py says what is done."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.native.algorithms import merging, table
from nomadspec.checkers.native.build import MachineCode, Text, bind
from nomadspec.checkers.native.translate.functions import translate
from nomadspec.checkers.native.translate.kinds import Shape

_FUNCTIONS: Final = (
    merging.split,
    merging.select,
    table.remove,
    merging.join,
    merging.weave,
    merging.recall,
    merging.settle,
    merging.translate,
)
_ARGUMENTS: Final = {
    "split": 6,
    "select": 6,
    "remove": 5,
    "join": 10,
    "weave": 13,
    "recall": 6,
    "settle": 7,
    "translate": 3,
}


class Sharing:
    """The compiled functions, called with addresses and sizes."""

    def __init__(self, words: int, position_bits: int, canonical: str | None) -> None:
        """Compile them for worlds of so many words, and so many bits for the position of an instance."""
        shape = Shape(words, is_reduced=canonical is not None, position_bits=position_bits)
        text = "\n\n".join([canonical or "", translate(_FUNCTIONS, shape)])
        self._code = MachineCode([Text(text, 2)], list(_ARGUMENTS))
        bound = {name: bind(self._code, name, count) for name, count in _ARGUMENTS.items()}
        self.split, self.select, self.remove = bound["split"], bound["select"], bound["remove"]
        self.join, self.weave = bound["join"], bound["weave"]
        self.recall, self.settle, self.translate = bound["recall"], bound["settle"], bound["translate"]
