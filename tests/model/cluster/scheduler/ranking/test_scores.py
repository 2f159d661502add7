"""Scores of the stages after the fit (RANK-49 to RANK-56, RANK-69 to RANK-72), by the worked examples."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import Affinity, Job, Node
from nomadspec.model.cluster.scheduler.ranking.scores import (
    compute_affinity,
    compute_anti_affinity,
    compute_mean,
    compute_preemption,
)
from tests.model.cluster.scheduler.made import make_alloc

NODE = Node(datacenter="dc1", node_class="yes")
HELD, NOT_HELD = "yes", "no"


def make_affinity(weight: int, value: str) -> Affinity:
    return Affinity(ltarget="${node.class}", operand="=", rtarget=value, weight=weight)


@pytest.mark.parametrize(
    ("collisions", "count", "score"),
    [(0, 4, None), (1, 4, -0.5), (2, 4, -0.75), (1, 1, -2.0), (3, 10, -0.4), (5, 3, -2.0), (1, 0, -math.inf)],
)
def test_anti_affinity(collisions: int, count: int, score: float | None) -> None:
    """RANK-49, RANK-50."""
    allocs = [make_alloc(f"a{at}") for at in range(collisions)]
    others = [make_alloc("b1", task_group="api"), make_alloc("b2", job_id="k")]

    assert score == compute_anti_affinity([*allocs, *others], "j", "web", count)


def test_anti_affinity_looks_neither_at_namespaces_nor_at_statuses() -> None:
    """RANK-49, 07/S-07, 07/S-08."""
    strange = [make_alloc("a1", namespace="other"), make_alloc("a2", client_status="failed")]

    assert compute_anti_affinity(strange, "j", "web", 2) == -1.5


@pytest.mark.parametrize(
    ("held", "score"),
    [((0, 2), 0.5), ((1,), -1 / 3), ((1, 3), -1 / 6), ((0,), 1 / 3), ((), 0.0)],
)
def test_affinity(held: tuple[int, ...], score: float) -> None:
    """RANK-55: weights 100, -100, 50 and 50."""
    weights = (100, -100, 50, 50)
    affinities = [make_affinity(each, HELD if at in held else NOT_HELD) for at, each in enumerate(weights)]

    assert score == compute_affinity(affinities, NODE)


def test_no_affinities_append_nothing() -> None:
    """RANK-54."""
    assert compute_affinity([], NODE) is None
    assert compute_affinity([make_affinity(0, HELD)], NODE) == 0.0


@given(st.lists(st.tuples(st.integers(-100, 100).filter(bool), st.booleans()), min_size=1))
def test_affinity_changes_its_sign_with_all_weights(each: list[tuple[int, bool]]) -> None:
    """RANK-55: between -1 and 1."""
    values = [(weight, HELD if is_held else NOT_HELD) for weight, is_held in each]
    score = compute_affinity([make_affinity(weight, value) for weight, value in values], NODE)
    other = compute_affinity([make_affinity(-weight, value) for weight, value in values], NODE)

    assert score is not None
    assert -1.0 <= score <= 1.0
    assert other == -score


@pytest.mark.parametrize(
    ("priorities", "score"),
    [
        ((1,), 0.999945692831),
        ((10,), 0.999943295484),
        ((30,), 0.999937582347),
        ((30, 30), 0.999937282041),
        ((10, 40), 0.999934434805),
        ((50,) * 10, 0.999928260693),
        ((50,) * 2000, 0.497600018432),
    ],
)
def test_preemption(priorities: tuple[int, ...], score: float) -> None:
    """RANK-69, RANK-70."""
    allocs = [make_alloc(job=Job(priority=priority)) for priority in priorities]

    assert compute_preemption(allocs) == pytest.approx(score, abs=1e-12)


def test_who_evicts_nobody_has_no_score_of_preemption() -> None:
    assert compute_preemption([]) is None


@pytest.mark.parametrize(
    ("scores", "mean"),
    [
        ((0.324413555847, -0.666666666667), -0.171126555410),
        ((0.324413555847, -0.666666666667, -1.0), -0.447417703607),
        ((0.181780641197, 0.5, 0.625), 0.435593547066),
        ((), 0.0),
    ],
)
def test_mean(scores: tuple[float, ...], mean: float) -> None:
    """RANK-71."""
    assert compute_mean(scores) == pytest.approx(mean, abs=1e-12)
