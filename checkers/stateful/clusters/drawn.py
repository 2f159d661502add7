"""Histories drawn without a test around them: the same seed draws the same ones."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from nomadspec.checkers.stateful.clusters.histories import History, histories


def draw_histories(number: int, count: int, kind: SearchStrategy[History] | None = None) -> list[History]:
    """Draw so many histories by a seed, of a kind or of all; the smallest come first, and few are alike."""
    drawn: list[History] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(histories() if kind is None else kind)
    def collect(history: History) -> None:
        drawn.append(history)

    collect()
    return drawn[:count]
