"""No cluster is refused that does what the release does, known defects among it, as scenarios show it."""

from pathlib import Path

import pytest

from tests.checkers.oracle.played import log_scenario
from tests.checkers.oracle.walked import judge_walk

SCENARIOS = Path(__file__).parents[3] / "docs" / "scenarios"
OF_OTHERS = ("4-system-deployment-before.scenario",)
"""Scenarios of releases before."""
REFUSED_ONCE = (
    "findings/blocked-eval-is-canceled-as-its-own-duplicate.scenario",
    "findings/core-eval-is-stored.scenario",
    "findings/failed-alloc-waits-for-a-follow-up-that-is-never-made.scenario",
    "servers/rejected-node.scenario",
)
ALL = sorted(path for path in SCENARIOS.rglob("*.scenario") if path.name not in OF_OTHERS)


@pytest.mark.parametrize("name", REFUSED_ONCE)
def test_what_the_release_does_is_not_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """BLOCKED-22, GENERIC-44, LEADER-51, PLAN-85."""
    replay = log_scenario(SCENARIOS / name, monkeypatch)

    assert len(replay.steps) > 2
    assert list(judge_walk(replay)) == []


@pytest.mark.deep
@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_no_scenario_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(judge_walk(log_scenario(path, monkeypatch))) == []


@pytest.mark.parametrize("name", OF_OTHERS)
def test_a_release_before_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SYSTEM-10: here a system deployment counts nodes that can never run the job."""
    assert list(judge_walk(log_scenario(next(SCENARIOS.rglob(name)), monkeypatch))) != []
