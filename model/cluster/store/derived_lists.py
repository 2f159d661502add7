"""What was found out of the tables of a state, taken over into the states that come of it.

Most entries write a few allocations, or one node. So a list of a hundred that was made of the state before is
made again only where it differs, and not at all where nobody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from rpds import HashTrieMap

from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.memo import NoValue
from nomadspec.model.cluster.store.listed import change
from nomadspec.model.cluster.store.node_lists import NodeLists, Nodes, sort_nodes
from nomadspec.model.cluster.store.tables import ALLOCS, LOOKUPS, NODES, Members, RowKey, Rows

Place: TypeAlias = "tuple[str, Any]"
"""The attribute of a look-up, and where it is asked."""
EMPTY: Final[Mapping[str, Allocation | None]] = {}
"""Nothing has changed."""


class Listed:
    """The allocations of one place of a look-up by ID, once somebody asks for them."""

    __slots__ = ("_allocs", "_changed")

    def __init__(
        self, allocs: tuple[Allocation, ...], changed: Mapping[str, Allocation | None] = EMPTY
    ) -> None:
        """Begin with the allocations as they were listed, and with what has changed since."""
        self._allocs = allocs
        self._changed = changed

    def list_allocs(self) -> tuple[Allocation, ...]:
        """List the allocations."""
        if self._changed:
            self._allocs, self._changed = change(self._allocs, self._changed), EMPTY
        return self._allocs

    def follow(self, changed: Mapping[str, Allocation | None]) -> Listed:
        """Give the list of a state in which some of them have changed."""
        if len(self._changed) > len(self._allocs):
            self.list_allocs()  # what nobody asks for any more shall not grow for ever
        return Listed(self._allocs, {**self._changed, **changed} if self._changed else changed)


class DerivedLists(NoValue):
    """What is known of a state.

    It holds for states that came about by transactions: of one into which somebody put other allocations
    nothing is known. It is no part of a state's value.
    """

    __slots__ = ("_latest", "_lists", "_nodes", "known", "of")

    def __init__(self, of: HashTrieMap[str, Allocation] | None = None) -> None:
        """Begin with the allocations whose look-ups can be believed, and with nothing known of them."""
        self.of = of
        self.known: dict[tuple[Callable[..., Any], Any], tuple[tuple[Allocation, ...], Any]] = {}
        """By what was asked and where, what was found and of which list; shared with other states."""
        self._lists: HashTrieMap[Place, Listed] = HashTrieMap()
        self._nodes: NodeLists | None = None
        self._latest: tuple[HashTrieMap[str, int], int] | None = None

    def find_latest_index(self, indexes: HashTrieMap[str, int]) -> int:
        """Find the greatest index of any table."""
        known = self._latest
        if known is None or known[0] is not indexes:
            known = self._latest = indexes, max(indexes.values(), default=0)
        return known[1]

    def list_allocs(self, place: Place, members: Members) -> tuple[Allocation, ...]:
        """List the allocations of one place of a look-up by ID."""
        listed = self._lists.get(place)
        if listed is None:
            listed = Listed(pick(self.of or HashTrieMap(), members))
            self._lists = self._lists.insert(place, listed)
        return listed.list_allocs()

    def list_nodes(self, nodes: Nodes) -> NodeLists:
        """List the nodes."""
        known = self._nodes
        if known is None or known.table is not nodes:
            known = self._nodes = sort_nodes(nodes)
        return known

    def follow(self, before: Rows, after: Rows, written: Mapping[tuple[str, RowKey], object]) -> DerivedLists:
        """Give what is known of the state after a transaction, which wrote some rows that were otherwise."""
        if self.of is not before.allocs:
            return DerivedLists()
        derived = DerivedLists(after.allocs)
        derived.known, derived._lists, derived._nodes = self.known, self._lists, self._nodes
        if after.allocs is not before.allocs:
            derived._lists = self._follow_allocs(after, written)
        if after.nodes is not before.nodes:
            derived._nodes = self._follow_nodes(before, after, written)
        return derived

    def _follow_allocs(
        self, after: Rows, written: Mapping[tuple[str, RowKey], object]
    ) -> HashTrieMap[Place, Listed]:
        lists = self._lists
        for place, changed in _list_changes(after, written).items():
            listed, (attribute, key) = lists.get(place), place
            if listed is not None:
                is_left = key in getattr(after, attribute)
                lists = lists.insert(place, listed.follow(changed)) if is_left else lists.remove(place)
        return lists

    def _follow_nodes(
        self, before: Rows, after: Rows, written: Mapping[tuple[str, RowKey], object]
    ) -> NodeLists | None:
        if self._nodes is None or self._nodes.table is not before.nodes:
            return None
        return self._nodes.follow(after.nodes, [str(key) for name, key in written if name == NODES])


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


def pick(table: HashTrieMap[str, Any], members: Members) -> tuple[Any, ...]:
    """Pick some rows of a table by ID."""
    return tuple([table[member] for member in sorted(members)])
