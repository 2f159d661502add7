"""What a scheduler decides by chance, or by an order that nothing fixes: asked for, never drawn here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Protocol, TypeVar, overload

import xxhash

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.draws import shuffle
from nomadspec.model.errors import ChoiceError

Key = TypeVar("Key", str, int, tuple[str, ...], tuple[str, str, str])
Member = TypeVar("Member")

_NO_PORT = -1
_FEWEST_TO_SHUFFLE = 2
_PORT_PROBES = 20


class IdKind(StrEnum):
    """What a new ID is for."""

    ALLOCATION = "allocation"
    DEPLOYMENT = "deployment"
    EVALUATION = "evaluation"


class Choices(Protocol):
    """Everything that is not determined in one call of a scheduler.

    Spec: RANK-05, RANK-06.
    """

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Put the candidates into the order in which they are visited from now on."""
        ...

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Put the keys of a collection without order into the order in which it is visited."""
        ...

    def pick_port(self, free: FreePorts) -> int | None:
        """Pick one of the ports that are free on an address; None where there is none."""
        ...

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick so many ports of an address in one request; None where there are too few."""
        ...

    def next_id(self, kind: IdKind) -> str:
        """Give a new ID."""
        ...


def order_map(choices: Choices, collection: Mapping[Key, Member]) -> list[tuple[Key, Member]]:
    """List the entries of a map in the order in which it is visited."""
    return [(key, collection[key]) for key in choices.ordered(collection)]


@dataclass(frozen=True, slots=True)
class Placed(Sequence[Node]):
    """Nodes in the order of their places in another list."""

    nodes: Sequence[Node]
    places: Sequence[int]

    @overload
    def __getitem__(self, at: int) -> Node: ...

    @overload
    def __getitem__(self, at: slice) -> Placed: ...

    def __getitem__(self, at: int | slice) -> Node | Placed:
        """Get the node at a place, or the part of the list that a slice names."""
        if isinstance(at, slice):
            return Placed(self.nodes, self.places[at])
        return self.nodes[self.places[at]]

    def __len__(self) -> int:
        """Count the nodes."""
        return len(self.places)


class ReplayedChoices:
    """Choices that were recorded: each is used once, and must be one that was open.

    What a recording leaves out is taken from other choices. Byte strings are compared as such, which is how
    text of UTF-8 compares by its characters.
    """

    def __init__(
        self,
        *,
        node_orders: Sequence[Sequence[str]] = (),
        is_descending: bool = False,
        ports: Sequence[int] = (),
        ids: Sequence[str] | None = None,
    ) -> None:
        """Take the choices in the order in which they were made."""
        self._orders = list(node_orders)
        self._is_descending = is_descending
        self._ports = list(ports)
        self._ids = list(ids) if ids is not None else None
        self._spare = FreeChoices(0)
        self.orders_used = 0
        self.ports_used = 0
        self.drawn: list[str] = []
        """The IDs that were given, in order."""

    def next_node_order(self, candidates: Sequence[Node]) -> tuple[Node, ...]:
        """Take the next order, which must be of these nodes."""
        at = f"choices.node_orders[{self.orders_used}]"
        if self.orders_used >= len(self._orders):
            raise ChoiceError("choices", "one more order of nodes is needed than was recorded", at=at)
        order = self._orders[self.orders_used]
        self.orders_used += 1
        by_id = {node.id: node for node in candidates}
        if len(order) != len(by_id) or set(order) != by_id.keys():
            raise ChoiceError("choices", "this orders other nodes than the candidates", at=at)
        return tuple(by_id[node_id] for node_id in order)

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Sort the keys upwards or downwards, as all of the recording does."""
        return sorted(keys, reverse=self._is_descending)

    def pick_port(self, free: FreePorts) -> int | None:
        """Take the next port."""
        (port,) = self.pick_ports(free, 1) or (None,)
        return port

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Take the next ports, or the one entry that says that there were too few."""
        at = f"choices.dynamic_ports[{self.ports_used}]"
        taken = tuple(self._ports[self.ports_used : self.ports_used + count])
        is_short = taken[:1] == (_NO_PORT,)
        self.ports_used += 1 if is_short else count
        if is_short != (len(tuple(islice(free, count))) < count):
            raise ChoiceError("choices", "ports were found where none are left, or the reverse", at=at)
        if is_short:
            return None
        if len(taken) < count:
            raise ChoiceError("choices", "one more port is needed than was recorded", at=at)
        if len(set(taken)) < count or not all(port in free for port in taken):
            raise ChoiceError("choices", "such a port is not free", at=at)
        return taken

    def next_id(self, kind: IdKind) -> str:
        """Take the next ID."""
        at, ids = len(self.drawn), self._ids or ()
        self.drawn.append(ids[at] if at < len(ids) else self._spare.next_id(kind))
        return self.drawn[-1]

    def find_unused(self) -> str:
        """Name the first list of which not all was used; empty when all was."""
        if self.orders_used < len(self._orders):
            return f"choices.node_orders[{self.orders_used}]"
        if self.ports_used < len(self._ports):
            return f"choices.dynamic_ports[{self.ports_used}]"
        return ""


class FreeChoices:
    """Choices that depend on a seed and on nothing else: the same seed chooses the same."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed."""
        self._seed = seed
        self._drawn = 0

    def next_node_order(self, candidates: Sequence[Node]) -> Sequence[Node]:
        """Shuffle the candidates by their places: of thousands a search visits few, and touches no other."""
        return Placed(candidates, shuffle(list(range(len(candidates))), self._draw()))

    def ordered(self, keys: Iterable[Key]) -> list[Key]:
        """Shuffle the keys."""
        ordered = sorted(keys)
        return ordered if len(ordered) < _FEWEST_TO_SHUFFLE else shuffle(ordered, self._draw())

    def pick_port(self, free: FreePorts) -> int | None:
        """Pick any free port."""
        (port,) = self.pick_ports(free, 1) or (None,)
        return port

    def pick_ports(self, free: FreePorts, count: int) -> tuple[int, ...] | None:
        """Pick any free ports, each once."""
        draw = self._draw()
        ports = _probe(free, count, draw)
        if len(ports) < count:
            ports = sorted(free, key=lambda port: _digest(draw, str(port)))[:count]
        return tuple(ports) if len(ports) == count else None

    def next_id(self, kind: IdKind) -> str:
        """Make an ID of the usual shape."""
        text = xxhash.xxh3_128_hexdigest(f"{self._seed} {self._draw()} {kind}".encode())
        return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))

    def _draw(self) -> int:
        self._drawn += 1
        return _digest(self._seed, str(self._drawn))


def _probe(free: FreePorts, count: int, draw: int) -> list[int]:
    """Probe some ports of the range, which mostly are free."""
    first, last = free.bounds
    found: list[int] = []
    for probe in range(_PORT_PROBES):
        if len(found) == count:
            break
        port = first + _digest(draw, str(probe)) % max(last - first, 1)
        if port not in found and port in free:
            found.append(port)
    return found


def _digest(seed: int, text: str) -> int:
    return xxhash.xxh3_64_intdigest(f"{seed} {text}".encode())
