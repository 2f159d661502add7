"""How a search is run: who takes the steps at first, who takes over, and what happens where memory ends."""

from __future__ import annotations

import errno
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from nomadspec.checkers.explore.bounds import DEPTH
from nomadspec.checkers.explore.compiled import CompiledSearch, compile_search
from nomadspec.checkers.explore.engines import INTERPRETED, find_size_to_compile, find_steps_to_compile
from nomadspec.checkers.explore.limits import MEMORY
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.sharded.crew import LostHandError
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from nomadspec.checkers.explore.checkpoint_schedule import Keeper
    from nomadspec.checkers.explore.limits import Limits
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.sharded.ray_crew import Cluster
    from nomadspec.checkers.explore.sharded.search import SharedSearch
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.progress import Progress

AnySearch: TypeAlias = "Search | CompiledSearch | SharedSearch"

LOST_NOTE: Final = "a process of the search was lost, and others have done its work again"
DISK: Final = "disk"
WORKER: Final = "worker"
_FULL: Final = {errno.ENOSPC: DISK, errno.EDQUOT: DISK, errno.EFBIG: DISK, errno.ENOMEM: MEMORY}
"""What has no more room, by the error that says so."""

_MIB: Final = 1 << 20
_PROGRAM_MIB: Final = 100
"""What the program takes by itself, with its compiler and compiled code, about."""

_LEAST_MIB: Final = 16
"""What worlds and tables have at least, however little memory was allowed."""

_MOST_LOSSES: Final = 3
"""So many times in a row processes are lost before the search gives up: there may be too little memory."""

_COPIES: Final = 6
"""How often the successors of a round lie in memory, in boxes, as candidates, in tables and on their way."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search is to be run."""

    engine: str
    workers: int = 1
    memory_mib: float | None = None
    folder: Path | None = None
    """Where worlds lie that find no room in memory; a folder for such things where none is named."""
    cluster: Cluster | None = None
    """Where the processes are, if not on this machine."""
    expected: int = 0
    """At least so many worlds will be stored, as far as is known."""

    @property
    def is_shared(self) -> bool:
        """True if other processes take the steps."""
        return self.workers > 1 or self.cluster is not None

    def choose_folder(self) -> Path | None:
        """Give the folder for what is read from a checkpoint: none where memory has no bound."""
        return self.spill_folder if self.memory_mib is not None and can_map_files() else None

    @property
    def spill_folder(self) -> Path:
        """Where worlds lie that find no room in memory."""
        return self.folder or Path(tempfile.gettempdir())


def check_plan(plan: Plan) -> None:
    """Refuse processes where memory cannot be shared."""
    if plan.is_shared and not can_map_files():
        raise UsageError("Several processes share a search on Linux only: leave the number of workers out.")


def can_map_files() -> bool:
    """True if memory can grow in place here, and processes can be copied."""
    return sys.platform == "linux"


