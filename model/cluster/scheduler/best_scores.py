"""The best few of a run of scores, in the order in which the real scheduler shows them."""

from __future__ import annotations

import math
from typing import Final

from nomadspec.model.cluster.entities import NodeScoreMeta

KEPT: Final = 5


class BestScores:
    """A binary heap whose top is the least of the scores that are kept.

    Only the place among equal scores depends on how the heap is built and emptied.

    Spec: RANK-74.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._heap: list[NodeScoreMeta] = []

    def find_least(self) -> float:
        """Find the score that one has to be greater than to be kept."""
        return self._heap[0].norm_score if len(self._heap) == KEPT else -math.inf

    def add(self, scored: NodeScoreMeta) -> None:
        """Keep a score if it is among the best; one that equals the least of them does not displace it."""
        heap = self._heap
        if len(heap) < KEPT:
            heap.append(scored)
            _sift_up(heap)
        elif scored.norm_score > heap[0].norm_score:
            heap[0] = scored
            _sift_down(heap)

    def build(self) -> tuple[NodeScoreMeta, ...]:
        """List what is kept, the best first."""
        heap = list(self._heap)
        ascending = [_take_least(heap) for _ in range(len(heap))]
        return tuple(reversed(ascending))


def _take_least(heap: list[NodeScoreMeta]) -> NodeScoreMeta:
    last = heap.pop()
    if not heap:
        return last
    least, heap[0] = heap[0], last
    _sift_down(heap)
    return least


def _sift_up(heap: list[NodeScoreMeta]) -> None:
    at = len(heap) - 1
    while at > 0:
        parent = (at - 1) // 2
        if not _is_less(heap, at, parent):
            return
        heap[at], heap[parent] = heap[parent], heap[at]
        at = parent


def _sift_down(heap: list[NodeScoreMeta]) -> None:
    at = 0
    while (child := 2 * at + 1) < len(heap):
        if child + 1 < len(heap) and _is_less(heap, child + 1, child):
            child += 1
        if not _is_less(heap, child, at):
            return
        heap[at], heap[child] = heap[child], heap[at]
        at = child


def _is_less(heap: list[NodeScoreMeta], left: int, right: int) -> bool:
    return heap[left].norm_score < heap[right].norm_score
