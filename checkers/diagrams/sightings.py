"""What evaluations did in an explored scope: each kind of step, how often, and the first time.

Every stored world is visited once more, and the evaluations before and after each step are compared in the
words of the lifecycle tables. Under symmetry a stored world stands for all that differ from it by names, so
that steps are counted up to renaming, as the search counts them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.stories import Storyteller
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.checkers.stepper.question import read_mask
from nomadspec.invariants.kernel.phases import is_decided, phase_of, place_of, status_of
from nomadspec.model.errors import ImpossibleError, UsageError
from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.claim import tell
from nomadspec.model.language.domain import NONE
from nomadspec.model.lifecycle.evaluation import EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EvalPhase
from nomadspec.model.lifecycle.evaluation_place import EvalPlace
from nomadspec.model.lifecycle.table import ArrowKind, number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.task import Task
    from nomadspec.checkers.progress import Progress
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.story import Story
    from nomadspec.model.language.trace import Instance

_READINGS: Final = (status_of, place_of, phase_of, is_decided)
WHOLE: Final = "whole"
"""Stands behind the rule of a step that answers a plan of which all was committed."""
PARTLY: Final = "partly"
"""Stands behind the rule of one that answers any other plan."""
PLANNED: Final = "planned"
"""Stands behind the rule of a step that writes the outcome of a plan which the step before it committed."""
_BLOCKED: Final = number_of(EvalStatus.BLOCKED)
_COMPLETE: Final = number_of(EvalStatus.COMPLETE)
_WORLDS_AT_ONCE: Final = 1024
_THROUGH: Final[Mapping[tuple[str, int, int], int]] = MappingProxyType(
    {("ReapFailed", EvalPlace.FAILED_QUEUE, EvalPlace.NOWHERE): EvalPlace.UNACKED}
)
"""What the kernel does in one step and the tables in two: the reaper is a worker that acks at once."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A kind of step that an evaluation was seen to take."""

    lifecycle: str
    kind: ArrowKind
    source: int
    """The number of a status; ``NONE`` for one that is not there."""
    target: int
    rule: str
    """The name of the rule, with the trigger where one rule stands for many."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one evaluation stands, in the words of each table."""

    status: int
    place: int
    phase: int
    is_decided: int
    """Whether a worker is done with it, and has still to write the outcome."""


@dataclass(slots=True)
class Seen:
    """What was seen in one scope."""

    task: Task
    explored: Explored
    counts: Counter[Sighting] = field(default_factory=Counter)
    first: dict[Sighting, int] = field(default_factory=dict)
    """The stored world from which it was seen first, which is nearest to the beginning."""

    def spec_of(self, rule: str) -> frozenset[str]:
        """Give the spec IDs that a rule formalises."""
        return frozenset(self.task.bounded.model.find_rule(rule.partition(" ")[0]).spec)

    def tell(self, sighting: Sighting) -> Story:
        """Tell the shortest story whose last step is of this kind."""
        bounded = self.task.bounded
        path = self.explored.path_to(self.first[sighting])
        walk = Storyteller(self.task, self.explored).walk(path)
        for taken in self._list_ways(walk.last, sighting):
            steps = [bounded.instances[each] for each in (*walk.positions, *taken)]
            return tell(bounded, self.task.layout.unpack(walk.first), steps)
        raise ImpossibleError(f"No step takes {sighting} where a step was found that does.")

    def _list_ways(self, packed: int, sighting: Sighting) -> Iterator[tuple[int, ...]]:
        """List what shows a sighting from a world on: a step, or a plan's commit and then its outcome."""
        reader, task = _Reader(self.task), self.task
        before = reader.read(packed)
        for position, after in task.stepper.successors(packed):
            now = reader.read(after)
            instance = task.bounded.instances[position]
            maker = reader.find_maker(packed, instance)
            if sighting in compare(before, now, name_step(task.bounded, instance), maker):
                yield (position,)
            for further, seen in _see_outcomes(task, reader, (before, now), after):
                if seen == sighting:
                    yield position, further


