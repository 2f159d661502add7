"""The nodes of a state by ID: all of them, and apart those on which schedulers may place something.

Each report of a client writes its node, and changes nothing that most who look at nodes ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from rpds import HashTrieMap

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.entities.node import is_ready
from nomadspec.model.cluster.store.listed import change

Nodes: TypeAlias = "HashTrieMap[str, Node]"


class NodeLists(NamedTuple):
    """The nodes of one table."""

    table: Nodes
    nodes: tuple[Node, ...]
    ready: tuple[Node, ...]
    others: tuple[Node, ...]
    """Those that are not ready, ineligible or draining."""
    ids: frozenset[str]

    def follow(self, table: Nodes, written: Iterable[str]) -> NodeLists:
        """List the nodes of a table in which some are written anew."""
        changed = {node_id: table.get(node_id) for node_id in written}
        others = self._change_others(changed)
        nodes = change(self.nodes, changed)
        is_same = self.ids.issuperset(changed) and None not in changed.values()
        return NodeLists(
            table,
            nodes,
            self._change_ready(changed) if others else nodes,
            others,
            self.ids if is_same else frozenset(table),
        )

    def _change_ready(self, changed: Mapping[str, Node | None]) -> tuple[Node, ...]:
        ready = {node_id: node if node and is_ready(node) else None for node_id, node in changed.items()}
        return change(self.ready, ready)

    def _change_others(self, changed: Mapping[str, Node | None]) -> tuple[Node, ...]:
        """Change the others; while none of them is written they stay the very same."""
        others = {node_id: None if node and is_ready(node) else node for node_id, node in changed.items()}
        known = {node.id for node in self.others} if self.others else ()
        is_same = all(node is None and node_id not in known for node_id, node in others.items())
        return self.others if is_same else change(self.others, others)


def sort_nodes(table: Nodes) -> NodeLists:
    """List the nodes of a table."""
    nodes = tuple(table[node_id] for node_id in sorted(table))
    others = tuple(node for node in nodes if not is_ready(node))
    return NodeLists(table, nodes, tuple(filter(is_ready, nodes)), others, frozenset(table))
