import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.client_evals import (
    find_client_trigger,
    find_report_refusal,
    make_client_evals,
)
from nomadspec.model.cluster.entities import Allocation, Job, Node, ReschedulePolicy, TaskGroup
from nomadspec.model.cluster.store import State
from tests.model.cluster.components.draining import make_alloc, make_job

AGAIN = (TaskGroup(name="g", reschedule_policy=ReschedulePolicy(unlimited=True)),)
WEB = make_job(task_groups=AGAIN)
ONCE = make_job()
OTHER = make_job(task_groups=(replace(AGAIN[0], name="other"),))


def find(stored: Allocation, client: str, job: Job | None) -> str | None:
    """Find the trigger of a report about a stored alloc."""
    state = State.of(jobs=[job] if job else [], allocs=[stored])
    found = find_client_trigger(state, replace(stored, client_status=client), 0)
    return found[1].value if found else None


@pytest.mark.parametrize(
    ("job", "before", "reported", "trigger"),
    [
        (WEB, "running", "failed", "alloc-failure"),
        (WEB, "running", "complete", None),
        (WEB, "running", "running", None),
        (WEB, "unknown", "running", "reconnect"),
        (WEB, "unknown", "failed", "reconnect"),
        (WEB, "unknown", "complete", "reconnect"),
        (ONCE, "running", "failed", None),
        (ONCE, "unknown", "failed", "reconnect"),
        (OTHER, "running", "failed", None),
        (OTHER, "unknown", "failed", None),
        (OTHER, "unknown", "running", "reconnect"),
        (None, "running", "complete", "job-deregister"),
        (None, "running", "running", None),
        (None, "unknown", "running", "job-deregister"),
    ],
)
def test_the_first_reason_that_fits_decides(
    job: Job | None, before: str, reported: str, trigger: str | None
) -> None:
    """ALLOC-12, TRIG-07, TRIG-13, TRIG-14."""
    assert trigger == find(make_alloc("a", WEB, client=before), reported, job)


def test_a_failure_that_is_looked_at_later_anyway_triggers_nothing() -> None:
    """ALLOC-12, TRIG-13."""
    assert find(make_alloc("a", WEB, followup_eval_id="e"), "failed", WEB) is None


def test_what_servers_want_of_an_alloc_does_not_matter() -> None:
    """ALLOC-12."""
    assert "alloc-failure" == find(make_alloc("a", WEB, desired_status="stop"), "failed", WEB)


def test_an_alloc_that_nobody_knows_triggers_nothing() -> None:
    """ALLOC-12."""
    assert find_client_trigger(State(), make_alloc("a", WEB, client="failed"), 0) is None


def test_of_a_batch_the_first_reason_of_each_job_counts() -> None:
    """TRIG-15."""
    back, failing = make_alloc("a", WEB, client="unknown"), make_alloc("b", WEB)
    gone = make_alloc("c", make_job("gone", "batch"))
    state = State.of(jobs=[WEB], allocs=[back, failing, gone])
    reports = [replace(alloc, client_status="failed") for alloc in (failing, back, gone)]
    evals = make_client_evals(state, reports, lambda: "e", 7)

    assert [("web", "service", "alloc-failure"), ("gone", "batch", "job-deregister")] == [
        (each.job_id, each.type, each.triggered_by) for each in evals
    ]


@pytest.mark.parametrize(
    ("nodes", "refusal"),
    [
        ([], "must update at least one allocation"),
        ([""], "missing node ID"),
        (["gone"], "node gone not found"),
        (["down"], "node down is down, not ready"),
        (["far"], "node far is disconnected, not ready"),
        (["new"], ""),
        (["new", "down"], ""),
    ],
)
def test_reports_are_taken_by_the_node_of_the_first_one(nodes: list[str], refusal: str) -> None:
    """ALLOC-11, 09/S13."""
    known = {"down": "down", "far": "disconnected", "new": "initializing"}
    state = State.of(nodes=[Node(id=name, status=status) for name, status in known.items()])

    assert refusal == find_report_refusal(state, [make_alloc("a", WEB, node) for node in nodes])
