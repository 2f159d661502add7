"""The frame of an open world, over sets of any number of members (open_sets.py).

It reads and writes the functions of a state (state.py) as model/language/frame.py does with cells; writing at
NONE does nothing. A write in a plain loop over a set is meant for every member: where the member stands
itself in the index of what is written, the cell says whose turn it was; where it does not, the field becomes
unknown.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import equals, is_same, list_conjuncts, mentions
from nomadspec.checkers.smt.binder import UnreadableError
from nomadspec.checkers.smt.open_queue import OpenLine
from nomadspec.checkers.smt.open_sets import OpenSets
from nomadspec.checkers.smt.open_tables import OpenRow, OpenSums, OpenWriter
from nomadspec.checkers.smt.symbols import Role, new_number
from nomadspec.checkers.smt.update import Keys, Update, place_of
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Value, all_of, any_of, ite, not_
from nomadspec.model.language.world import keep_within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.smt.member import Member
    from nomadspec.checkers.smt.state import Function, State
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.sets import Ids
    from nomadspec.model.language.world import Field, Queue, Total, World
    from nomadspec.model.specification.quirk import Quirk


class OpenFrame(OpenSets):
    """How texts read and write the functions of a state, under a profile."""

    def __init__(self, bounded: BoundedModel, context: Value = None) -> None:
        """Take the sets and the profile from the bounded model, and nothing else."""
        super().__init__(bounded, context)
        self.profile = bounded.profile
        self._is_on: dict[str, Value] = {
            one.name: all_of(*[self.sizes[size.name] > 0 for size in one.on]) for one in self.schema.fields
        }
        """For each field, whether it is there: no size of which it is part is 0, known or not."""

    def read(self, world: World, declared: Field) -> Value:
        """Give the value of a scalar, or the table of an indexed field."""
        if world.guard is not None:
            return OpenWriter(partial(self.assign, world, declared))
        function = self._show(declared, world.cells.fields[declared.name])
        if not declared.index:
            return function()
        total = next((one for one in self.schema.totals if one.of is declared), None)
        held = (lambda: world.cells.totals[total.name]) if total is not None else None
        return OpenRow(self, declared.index, declared.domain, function, held=held)

    def write(self, world: World, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""
        self.assign(world, declared, (), value)

    def line(self, world: World, declared: Queue) -> OpenLine:
        """Give the queue as something that can be asked and changed."""
        assign, lose = partial(self.assign, world, declared.ranks), partial(self.lose, world, declared.ranks)
        return OpenLine(self, world, declared, assign, lose)

    def sums(self, world: World, declared: Total) -> OpenSums:
        """Give the totals as something that can be indexed by an id."""
        return OpenSums(self, declared, world)

    def has(self, quirk: Quirk) -> bool:
        """True if the profile has the quirk."""
        return self.profile.has(quirk)

    def admits_cell(self, declared: Field, value: Value) -> Value:
        """True while a cell may have a value: one of the domain, and the first one where it is left out."""
        is_admitted = self.admits(declared.domain, value)
        if not self.may_be_left_out(declared):
            return is_admitted
        return all_of(is_admitted, any_of(self._is_on[declared.name], equals(value, declared.init)))

    def assign(self, world: World, declared: Field, keys: Keys, value: Value) -> None:
        """Assign to a cell, or to every cell below a partial index, where the world's condition holds."""
        state = world.cells
        members = self.binder.use_open()
        self._note(world, declared, keys, value)
        there = self.is_there(declared.index, keys)
        condition = all_of(world.condition, self._is_on[declared.name], there)
        if declared.name in state.lost or condition is False:
            return
        turns = [(member, place_of(member, keys)) for member in members]
        if declared in world.limited:
            keep_within(world, declared, condition, value, declared.domain.high.evaluate(self.sizes))
        if not _are_settled(state, declared, turns, keys, value):
            self.lose(world, declared)
            return
        condition = self.binder.some(condition, [member for member, place in turns if place is None])
        update = Update(
            old=state.fields[declared.name],
            keys=keys,
            condition=condition,
            given=self._as_function(declared.index[len(keys) :], value),
            turns=tuple((member.symbol, place) for member, place in turns if place is not None),
        )
        for total in self.schema.totals:
            if total.of is declared and total.name not in state.lost:
                self._move_total(
                    world, total, update, value, [member for member, place in turns if place is not None]
                )
        state.fields[declared.name] = update

    def _note(self, world: World, declared: Field, keys: Keys, value: Value) -> None:
        """Note a write, for who compares the turns of members."""
        self.binder.note(declared.name, world.condition, *keys, *list_values(value, self.context))

    def lose(self, world: World, declared: Field) -> None:
        """Say nothing more of a field in this step, nor of the totals that count its cells."""
        world.cells.lose(declared, self.number_unknown(), self.context)
        for total in self.schema.totals:
            if total.of is declared:
                world.cells.lose(total, self.number_unknown(), self.context)

    def _move_total(
        self, world: World, total: Total, update: Update, value: Value, turns: Sequence[Member]
    ) -> None:
        """Carry a total along: a single write moves it by a cell, a loop over a set by a sum."""
        rest = total.of.index[len(update.keys) :]
        if not update.keys and (not isinstance(value, OpenRow) or value.held is not None):
            self._fill_total(world, total, update, value)
            return
        empties = len(turns) > 1 and is_same(value, NONE)
        if any(self.is_open(ids) for ids in rest) or (len(turns) > 1 and not empties):
            world.cells.lose(total, self.number_unknown(), self.context)
            return
        cells = [(*update.keys, *places) for places in product(*[range(self.length(ids)) for ids in rest])]
        held = world.cells.totals[total.name]

        def moved(member: Value) -> Value:
            result = held(member)
            for cell in cells:
                if empties:
                    result = result - self._count_emptied(update, equals(update.old(*cell), member), turns)
                    continue
                is_here, was_here = (equals(function(*cell), member) for function in (update, update.old))
                if turns:
                    came, went = all_of(is_here, not_(was_here)), all_of(was_here, not_(is_here))
                else:
                    came, went = is_here, was_here
                result = result + self.binder.add_up(came, turns) - self.binder.add_up(went, turns)
            return result

        world.cells.totals[total.name] = moved

    def _count_emptied(self, update: Update, was_here: Value, turns: Sequence[Member]) -> Value:
        """Count the cells that nested loops empty: what they ask of no member stands before the count."""
        parts = list_conjuncts(update.condition)
        own = [part for part in parts if any(mentions(part, member.symbol) for member in turns)]
        outer = [part for part in parts if all(part is not one for one in own)]
        return ite(all_of(*outer), self.binder.add_up(all_of(*own, was_here), turns), 0)

    def _fill_total(self, world: World, total: Total, update: Update, value: Value) -> None:
        """Carry a total along where all its cells get one value, or those of another table."""
        held = world.cells.totals[total.name]
        if isinstance(value, OpenRow) and value.held is not None:
            given = value.held()
        else:
            cells = self.new_number(f"{total.name} cells")

            def given(member: Value) -> Value:
                return ite(equals(value, member), cells, 0)

        world.cells.totals[total.name] = lambda member: ite(update.condition, given(member), held(member))

    def may_be_left_out(self, declared: Field) -> bool:
        """True if a size that is not known decides about the field."""
        return not isinstance(self._is_on[declared.name], bool)

    def is_on(self, declared: Field) -> Value:
        """True while the scope does not leave a field out."""
        return self._is_on[declared.name]

    def _show(self, declared: Field, function: Function) -> Function:
        """Give what is read of a field: its first value where it is left out."""
        return (lambda *_at: declared.init) if self._is_on[declared.name] is False else function

    def _as_function(self, index: tuple[Ids, ...], value: Value) -> Function:
        if isinstance(value, OpenRow):
            return value.value_at
        if isinstance(value, tuple | list):
            if len(index) != 1 or self.is_open(index[0]):
                raise UnreadableError("values one by one are assigned to more than the places of an index")
            return lambda place: _choose(value, place)
        plain = value if z3.is_expr(value) or isinstance(value, bool) else int(value)
        return lambda *_rest: plain


