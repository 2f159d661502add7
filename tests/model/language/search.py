"""A breadth-first search of a few lines, to have known counts and shortest stories without any engine."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from nomadspec.model.language.arguments import Argument
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.claim import is_fair_loop, tell
from nomadspec.model.language.property import Kind, Property
from nomadspec.model.language.story import Story
from nomadspec.model.language.trace import Instance


@dataclass(slots=True)
class Counts:
    """What a complete search of a scope saw, counted as published figures count."""

    distinct: int = 0
    generated: int = 0
    depth: int = 0
    fired: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Path:
    """How a world was reached: the world before and the instance between, back to an initial world."""

    cells: Cells
    length: int
    before: "Path | None" = None
    by: Instance | None = None

    def list_instances(self) -> list[Instance]:
        """List the instances from the initial world on."""
        here: Path | None = self
        found: list[Instance] = []
        while here is not None and here.by is not None:
            found.append(here.by)
            here = here.before
        return found[::-1]

    def find_first(self) -> Cells:
        """Give the initial world."""
        return self.cells if self.before is None else self.before.find_first()


def search(bounded: BoundedModel, is_pruned: Callable[[Cells], bool] = lambda _: False) -> Iterator[Path]:
    """Go through every step of a scope, each new world once and before its successors."""
    level = [Path(cells, 1) for cells in bounded.initial]
    seen = set(bounded.initial)
    yield from level
    while level:
        following: list[Path] = []
        for path in level:
            for instance, cells in bounded.successors(path.cells):
                after = Path(cells, path.length + 1, path, instance)
                yield after
                if cells not in seen and not is_pruned(cells):
                    seen.add(cells)
                    following.append(after)
        level = following


def count_worlds(bounded: BoundedModel) -> Counts:
    """Search a scope to its end and count."""
    counts, seen = Counts(), set()
    for path in search(bounded):
        counts.generated += 1
        if path.cells not in seen:
            seen.add(path.cells)
            counts.depth = max(counts.depth, path.length)
        if path.by is not None:
            counts.fired.add(path.by.rule.name)
    counts.distinct = len(seen)
    return counts


def find_story(bounded: BoundedModel, prop: Property) -> Story | None:
    """Find a shortest story that violates a property, or reaches a ``sometimes``; it is judged when told."""
    if prop.kind is Kind.EVENTUALLY:
        stories = (_find_stay(bounded, prop, case) for case in bounded.list_cases(prop))
        return next((story for story in stories if story is not None), None)
    for path in search(bounded):
        if _shows(bounded, prop, path):
            return tell(bounded, path.find_first(), path.list_instances(), about=prop.name)
    return None


def _shows(bounded: BoundedModel, prop: Property, path: Path) -> bool:
    if prop.kind is not Kind.STEP:
        return bounded.holds(prop, path.cells) == (prop.kind is Kind.SOMETIMES)
    if path.before is None or path.by is None:
        return False
    return not bounded.holds_step(prop, path.before.cells, path.by, path.cells)


def _find_stay(bounded: BoundedModel, prop: Property, case: tuple[Argument, ...]) -> Story | None:
    """Find a world in which it is fair to stay for ever, behind a premise and with the goal never met."""

    def is_met(cells: Cells) -> bool:
        return bounded.holds(prop, cells, *case)

    for path in search(bounded, is_pruned=is_met):
        if not is_met(path.cells) and is_fair_loop(bounded, [path.cells], []):
            steps = path.list_instances()
            labels = bounded.label_case(prop, case)
            return tell(bounded, path.find_first(), steps, about=prop.name, case=labels, loop=len(steps))
    return None
