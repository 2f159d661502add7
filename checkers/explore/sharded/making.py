"""From a search that was begun to one that is shared among hands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from nomadspec.checkers.explore.compiled import CompiledExplored, Obstacle, compile_program, list_questions
from nomadspec.checkers.explore.engines import COMPILED
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.sharded.crew import Crew, LocalCrew
from nomadspec.checkers.explore.sharded.joining import MachineJoiner, PlainJoiner
from nomadspec.checkers.explore.sharded.machine import MachineHand
from nomadspec.checkers.explore.sharded.plain import PlainHand
from nomadspec.checkers.explore.sharded.processes import ProcessCrew
from nomadspec.checkers.explore.sharded.ray_crew import RayCrew, describe_task
from nomadspec.checkers.explore.sharded.search import SharedSearch
from nomadspec.checkers.explore.task import count_world_bytes
from nomadspec.checkers.native.memory import Memory
from nomadspec.checkers.native.worlds import PackedWorlds, StoredWorlds
from nomadspec.model.errors import ImpossibleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from nomadspec.checkers.explore.sharded.common import TakeMemory
    from nomadspec.checkers.explore.sharded.hand import Hand
    from nomadspec.checkers.explore.sharded.ray_crew import Cluster
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.program import Program

MakeHand: TypeAlias = "Callable[[Sequence[int], TakeMemory], Hand]"
MakeFarHand: TypeAlias = "Callable[[Task, Sequence[int]], Hand]"
_Worlds = TypeVar("_Worlds", bound=PackedWorlds)

_AT_ONCE: Final = 1 << 16
_MACHINE_STEPS: Final = 1 << 18
_PLAIN_STEPS: Final = 1 << 14
"""How many steps a round takes, about."""

_PLAIN_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a search is shared."""

    workers: int = 1
    """How many processes take steps; one is this process itself, unless they are those of a cluster."""
    shards: int = 1
    folder: Path | None = None
    """Where worlds and tables lie in files, if anywhere."""
    steps: int | None = None
    """How many steps a round takes, about, if not as many as usual."""

    cluster: Cluster | None = None
    """Where the processes are, if not on this machine."""

    def list_notes(self) -> tuple[str, ...]:
        """Say what a reader of the report should know."""
        where = " on Ray" if self.cluster is not None else ""
        notes = [f"{self.workers} processes{where} share the search"] if self.workers > 1 or where else []
        if self.folder is not None:
            notes.append(f"worlds lie in files in {self.folder}")
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
    terms = _Terms(sharing.shards, find_room(sharing, steps), sharing.folder)
    near, far = partial(_make_machine_hand, terms, task, program), partial(_make_far_machine_hand, terms)
    crew = _gather(task, sharing, near, far)
    search = SharedSearch(task, explored, worlds, crew, MachineJoiner(program), questions, steps)
    search.improve = program.improve
    search.engine, search.notes = COMPILED, (*program.list_notes(), *sharing.list_notes())
    return search


def share_plain(task: Task, begun: Explored, sharing: Sharing) -> SharedSearch:
    """Let hands go on with a search by the interpreter's steps."""
    steps = min(sharing.steps or _PLAIN_STEPS, _PLAIN_STEPS)
    worlds = _take_worlds(begun.worlds, PackedWorlds(count_world_bytes(task), sharing.folder))
    explored = Explored(**_take_over(begun, worlds, sharing.folder))
    questions = list_questions(task)
    terms = _Terms(sharing.shards, find_room(sharing, steps), sharing.folder)
    far = partial(_make_plain_hand, terms)
    crew = _gather(task, sharing, partial(far, task), far)
    search = SharedSearch(task, explored, worlds, crew, PlainJoiner(), questions, steps)
    search.notes = sharing.list_notes()
    if sharing.folder is None:  # what lies in files is read again for each round: those must not be small
        search.most_seconds = _PLAIN_SECONDS
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


def _gather(task: Task, sharing: Sharing, near: MakeHand, far: MakeFarHand) -> Crew:
    if sharing.cluster is not None:
        return RayCrew(sharing.cluster, far, describe_task(task), sharing.workers, sharing.shards)
    if sharing.workers == 1:
        return LocalCrew(near(range(sharing.shards), Memory), sharing.shards)
    return ProcessCrew(near, sharing.workers, sharing.shards)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What all hands of a search have in common."""

    shards: int
    room: int
    folder: Path | None


def _make_machine_hand(
    terms: _Terms, task: Task, program: Program, shards: Sequence[int], take: TakeMemory = Memory
) -> Hand:
    return MachineHand(program, list_questions(task), shards, terms.shards, terms.room, terms.folder, take)


def _make_far_machine_hand(terms: _Terms, task: Task, shards: Sequence[int]) -> Hand:
    program = compile_program(task)
    if isinstance(program, Obstacle):
        raise ImpossibleError(f"Machine code was made on one machine and not on another: {program.reason}.")
    return _make_machine_hand(terms, task, program, shards)


def _make_plain_hand(terms: _Terms, task: Task, shards: Sequence[int], _take: TakeMemory = Memory) -> Hand:
    return PlainHand(task, list_questions(task), shards, terms.shards, terms.room, terms.folder)


def find_room(sharing: Sharing, steps: int) -> int:
    """Find how many successors a parcel holds: twice as many as come if all parcels are alike."""
    return 2 * steps // (sharing.workers * sharing.shards) + 1