def _are_settled(
    state: State,
    declared: Field,
    turns: Sequence[tuple[Member, int | None]],
    keys: Keys,
    value: Value,
) -> bool:
    """True if no cell depends on the order of turns in the loops around a write.

    Each member stands in the index, where it stood in the loop's other writes, or else all that the loop
    writes to the field is one value, which is nobody's own.
    """
    for member, place in turns:
        is_own = place is not None
        if not is_own and any(mentions(part, member.symbol) for part in (*keys, value)):
            return False
        manner = (place, None if is_own else value)
        before = state.places.setdefault((member.symbol.get_id(), declared.name), manner)
        if before[0] != place or not (is_own or is_same(before[1], value)):
            return False
    return True


def list_values(value: Value, context: Value) -> Sequence[Value]:
    """List what is written: of a row, what it has at any place."""
    if isinstance(value, OpenRow):
        places = range(len(value.rest))
        return [value.value_at(*[new_number(Role.PLACE, place, context=context) for place in places])]
    return value if isinstance(value, tuple | list) else [value]


def _choose(values: Sequence[Value], place: Value) -> Value:
    if not z3.is_expr(place):
        return values[place]
    result = values[-1]
    for number, value in enumerate(values[:-1]):
        result = ite(place == number, value, result)
    return result
