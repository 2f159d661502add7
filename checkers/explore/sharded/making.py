"""From a search that was begun to one that is shared among hands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nomadspec.checkers.explore.compiled import CompiledExplored, Obstacle, compile_program, list_questions
from nomadspec.checkers.explore.engines import COMPILED
from nomadspec.checkers.explore.explored import Explored
from nomadspec.checkers.explore.sharded.crew import Crew, LocalCrew
from nomadspec.checkers.explore.sharded.joining import MachineJoiner, PlainJoiner
from nomadspec.checkers.explore.sharded.machine import MachineHand
from nomadspec.checkers.explore.sharded.plain import PlainHand
from nomadspec.checkers.explore.sharded.processes import ProcessCrew
from nomadspec.checkers.explore.sharded.search import SharedSearch
from nomadspec.checkers.explore.task import count_world_bytes
from nomadspec.checkers.native.worlds import PackedWorlds, StoredWorlds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from nomadspec.checkers.explore.sharded.hand import Hand
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.program import Program

_Worlds = TypeVar("_Worlds", bound=PackedWorlds)

_AT_ONCE: Final = 1 << 16
_MACHINE_STEPS: Final = 1 << 20
_PLAIN_STEPS: Final = 1 << 14
"""How many steps a round takes, about."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a search is shared."""

    workers: int = 1
    """How many processes take steps; one is this process itself."""
    shards: int = 1
    folder: Path | None = None
    """Where worlds and tables lie in files, if anywhere."""
    steps: int | None = None
    """How many steps a round takes, about, if not as many as usual."""

    def list_notes(self) -> tuple[str, ...]:
        """Say what a reader of the report should know."""
        notes = [f"{self.workers} processes share the search"] if self.workers > 1 else []
        if self.folder is not None:
            notes.append(f"worlds and their tables lie in files in {self.folder}, in {self.shards} parts")
        return tuple(notes)


def share_search(task: Task, begun: Explored, sharing: Sharing, *, is_compiled: bool) -> SharedSearch | str:
    """Let hands go on with a search, or say why machine code cannot."""
    if not is_compiled:
        return share_plain(task, begun, sharing)
    program = compile_program(task)
    if isinstance(program, Obstacle):
        return program.reason
    return _share_compiled(task, begun, sharing, program)


def _share_compiled(task: Task, begun: Explored, sharing: Sharing, program: Program) -> SharedSearch:
    steps = sharing.steps or _MACHINE_STEPS
    worlds = _take_worlds(begun.worlds, StoredWorlds(program.words, (), sharing.folder))
    explored = CompiledExplored(**_take_over(begun, worlds, sharing.folder), program=program)
    questions = list_questions(task)
    program.sharing  # noqa: B018 -- compiled here, and not by each process
    crew = _gather(partial(_make_machine_hand, task, program, sharing, steps), sharing)
    search = SharedSearch(task, explored, worlds, crew, MachineJoiner(program), questions, steps)
    search.engine, search.notes = COMPILED, (*program.list_notes(), *sharing.list_notes())
    return search


def share_plain(task: Task, begun: Explored, sharing: Sharing) -> SharedSearch:
    """Let hands go on with a search by the interpreter's steps."""
    steps = min(sharing.steps or _PLAIN_STEPS, _PLAIN_STEPS)
    worlds = _take_worlds(begun.worlds, PackedWorlds(count_world_bytes(task), sharing.folder))
    explored = Explored(**_take_over(begun, worlds, sharing.folder))
    questions = list_questions(task)
    crew = _gather(partial(_make_plain_hand, task, sharing, steps), sharing)
    search = SharedSearch(task, explored, worlds, crew, PlainJoiner(), questions, steps)
    search.notes = sharing.list_notes()
    return search


def _take_worlds(begun: Sequence[int], fresh: _Worlds) -> _Worlds:
    """Give the worlds in the form that is wanted, which is where they are if they have it."""
    if type(begun) is type(fresh) and begun.memory.folder == fresh.memory.folder:
        return begun
    if type(begun) is type(fresh):
        for first in range(0, len(begun), _AT_ONCE):
            fresh.store(
                begun.memory.read(first * begun.width, min(_AT_ONCE, len(begun) - first) * begun.width)
            )
    else:
        fresh.pack(begun)
    return fresh


def _take_over(begun: Explored, worlds: PackedWorlds, folder: Path | None) -> dict[str, Any]:
    if folder is not None:
        begun.file(folder)
    given = {part.name: getattr(begun, part.name) for part in fields(Explored)}
    return given | {"worlds": worlds, "numbers": {}}


def _gather(make: Callable[[Sequence[int]], Hand], sharing: Sharing) -> Crew:
    if sharing.workers == 1:
        return LocalCrew(make(range(sharing.shards)), sharing.shards)
    return ProcessCrew(make, sharing.workers, sharing.shards)


def _make_machine_hand(
    task: Task, program: Program, sharing: Sharing, steps: int, shards: Sequence[int]
) -> Hand:
    room = _find_room(sharing, steps)
    instances = len(task.bounded.instances)
    return MachineHand(program, list_questions(task), instances, shards, sharing.shards, room, sharing.folder)


def _make_plain_hand(task: Task, sharing: Sharing, steps: int, shards: Sequence[int]) -> Hand:
    room = _find_room(sharing, steps)
    return PlainHand(task, list_questions(task), shards, sharing.shards, room, sharing.folder)


def _find_room(sharing: Sharing, steps: int) -> int:
    """Find how many successors a parcel holds: twice as many as come if all parcels are alike."""
    return 2 * steps // (sharing.workers * sharing.shards) + 1
