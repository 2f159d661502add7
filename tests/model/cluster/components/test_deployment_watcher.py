from typing import Any

from msgspec.structs import replace

from nomadspec.model.cluster.components.deployment_calls import pause
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.components.deployment_watcher import (
    disable,
    enable,
    find_next_due,
    make_watcher_eval,
    react,
    watch,
)
from nomadspec.model.cluster.entities import Deployment, DesiredTransition, TaskGroup, UpdateStrategy
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.components.deploying import UNLIMITED, Play, S, make_alloc, make_job, make_state

Fields = dict[str, Any]
JOB = make_job()
REVERTING = make_job(
    task_groups=(TaskGroup(name="g", reschedule_policy=UNLIMITED, update=UpdateStrategy(auto_revert=True)),)
)
STABLE = make_job(0, meta="old", stable=True)


def test_only_active_deployments_of_jobs_that_exist_are_watched() -> None:
    """DEP-31."""
    state = make_state(JOB)
    ended = replace(state.deployments["d"], status="failed")
    orphan = replace(state.deployments["d"], job_id="gone")

    assert ["d"] == list(Play(state).settle().watchers.watchers.keys())
    assert not Play(make_state(JOB, deployment=ended)).settle().watchers.watchers
    assert not Play(make_state(JOB, deployment=orphan)).settle().watchers.watchers


def test_a_watcher_remembers_the_job_of_its_beginning() -> None:
    """DEP-31."""
    watchers = watch(enable(Watchers()), make_state(JOB), Deployment(id="d", namespace="default", job_id="j"))
    later = make_state(make_job(2, meta="newer"))

    assert watchers == watch(watchers, later, later.deployments["d"])
    assert JOB == watchers.watchers["d"].job


def test_health_is_answered_by_one_eval_a_second_and_a_quarter_later() -> None:
    """DEP-36, DEP-37, DEP-39: reports within the second join the first."""
    play = Play(make_state(JOB, *map(make_alloc, "abc"), desired_total=9)).settle()
    play.report("a", healthy=True).wait(0.9).report("b", healthy=True).wait(5)

    assert ["1.25 AllocUpdateDesiredTransition"] == play.asked
    play.report("c", healthy=True).wait(9)
    assert ["1.25 AllocUpdateDesiredTransition", "6.25 AllocUpdateDesiredTransition"] == play.asked


def test_what_comes_between_the_two_waits_starts_a_batch_of_its_own() -> None:
    """DEP-36."""
    play = Play(make_state(JOB, *map(make_alloc, "ab"), desired_total=9)).settle()
    play.report("a", healthy=True).wait(1.1).report("b", healthy=True).wait(5)

    assert ["1.25 AllocUpdateDesiredTransition", "2.35 AllocUpdateDesiredTransition"] == play.asked


def test_unhealthy_allocs_are_allowed_to_be_replaced_once() -> None:
    """DEP-33, DEP-38."""
    play = Play(make_state(JOB, make_alloc(), progress_deadline_ns=60 * S)).settle()
    play.report("a", healthy=False).wait(9)

    (_, request) = play.written[0]
    assert isinstance(request, AllocUpdateDesiredTransition)
    assert {"a": DesiredTransition(reschedule=True)} == dict(request.allocs)
    assert 1 == len(play.written)
    assert play.state.allocs["a"].desired_transition.reschedule


