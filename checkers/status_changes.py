"""Arrows: how the statuses of a model's objects change on a walk, and which changes there are.

For the kernel these are the arrows of the lifecycle tables that the profile opens. Where no table says what
may follow what, each field whose values have names is a status, and its arrows are only counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from nomadspec.checkers.pycode.program import define
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.invariants.kernel.lifecycles import list_numbered_pairs, list_phase_pairs
from nomadspec.invariants.kernel.phases import place_of, status_of
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase
from nomadspec.model.language.term import Term
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE
from nomadspec.model.lifecycle.table import Lifecycle, label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from enum import Enum

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.specification.quirk import Quirk

Pairs: TypeAlias = "frozenset[tuple[int, int]]"


@dataclass(frozen=True, slots=True)
class Life:
    """A kind of object: the names of its statuses, the status of each object, and the arrows there are."""

    name: str
    labels: dict[int, str]
    statuses: tuple[Value, ...]
    arrows: Pairs | None
    """None where no table says."""

    def name_arrow(self, source: int, target: int) -> str:
        """Write an arrow as people read it."""
        return f"{self.name}: {self._label(source)} -> {self._label(target)}"

    def _label(self, status: int) -> str:
        return self.labels.get(status, "absent")


def list_lives(bounded: BoundedModel) -> list[Life]:
    """List the kinds of objects whose statuses change in a bounded model."""
    if issubclass(bounded.model.world, Kernel):
        return list(_list_kernel_lives(bounded))
    lives = []
    for name, placed in bounded.frame.placed.items():
        labels = placed.field.domain.labels
        if labels:
            cells = bounded.cell_terms[placed.base : placed.base + placed.span]
            lives.append(Life(name, dict(enumerate(labels)), cells, None))
    return lives


def _list_kernel_lives(bounded: BoundedModel) -> Iterator[Life]:
    world: Any = bounded.world(bounded.cell_terms)
    has = bounded.profile.has
    evals = list(product(world.jobs, world.eval_numbers))
    statuses = tuple(status_of(world, *each) for each in evals)
    yield _of_table("evaluation", EVALUATION, statuses, has)
    places = tuple(place_of(world, *each) for each in evals)
    yield _of_table("place of an evaluation", EVALUATION_PLACE, places, has)
    phases = tuple(world.alloc_phase[each] for each in product(world.jobs, world.allocs))
    kept = [pair for pair in list_phase_pairs(has) if pair[1] != AllocPhase.ABSENT]  # deleted ones are gone
    yield Life("allocation", _label(AllocPhase), phases, _without_loops(kept))
    if bounded.sizes["deployments"]:
        deployments = tuple(world.deployment[job] - 1 for job in world.jobs)
        yield _of_table("deployment", DEPLOYMENT, deployments, has)


def _of_table(name: str, table: Lifecycle, statuses: tuple[Value, ...], has: Callable[[Quirk], bool]) -> Life:
    arrows = _without_loops(list_numbered_pairs(table, has))
    return Life(name, _label(table.list_statuses()), statuses, arrows)


def _label(statuses: Iterable[Enum]) -> dict[int, str]:
    return {number: label_of(status) for number, status in enumerate(statuses)}


def _without_loops(pairs: Iterable[tuple[int, int]]) -> Pairs:
    return frozenset((source, target) for source, target in pairs if source != target)


class Arrows:
    """The arrows of a bounded model, and those that a step takes."""

    def __init__(self, bounded: BoundedModel, layout: Layout) -> None:
        """List them; the code that reads statuses follows where it is needed."""
        self._bounded = bounded
        self._layout = layout
        self._lives = list_lives(bounded)
        self._readers: dict[int, tuple[Callable[[int], tuple[int, ...]], list[Life]]] = {}
        self.names = tuple(
            life.name_arrow(*pair) for life in self._lives for pair in sorted(life.arrows or ())
        )

    def list_taken(self, before: int, position: int, after: int) -> list[str]:
        """Name the arrows that an instance took."""
        known = self._readers.get(position)
        if known is None:
            known = self._readers[position] = self._write_reader(position)
        read, lives = known
        old, new = read(before), read(after)
        if old == new:
            return []
        changes = zip(lives, old, new, strict=True)
        return [life.name_arrow(source, target) for life, source, target in changes if source != target]

    def _write_reader(self, position: int) -> tuple[Callable[[int], tuple[int, ...]], list[Life]]:
        """Write the function that reads the statuses which an instance may change."""
        writes = self._bounded.traced[position].writes.keys()
        read = [
            (life, status)
            for life in self._lives
            for status in life.statuses
            if isinstance(status, Term) and not status.reads.isdisjoint(writes)
        ]
        terms = [status for _, status in read]
        writer = Writer(self._bounded, self._layout, terms)
        body = [line for term in terms for line in writer.define(term)]
        found = "".join(f"{writer.text(term).value}, " for term in terms)
        reader = define("read", ["def read(w):", *indent([*body, f"return ({found})"])])
        return reader, [life for life, _ in read]
