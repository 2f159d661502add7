"""The visit limit, putting aside, and the maximum (RANK-07, RANK-15, RANK-18 to RANK-21)."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.scheduler.ranking.limits import Source, choose_best, compute_limit, deliver

NODES = tuple(Node(id=f"p{at}") for at in range(1, 6))
SCORES = st.lists(st.floats(-1, 1))


@dataclass(frozen=True)
class Option:
    """A node that has only a score."""

    at: int
    norm_score: float


def make_options(scores: list[float]) -> list[Option]:
    return [Option(at, score) for at, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("nodes", "limit"),
    [(0, 2), (1, 2), (4, 2), (5, 3), (8, 3), (9, 4), (32, 5), (128, 7), (129, 8), (1000, 10), (10000, 14)],
)
def test_limits(nodes: int, limit: int) -> None:
    """RANK-15."""
    assert limit == compute_limit(nodes, is_batch=False)
    assert compute_limit(nodes, is_batch=True) == 2


def test_searches_go_on_where_the_last_one_stopped() -> None:
    """RANK-07."""
    source = Source()
    source.set_nodes(NODES)

    first = [next(source.visit()).id for _ in range(6)]

    assert ["p1", "p2", "p3", "p4", "p5", "p1"] == first
    assert len(list(source.visit())) == len(NODES)


@pytest.mark.parametrize(
    ("scores", "limit", "delivered", "chosen", "evaluated"),
    [
        ([0.2, 0.5, 0.9], 2, [0.2, 0.5], 0.5, 2),
        ([-0.1, 0.5, 0.4, 0.9], 2, [0.5, 0.4], 0.5, 3),
        ([-0.1, -0.2, -0.3, -0.4, 0.9], 2, [-0.4, 0.9], 0.9, 5),
        ([-0.1, -0.2, -0.3, -0.4, -0.05, 0.9], 2, [-0.4, -0.05], -0.05, 5),
        ([-0.1, -0.2, -0.3, -0.4, -0.5], 2, [-0.4, -0.5], -0.4, 5),
        ([-0.1, -0.2, -0.3, -0.4], 4, [-0.4, -0.1, -0.2, -0.3], -0.1, 4),
        ([-0.5, -0.1], 2, [-0.5, -0.1], -0.1, 2),
        ([-0.5, 0.3], 2, [0.3, -0.5], 0.3, 2),
        ([0.5, 0.5], 2, [0.5, 0.5], 0.5, 2),
    ],
)
def test_worked_examples(
    scores: list[float], limit: int, delivered: list[float], chosen: float, evaluated: int
) -> None:
    """RANK-18, RANK-19, RANK-20, RANK-21."""
    source = iter(make_options(scores))

    taken = list(deliver(source, limit))
    best = choose_best(taken)

    assert delivered == [option.norm_score for option in taken]
    assert best is not None
    assert chosen == best.norm_score
    assert evaluated == len(scores) - len(list(source))


def test_the_first_of_equal_ones_is_chosen() -> None:
    """RANK-20."""
    best = choose_best(make_options([0.1, 0.5, 0.5]))

    assert best is not None
    assert best.at == 1
    assert choose_best(()) is None


@given(SCORES, st.integers(1, 8))
def test_no_more_than_the_limit_is_delivered(scores: list[float], limit: int) -> None:
    """RANK-18: and everything is delivered where there is no more than that."""
    taken = list(deliver(make_options(scores), limit))

    assert min(limit, len(scores)) >= len(taken)
    assert len(scores) > limit or sorted(scores) == sorted(option.norm_score for option in taken)
