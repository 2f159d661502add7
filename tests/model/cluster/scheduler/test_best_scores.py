"""The best scores of a search (RANK-74)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import NodeScoreMeta
from nomadspec.model.cluster.scheduler.best_scores import KEPT, BestScores


def keep(*scores: float) -> list[tuple[str, float]]:
    best = BestScores()
    for at, score in enumerate(scores):
        best.add(NodeScoreMeta(node_id=f"n{at}", norm_score=score))
    return [(node.node_id, node.norm_score) for node in best.build()]


@given(st.lists(st.floats(-2, 2)))
def test_the_greatest_are_kept_in_descending_order(scores: list[float]) -> None:
    assert sorted(scores, reverse=True)[:KEPT] == [score for _, score in keep(*scores)]


@pytest.mark.parametrize(
    ("scores", "nodes"),
    [
        pytest.param((0.5, 0.5), "n1 n0", id="two equal ones come in reverse"),
        pytest.param((0.5, 0.5, 0.5), "n1 n2 n0", id="of three equal ones the first is last"),
        pytest.param((5, 4, 3, 2, 1, 1), "n0 n1 n2 n3 n4", id="an equal one does not displace the last"),
        pytest.param((1, 1, 1, 1, 1, 2), "n5 n2 n3 n4 n1", id="a better one takes the place of the first"),
    ],
)
def test_equal_scores_are_ordered_as_a_heap_leaves_them(scores: tuple[float, ...], nodes: str) -> None:
    assert nodes == " ".join(node for node, _ in keep(*scores))
