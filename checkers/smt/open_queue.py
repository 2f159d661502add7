"""Queues of any length, by tickets: an id in the queue has a positive number, and the head has the least.

Pushing takes a number above all others and popping gives it up, so each touches one cell, while ranks would
move with every pop. Tickets and ranks tell the same story as long as nobody pushes an id that is in the
queue, or pops one that is not its head. These are obligations of the rules: unless they are proved, nothing
is said to be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nomadspec.model.language.logic import Value, all_of, for_all, implies, not_

if TYPE_CHECKING:
    from nomadspec.checkers.smt.open_sets import OpenSets
    from nomadspec.checkers.smt.update import Keys
    from nomadspec.model.language.world import Queue, World


class OpenLine:
    """A queue of an open world, as ``s`` or ``t`` shows it."""

    __slots__ = ("_assign", "_index", "_lose", "_queue", "_sets", "_world")

    def __init__(
        self,
        sets: OpenSets,
        world: World,
        queue: Queue,
        assign: Callable[[Keys, Value], None],
        lose: Callable[[], None],
    ) -> None:
        """Keep the queue, who writes its tickets, and the world; ``t`` shows what the rule did before."""
        self._sets = sets
        self._world = world
        self._queue = queue
        self._assign = assign
        self._lose = lose
        self._index = (queue.members,)

    def has(self, member: Value) -> Value:
        """True while the id is in the queue."""
        return self._ticket(member) > 0

    def head(self, member: Value) -> Value:
        """True while the id is first in the queue."""
        members = self._sets.iterate(self._queue.members)
        others = (implies(self.has(other), self._ticket(member) <= self._ticket(other)) for other in members)
        return all_of(self.has(member), for_all(others))

    def is_before(self, one: Value, other: Value) -> Value:
        """True while both ids are in the queue, and one stands before the other."""
        return all_of(self.has(one), self._ticket(one) < self._ticket(other))

    def is_empty(self) -> Value:
        """True while no id is in the queue."""
        return for_all(not_(self.has(member)) for member in self._sets.iterate(self._queue.members))

    def is_in_order(self) -> Value:
        """True while no two ids in the queue have the same ticket."""
        return for_all(
            implies(all_of(one != other, self.has(one)), self._ticket(one) != self._ticket(other))
            for one in self._sets.iterate(self._queue.members)
            for other in self._sets.iterate(self._queue.members)
        )

    def push(self, member: Value) -> None:
        """Put an id that is not in the queue at its end."""
        if self._loses_order():
            return
        self._owe(implies(self._sets.is_there(self._index, (member,)), not_(self.has(member))))
        ticket = self._sets.new_number(self._queue.name)
        members = self._sets.iterate(self._queue.members)
        self._world.cells.facts += [ticket > 0, for_all(self._ticket(other) < ticket for other in members)]
        self._assign((member,), ticket)

    def pop(self, head: Value) -> None:
        """Take the head, which the rule has required to be this id, out of the queue."""
        if self._loses_order():
            return
        self._owe(self.head(head))
        self._assign((head,), 0)

    def remove(self, member: Value) -> None:
        """Take an id out of the queue, wherever it stands; nothing happens when it is absent."""
        self._assign((member,), 0)

    def _ticket(self, member: Value) -> Value:
        tickets = self._world.cells.fields[self._queue.name]
        return self._sets.look_up(self._index, tickets, (member,), 0)

    def _owe(self, obligation: Value) -> None:
        owed = implies(self._world.condition, obligation)
        self._world.cells.obligations.setdefault(self._queue.name, []).append(owed)

    def _loses_order(self) -> bool:
        """Give up on a queue that is pushed to or popped in a plain loop: whose turn comes first, shows."""
        is_loop = bool(self._sets.binder.use_open())
        if is_loop:
            self._lose()
        return is_loop
