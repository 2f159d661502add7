"""Nodes that reject too often (PLAN-85, PLAN-86)."""

from nomadspec.model.cluster.components.plan_rejections import Rejections, note_rejections

S = 1_000_000_000
MIN = 60 * S


def reject(rejections: Rejections, times: int, *nodes: str, at_ns: int = 0) -> tuple[Rejections, list[str]]:
    """Reject nodes some times at one moment, and list those that are named."""
    named: list[str] = []
    for _ in range(times):
        rejections, more = note_rejections(rejections, nodes, at_ns)
        named.extend(more)
    return rejections, named


def test_nothing_is_noted_by_default() -> None:
    assert (Rejections(), []) == reject(Rejections(), 200, "n1")


def test_the_threshold_is_reached_by_the_count() -> None:
    rejections = Rejections(is_enabled=True, threshold=3)

    assert [] == reject(rejections, 2, "n1")[1]
    assert ["n1"] == reject(rejections, 3, "n1")[1]


def test_it_goes_on_after_a_node_was_named() -> None:
    """PLAN-86: the history is not reset, and each time takes a token."""
    assert ["n1"] * 2 == reject(Rejections(is_enabled=True, threshold=3), 4, "n1")[1]


def test_ten_nodes_are_named_at_once_and_then_one_in_six_minutes() -> None:
    rejections, named = reject(Rejections(is_enabled=True, threshold=1), 15, "n1")
    assert 10 == len(named)

    rejections, named = reject(rejections, 2, "n1", "n2", at_ns=6 * MIN)
    assert ["n1"] == named
    assert 10 == len(reject(rejections, 15, "n1", at_ns=10**6 * MIN)[1])


def test_what_lies_outside_the_window_is_forgotten() -> None:
    rejections, _ = reject(Rejections(is_enabled=True, threshold=3, window_ns=5 * MIN), 2, "n1")

    assert ["n1"] == reject(rejections, 1, "n1", at_ns=5 * MIN)[1]
    assert [] == reject(rejections, 1, "n1", at_ns=5 * MIN + 1)[1]


def test_a_node_that_falls_out_of_the_cache_starts_anew() -> None:
    rejections, _ = reject(Rejections(is_enabled=True, threshold=2), 1, *(f"n{at}" for at in range(51)))

    assert ["n50"] == reject(rejections, 1, "n0", "n50")[1]
