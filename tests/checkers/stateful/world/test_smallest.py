"""The scenarios of findings are small: without any one thing the harm is gone, or a reason says why not."""

from pathlib import Path
from typing import Final

import pytest

from nomadspec.invariants.cluster.world.finding_scenarios import SCENARIOS, Shown
from nomadspec.model.specification.profiles import find_profile
from tests.checkers.stateful.world.smaller import Harm, list_smaller, read_steps

ROOT = Path(__file__).parents[4]
KEPT: Final = {
    "alloc-is-placed-on-a-drained-node": {
        "cluster 2 nodes: a node": "the drain is complete before the plan is dispatched"
    },
    "blocked-eval-is-canceled-as-its-own-duplicate": {"stop db": "makes room, which nobody offers"},
    "drain-that-waits-for-a-purged-job-never-ends": {
        "register db type batch: type batch": "a drain waits for batch work, so no race is needed"
    },
    "finished-work-is-called-lost-and-done-again": {
        "register db type batch: type batch": "tasks of a service that completed are placed anew anyway"
    },
    "drain-waits-for-allocs-that-joined-an-old-deployment": {
        "wait 1m": "the older deployment has ended well: no race is needed",
        "register web max_parallel 0 image v2: max_parallel 0": "with a deployment it would be another face",
    },
    "alloc-of-the-new-version-joins-the-old-deployment": {
        "promote web": "shows that the version that fails is healthy and promoted",
        "wait 1m": "what is promoted runs by then",
    },
    "node-that-reconnects-at-once-is-never-ready": {"register db": "what the node does not get"},
    "service-that-was-lost-is-deployed-again-and-fails": {
        "evaluate web": "shows that it does not rescue the service",
        "force evaluate web": "shows that it does not rescue the service",
    },
    "unknown-alloc-is-taken-for-the-new-version": {"node-1 returns": "shows that its return changes nothing"},
    "unknown-alloc-is-replaced-by-each-new-version": {
        "register web lost_after 2h image v2: lost_after 2h": "the next version asks for the same as usual"
    },
    "unknown-alloc-takes-the-place-of-its-lost-replacement": {"wait 150m": "shows how long nothing runs"},
    "unknown-alloc-that-found-no-room-is-not-replaced": {"wait 150m": "shows how long nothing runs"},
    "unknown-alloc-with-another-lost-after-is-never-lost": {
        "wait 5s": "what completes runs by then",
        "wait 1m": "what is disconnected runs by then",
        "node node-2 joins": "shows that there is room, and that the service is placed nowhere all the same",
        "register web lost_after 2h replace no: replace no": "the update changes one thing alone",
    },
    "unknown-alloc-waits-for-a-node-that-is-down": {
        "wait 1s": "a client that reports late is enough: the two need not come at once",
        "wait 1m": "the node is back, and lost again a while later",
    },
    "update-of-a-disconnected-alloc-is-rejected-for-ever": {
        "wait 1m": "what is updated runs by then",
        "register web lost_after 2m replace no: replace no": "the usual job is replaced, and harms less",
        "register web lost_after 3m replace no: lost_after 3m": "the update changes one thing alone",
        "register web lost_after 3m replace no: replace no": "the update changes one thing alone",
    },
    "version-that-no-node-can-take-replaces-one-that-runs": {"wait 2m": "what is stopped runs by then"},
}
"""What a scenario has that its harm does not need, with the reason why it stays."""

USUALLY = frozenset(
    {
        "deployment-is-left-alone",
        "failed-alloc-loses-its-permission-to-be-rescheduled",
        "job-runs-nowhere-after-a-successful-deployment",
        "older-version-of-a-job-is-current-again",
        "stopped-job-is-reverted-and-runs-again",
    }
)
"""The scenarios that are looked at each time; the others take minutes together."""
ENDLESS = {
    "group-is-placed-in-room-that-is-taken-back": ("hold worker", "once "),
    "plan-of-a-system-job-is-rejected-without-end": ("hold worker", "once "),
    "system-alloc-comes-back-before-its-node-is-ready": ("hold worker", "once "),
}
"""Steps without which a scenario of an endless loop has no end either."""


def _is_last_wait(steps: list[str], what: str) -> bool:
    last = [step for step in steps if not step.startswith("expect ")][-1]
    return what == last and last.startswith("wait ")


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(one, id=one.scenario, marks=[] if one.scenario in USUALLY else pytest.mark.deep)
        for one in SCENARIOS
    ],
)
def test_nothing_can_be_left_out_of_a_finding(shown: Shown) -> None:
    path = ROOT / shown.file
    steps = read_steps(path)
    harm = Harm.of(steps, shown.violates, find_profile(f"nomad-2.0 -{shown.cure.id}"), path.parent)
    needed = harm.list_needed(steps)
    assert harm.shows_in(needed)

    endless = ENDLESS.get(shown.scenario, ())
    idle = {
        what
        for what, smaller in list_smaller(needed)
        if not what.startswith(endless or "\n") and not _is_last_wait(needed, what) and harm.shows_in(smaller)
    }

    assert idle == set(KEPT.get(shown.scenario, {}))


def test_each_reason_is_about_a_step_that_is_there() -> None:
    scenarios = {one.scenario: ROOT / one.file for one in SCENARIOS}

    for name, reasons in KEPT.items():
        steps = read_steps(scenarios[name])
        assert all(reasons.values())
        assert all(what.partition(":")[0] in steps for what in reasons)
