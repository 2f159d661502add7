"""The search that is shared out: round by round, with the worlds, numbers and counts of a search by one.

In a round neighbouring worlds have their steps taken, all in one level. Whatever each hand and each shard
does by itself is put in the order of the worlds before and of the instances, which is the order in which one
would have found it. Where something decides the search in a round, the round is cut behind that world.
"""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from pickle import PickleBuffer
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.engines import INTERPRETED
from nomadspec.checkers.explore.failures import discover_failure, discover_failure_behind
from nomadspec.checkers.explore.search_recheck import look_at_due
from nomadspec.checkers.explore.search_state import Discovery
from nomadspec.checkers.explore.sharded.joining import Joiner, Laid
from nomadspec.checkers.explore.sharded.messages import count_numbers
from nomadspec.checkers.explore.symmetry.audit import Audit
from nomadspec.checkers.native.numbers import FiledNumbers, reserve, rest
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.model.errors import ImpossibleError, ModelError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.sharded.crew import Crew
    from nomadspec.checkers.explore.sharded.messages import Noted, Parcel, Stored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.native.numbers import Numbers
    from nomadspec.checkers.native.program import Questions
    from nomadspec.checkers.native.worlds import PackedWorlds

_LOW_HALF: Final = (1 << 32) - 1
_FEWEST: Final = 64
"""How many worlds a round has at least, if there are so many."""

_LEAST_SECONDS: Final = 1e-6

_ADOPTED_AT_ONCE: Final = 1 << 16
_PLACE: Final = 4


@dataclass(frozen=True, slots=True)
class Round:
    """The successors of some neighbouring worlds, and what became of them."""

    begin: int
    end: int
    parcels: list[list[Parcel]]
    """For each shard, by the hands that took the steps."""
    stored: list[Stored]
    noted: list[Noted]
    """The first note of each question, in their order."""
    places: dict[int, int]
    """For questions about new worlds, the shard of the world that was noted."""


