"""Whether the reading over sets of any size agrees with the interpreter in a scope."""

from collections.abc import Iterator
from itertools import product

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.open_world import OpenStep, OpenWorld
from nomadspec.checkers.smt.state import State
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.logic import Value
from nomadspec.model.language.trace import Instance
from tests.checkers.smt.toys import can_be, is_valid


def fix_world(bounded: BoundedModel, world: OpenWorld, cells: Cells) -> list[Value]:
    """True while the world before a step is this one, in a scope of this size."""
    sizes = world.frame.sizes
    fixed = [sizes[name] == value for name, value in bounded.sizes.items() if z3.is_expr(sizes[name])]
    values = zip(_list_cells(bounded, world.before), cells, strict=True)
    same = [cell == value for cell, value in values]
    return [*fixed, *same, *_list_counts(bounded, world.before, cells)]


def fix_arguments(step: OpenStep, instance: Instance) -> list[Value] | None:
    """True while the step has these arguments; None where it is read for other places of an index."""
    assert step.by is not None
    fixed = []
    for mine, given in zip(step.by.arguments, instance.arguments, strict=True):
        pairs = zip(mine, given, strict=True) if isinstance(given, tuple) else [(mine, given)]
        fixed += [as_term(one) == as_term(other) for one, other in pairs]
    return None if any(z3.is_false(z3.simplify(part)) for part in fixed) else fixed


def is_same_world(
    bounded: BoundedModel, state: State, cells: Cells, *, but: frozenset[str] = frozenset()
) -> Value:
    """True while a world is the interpreter's, some fields aside; of a queue only the order counts."""
    ranks = {queue.name for queue in bounded.frame.schema.queues}
    same = list(_list_counts(bounded, state, cells, but=but))
    for placed in bounded.frame.placed.values():
        if placed.field.name in but:
            continue
        given = cells[placed.base : placed.base + placed.span]
        mine = [as_term(state.fields[placed.field.name](*at)) for at in product(*map(range, placed.shape))]
        if placed.field.name in ranks:
            same += [(one > 0) == (rank > 0) for one, rank in zip(mine, given, strict=True)]
            pairs = product(zip(mine, given, strict=True), repeat=2)
            same += [one < other for (one, low), (other, high) in pairs if 0 < low < high]
        else:
            same += [one == other for one, other in zip(mine, given, strict=True)]
    return z3.And(*same)


def assert_step_agrees(
    bounded: BoundedModel,
    world: OpenWorld,
    cells: Cells,
    instance: Instance,
    *,
    coarse: bool = False,
    summed: frozenset[str] = frozenset(),
) -> None:
    """Check that a step is possible and leads where the interpreter says; a coarse one may seem possible.

    Totals that a step moves by sums may be what the interpreter says, and something else.
    """
    after = bounded.step(cells, instance)
    before = [*world.background, *fix_world(bounded, world, cells)]
    steps = [step for step in world.steps if step.by is not None and step.by.rule is instance.rule]
    fixed = [(step, fix_arguments(step, instance)) for step in steps]
    ((step, arguments),) = [(step, found) for step, found in fixed if found is not None]
    premises = [*before, *arguments, *step.premises, *step.definitions]

    if after is None:
        assert coarse or not can_be(*premises), f"{instance.rule.name} cannot happen"
        return
    lost = frozenset(step.after.lost) | summed
    assert can_be(*premises, is_same_world(bounded, step.after, after)), f"{instance.rule.name} can do this"
    assert is_valid(is_same_world(bounded, step.after, after, but=lost), *premises), instance.rule.name


def _list_cells(bounded: BoundedModel, state: State) -> Iterator[Value]:
    """List the cells of a world in the order of the scope."""
    for placed in bounded.frame.placed.values():
        for place in product(*map(range, placed.shape)):
            yield state.fields[placed.field.name](*place)


def _list_counts(
    bounded: BoundedModel, state: State, cells: Cells, but: frozenset[str] = frozenset()
) -> Iterator[Value]:
    """True while totals are what the interpreter counts."""
    world = bounded.world(cells)
    for total in bounded.frame.schema.totals:
        for member in range(bounded.frame.length(total.members)) if total.name not in but else ():
            yield state.totals[total.name](z3.IntVal(member)) == world.frame.sums(world, total)[member]
