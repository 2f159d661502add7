"""Findings about schedulers: each is there, is smallest, and is gone when it is mended."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters.histories import History
from nomadspec.checkers.stateful.clusters.scheduler_findings import (
    EARLIER_FINDINGS,
    SCHEDULER_FINDINGS,
    SchedulerFinding,
    find_problems,
)
from nomadspec.invariants.cluster.scheduler import PROPERTIES

SHOWN = (*SCHEDULER_FINDINGS, *EARLIER_FINDINGS)
CURED = [finding for finding in SHOWN if finding.cure]


def name(finding: SchedulerFinding) -> str:
    """Name a test by its finding."""
    return finding.id


def list_smaller(history: History) -> Iterator[History]:
    """Leave out one node or one step at a time."""
    nodes, steps = history.nodes, history.steps
    for at in range(len(nodes) if len(nodes) > 1 else 0):
        yield replace(history, nodes=(*nodes[:at], *nodes[at + 1 :]))
    for at in range(len(steps)):
        yield replace(history, steps=(*steps[:at], *steps[at + 1 :]))


@pytest.mark.parametrize("finding", SHOWN, ids=name)
def test_it_is_there_and_smallest(finding: SchedulerFinding) -> None:
    smaller = [replace(finding, history=history) for history in list_smaller(finding.history)]

    assert 1 == len(list(find_problems(finding, finding.profile)))
    assert [] == [each.history for each in smaller if list(find_problems(each, each.profile))]


@pytest.mark.parametrize("finding", CURED, ids=name)
def test_it_is_gone_when_it_is_mended(finding: SchedulerFinding) -> None:
    profile = finding.cured_profile

    assert profile is not None
    assert [] == list(find_problems(finding, profile))


def test_findings_are_told_by_ids_and_rules() -> None:
    ids = [finding.id for finding in SCHEDULER_FINDINGS]

    assert sorted(set(ids)) == ids
    assert all(finding.spec and finding.violates in PROPERTIES for finding in SCHEDULER_FINDINGS)
    assert all(finding.cured_profile is None for finding in SCHEDULER_FINDINGS if not finding.cure)
