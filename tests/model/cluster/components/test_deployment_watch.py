from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.deployment_watch import (
    Findings,
    Watcher,
    can_promote_itself,
    compute_cutoff_ns,
    compute_latest_eval_index,
    fails_early,
    list_late_groups,
    look_at_allocs,
    wants_late_rollback,
)
from nomadspec.model.cluster.entities import (
    Deployment,
    DeploymentState,
    Evaluation,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.components.deploying import UNLIMITED, S, make_alloc, make_job, make_state

Fields = dict[str, Any]
JOB = make_job()
ONCE = ReschedulePolicy(attempts=1, interval_ns=100 * S)
TRIED = RescheduleTracker(events=(RescheduleEvent(reschedule_time_ns=0),))


def look(state: State) -> Findings:
    return look_at_allocs(state, Watcher(deployment_id="d", job=JOB), state.deployments["d"], 0)


@pytest.mark.parametrize(
    ("alloc", "findings"),
    [
        pytest.param({}, Findings(False, False, frozenset(), False), id="unknown"),
        pytest.param({"healthy": True}, Findings(False, False, frozenset(), True), id="healthy"),
        pytest.param({"healthy": False}, Findings(False, False, frozenset("a"), False), id="unhealthy"),
        pytest.param(
            {"healthy": False, "task_group": "other"},
            Findings(False, False, frozenset(), False),
            id="of-no-group",
        ),
        pytest.param(
            {"healthy": True, "desired_status": "stop"},
            Findings(False, False, frozenset(), True),
            id="stopped",
        ),
    ],
)
def test_what_an_alloc_means(alloc: dict[str, Any], findings: Findings) -> None:
    """DEP-33."""
    assert findings == look(make_state(JOB, make_alloc(**alloc), progress_deadline_ns=S))


def test_without_a_deadline_the_first_unhealthy_alloc_fails_the_deployment() -> None:
    """DEP-32, DEP-33, DEP-34."""
    findings = look(make_state(JOB, make_alloc(healthy=False), auto_revert=True))

    assert (findings.has_failed, findings.wants_rollback) == (True, True)


@pytest.mark.parametrize(
    ("policy", "tracker", "now_s", "fails"),
    [
        pytest.param(UNLIMITED, TRIED, 0, False, id="unlimited"),
        pytest.param(ONCE, None, 0, False, id="first-attempt"),
        pytest.param(ONCE, TRIED, 99, True, id="used-up"),
        pytest.param(ONCE, TRIED, 100, False, id="interval-over"),
        pytest.param(ReschedulePolicy(), None, 0, True, id="disabled"),
        pytest.param(None, None, 0, True, id="no-policy-as-in-system-jobs"),
    ],
)
def test_who_may_still_be_rescheduled_does_not_fail_the_deployment(
    policy: ReschedulePolicy | None, tracker: RescheduleTracker | None, now_s: int, fails: bool
) -> None:
    """DEP-32, ALLOC-20."""
    job = make_job(task_groups=(TaskGroup(name="g", reschedule_policy=policy),))
    alloc = make_alloc(healthy=False, reschedule_tracker=tracker)
    group = DeploymentState(progress_deadline_ns=S)
    running = Deployment(status="running")

    assert fails == fails_early(job, running, group, alloc, now_s * S)
    assert not fails_early(job, Deployment(status="failed"), group, alloc, now_s * S)


def test_an_eval_that_has_seen_the_report_covers_it() -> None:
    """DEP-33, DEP-39: the report is of index 4."""
    for index, wants_eval in [(4, False), (3, True)]:
        entry = Evaluation(id="e", namespace="default", job_id="j", create_index=index)
        assert wants_eval == look(make_state(JOB, make_alloc(healthy=True), evals=(entry,))).wants_eval
        canceled = replace(entry, status="canceled")
        assert look(make_state(JOB, make_alloc(healthy=True), evals=(canceled,))).wants_eval


def test_the_order_of_evals_matters_for_what_they_have_seen() -> None:
    """DEP-33: an eval counts with its snapshot if that is news, else with its creation."""
    ahead: Fields = {"snapshot_index": 5, "create_index": 9}
    for names, latest in [("ab", 5), ("ba", 9)]:
        own = Evaluation(id=names[0], namespace="default", job_id="j", **ahead)
        other = Evaluation(id=names[1], namespace="default", job_id="j", snapshot_index=5)
        assert latest == compute_latest_eval_index(make_state(JOB, evals=(own, other)), JOB)
    assert 0 == compute_latest_eval_index(make_state(JOB), JOB)


@pytest.mark.parametrize(
    ("group", "promotes"),
    [
        pytest.param({}, True, id="all-healthy"),
        pytest.param({"auto_promote": False}, False, id="by-hand"),
        pytest.param({"promoted": True}, False, id="promoted"),
        pytest.param({"placed_canaries": ()}, False, id="none-placed"),
        pytest.param({"desired_canaries": 2}, False, id="too-few"),
        pytest.param({"placed_canaries": ("a", "b")}, True, id="a-surplus-one-is-not-healthy"),
        pytest.param({"placed_canaries": ("a", "c")}, False, id="more-healthy-than-desired"),
    ],
)
def test_which_canaries_promote_themselves(group: dict[str, Any], promotes: bool) -> None:
    """DEP-44."""
    canaries = [make_alloc("a", healthy=True), make_alloc("b"), make_alloc("c", healthy=True)]
    wanted: Fields = {"auto_promote": True, "desired_canaries": 1, "placed_canaries": ("a",), **group}
    state = make_state(JOB, *canaries, **wanted)

    assert promotes == can_promote_itself(state, state.deployments["d"])


def test_a_paused_deployment_does_not_promote_itself() -> None:
    """DEP-46."""
    wanted: Fields = {"auto_promote": True, "desired_canaries": 1, "placed_canaries": ("a",)}
    state = make_state(JOB, make_alloc(healthy=True), **wanted)

    assert not can_promote_itself(state, replace(state.deployments["d"], status="paused"))


def test_progress_is_due_for_the_first_group_that_is_not_done() -> None:
    """DEP-41."""
    groups = {
        "unset": DeploymentState(desired_total=3),
        "done": DeploymentState(desired_total=0, require_progress_by_ns=1),
        "unpromoted": DeploymentState(desired_canaries=1, require_progress_by_ns=7),
        "g": DeploymentState(desired_total=2, require_progress_by_ns=5),
    }
    deployment = Deployment(id="d", namespace="default", job_id="j", status="running", task_groups=groups)
    half = make_state(JOB, make_alloc("a", healthy=True), deployment=deployment)
    stopped = make_alloc("b", healthy=True, desired_status="stop")
    half_again = make_state(JOB, make_alloc("a", healthy=True), stopped, deployment=deployment)
    whole = make_state(JOB, *[make_alloc(name, healthy=True) for name in "ab"], deployment=deployment)

    assert 5 == compute_cutoff_ns(half, deployment) == compute_cutoff_ns(half_again, deployment)
    assert 7 == compute_cutoff_ns(whole, deployment)
    assert 0 == compute_cutoff_ns(whole, Deployment(id="d"))


def test_late_groups() -> None:
    """DEP-42."""
    groups = {
        "late": DeploymentState(desired_total=2, healthy_allocs=1),
        "canaries are late": DeploymentState(desired_canaries=2, healthy_allocs=1),
        "waits for promotion": DeploymentState(desired_canaries=1, desired_total=5, healthy_allocs=1),
        "late after promotion": DeploymentState(
            desired_canaries=1, desired_total=5, healthy_allocs=1, promoted=True
        ),
        "on time": DeploymentState(desired_total=1, healthy_allocs=1),
    }
    deployment = Deployment(status="running", task_groups=groups)

    assert ("late", "canaries are late", "late after promotion") == list_late_groups(
        make_state(JOB, deployment=deployment), deployment, profile=NOMAD_2_0
    )
    paused = replace(deployment, status="paused")
    assert () == list_late_groups(make_state(JOB, deployment=paused), paused, profile=NOMAD_2_0)


def test_a_group_whose_healthy_allocs_have_ended_is_late_as_intended() -> None:
    """X-50, DEP-42: the release counts them still, so its deployment waits for ever."""
    groups = {"g": DeploymentState(desired_total=1, healthy_allocs=1)}
    deployment = Deployment(id="d", namespace="default", job_id="j", status="running", task_groups=groups)
    ended = make_state(JOB, make_alloc(healthy=True, client_status="failed"), deployment=deployment)
    living = make_state(JOB, make_alloc(healthy=True), deployment=deployment)

    assert () == list_late_groups(ended, deployment, profile=NOMAD_2_0)
    assert ("g",) == list_late_groups(ended, deployment, profile=INTENDED)
    assert () == list_late_groups(living, deployment, profile=INTENDED)


def test_the_job_of_the_watcher_says_whether_to_roll_back_what_is_late() -> None:
    """DEP-42."""
    reverting = make_job(task_groups=(TaskGroup(name="g", update=UpdateStrategy(auto_revert=True)),))

    assert wants_late_rollback(reverting, ("g",))
    assert not wants_late_rollback(reverting, ("gone",))
    assert not wants_late_rollback(JOB, ("g",))
