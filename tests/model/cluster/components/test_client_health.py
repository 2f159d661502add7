from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.client_health import (
    Outcome,
    Watch,
    report_broken,
    report_health,
    restart_watch,
    see_checks,
    see_tasks,
    see_time,
    start_watch,
)
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocDeploymentStatus,
    Job,
    MigrateStrategy,
    Service,
    ServiceCheck,
    Task,
    TaskGroup,
    UpdateStrategy,
)
from nomadspec.model.cluster.entities.task import Lifecycle
from nomadspec.model.cluster.entities.task_state import TaskState

S = 1_000_000_000
UPDATE = UpdateStrategy(
    max_parallel=1, health_check="checks", min_healthy_time_ns=10 * S, healthy_deadline_ns=60 * S
)
CHECKED = (Service(name="web", checks=(ServiceCheck(name="up"),)),)
RUNNING = TaskState(state="running", started_at_ns=5 * S)
PENDING = TaskState(state="pending")
DONE = TaskState(state="dead")
FAILED = TaskState(state="dead", failed=True)


def make_alloc(*states: TaskState, kind: str = "service", deployment: str = "d", **fields: Any) -> Allocation:
    """Make an allocation whose tasks are in these states."""
    group = {"name": "g", "update": UPDATE, "tasks": tuple(Task(name=str(at)) for at in range(len(states)))}
    return Allocation(
        id="a",
        job=Job(type=kind, task_groups=(TaskGroup(**{**group, **fields}),)),
        task_group="g",
        deployment_id=deployment,
        desired_status="run",
        client_status="running",
        task_states={str(at): state for at, state in enumerate(states)},
    )


def watch(alloc: Allocation) -> Watch:
    """Watch an allocation from second 0 on."""
    started = start_watch(alloc, 0)
    assert started is not None
    return started


def see_hook(hook: str, state: TaskState, *, sidecar: bool = False) -> Outcome | None:
    """Look at a running task and one with a lifecycle, and wait until the first has run for long enough."""
    tasks = (Task(name="0"), Task(name="1", lifecycle=Lifecycle(hook=hook, sidecar=sidecar)))
    alloc = make_alloc(RUNNING, state, tasks=tasks)
    return see_time(see_tasks(watch(alloc), alloc, 5 * S), 20 * S).outcome


@pytest.mark.parametrize(
    ("alloc", "is_watched"),
    [
        (make_alloc(), True),
        (make_alloc(kind="system"), True),
        (make_alloc(kind="batch"), False),
        (make_alloc(kind="sysbatch"), False),
        (make_alloc(update=None), False),
        (make_alloc(update=replace(UPDATE, max_parallel=0)), False),
        (make_alloc(update=replace(UPDATE, health_check="manual")), False),
        (make_alloc(deployment="", update=None), True),
        (replace(make_alloc(), deployment_status=AllocDeploymentStatus(healthy=False)), False),
        (replace(make_alloc(), deployment_status=AllocDeploymentStatus(canary=True)), True),
        (replace(make_alloc(), task_group="gone"), False),
        (replace(make_alloc(), job=None), False),
    ],
)
def test_services_and_system_jobs_are_watched_where_somebody_asks(
    alloc: Allocation, is_watched: bool
) -> None:
    """HEALTH-01, HEALTH-02, HEALTH-03."""
    assert is_watched == (start_watch(alloc, 0) is not None)


def test_deployments_ask_by_the_update_block_and_moves_by_the_migrate_block() -> None:
    """HEALTH-04, HEALTH-05."""
    migrate = MigrateStrategy(health_check="task_states", min_healthy_time_ns=S, healthy_deadline_ns=2 * S)
    moved = watch(make_alloc(deployment="", migrate=migrate, services=CHECKED))
    plain = watch(make_alloc(deployment="", kind="system", services=CHECKED))
    deployed = watch(make_alloc(services=CHECKED))

    assert (S, 2 * S, False) == (moved.min_healthy_ns, moved.deadline_ns, moved.uses_checks)
    assert (10 * S, 300 * S, True) == (plain.min_healthy_ns, plain.deadline_ns, plain.uses_checks)
    assert (10 * S, 60 * S, True) == (deployed.min_healthy_ns, deployed.deadline_ns, deployed.uses_checks)