def watch(
    bounded: BoundedModel,
    reduction: str = "symmetry",
    most_states: int = 1_000_000,
    progress: Progress | None = None,
) -> Seen:
    """Explore a scope of the kernel, violations or not, and see what evaluations do there."""
    told = progress or Silence()
    task = make_task(bounded, (), reduction, stops_at_first=False)
    search = Search(task)
    while not search.is_over and len(search.explored.worlds) < most_states:
        search.expand(_WORLDS_AT_ONCE, most_states)
        told.update(f"exploring {bounded.scope}", len(search.explored.worlds))
    seen = Seen(task, search.explored)
    reader = _Reader(task)
    names = [name_step(bounded, instance) for instance in bounded.instances]
    for number, packed in enumerate(search.explored.worlds):
        before = reader.read(packed)
        for position, after in task.stepper.successors(packed):
            now = reader.read(after)
            if now != before:
                instance = bounded.instances[position]
                maker = reader.find_maker(packed, instance)
                found = [*compare(before, now, names[position], maker)]
                found += [each for _, each in _see_outcomes(task, reader, (before, now), after)]
                for sighting in found:
                    seen.counts[sighting] += 1
                    seen.first.setdefault(sighting, number)
    return seen


def list_sightings(
    bounded: BoundedModel, before: Cells, instance: Instance, after: Cells
) -> tuple[Sighting, ...]:
    """List what evaluations do in one step."""
    maker = find_maker(bounded, before, instance)
    worlds = _stand(bounded, before), _stand(bounded, after)
    return tuple(compare(*worlds, name_step(bounded, instance), maker))


def name_step(bounded: BoundedModel, instance: Instance) -> str:
    """Name the rule of a step, with the trigger where one rule stands for many."""
    trigger = bounded.label_arguments(instance).get("trigger")
    return instance.rule.name if trigger is None else f"{instance.rule.name} {trigger}"


def compare(
    before: tuple[Standing, ...], after: tuple[Standing, ...], rule: str, maker: int | None
) -> Iterator[Sighting]:
    """Compare evaluations before and after a step; ``maker`` is the one that a new one comes from."""
    for was, now in zip(before, after, strict=True):
        if was.place == NONE != now.place:
            sources = (None, None) if maker is None else (before[maker], after[maker])
            yield from _see_creation(now, rule, *sources)
        elif was != now:
            yield from _see_change(was, now, rule)


def find_maker(bounded: BoundedModel, before: Cells, instance: Instance) -> int | None:
    """Find the evaluation that a step is about, by its place among all, job by job."""
    names = (name for name, _ in instance.rule.arguments)
    given: dict[str, Value] = dict(zip(names, instance.arguments, strict=True))
    world = read_kernel(bounded, before)
    job, number = given.get("job"), given.get("number")
    worker = world.entry[given["entry_id"]].worker if "entry_id" in given else given.get("worker", NONE)
    if number is None and worker != NONE:
        job, number = world.job[worker], world.number[worker]
    if not isinstance(job, int) or not isinstance(number, int) or NONE in {job, number}:
        return None
    return job * bounded.sizes["evals"] + number


def read_kernel(bounded: BoundedModel, cells: Value) -> Kernel:
    """Show cells as a world of the kernel; other models have no evaluations to see."""
    world = bounded.world(cells)
    if not isinstance(world, Kernel):
        raise UsageError(f"The model {bounded.model.name} is not the kernel: it has no lifecycles to see.")
    return world


def _see_creation(
    now: Standing, rule: str, before: Standing | None, after: Standing | None
) -> Iterator[Sighting]:
    """See an evaluation made, out of nothing or by the step of another one."""
    new = ArrowKind.CREATION
    makers = {NONE} if before is None or after is None else {before.status, after.status}
    for source in sorted(makers):
        yield Sighting("evaluation", new, source, now.status, rule)
    yield Sighting("evaluation-place", new, NONE, EvalPlace.NOWHERE, rule)
    if now.place != EvalPlace.NOWHERE:
        yield Sighting("evaluation-place", ArrowKind.CHANGE, EvalPlace.NOWHERE, now.place, rule)
    makers = {NONE} if before is None or after is None else {before.phase, after.phase}
    for source in sorted(makers):
        for target in dict.fromkeys((now.status, now.phase)):
            yield Sighting("evaluation-full", new, source, target, rule)
    if now.phase == EvalPhase.DELAYED:
        yield Sighting("evaluation-full", ArrowKind.CHANGE, now.status, now.phase, rule)


