from collections import Counter

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.invariants.kernel.kernel import KERNEL, SUBJECTS
from nomadspec.model.kernel.kernel import KERNEL as RULES
from nomadspec.model.property import Kind, properties_in
from tests.invariants.kernel import (
    test_allocations,
    test_answers,
    test_applier,
    test_attempts,
    test_blocked,
    test_bookkeeping,
    test_broker,
    test_collection,
    test_deliveries,
    test_deployments,
    test_disconnects,
    test_drafts,
    test_endings,
    test_ends,
    test_entries,
    test_evaluations,
    test_events,
    test_jobs,
    test_judging,
    test_lifecycles,
    test_movers,
    test_nodes,
    test_offers,
    test_pipelines,
    test_planning,
    test_plans,
    test_restoring,
    test_rollouts,
    test_updates,
    test_wakes,
    test_workers,
)
from tests.invariants.kernel.deviations import ALONE

TABLES = (
    test_allocations,
    test_answers,
    test_applier,
    test_attempts,
    test_blocked,
    test_bookkeeping,
    test_broker,
    test_collection,
    test_deliveries,
    test_deployments,
    test_disconnects,
    test_drafts,
    test_endings,
    test_ends,
    test_entries,
    test_evaluations,
    test_events,
    test_jobs,
    test_judging,
    test_lifecycles,
    test_movers,
    test_nodes,
    test_offers,
    test_pipelines,
    test_planning,
    test_plans,
    test_restoring,
    test_rollouts,
    test_updates,
    test_wakes,
    test_workers,
)


def test_the_properties_of_every_subject_are_there() -> None:
    names = [prop.name for subject in SUBJECTS for prop in properties_in(subject)]

    assert names == [prop.name for prop in KERNEL.properties]
    assert RULES.rules == KERNEL.rules


def test_every_property_is_broken_by_a_deviation_and_none_serves_many() -> None:
    deviations = [deviation for table in TABLES for deviation in table.MATRIX.deviations.values()]
    broken = {prop.name for deviation in deviations for prop in deviation.breaks}
    served = Counter(one.profile for one in deviations if one.profile != "intended" for _ in one.breaks)
    wanted = KERNEL.list_properties(Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)

    assert {prop.name for prop in wanted} == broken
    assert max(len(deviation.breaks) for deviation in deviations) <= 3
    assert max(served.values()) <= 3


@pytest.mark.parametrize(
    "sizes",
    [
        {**ALONE, "evals": 3, "requests": 1, "timeouts": 1},
        {**ALONE, "evals": 3, "deliveries": 1, "errors": 1, "pauses": 1},
        {**ALONE, "evals": 4, "cap": 0, "requests": 1},
        {**ALONE, "evals": 2, "lag": 1, "node_changes": 1},
        {**ALONE, "evals": 3, "kinds": 3, "cap": 0},
    ],
    ids=str,
)
def test_as_intended_nothing_is_broken(sizes: dict[str, int]) -> None:
    bounded = KERNEL.at("contention", sizes=sizes, profile="intended")
    kinds = (Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)
    report = explore(bounded, properties=[prop.name for prop in bounded.model.list_properties(*kinds)])

    assert [] == [finding.property for finding in report.findings]