def test_tasks_that_run_for_long_enough_are_healthy_and_a_restart_begins_anew() -> None:
    """HEALTH-09, HEALTH-10."""
    alloc = make_alloc(RUNNING, RUNNING)
    seen = see_tasks(watch(alloc), alloc, 6 * S)
    again = replace(alloc, task_states={"0": RUNNING, "1": replace(RUNNING, started_at_ns=9 * S)})

    assert see_time(seen, 15 * S).outcome is None
    assert (Outcome.HEALTHY, 16 * S) == (see_time(seen, 17 * S).outcome, see_time(seen, 17 * S).ended_ns)
    assert seen is see_tasks(seen, alloc, 12 * S)
    restarted = see_tasks(seen, again, 12 * S)
    assert see_time(restarted, 17 * S).outcome is None
    assert Outcome.HEALTHY == see_time(restarted, 22 * S).outcome


def test_as_long_as_a_task_waits_nothing_is_healthy() -> None:
    """HEALTH-07, HEALTH-09."""
    alloc = make_alloc(RUNNING, PENDING)
    unheard = replace(alloc, task_states={"0": RUNNING})
    running = see_tasks(watch(alloc), make_alloc(RUNNING, RUNNING), 5 * S)

    for waiting in (alloc, unheard):
        assert see_time(see_tasks(running, waiting, 6 * S), 30 * S).outcome is None


@pytest.mark.parametrize("state", [FAILED, DONE])
def test_a_task_that_ended_is_unhealthy_at_once(state: TaskState) -> None:
    """HEALTH-07."""
    alloc = make_alloc(RUNNING, state)
    seen = see_tasks(watch(alloc), alloc, 6 * S)

    assert (Outcome.UNHEALTHY, 6 * S) == (seen.outcome, seen.ended_ns)


def test_an_alloc_that_failed_as_a_whole_is_unhealthy_at_once() -> None:
    """HEALTH-08."""
    alloc = replace(make_alloc(RUNNING), client_status="failed")

    assert Outcome.UNHEALTHY == see_tasks(watch(alloc), alloc, 6 * S).outcome


@pytest.mark.parametrize(
    ("hook", "state", "sidecar", "outcome"),
    [
        ("prestart", DONE, False, Outcome.HEALTHY),
        ("prestart", DONE, True, Outcome.UNHEALTHY),
        ("prestart", FAILED, False, Outcome.UNHEALTHY),
        ("poststart", DONE, False, Outcome.HEALTHY),
        ("poststart", DONE, True, Outcome.UNHEALTHY),
        ("poststart", FAILED, False, Outcome.UNHEALTHY),
        ("poststop", PENDING, False, Outcome.HEALTHY),
        ("poststop", PENDING, True, None),
        ("poststop", FAILED, False, Outcome.HEALTHY),
    ],
)
def test_tasks_around_the_main_ones_may_end_or_wait(
    hook: str, state: TaskState, sidecar: bool, outcome: Outcome | None
) -> None:
    """HEALTH-07."""
    assert outcome == see_hook(hook, state, sidecar=sidecar)


def test_when_the_deadline_passes_without_a_verdict_the_alloc_is_unhealthy() -> None:
    """HEALTH-05: what would be healthy at that very moment is."""
    alloc = make_alloc(RUNNING)

    assert Outcome.UNHEALTHY == see_time(watch(alloc), 60 * S).outcome
    assert Outcome.HEALTHY == see_time(see_tasks(watch(alloc), alloc, 50 * S), 70 * S).outcome
    assert Outcome.UNHEALTHY == see_time(see_tasks(watch(alloc), alloc, 51 * S), 70 * S).outcome