def test_two_deployments_share_an_entry() -> None:
    """DEP-37."""
    state = make_state(JOB, make_alloc())
    deployments = {name: replace(state.deployments["d"], id=name) for name in ("d", "other")}
    state = replace(state, deployments=state.deployments.update(deployments))
    play = Play(state).settle()
    play.report("a", healthy=True).wait(0.5)
    watcher = replace(play.watchers.watchers["other"], batch_at_ns=S // 2, replaceable=frozenset("x"))
    play.watchers = replace(play.watchers, watchers=play.watchers.watchers.insert("other", watcher))
    play.wait(9)

    assert ["0.75 AllocUpdateDesiredTransition", "1.25 AllocUpdateDesiredTransition"] == play.asked


def test_a_batch_dies_with_its_watcher_and_not_once_it_was_handed_over() -> None:
    """DEP-36."""
    for failed_at_s, asked in [
        (0.5, ["0.5 DeploymentUpdateStatus"]),
        (1.1, ["1.1 DeploymentUpdateStatus", "1.25 AllocUpdateDesiredTransition"]),
    ]:
        play = Play(make_state(JOB, *map(make_alloc, "ab"), desired_total=9)).settle()
        play.report("a", healthy=True).wait(failed_at_s).report("b", healthy=False).wait(9)
        assert asked == play.asked


def test_canaries_promote_themselves_before_the_eval_for_their_health() -> None:
    """DEP-44, DEP-45."""
    canaries: Fields = {
        "desired_canaries": 1,
        "placed_canaries": ("a",),
        "auto_promote": True,
        "desired_total": 2,
    }
    play = Play(make_state(JOB, make_alloc(canary=True), **canaries)).settle()
    play.report("a", healthy=True).wait(9)

    assert ["0 DeploymentPromote", "1.25 AllocUpdateDesiredTransition"] == play.asked
    group = play.deployment.task_groups["g"]
    assert group
    assert group.promoted


def test_a_promotion_that_is_refused_is_tried_again() -> None:
    """DEP-44: a terminal canary counts for the watcher and not for the state."""
    canaries: Fields = {"desired_canaries": 1, "placed_canaries": ("a",), "auto_promote": True}
    play = Play(make_state(JOB, make_alloc(canary=True, desired_status="stop"), **canaries)).settle()
    play.report("a", healthy=True)
    play.report("a", healthy=True, client_status="complete")

    assert ["0 DeploymentPromote", "0 DeploymentPromote"] == play.asked
    assert 2 == len(play.errors)


def test_the_deadline_ends_what_makes_no_progress() -> None:
    """DEP-41, DEP-42, DEP-43."""
    due: Fields = {"progress_deadline_ns": 60 * S, "require_progress_by_ns": 60 * S}
    play = Play(make_state(REVERTING, make_alloc(), versions=(STABLE,), **due)).wait(99)

    assert ["60 DeploymentUpdateStatus"] == play.asked
    expected = "Failed due to progress deadline - rolling back to job version 0"
    assert ("failed", expected) == (play.deployment.status, play.deployment.status_description)
    current = play.state.jobs["default", "j"]
    assert (2, STABLE.meta, True) == (current.version, current.meta, current.stable)


def test_progress_moves_the_deadline() -> None:
    """DEP-26, DEP-41."""
    due: Fields = {"progress_deadline_ns": 60 * S, "require_progress_by_ns": 60 * S, "desired_total": 2}
    play = Play(make_state(JOB, *map(make_alloc, "ab"), **due)).wait(40).report("a", healthy=True)

    assert 100 * S == play.watchers.watchers["d"].deadline_ns


def test_a_paused_deployment_rests_and_its_time_begins_anew() -> None:
    """DEP-21, DEP-42, DEP-46: what fails later is still said to have failed by the deadline."""
    due: Fields = {"progress_deadline_ns": 60 * S, "require_progress_by_ns": 60 * S}
    play = Play(make_state(JOB, make_alloc(), **due)).settle()
    play.obey(pause(play.watchers, play.state, "d", "x", 0, is_pause=True)).wait(70)

    assert [] == play.asked
    assert play.watchers.watchers["d"].is_overdue
    play.obey(pause(play.watchers, play.state, "d", "y", 70 * S, is_pause=False)).wait(129)
    assert [] == play.asked
    play.wait(131)
    assert ["130 DeploymentUpdateStatus"] == play.asked


def test_a_deployment_that_waits_for_promotion_is_left_alone_by_the_deadline() -> None:
    """DEP-42: the timer is spent then."""
    due: Fields = {"progress_deadline_ns": 60 * S, "require_progress_by_ns": 60 * S}
    waiting: Fields = {"desired_canaries": 1, "healthy_allocs": 1, "desired_total": 3}
    play = Play(make_state(JOB, make_alloc(), **due, **waiting)).wait(99)

    assert [] == play.asked
    assert 0 == find_next_due(play.watchers)


def test_early_failure_after_the_deadline_is_put_down_to_the_deadline() -> None:
    """DEP-42, DEP-43."""
    due: Fields = {"progress_deadline_ns": 0, "require_progress_by_ns": 60 * S}
    waiting: Fields = {"desired_canaries": 1, "healthy_allocs": 1, "desired_total": 3}
    play = Play(make_state(JOB, make_alloc(), **due, **waiting)).wait(99).report("a", healthy=False)

    assert "Failed due to progress deadline" == play.deployment.status_description


def test_a_watcher_whose_last_write_was_refused_stays_and_does_nothing() -> None:
    """08/S3, DEP-43."""
    state = make_state(JOB, make_alloc(healthy=False))
    watchers = enable(Watchers())
    while (reaction := react(watchers, state, 0, "e", profile=NOMAD_2_0)).request is None:
        watchers = reaction.watchers
    after = reaction.watchers

    assert after.watchers["d"].has_ended
    assert react(after, state, 99 * S, "f", profile=NOMAD_2_0).is_settled


def test_evals_of_the_watcher() -> None:
    """DEP-40."""
    deployment = Deployment(id="d", eval_priority=70)
    entry = make_watcher_eval(deployment, JOB, "e", 5)

    assert (70, "deployment-watcher", "d", "pending") == (
        entry.priority,
        entry.triggered_by,
        entry.deployment_id,
        entry.status,
    )
    assert (0, 5, 5) == (entry.job_modify_index, entry.create_time_ns, entry.modify_time_ns)
    assert 50 == make_watcher_eval(replace(deployment, eval_priority=0), JOB, "e", 5).priority


def test_losing_leadership_forgets_everything() -> None:
    """DEP-31."""
    play = Play(make_state(JOB, make_alloc(), desired_total=9)).settle().report("a", healthy=True)

    assert Watchers() == disable()
    assert react(disable(), play.state, 9 * S, "e", profile=NOMAD_2_0).is_settled
    assert play.watchers == enable(play.watchers)
