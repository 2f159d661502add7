"""A kernel world that is set up by hand, on which the kernel's own texts are run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from nomadspec.model.cluster.entities.job import JobType
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.language.frame import FiniteFrame
from nomadspec.model.language.world import Disabled
from nomadspec.model.specification.profiles import Profile, find_profile

Text = Callable[..., object]
"""A rule of the kernel, or a part of one: ``(s, t, *arguments)``."""


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        JobType.SERVICE: Kind.SERVICE,
        JobType.BATCH: Kind.BATCH,
        JobType.SYSTEM: Kind.SYSTEM,
        JobType.SYSBATCH: Kind.SYSBATCH,
        JobType.CORE: Kind.CORE,
    }
)
"""What the kernel calls the types of jobs."""
PLENTY: Final = 8
"""What the environment may do in the kernel is bounded; a single step never comes to a bound of this size."""
_STRIDE: Final = 4


def round_up(number: int) -> int:
    """Round a size up to a multiple, so that few frames serve all scenes."""
    return -(-max(number, 1) // _STRIDE) * _STRIDE


class Outside(Exception):  # noqa: N818 -- an answer, not a fault
    """The kernel has no words for a step."""

    def __init__(self, name: str) -> None:
        """Keep what the step is called in the list of those that lie outside."""
        self.name = name
        super().__init__(name)


class Scene:
    """A kernel world under a profile; what is not set has its first value."""

    def __init__(self, sizes: Mapping[str, int], profile: Profile) -> None:
        """Make a world of these sizes, the others at their defaults."""
        self.sizes = sizes
        self._frame = _make_frame(tuple(sorted(sizes.items())), profile.name)
        self._cells: list[int] = list(self._frame.first_cells())

    def put(self, field: str, value: int, *at: int) -> None:
        """Set a cell."""
        self._cells[self._find(field, at)] = value

    def fill(self, field: str, value: int) -> None:
        """Set every cell of a field."""
        placed = self._frame.placed[field]
        self._cells[placed.base : placed.base + placed.span] = [value] * placed.span

    def count(self, field: str) -> int:
        """Count the cells of a field."""
        return self._frame.placed[field].span

    def get(self, field: str, *at: int) -> int:
        """Read a cell."""
        return self._cells[self._find(field, at)]

    def run(self, text: Text, *arguments: Any) -> bool:
        """Run a text and keep what it writes; False, and nothing written, where its guard does not hold."""
        after = list(self._cells)
        try:
            text(
                Kernel(self._frame, tuple(self._cells)),
                Kernel(self._frame, after, condition=True, guard=[]),
                *arguments,
            )
        except Disabled:
            return False
        self._cells = after
        return True

    def keep(self) -> list[int]:
        """Keep the world as it is now, to go back to it."""
        return self._cells

    def go_back(self, kept: list[int]) -> None:
        """Go back to a world that was kept."""
        self._cells = kept

    def allows(self, text: Text, *arguments: Any) -> bool:
        """True if the guard of a text holds; nothing is written."""
        kept = self._cells
        is_allowed = self.run(text, *arguments)
        self._cells = kept
        return is_allowed

    def _find(self, field: str, at: tuple[int, ...]) -> int:
        return self._frame.placed[field].find_cell(at)


@lru_cache(maxsize=64)
def _make_frame(sizes: tuple[tuple[str, int], ...], profile: str) -> FiniteFrame:
    defaults = {size.name: size.default for size in Kernel.schema.sizes}
    return FiniteFrame(Kernel.schema, {**defaults, **dict(sizes)}, find_profile(profile))
