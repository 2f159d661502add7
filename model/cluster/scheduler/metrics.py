"""The metrics of one search for a node, under construction."""

from __future__ import annotations

from collections.abc import Mapping

from nomadspec.model.cluster.entities import AllocMetric, Node, NodeScoreMeta
from nomadspec.model.cluster.scheduler.best_scores import BestScores


class MetricBuilder:
    """Counts the nodes of one search: evaluated, filtered, exhausted, and the best scores.

    Spec: FEAS-86, RANK-74.
    """

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self.nodes_evaluated = 0
        self.nodes_filtered = 0
        self.nodes_exhausted = 0
        self._class_filtered: dict[str, int] = {}
        self._constraint_filtered: dict[str, int] = {}
        self._class_exhausted: dict[str, int] = {}
        self._dimension_exhausted: dict[str, int] = {}
        self._best = BestScores()

    def evaluate(self) -> None:
        """Count a node that was pulled from the source.

        Spec: FEAS-14.
        """
        self.nodes_evaluated += 1

    def filter(self, node: Node, reason: str) -> None:
        """Count a node that a check refused, also for its class where the operator gave it one.

        Spec: OBJ-263, FEAS-86.
        """
        self.nodes_filtered += 1
        _count(self._class_filtered, node.node_class)
        _count(self._constraint_filtered, reason)

    def exhaust(self, node: Node, dimension: str) -> None:
        """Count a node that has too little left.

        Spec: FEAS-86, FEAS-87, OBJ-263.
        """
        self.nodes_exhausted += 1
        _count(self._class_exhausted, node.node_class)
        _count(self._dimension_exhausted, dimension)

    def find_least_kept(self) -> float:
        """Find the final score that a node has to exceed to be among the best so far.

        Spec: RANK-74.
        """
        return self._best.find_least()

    def score(self, node_id: str, scores: Mapping[str, float], norm_score: float) -> None:
        """Keep the scores of a node if they are among the best; they are those without the final one.

        Spec: RANK-74.
        """
        self._best.add(NodeScoreMeta(node_id=node_id, scores=scores, norm_score=norm_score))

    def build(
        self, *, nodes_available: Mapping[str, int], nodes_in_pool: int, node_pool: str = ""
    ) -> AllocMetric:
        """Give the metrics of the search, with what is known of all candidates."""
        return AllocMetric(
            nodes_evaluated=self.nodes_evaluated,
            nodes_filtered=self.nodes_filtered,
            nodes_in_pool=nodes_in_pool,
            node_pool=node_pool,
            nodes_available=nodes_available,
            class_filtered=dict(self._class_filtered),
            constraint_filtered=dict(self._constraint_filtered),
            nodes_exhausted=self.nodes_exhausted,
            class_exhausted=dict(self._class_exhausted),
            dimension_exhausted=dict(self._dimension_exhausted),
            score_meta_data=self._best.build(),
        )


def _count(counts: dict[str, int], name: str) -> None:
    """Count one more of a name; what has none is not counted."""
    if name:
        counts[name] = counts.get(name, 0) + 1
