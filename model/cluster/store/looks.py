"""What was found out of the tables of a state, taken over into the states that come of it.

Most entries write a few allocations, or one node. So a list of a hundred that was made of the state before is
made again only where it differs, and not at all where nobody asks for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias, TypeVar

from rpds import HashTrieMap

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.memo import NoValue
from nomadspec.model.cluster.store.rows import LOOKUPS, Members, Rows
from nomadspec.model.cluster.store.tables import ALLOCS, NODES, RowKey

Row = TypeVar("Row", bound=Allocation | Node)
Place: TypeAlias = "tuple[str, Any]"
"""The attribute of a look-up, and where it is asked."""

_MOST_KEPT: Final = 2
"""Of each list the newest forms: a plan is applied to a copy first, and then to the state that goes on."""
_read_id: Final = attrgetter("id")


class Listed:
    """The allocations of one place of a look-up by ID, once somebody asks for them."""

    __slots__ = ("_allocs", "_changed", "members")

    def __init__(
        self,
        members: Members,
        allocs: tuple[Allocation, ...],
        changed: Mapping[str, Allocation | None],
    ) -> None:
        """Begin with the allocations as they were listed, and with what has changed since."""
        self.members = members
        self._allocs = allocs
        self._changed = changed

    def list_allocs(self) -> tuple[Allocation, ...]:
        """List the allocations."""
        if self._changed:
            self._allocs, self._changed = change(self._allocs, self._changed), {}
        return self._allocs

    def follow(self, members: Members, changed: Mapping[str, Allocation | None]) -> Listed:
        """Give the list of a state in which some of them have changed."""
        return Listed(members, self._allocs, {**self._changed, **changed})


class Looks(NoValue):
    """What is known of a state.

    Transactions write the look-ups of an allocation anew whenever they write it. So what was found of one
    holds for as long as that is the very same, in states that came about by transactions: a state with other
    allocations put into it is not believed. It is no part of a state's value.
    """

    __slots__ = ("_lists", "_nodes", "known", "of")

    def __init__(self, of: HashTrieMap[str, Allocation] | None = None) -> None:
        """Begin with the allocations whose look-ups can be believed, and with nothing known of them."""
        self.of = of
        self.known: dict[tuple[Callable[..., Any], Any], tuple[tuple[Allocation, ...], Any]] = {}
        """By what was asked and where, what was found and of which list; shared with other states."""
        self._lists: dict[Place, tuple[Listed, ...]] = {}
        self._nodes: tuple[HashTrieMap[str, Node], tuple[Node, ...]] | None = None

    def list_allocs(self, place: Place, members: Members) -> tuple[Allocation, ...]:
        """List the allocations of one place of a look-up by ID."""
        held = self._lists.get(place, ())
        for listed in held:
            if listed.members is members:
                return listed.list_allocs()
        allocs = pick(self.of or HashTrieMap(), members)
        self._lists[place] = (Listed(members, allocs, {}), *held[: _MOST_KEPT - 1])
        return allocs

    def list_nodes(self, nodes: HashTrieMap[str, Node]) -> tuple[Node, ...]:
        """List all nodes by ID."""
        known = self._nodes
        if known is None or known[0] is not nodes:
            known = self._nodes = nodes, tuple(nodes[node_id] for node_id in sorted(nodes))
        return known[1]

    def follow(self, before: Rows, after: Rows, written: Mapping[tuple[str, RowKey], object]) -> Looks:
        """Give what is known of the state after a transaction, which wrote some rows that were otherwise."""
        if self.of is not before.allocs:
            return Looks()
        looks = Looks(after.allocs)
        looks.known, looks._lists, looks._nodes = self.known, self._lists, self._nodes
        if after.allocs is not before.allocs:
            self._follow_allocs(before, after, written)
        if after.nodes is not before.nodes:
            looks._nodes = self._follow_nodes(before, after, written)
        return looks

    def _follow_allocs(self, before: Rows, after: Rows, written: Mapping[tuple[str, RowKey], object]) -> None:
        for place, changed in _list_changes(after, written).items():
            held, (attribute, key) = self._lists.get(place, ()), place
            known, now = getattr(before, attribute).get(key), getattr(after, attribute).get(key)
            if now is None:
                self._lists.pop(place, None)
                continue
            for listed in held:
                if listed.members is known:
                    self._lists[place] = (listed.follow(now, changed), listed)
                    break

    def _follow_nodes(
        self, before: Rows, after: Rows, written: Mapping[tuple[str, RowKey], object]
    ) -> tuple[HashTrieMap[str, Node], tuple[Node, ...]] | None:
        if self._nodes is None or self._nodes[0] is not before.nodes:
            return None
        changed = {str(key): after.nodes.get(str(key)) for name, key in written if name == NODES}
        return after.nodes, change(self._nodes[1], changed)


def _list_changes(
    after: Rows, written: Mapping[tuple[str, RowKey], object]
) -> dict[Place, dict[str, Allocation | None]]:
    """List by place which allocations are otherwise there now; None is one that is there no more."""
    changes: dict[Place, dict[str, Allocation | None]] = {}
    for (name, row_key), was in written.items():
        if name != ALLOCS:
            continue
        alloc_id = str(row_key)
        now = after.allocs.get(alloc_id)
        for lookup in LOOKUPS[ALLOCS]:
            there = None if now is None else lookup.key(now)
            left = None if was is None else lookup.key(was)
            if left is not None and left != there:
                changes.setdefault((lookup.attribute, left), {})[alloc_id] = None
            if there is not None:
                changes.setdefault((lookup.attribute, there), {})[alloc_id] = now
    return changes


def change(listed: tuple[Row, ...], changed: Mapping[str, Row | None]) -> tuple[Row, ...]:
    """Change some rows of a list by ID; None takes one away."""
    rows = [*listed]
    for row_id, row in changed.items():
        at = bisect_left(rows, row_id, key=_read_id)
        end = at + 1 if at < len(rows) and rows[at].id == row_id else at
        rows[at:end] = [] if row is None else [row]
    return tuple(rows)


def pick(table: HashTrieMap[str, Any], members: Members) -> tuple[Any, ...]:
    """Pick some rows of a table by ID."""
    return tuple([table[member] for member in sorted(members)])
