"""A client by itself: what it pulls, runs and reports."""

from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.components.client import (
    Client,
    acknowledge,
    end_tasks,
    list_news,
    make_reports,
    may_restart,
    overrun,
    pull,
    restart_tasks,
    start_tasks,
)
from nomadspec.model.cluster.entities import Allocation, JobType
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.store.state import State
from tests.model.cluster.acts.running import make_cluster, make_job

NOW_NS = 1_000


def make_state(*allocs: Allocation) -> State:
    return State.of(nodes=make_cluster(1).state.list_nodes(), allocs=allocs)


def make_wanted(alloc_id: str = "a", **fields: Any) -> Allocation:
    job = make_job(kind=fields.pop("kind", JobType.SERVICE))
    usual = {"node_id": "node-1", "namespace": "default", "job_id": job.id, "job": job, "task_group": "web"}
    return Allocation(
        **{
            "id": alloc_id,
            "desired_status": "run",
            "client_status": "pending",
            "alloc_modify_index": 5,
            **usual,
            **fields,
        }
    )


def test_only_what_is_new_or_newer_is_pulled() -> None:
    """CLIENT-02, CLIENT-03: what a client has written itself is not echoed."""
    client = pull(Client(node_id="node-1"), make_state(make_wanted()), NOW_NS)
    echoed = make_state(make_wanted(client_status="running", modify_index=9))
    newer = make_state(make_wanted(alloc_modify_index=6))

    assert not list_news(client, echoed)
    assert ["a"] == [alloc.id for alloc in list_news(client, newer)]


def test_what_is_not_listed_any_more_is_forgotten() -> None:
    """CLIENT-04."""
    client = pull(Client(node_id="node-1"), make_state(make_wanted()), NOW_NS)

    assert ["a"] == list(client.runners)
    assert [] == list(pull(client, make_state(), NOW_NS).runners)


def test_an_allocation_called_unknown_reports_itself_and_is_not_started_again() -> None:
    """CLIENT-04."""
    client = start_tasks(pull(Client(node_id="node-1"), make_state(make_wanted()), NOW_NS), "a", NOW_NS)
    quiet = replace(client, to_report=client.to_report.discard("a"))
    missed = make_state(make_wanted(client_status="unknown", alloc_modify_index=6))
    (report,) = make_reports(pull(quiet, missed, NOW_NS), NOW_NS)

    assert "running" == report.client_status
    assert [NOW_NS] == [state.started_at_ns for state in report.task_states.values()]


def test_what_has_failed_is_judged_anew_for_another_deployment_at_once() -> None:
    """HEALTH-06, HEALTH-07, HEALTH-16: or the new deployment would wait for it until its deadline."""
    placed = make_wanted(deployment_id="old")
    client = start_tasks(pull(Client(node_id="node-1"), make_state(placed), NOW_NS), "a", NOW_NS)
    failed = end_tasks(client, "a", NOW_NS + 1, failed=True)
    quiet = acknowledge(failed, make_reports(failed, NOW_NS + 1))
    again: dict[str, Any] = {"client_status": "failed", "alloc_modify_index": 6}
    moved = pull(quiet, make_state(make_wanted(deployment_id="new", **again)), NOW_NS + 2)
    (report,) = make_reports(moved, NOW_NS + 2)

    assert report.deployment_status is not None
    assert (False, NOW_NS + 2) == (report.deployment_status.healthy, report.deployment_status.timestamp_ns)
    assert () == make_reports(pull(quiet, make_state(replace(placed, **again)), NOW_NS + 2), NOW_NS + 2)


def test_a_report_has_the_newest_status_and_nothing_that_is_the_servers() -> None:
    """CLIENT-05, CLIENT-07, CLIENT-08."""
    client = start_tasks(pull(Client(node_id="node-1"), make_state(make_wanted()), NOW_NS), "a", NOW_NS)
    (report,) = make_reports(end_tasks(client, "a", NOW_NS + 1, failed=True), NOW_NS + 2)

    assert ("failed", "node-1") == (report.client_status, report.node_id)
    assert (None, "", "") == (report.job, report.desired_status, report.job_id)


def test_what_has_ended_has_a_time_of_its_end() -> None:
    """CLIENT-06."""
    client = start_tasks(pull(Client(node_id="node-1"), make_state(make_wanted()), NOW_NS), "a", NOW_NS)
    (report,) = make_reports(end_tasks(client, "a", NOW_NS + 7, failed=False), NOW_NS + 8)

    assert [NOW_NS + 7] == [state.finished_at_ns for state in report.task_states.values()]


def test_running_for_too_long_is_complete() -> None:
    """CLIENT-05, CLIENT-09."""
    state = make_state(make_wanted(kind=JobType.BATCH))
    client = start_tasks(pull(Client(node_id="node-1"), state, NOW_NS), "a", NOW_NS)
    (report,) = make_reports(overrun(client, "a", NOW_NS + 9), NOW_NS + 9)

    assert ("complete", "allocation exceeded max_run_duration") == (
        report.client_status,
        report.client_description,
    )


def test_restarts_are_used_up_within_their_window() -> None:
    """ALLOC-18."""
    alloc = make_wanted()
    client = start_tasks(pull(Client(node_id="node-1"), make_state(alloc), NOW_NS), "a", NOW_NS)
    group = find_group(alloc.job, "web") if alloc.job else None
    policy = group.restart_policy if group else None
    assert policy is not None
    for number in range(policy.attempts):
        assert may_restart(client.runners["a"], NOW_NS + number)
        client = restart_tasks(client, "a", NOW_NS + number)

    assert not may_restart(client.runners["a"], NOW_NS + policy.attempts)
    assert may_restart(client.runners["a"], NOW_NS + policy.interval_ns + policy.attempts)
