"""How many nodes are looked at, which are put aside, and which of those delivered is the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from nomadspec.model.cluster.entities import Node

BASE_LIMIT: Final = 2
MOST_ASIDE: Final = 3
ASIDE_THRESHOLD: Final = 0.0


class Scored(Protocol):
    """What has a final score."""

    @property
    def norm_score(self) -> float:
        """The final score."""


Option = TypeVar("Option", bound=Scored)


def compute_limit(nodes: int, *, is_batch: bool) -> int:
    """Compute how many options of so many nodes are compared.

    Spec: RANK-15.
    """
    if is_batch or nodes == 0:
        return BASE_LIMIT
    return max(BASE_LIMIT, (nodes - 1).bit_length())


class Source:
    """The nodes in visiting order, with a cursor that searches leave where they stop.

    Spec: RANK-04, RANK-07, 07/S-18.
    """

    def __init__(self) -> None:
        """Begin without nodes."""
        self.nodes: Sequence[Node] = ()
        self._cursor = 0

    def set_nodes(self, nodes: Sequence[Node]) -> None:
        """Take other nodes; visits begin at the first.

        Spec: RANK-07.
        """
        self.nodes = nodes
        self._cursor = 0

    def visit(self) -> Iterator[Node]:
        """Visit each node once, from where the last search stopped.

        Spec: RANK-07.
        """
        nodes, count = self.nodes, len(self.nodes)
        for _ in range(count):
            at = self._cursor
            self._cursor = at + 1 if at + 1 < count else 0
            yield nodes[at]


def deliver(options: Iterable[Option], limit: int) -> Iterator[Option]:
    """Deliver options until the limit; the first that score badly are put aside until nothing else is left.

    Spec: RANK-18, RANK-19, RANK-21, 07/S-04.
    """
    aside: list[Option] = []
    missing = limit
    for option in options:
        if option.norm_score <= ASIDE_THRESHOLD and len(aside) < MOST_ASIDE:
            aside.append(option)
            continue
        yield option
        missing -= 1
        if not missing:
            return
    yield from aside[:missing]


def choose_best(options: Iterable[Option]) -> Option | None:
    """Choose the option with the greatest final score: the first of them; None where there is none.

    Spec: RANK-20.
    """
    best: Option | None = None
    for option in options:
        if best is None or option.norm_score > best.norm_score:
            best = option
    return best