def _see_change(was: Standing, now: Standing, rule: str) -> Iterator[Sighting]:
    """See an evaluation change; blocking again is a step though the record stays blocked.

    One of a core job is in no table until it is written.
    """
    moved = ArrowKind.CREATION if was.phase == NONE else ArrowKind.CHANGE
    is_again = was.phase == EvalPhase.SCHEDULING and was.status == now.status == _BLOCKED
    if was.status != now.status or (is_again and rule == "WriteOutcome"):
        yield Sighting("evaluation", moved, was.status, now.status, rule)
    through = _THROUGH.get((rule, was.place, now.place))
    places = (was.place, now.place) if through is None else (was.place, through, now.place)
    for one, other in pairwise(places):
        if one != other:
            yield Sighting("evaluation-place", ArrowKind.CHANGE, one, other, rule)
    has_ended_at_work = now.status >= _COMPLETE and was.status != now.status != now.phase
    phase = now.status if has_ended_at_work else now.phase
    if was.phase != phase:
        is_answered = (was.phase, phase) == (EvalPhase.APPLYING, EvalPhase.SCHEDULING)
        told = f"{rule} {WHOLE if now.is_decided else PARTLY}" if is_answered else rule
        yield Sighting("evaluation-full", moved, was.phase, phase, told)


def _see_outcomes(
    task: Task, reader: _Reader, step: tuple[tuple[Standing, ...], tuple[Standing, ...]], packed: int
) -> Iterator[tuple[int, Sighting]]:
    """See outcomes written right after a step that committed all of a plan, which no world remembers."""
    before, now = step
    pairs = enumerate(zip(before, now, strict=True))
    committed = [at for at, (was, one) in pairs if was.phase == EvalPhase.APPLYING and one.is_decided]
    for position, after in task.stepper.successors(packed) if committed else ():
        rule = task.bounded.instances[position].rule.name
        for at in committed if rule == "WriteOutcome" else ():
            if now[at].status != reader.read(after)[at].status == _COMPLETE:
                told = f"{rule} {PLANNED}"
                yield position, Sighting("evaluation", ArrowKind.CHANGE, now[at].status, _COMPLETE, told)
                yield position, Sighting("evaluation-full", ArrowKind.CHANGE, now[at].phase, _COMPLETE, told)


def _stand(bounded: BoundedModel, cells: Cells) -> tuple[Standing, ...]:
    world = read_kernel(bounded, cells)
    return tuple(
        Standing(*(int(reading(world, job, number)) for reading in _READINGS))
        for job, number in _list(bounded)
    )


def _list(bounded: BoundedModel) -> list[tuple[JobId, EvalNumber]]:
    sizes = bounded.sizes
    return [
        (JobId(job), EvalNumber(number)) for job in range(sizes["jobs"]) for number in range(sizes["evals"])
    ]


class _Reader:
    """Reads where evaluations stand in packed worlds, once for each combination of the cells that tell."""

    def __init__(self, task: Task) -> None:
        self._layout, self._bounded = task.layout, task.bounded
        world = read_kernel(task.bounded, task.bounded.cell_terms)
        self._terms = [
            [reading(world, job, number) for reading in _READINGS] for job, number in _list(task.bounded)
        ]
        self._masks = [sum_masks(read_mask(task.layout, term) for term in terms) for terms in self._terms]
        self._known: list[dict[int, Standing]] = [{} for _ in self._terms]
        self._whole = sum_masks(self._masks)
        self._read: dict[int, tuple[Standing, ...]] = {}

    def read(self, packed: int) -> tuple[Standing, ...]:
        """Read where all evaluations stand."""
        key = packed & self._whole
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = tuple(self._read_one(at, packed) for at in range(len(self._terms)))
        return found

    def find_maker(self, packed: int, instance: Instance) -> int | None:
        """Find the evaluation that a step is about."""
        return find_maker(self._bounded, self._layout.unpack(packed), instance)

    def _read_one(self, at: int, packed: int) -> Standing:
        key = packed & self._masks[at]
        found = self._known[at].get(key)
        if found is None:
            cells = self._layout.unpack(packed)
            found = Standing(*(int(evaluate(term, cells)) for term in self._terms[at]))
            self._known[at][key] = found
        return found


def sum_masks(masks: Iterator[int] | list[int]) -> int:
    """Join masks."""
    joined = 0
    for mask in masks:
        joined |= mask
    return joined
