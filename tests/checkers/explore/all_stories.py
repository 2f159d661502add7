"""Every shortest story of a violation, found without any cleverness, and how often its actor changes."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from nomadspec.model.language.actor import find_actor
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.language.trace import Instance

Steps = tuple[Instance, ...]


def count_switches(bounded: BoundedModel, steps: Sequence[Instance]) -> int:
    """Count the neighbouring steps by different actors."""
    actors = [find_actor(bounded, step) for step in steps]
    return sum(one != other for one, other in pairwise(actors))


@cache
def find_best(bounded: BoundedModel, name: str) -> tuple[int, int] | None:
    """Find the length of the shortest stories and the fewest switches in one; None where nothing is wrong."""
    layer: list[tuple[Cells, Steps]] = [(cells, ()) for cells in bounded.initial]
    seen: set[Cells] = set()
    while layer:
        ends = [steps for cells, before in layer for steps in _list_ends(bounded, name, cells, before)]
        if ends:
            shortest = min(map(len, ends))
            return shortest, min(count_switches(bounded, one) for one in ends if len(one) == shortest)
        seen |= {cells for cells, _ in layer}
        layer = [
            (after, (*steps, instance))
            for cells, steps in layer
            for instance, after in bounded.successors(cells)
            if after not in seen
        ]
    return None


def _list_ends(bounded: BoundedModel, name: str, cells: Cells, steps: Steps) -> Iterator[Steps]:
    if name == DEADLOCK:
        if not any(True for _ in bounded.successors(cells)) and not bounded.is_at_rest(cells):
            yield steps
        return
    prop = bounded.model.find_property(name)
    if prop.kind is Kind.ALWAYS and not bounded.holds(prop, cells):
        yield steps
    if prop.kind is Kind.STEP:
        for instance, after in bounded.successors(cells):
            if not bounded.holds_step(prop, cells, instance, after):
                yield (*steps, instance)