def test_checks_have_to_pass_all_the_time_until_after_the_tasks_are_healthy() -> None:
    """HEALTH-11."""
    alloc = make_alloc(RUNNING, services=CHECKED)
    early = see_checks(see_tasks(watch(alloc), alloc, 5 * S), 5 * S, do_pass=True)
    too_early = see_checks(early, 15 * S, do_pass=True)
    healthy = see_time(too_early, 16 * S)

    assert (None, 15 * S) == (too_early.outcome, too_early.passing_since_ns)
    assert healthy.outcome is None
    assert healthy.are_tasks_healthy
    assert see_checks(healthy, 24 * S, do_pass=True).outcome is None
    assert Outcome.HEALTHY == see_checks(healthy, 25 * S, do_pass=True).outcome
    broken = see_checks(healthy, 24 * S, do_pass=False)
    assert see_checks(see_checks(broken, 24 * S, do_pass=True), 25 * S, do_pass=True).outcome is None


def test_checks_that_nobody_uses_do_not_matter() -> None:
    """HEALTH-10."""
    plain = watch(make_alloc(RUNNING))

    assert plain is see_checks(plain, 5 * S, do_pass=True)


def test_an_update_starts_a_fresh_watch_unless_there_is_a_verdict() -> None:
    """HEALTH-06, HEALTH-16."""
    alloc = make_alloc(RUNNING)
    ended = see_time(watch(alloc), 60 * S)
    fresh = restart_watch(watch(alloc), alloc, alloc, 7 * S)

    assert fresh is not None
    assert 67 * S == fresh.deadline_ns
    assert ended is restart_watch(ended, alloc, alloc, 70 * S)


def test_another_deployment_judges_for_itself() -> None:
    """HEALTH-06."""
    alloc = replace(make_alloc(RUNNING), deployment_status=AllocDeploymentStatus(healthy=True))
    fresh = restart_watch(
        see_time(watch(make_alloc()), 60 * S), alloc, replace(alloc, deployment_id="e"), 70 * S
    )

    assert fresh is not None
    assert (None, 130 * S) == (fresh.outcome, fresh.deadline_ns)


def test_what_has_to_stop_gets_no_verdict() -> None:
    """HEALTH-15."""
    alloc = make_alloc(RUNNING)
    stopped = replace(alloc, desired_status="stop")
    ended = restart_watch(watch(alloc), alloc, stopped, 7 * S)
    before = see_time(watch(alloc), 60 * S)

    assert ended is not None
    assert Outcome.NONE == ended.outcome
    assert ended is see_tasks(ended, make_alloc(FAILED), 8 * S)
    assert ended is see_time(ended, 90 * S)
    assert ended is see_checks(ended, 90 * S, do_pass=True)
    assert before is restart_watch(before, alloc, stopped, 70 * S)
    assert report_health(alloc, ended) is None


def test_a_verdict_is_reported_with_its_time_and_stays() -> None:
    """HEALTH-16."""
    alloc = replace(make_alloc(RUNNING), deployment_status=AllocDeploymentStatus(canary=True))
    healthy = see_time(see_tasks(watch(alloc), alloc, 5 * S), 20 * S)
    told = report_health(alloc, healthy)

    assert AllocDeploymentStatus(healthy=True, timestamp_ns=15 * S, canary=True) == told
    failed = replace(alloc, client_status="failed", deployment_status=told)
    assert told == report_health(failed, None)
    unhealthy = report_health(alloc, see_time(watch(alloc), 60 * S))
    assert unhealthy is not None
    assert unhealthy.healthy is False


def test_what_failed_in_a_deployment_is_unhealthy_even_if_nobody_watched() -> None:
    """HEALTH-17."""
    manual = make_alloc(FAILED, update=replace(UPDATE, health_check="manual"))
    failed = replace(manual, client_status="failed")

    assert AllocDeploymentStatus(healthy=False) == report_health(failed, start_watch(failed, 0))
    assert report_health(manual, None) is None
    assert report_health(replace(failed, deployment_id=""), None) is None


def test_what_cannot_be_set_up_is_unhealthy_unless_its_health_is_known() -> None:
    """HEALTH-18."""
    known = AllocDeploymentStatus(healthy=True, timestamp_ns=S)

    assert AllocDeploymentStatus(healthy=False, timestamp_ns=7) == report_broken(make_alloc(), 7)
    assert known == report_broken(replace(make_alloc(), deployment_status=known), 7)
