"""The metrics of a search count nodes and keep the best five scores."""

from nomadspec.model.cluster.scheduler.metrics import MetricBuilder
from tests.model.cluster.scheduler.made import make_node


def test_nodes_are_counted_by_class_and_reason() -> None:
    """FEAS-14, FEAS-86; nodes without a class count in none: OBJ-263."""
    builder = MetricBuilder()
    for node_class in ("big", "", "big"):
        builder.evaluate()
        builder.filter(make_node(node_class=node_class), "missing drivers")
    builder.evaluate()
    for node_class in ("small", ""):
        builder.exhaust(make_node(node_class=node_class), "memory")

    metrics = builder.build(nodes_available={"dc1": 4}, nodes_in_pool=4, node_pool="default")

    assert (metrics.nodes_evaluated, metrics.nodes_filtered, metrics.nodes_exhausted) == (4, 3, 2)
    assert metrics.class_filtered == {"big": 2}
    assert metrics.constraint_filtered == {"missing drivers": 3}
    assert metrics.class_exhausted == {"small": 1}
    assert metrics.dimension_exhausted == {"memory": 2}
    assert (metrics.nodes_available, metrics.nodes_in_pool, metrics.node_pool) == ({"dc1": 4}, 4, "default")


def test_the_best_scores_are_told() -> None:
    """RANK-74."""
    builder = MetricBuilder()
    for name, score in (("a", 0.5), ("b", 0.7)):
        builder.score(name, {"binpack": score}, score)

    kept = builder.build(nodes_available={}, nodes_in_pool=0).score_meta_data

    assert [(meta.node_id, meta.scores) for meta in kept] == [
        ("b", {"binpack": 0.7}),
        ("a", {"binpack": 0.5}),
    ]
