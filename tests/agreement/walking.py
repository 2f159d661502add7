"""Walks through a scope of the kernel, beside a component that is given the same operations."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Generic, TypeVar

import pytest

from nomadspec.checkers.diagrams.sightings import read_kernel
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.trace import Instance

Mirror = TypeVar("Mirror")

KERNEL = replace(find_model("kernel"), properties=())
"""The kernel's rules alone: what is promised of them is asked elsewhere."""


LONGEST = 80
"""A walk begins anew after so many steps."""


def in_depth(scope: str, sizes: dict[str, int], fired: set[str]) -> object:
    """Leave a scope to the deep tests: each rule that fires in it fires in one that is always walked."""
    return pytest.param(scope, sizes, fired, marks=pytest.mark.deep)


@dataclass(frozen=True, slots=True)
class Edge(Generic[Mirror]):
    """A step of the kernel, and what the component was before and is after the same operations."""

    instance: Instance
    before: Kernel
    after: Kernel
    was: Mirror
    now: Mirror
    target: Cells
    """The world after the step, as the model can go on from it."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self.instance.rule.name


def compile_steps(bounded: BoundedModel) -> Callable[[Cells], list[tuple[Instance, Cells]]]:
    """Give what lists the steps out of a world: the interpreter's, by code that is forty times as fast."""
    layout = Layout(bounded)
    program = Program(bounded, layout)

    def list_steps(cells: Cells) -> list[tuple[Instance, Cells]]:
        packed = layout.pack(cells)
        return [
            (bounded.instances[position], layout.unpack(program.compute_after(packed, position)))
            for position in program.list_possible(packed)
        ]

    return list_steps


Follow = Callable[[Instance, Kernel, Kernel, Mirror], Mirror]
Visit = Callable[[Cells, Kernel, Mirror, Sequence[Instance]], None]
"""What is done in each world before a step: it is given all that the kernel allows there."""


def wander(
    bounded: BoundedModel,
    begin: Callable[[Kernel], Mirror],
    follow: Follow[Mirror],
    visit: Visit[Mirror],
    steps: int,
) -> Iterator[Edge[Mirror]]:
    """Walk at random through a scope, again and again from a start, and give so many steps.

    What a scope bounds is used seldom, so that the protocol gets somewhere in between. Every second of the
    other steps is one of a rule that was seen least so far, which leads where few worlds are.
    """
    list_steps = compile_steps(bounded)
    chance, seen, cells, length = Random(0), Counter[str](), None, 0
    while steps > 0:
        if cells is None or length == LONGEST:
            length, cells = 0, chance.choice(list(bounded.initial))
            now = begin(read_kernel(bounded, cells))
        listed = list_steps(cells)
        before, was = read_kernel(bounded, cells), now
        visit(cells, before, was, [one for one, _ in listed])
        found = [one for one in listed if one[1] != cells]
        inner = [one for one in found if not one[0].rule.spends]
        found = inner if inner and chance.random() < 0.8 else found
        if chance.random() < 0.5:
            least = min((seen[instance.rule.name] for instance, _ in found), default=0)
            found = [one for one in found if seen[one[0].rule.name] == least]
        if not found:
            cells = None
            continue
        instance, target = chance.choice(found)
        after = read_kernel(bounded, target)
        now = follow(instance, before, after, was)
        seen[instance.rule.name] += 1
        steps, length = steps - 1, length + 1
        yield Edge(instance, before, after, was, now, target)
        cells = target
