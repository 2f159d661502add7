"""What every component believes at the decisive step."""

from functools import cache

import pytest

from nomadspec.checkers.model_findings import find_finding, list_findings
from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.report.beliefs import (
    APPLIER,
    BLOCKED,
    BROKER,
    CLIENT,
    STORE,
    Beliefs,
    beliefs_data,
    compute_beliefs,
    render_beliefs,
)
from nomadspec.checkers.report.finding_beliefs import place_of_story
from nomadspec.checkers.report.stories import read_story
from nomadspec.model.language.story import replay
from tests.checkers.shop import hasty

TOLD = ("F-02", "F-06", "F-08", "F-14", "F-35", "F-37")
"""Findings that are told of one by one: of each component and each kind of story there is one among them."""


@cache
def believe(name: str) -> Beliefs:
    story, bounded = read_story(place_of_story(ROOT, find_finding(name)))
    found = compute_beliefs(story, replay(story, bounded))
    assert found is not None
    return found


def test_the_applier_believes_in_room_that_the_store_has_not() -> None:
    """F-02: the entry that was to stop the allocation has failed."""
    beliefs = believe("F-02")
    told = dict(beliefs.rows)

    assert "before step 26, Commit(entry1, job2)" == beliefs.heading
    assert {
        STORE: "running, takes room on node1",
        "worker1's snapshot": "takes room on node1",
        APPLIER: "takes no room",
        CLIENT: "has not reported an end",
    } == told["job1's alloc1"]
    assert {"worker2": "places job2 on node1", "entry1": "places job2 on node1"} == told["job2's plan"]


def test_a_worker_believes_what_its_snapshot_showed_when_it_planned() -> None:
    """F-35: the allocation was preempted since."""
    told = dict(believe("F-35").rows)

    assert "stopped, takes no room" == told["job1's alloc1"][STORE]
    assert "takes room on node1" == told["job1's alloc1"]["worker2's snapshot"]
    assert "updates job1's alloc1 in place" == told["job1's plan"]["worker2"]


def test_broker_and_blocked_evals_may_have_what_the_store_knows_otherwise() -> None:
    """F-08: the evaluation is in two places at once."""
    told = dict(believe("F-08").rows)

    assert {BROKER, BLOCKED, STORE, "worker1"} == set(told["job1's eval2"])
    assert ("blocked", "unacked") == (told["job1's eval2"][STORE], told["job1's eval2"][BROKER])


def test_a_scheduler_believes_in_the_deployment_that_it_read() -> None:
    """F-14, F-37."""
    begun, brought_back = dict(believe("F-14").rows), dict(believe("F-37").rows)

    assert "places job1 on node1, begins a deployment of job1" == begun["job1's plan"]["worker1"]
    assert "writes job1's deployment as running" == brought_back["job1's plan"]["worker1"]
    assert {STORE: "failed, of version 0", "worker1's snapshot": "running, of version 0"} == brought_back[
        "job1's deployment"
    ]


def test_of_what_never_ends_the_end_is_told() -> None:
    assert "in the end" == believe("F-06").heading


@pytest.mark.parametrize(
    "name",
    [pytest.param(one.id, marks=() if one.id in TOLD else pytest.mark.deep) for one in list_findings()],
)
def test_every_finding_of_the_kernel_has_its_beliefs(name: str) -> None:
    beliefs = believe(name)
    data = beliefs_data(beliefs)

    assert STORE == beliefs.components[0]
    assert all(len(row) == 1 + len(beliefs.components) for row in beliefs.list_rows())
    assert data is not None
    assert {"before_step", "components", "things"} == set(data)
    assert list(beliefs.components) == data["components"]
    assert beliefs.heading in render_beliefs(beliefs)


def test_other_models_have_no_such_components() -> None:
    story, bounded = hasty()

    assert compute_beliefs(story, replay(story, bounded)) is None
    assert beliefs_data(None) is None
