"""Histories about limited attempts, reconnecting nodes, canaries of two groups and preemption."""

from collections import Counter

import pytest
from hypothesis import given, settings

from nomadspec.checkers.stateful.clusters.cluster import Cluster, Names, live_through
from nomadspec.checkers.stateful.clusters.drawn import draw_histories
from nomadspec.checkers.stateful.clusters.histories import History
from nomadspec.checkers.stateful.clusters.scheduler_findings import make_mended_profile
from nomadspec.checkers.stateful.clusters.themes import themed_histories
from nomadspec.checkers.stateful.meetings import Meeting, list_met
from nomadspec.invariants.cluster.scheduler import PROPERTIES
from nomadspec.model.cluster.scheduler.choices import FreeChoices
from nomadspec.model.specification.profiles import NOMAD_2_0

OF_SCHEDULERS = {
    Meeting.SEVERAL_GROUPS,
    Meeting.LIMITED_ATTEMPTS,
    Meeting.BACK_BESIDE_REPLACEMENT,
    Meeting.CANARIES_OF_TWO_GROUPS,
    Meeting.PREEMPTED_BY_OWN_KIND,
    Meeting.SPREAD_TARGET,
}
MENDED = make_mended_profile()


def _count(count: int) -> Counter[Meeting]:
    met: Counter[Meeting] = Counter()

    for history in draw_histories(1, count, themed_histories()):
        cluster = Cluster(Names(), NOMAD_2_0, FreeChoices(history.seed))
        cluster.begin(history)
        for step in history.steps:
            before = cluster.state
            for _ in cluster.take(step):
                met.update({*list_met(before, cluster.state)})
                before = cluster.state
    return met


def test_what_a_scheduler_decides_about_meets_in_a_few_histories() -> None:
    met = _count(20)

    assert {meeting.value for meeting in OF_SCHEDULERS if met[meeting] == 0} == set()


@pytest.mark.deep
@settings(max_examples=200, deadline=None)
@given(history=themed_histories())
def test_nothing_is_wrong_where_things_meet_once_findings_are_mended(history: History) -> None:
    for decision in live_through(history, profile=MENDED):
        assert [] == [problem for ask in PROPERTIES.values() for problem in ask(decision)]
