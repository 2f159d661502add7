"""Choices that are written down as they are made, in the form of recordings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.choices import FreeChoices, IdKind, Key

_NO_PORT: Final = -1


class NotedChoices:
    """Choices by a seed; maps are visited upwards, since a recording has one order for all of them."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed."""
        self._free = FreeChoices(seed)
        self.node_orders: list[list[str]] = []
        self.ports: list[int] = []
        self.ids: list[str] = []

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Shuffle the candidates."""
        order = self._free.next_node_order(candidates)
        self.node_orders.append([node.id for node in order])
        return order

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Sort the keys."""
        return sorted(keys)

    def pick_port(self, free: FreePorts) -> int | None:
        """Pick any free port."""
        (port,) = self.pick_ports(free, 1) or (None,)
        return port

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick any free ports, each once."""
        ports = self._free.pick_ports(free, count)
        self.ports += [_NO_PORT] if ports is None else ports
        return ports

    def next_id(self, kind: IdKind) -> str:
        """Make an ID of the usual shape."""
        self.ids.append(self._free.next_id(kind))
        return self.ids[-1]

    def data(self) -> dict[str, Any]:
        """Give the choices as recordings have them."""
        return {
            "node_orders": self.node_orders,
            "map_order": "asc",
            "dynamic_ports": self.ports,
            "ids": self.ids,
        }
