"""Which engine takes the steps of a search."""

from __future__ import annotations

import sys
from typing import Final

from nomadspec.checkers.native.build import PACKAGE, is_available
from nomadspec.model.errors import UnknownNameError, UsageError

AUTO: Final = "auto"
INTERPRETED: Final = "interpreted"
COMPILED: Final = "compiled"
ENGINES: Final = (AUTO, INTERPRETED, COMPILED)

_WORTH_COMPILING: Final = 4_000
"""How many worlds are stored before machine code is made: smaller searches end sooner without."""


_STEPS_WORTH_COMPILING: Final = 2_000
_MUCH_CODE: Final = 150
"""Models of few instances are compiled quickly: for them so many steps are enough, for others more."""


def check_engine(engine: str) -> None:
    """Refuse an unknown engine, and the compiled one where its package is missing."""
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    if engine == COMPILED and not is_available():
        raise UsageError(
            f"The compiled engine needs Linux on a 64-bit processor and the package {PACKAGE} "
            f"(`pip install {PACKAGE}`): choose the engine {INTERPRETED} or {AUTO}."
        )


def find_size_to_compile(engine: str) -> int:
    """Say from how many stored worlds on machine code takes over."""
    if engine == COMPILED:
        return 0
    return _WORTH_COMPILING if engine == AUTO and is_available() else sys.maxsize


def find_steps_to_compile(engine: str, instances: int) -> int:
    """Say from how many generated steps on machine code takes over, for a model of so many instances."""
    if find_size_to_compile(engine) != _WORTH_COMPILING:
        return find_size_to_compile(engine)
    return max(_STEPS_WORTH_COMPILING, instances**3 // _MUCH_CODE)