class Run:
    """A search on its way to its end."""

    def __init__(self, task: Task, plan: Plan, limits: Limits, keeper: Keeper, progress: Progress) -> None:
        """Take what the search is about, and who stops, keeps and watches it."""
        self._task = task
        self._plan = plan
        self._limits = limits
        self._keeper = keeper
        self._progress = progress
        self._takes_over_from = find_size_to_compile(plan.engine)
        if min(plan.expected, limits.most_states) >= self._takes_over_from:
            self._takes_over_from = 0  # what is sure to become large is not begun twice
        self._takes_over_after = find_steps_to_compile(plan.engine, len(task.bounded.instances))
        if plan.is_shared and plan.engine == INTERPRETED:
            self._takes_over_from = 0
        self._has_lost = False
        """Whether a process was lost, and with it what all of them were about to find."""
        self._losses = 0
        self._lost_at = -1
        self._folder: Path | None = None
        """Where a search that is shared has its worlds in files, if it has."""
        self._steps: int | None = None
        """How many steps it takes in a round, if not as many as usual."""

    def finish(self, search: AnySearch) -> tuple[AnySearch, str | None]:
        """Search until nothing is left or a limit is reached; give the search that ended, and the limit."""
        while not search.is_over:
            stopped_by = find_reason(search.explored, self._limits)
            if stopped_by is not None and not (stopped_by == MEMORY and self._can_spill):
                return search, stopped_by
            if search.explored.is_deep_enough(self._task):
                return search, DEPTH
            begun = time.monotonic()
            try:
                search = self._choose(search, is_full=stopped_by is not None)
                self._expand(search)
                self._has_lost = False
            except OSError as problem:
                if problem.errno not in _FULL:
                    raise
                return search, _FULL[problem.errno]
            except LostHandError:
                if not self._is_worth_another_try(search.explored):
                    return search, WORKER
                continue
            search.explored.seconds += time.monotonic() - begun
            self._keeper.keep_now_and_then(search.explored)
            try:
                self._progress.update(f"level {search.explored.depth}", len(search.explored.worlds))
            except KeyboardInterrupt:
                self._limits.interrupt()
        return search, None

    def _is_worth_another_try(self, explored: Explored) -> bool:
        """True if the search is worth sharing anew: it came further since processes were lost."""
        self._losses = self._losses + 1 if explored.expanded == self._lost_at else 1
        self._lost_at, self._has_lost = explored.expanded, True
        return self._losses < _MOST_LOSSES

    def _expand(self, search: AnySearch) -> None:
        """Take the steps of some worlds: a chunk or a round, or what the interpreter does in a moment."""
        if isinstance(search, Search):
            search.expand_for_a_while(self._limits.most_states)
        else:
            search.expand(1, self._limits.most_states)

    @property
    def _can_spill(self) -> bool:
        return can_map_files()

    def _choose(self, search: AnySearch, *, is_full: bool) -> AnySearch:
        """Let somebody else go on where that is better."""
        if is_full:
            return self._spill(search)
        if self._has_lost:
            return self._share(search)
        if isinstance(search, Search) and self._is_large(search.explored):
            return self._take_over(search)
        return search

    def _is_large(self, explored: Explored) -> bool:
        is_wide = len(explored.worlds) >= self._takes_over_from
        return is_wide or explored.generated >= self._takes_over_after

    def _take_over(self, search: Search) -> AnySearch:
        self._takes_over_from = self._takes_over_after = sys.maxsize
        if self._plan.is_shared:
            if self._plan.memory_mib is not None:
                return self._spill(search)
            return self._share(search)
        compiled = compile_search(self._task, search.explored)
        if isinstance(compiled, str):
            search.notes = (compiled,)
            return search
        return compiled

    def _spill(self, search: AnySearch) -> SharedSearch:
        """Go on with worlds in files."""
        steps = max(1 << 10, int(self._find_budget() / (_COPIES * self._count_step_bytes())))
        self._folder, self._steps = self._plan.spill_folder, min(steps, 1 << 20)
        self._limits.allow_memory()
        return self._share(search)

    def _share(self, search: AnySearch) -> SharedSearch:
        from nomadspec.checkers.explore.sharded.making import (  # noqa: PLC0415 -- few searches are shared
            Sharing,
            share_plain,
            share_search,
        )

        close(search)
        workers = self._plan.workers
        sharing = Sharing(workers, workers, self._folder, self._steps, self._plan.cluster)
        is_compiled = (
            self._plan.engine != INTERPRETED and find_size_to_compile(self._plan.engine) < sys.maxsize
        )
        lost = (LOST_NOTE,) if self._losses else ()
        shared = share_search(self._task, search.explored, sharing, is_compiled=is_compiled)
        if isinstance(shared, str):
            plain = share_plain(self._task, search.explored, sharing)
            plain.notes = (shared, *plain.notes, *lost)
            return plain
        shared.notes = (*shared.notes, *lost)
        return shared

    def _find_budget(self) -> float:
        """Find how many bytes worlds and tables may take: what was allowed, less the program itself."""
        allowed = (self._plan.memory_mib or 0) / self._plan.workers
        return max(allowed - _PROGRAM_MIB, _LEAST_MIB) * _MIB

    def _count_step_bytes(self) -> int:
        """Count the bytes of a successor: its words, what led to it, and its place."""
        return 8 * (3 + self._task.layout.bits // 64)


def close(search: AnySearch) -> None:
    """Let the processes go that share a search, if any do."""
    if not isinstance(search, Search | CompiledSearch):
        search.close()


def find_reason(explored: Explored, limits: Limits) -> str | None:
    """Say why a search must stop now, if it must."""
    return limits.find_reason(len(explored.worlds), explored.measure_table())
