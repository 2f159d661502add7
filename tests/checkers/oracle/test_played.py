"""No cluster is refused that does what the release does, known defects among it, as scenarios show it."""

from pathlib import Path

import pytest

from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile
from tests.checkers.oracle.explain.replayed import list_rules
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


@pytest.mark.parametrize(
    ("name", "cure", "refused"),
    [
        ("node-that-reconnects-at-once-is-never-ready", "X-63", ("raft-log[15].Status", "NODEST-09")),
        ("sysbatch-alloc-runs-for-ever-on-a-lost-node", "X-66", ("raft-log[9].Evals", "TRIG-29")),
    ],
)
def test_a_release_that_has_mended_a_defect_is_judged_by_its_own_profile(
    name: str, cure: str, refused: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """NODEST-09, TRIG-29."""
    mended = find_profile(f"{NOMAD_2_0.name} -{cure}")
    replay = log_scenario(SCENARIOS / "findings" / f"{name}.scenario", monkeypatch, mended)

    assert list(judge_walk(replay, mended)) == []
    assert refused in list_rules(list(judge_walk(replay)))


@pytest.mark.parametrize("name", OF_OTHERS)
def test_a_release_before_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SYSTEM-10: here a system deployment counts nodes that can never run the job."""
    assert list(judge_walk(log_scenario(next(SCENARIOS.rglob(name)), monkeypatch))) != []