class SharedSearch:
    """A search under way that several hands share."""

    def __init__(
        self,
        task: Task,
        explored: Explored,
        worlds: PackedWorlds,
        crew: Crew,
        joiner: Joiner,
        questions: Questions,
        steps: int,
    ) -> None:
        """Go on with what was stored before; a round takes about so many steps."""
        self.engine = INTERPRETED
        self.notes: tuple[str, ...] = ()
        self.improve: Callable[[int], None] = _keep_code
        """Who has better code made for a search of so many worlds."""
        self.most_seconds = inf
        """How long a round takes at most, about, so that limits are looked at in time."""
        self._pace = 0.0
        """How many worlds a second the round before had."""
        self._task = task
        self._worlds = worlds
        self._crew = crew
        self._joiner = joiner
        self._questions = questions
        self._steps = steps
        self._hastened = explored.hasten(task)
        self._audit = Audit(self._hastened) if task.is_reduced else None
        self._second_look = SecondLook(task.bounded, task.properties)
        self.explored = explored
        self._begun: list[tuple[int, int]] = []
        self._numbers: list[Numbers] | None = None
        try:
            self._adopt()
        except BaseException:
            crew.close()  # nobody else knows of it yet
            raise
        done = {found.property for found in explored.found} | explored.reached.keys()
        names = [*(prop.name for prop in task.properties), *([DEADLOCK] if task.asks_deadlock else [])]
        self._open = [number for number, name in enumerate(names) if name not in done]
        self._is_decided = any(task.decides(found.property) for found in explored.found)

    @property
    def is_over(self) -> bool:
        """True if there is nothing left to find."""
        return self.explored.is_complete or self._is_decided

    def expand(self, _worlds: int, most_states: int) -> None:
        """Take the steps of a round of worlds, unless the search is over or holds so many states before."""
        explored = self.explored
        if self.is_over or len(explored.worlds) >= most_states:
            return
        if explored.expanded == explored.level_end:
            explored.level_end = len(explored.worlds)
            explored.depth += 1
        begun = time.monotonic()
        self.improve(len(explored.worlds))
        try:
            made = self._take_steps(explored.expanded)
            if made.end == made.begin:
                self._take_fault(made.begin)
                return
            done = self._insert(made, most_states)
        except ModelError as error:
            self._found(discover_failure_behind(self._task, explored, error))
            return
        self._look_ahead(done)
        if self._audit is not None:
            self._audit.check_due(self._worlds, done.begin, done.end)
        self._keep(done)
        failure = look_at_due(self._second_look, self._hastened, explored, done.begin, done.end)
        if failure is not None:
            self._found(failure)
            return
        self._pace = (done.end - done.begin) / max(time.monotonic() - begun, _LEAST_SECONDS)

    def close(self) -> None:
        """Send the hands home."""
        self._crew.close()

    def _choose_size(self) -> int:
        """Choose how many worlds make about as many steps as wanted, by the steps and pace before."""
        explored = self.explored
        size = max(_FEWEST, self._steps * explored.expanded // max(1, explored.generated))
        if self.most_seconds == inf:
            return size
        return min(size, max(self._crew.hands, int(self._pace * self.most_seconds)))

    def _adopt(self) -> None:
        """Share the stored worlds out."""
        folder = self._worlds.memory.folder
        count, width = len(self._worlds), self._worlds.width
        numbers: list[Numbers] = []
        for shard in range(self._crew.shards):
            mine: Numbers = array("I") if folder is None else FiledNumbers("I", folder)
            for begin in range(0, count, _ADOPTED_AT_ONCE):
                content = self._worlds.memory.read(
                    begin * width, min(_ADOPTED_AT_ONCE, count - begin) * width
                )
                which = array("I")
                which.frombytes(memoryview(self._crew.adopt(shard, PickleBuffer(content))))
                if self.explored.edges is not None:
                    mine.extend(begin + at for at in which)
            numbers.append(mine)
            self._rest()
        self._numbers = numbers if self.explored.edges is not None else None

    def _rest(self) -> None:
        """Let the system move what lies in files out of memory."""
        self._worlds.memory.rest()
        rest(self.explored.parents)
        if self.explored.edges is not None:
            self.explored.edges.rest()
        for numbers in self._numbers or ():
            rest(numbers)

    def _reserve(self, done: Round) -> None:
        """Take all the room that a round needs before anything of it is kept."""
        explored = self.explored
        new = [count_numbers(one.births) for one in done.stored]
        self._worlds.ensure(len(self._worlds) + sum(new))
        reserve(explored.parents, sum(new))
        for numbers, more in zip(self._numbers or (), new, strict=False):
            reserve(numbers, more)
        if explored.edges is not None:
            explored.edges.reserve(done.end - done.begin, sum(one.count for one in done.stored))

    def _begin_steps(self, begin: int, open_questions: list[int]) -> None:
        """Let each hand take the steps of its slice of a round of worlds."""
        end = min(self.explored.level_end, begin + self._choose_size())
        hands = self._crew.hands
        borders = [begin + (end - begin) * at // hands for at in range(hands + 1)]
        slices = [(first, last) for first, last in pairwise(borders) if first < last]
        bulks = [PickleBuffer(self._worlds.view(first, last)) for first, last in slices]
        try:
            given = [(bulk, first) for bulk, (first, _) in zip(bulks, slices, strict=True)]
            self._crew.begin_expanding(given, open_questions)
        finally:
            for bulk in bulks:
                bulk.release()
        self._begun = slices

    def _look_ahead(self, done: Round) -> None:
        """Have the next steps of the level taken while a round is kept, if it did not decide anything.

        Where steps are kept, the successors of the round are needed until then.
        """
        is_last = done.end == self.explored.level_end
        is_decided = any(self._is_decisive(note) for note in done.noted)
        if self._crew.works_alone and self.explored.edges is None and not is_last and not is_decided:
            closed = {note.question for note in done.noted}
            self._begin_steps(done.end, [question for question in self._open if question not in closed])

    def _take_steps(self, begin: int) -> Round:
        """Fetch the steps of a round, and keep what was taken without a gap."""
        if not self._begun:
            self._begin_steps(begin, self._open)
        slices, self._begun = self._begun, []
        taken = self._crew.finish_expanding()
        end = slices[-1][1]
        for (first, last), one in zip(slices, taken, strict=True):
            if first + one.worlds < last:
                end = first + one.worlds
                break
        parcels = [[one.parcels[shard] for one in taken] for shard in range(self._crew.shards)]
        noted = [note for one in taken for note in one.noted]
        made = Round(begin, end, parcels, [], noted, {})
        decisive = [note.parent for note in noted if self._is_decisive(note)]
        return _cut(made, min([end, *(parent + 1 for parent in decisive)]))

    def _insert(self, made: Round, most_states: int) -> Round:
        """Let the shards look everything up, again if the round must end before its last world."""
        while True:
            keeps = self.explored.edges is not None
            stored = self._crew.insert(made.parcels, self._open, tells_found=keeps)
            noted = [*made.noted, *(note for one in stored for note in one.noted)]
            ends = [note.parent + 1 for note in noted if self._is_decisive(note)]
            end = min([made.end, *ends, self._find_full(stored, most_states, made.end)])
            if end == made.end:
                return self._sort(made, stored)
            self._crew.undo()
            made = _cut(made, end)

    def _find_full(self, stored: Sequence[Stored], most_states: int, end: int) -> int:
        """Find where the round must end because so many states are held."""
        room = most_states - len(self._worlds)
        births = [memoryview(one.births).cast("B").cast("Q") for one in stored]
        if sum(map(len, births)) < room:
            return end
        parents = sorted(birth & _LOW_HALF for found in births for birth in found)
        return parents[room - 1] + 1

    def _sort(self, made: Round, stored: list[Stored]) -> Round:
        """Keep the first note of each question."""
        found: list[tuple[Noted, int | None]] = [(note, None) for note in made.noted]
        found += [(note, shard) for shard, one in enumerate(stored) for note in one.noted]
        first: dict[int, tuple[Noted, int | None]] = {}
        for note, shard in sorted(found, key=lambda one: one[0].order):
            first.setdefault(note.question, (note, shard))
        places = {question: shard for question, (_, shard) in first.items() if shard is not None}
        return replace(made, stored=stored, noted=[note for note, _ in first.values()], places=places)

    def _keep(self, done: Round) -> None:
        """Add what a round found to what was stored."""
        explored = self.explored
        self._reserve(done)
        for one in done.stored:
            explored.generated += one.count
            explored.fired[:] = [
                before + more for before, more in zip(explored.fired, one.fired, strict=True)
            ]
        tells = self._numbers is not None or bool(done.places)
        parents, numbers = self._joiner.join(done.stored, self._worlds, tells=tells)
        explored.parents.frombytes(memoryview(parents))
        explored.expanded = done.end
        if self._numbers is not None and explored.edges is not None:
            for known, new in zip(self._numbers, numbers, strict=True):
                known.extend(new)
            self._joiner.weave(_list_laid(done, self._numbers), explored.edges, done.end)
        for note in done.noted:
            number = note.parent
            if note.place is not None:
                number = numbers[done.places[note.question]][note.place]
            self._take_note(note.question, number)
        self._rest()

    def _take_note(self, question: int, number: int) -> None:
        self._open.remove(question)
        name = self._name(question)
        if question < len(self._task.properties) and self._task.properties[question].kind is Kind.SOMETIMES:
            self.explored.reached[name] = number
            return
        self.explored.found.append(Discovery(name, number))
        self._is_decided = self._is_decided or self._task.decides(name)

    def _name(self, question: int) -> str:
        properties = self._task.properties
        return properties[question].name if question < len(properties) else DEADLOCK

    def _is_decisive(self, note: Noted) -> bool:
        if note.question == self._questions.fault:
            return False
        properties = self._task.properties
        is_wish = note.question < len(properties) and properties[note.question].kind is Kind.SOMETIMES
        return not is_wish and self._task.decides(self._name(note.question))

    def _take_fault(self, number: int) -> None:
        """Let the interpreter say what is wrong with a step from a world, and end the search there."""
        fault = ImpossibleError("A hand found a fault in a step that the interpreter finds correct.")
        self._found(discover_failure(self._task, self.explored, number, fault))

    def _found(self, failure: Discovery) -> None:
        self.explored.found.append(failure)
        self._is_decided = True


def _keep_code(_worlds: int) -> None:
    """Go on with the code that there is."""


def _cut(made: Round, end: int) -> Round:
    """Leave out the steps of worlds from one on, and what was noticed there."""
    parcels = [[parcel.cut(end) for parcel in parts] for parts in made.parcels]
    return replace(made, end=end, parcels=parcels, noted=[note for note in made.noted if note.parent < end])


def _list_laid(done: Round, numbers: Sequence[Numbers]) -> list[Laid]:
    """List the parcels, each with what it led to."""
    laid = []
    for parcels, one, known in zip(done.parcels, done.stored, numbers, strict=True):
        found, begin = memoryview(one.found), 0
        for parcel in parcels:
            end = begin + len(parcel) * _PLACE
            laid.append(Laid(parcel.entries, found[begin:end], known))
            begin = end
    return laid
