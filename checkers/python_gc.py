"""How often Python looks for values that point to each other in a circle: seldom, while a cluster runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

_NEW_VALUES: Final = 100_000
"""So many values come to be before the youngest are looked through; Python's own number is some hundreds."""


class _Others:
    """Whether somebody else keeps values apart from all looks: they would be called old with the rest."""

    is_known: ClassVar[bool] = False

    @classmethod
    def have_frozen(cls) -> bool:
        """True if anybody has: it is for good, and to count millions of values takes long."""
        cls.is_known = cls.is_known or gc.get_freeze_count() > 0
        return cls.is_known


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for circles a hundred times less often.

    The values of a cluster never point to each other in a circle. They go as soon as nobody has them, and
    looking through all of them takes the longer the more there are.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _NEW_VALUES), *before[1:])
    try:
        yield
    finally:
        if not _Others.have_frozen():
            gc.freeze()
            gc.unfreeze()  # both together call what is there old, without looking through it
        gc.set_threshold(*before)
