"""Histories drawn without a test around them: the same seed draws the same ones."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings

from nomadspec.checkers.stateful.clusters.histories import History, histories


def draw_histories(number: int, count: int) -> list[History]:
    """Draw so many histories by a seed; the first ones are the smallest, and few are alike."""
    drawn: list[History] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(histories())
    def collect(history: History) -> None:
        drawn.append(history)

    collect()
    return drawn[:count]
