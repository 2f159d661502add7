import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components import deployment_calls as calls
from nomadspec.model.cluster.components.deployment_watch import Watchers
from nomadspec.model.cluster.components.deployment_watcher import FAILED_HEALTH, enable
from nomadspec.model.cluster.store.requests import (
    DeploymentAllocHealth,
    DeploymentPromote,
    DeploymentUpdateStatus,
)
from nomadspec.model.cluster.store.state import State
from tests.model.cluster.components.deploying import Play, S, make_alloc, make_job, make_state

JOB = make_job()
STABLE = make_job(0, meta="old", stable=True)
ON = enable(Watchers())


def end(state: State) -> State:
    ended = replace(state.deployments["d"], status="failed")
    return replace(state, deployments=state.deployments.insert("d", ended))


@pytest.mark.parametrize("verb", calls.REFUSALS)
def test_what_has_ended_is_left_alone(verb: str) -> None:
    """DEP-48, DEP-49, DEP-50, DEP-51, DEP-52, DEP-53, DEP-54, DEP-55."""
    state = make_state(JOB)

    assert "" == calls.check_call(state, verb, "d", ["a"])
    assert calls.REFUSALS[verb] == calls.check_call(end(state), verb, "d", ["a"])
    assert calls.REFUSALS[verb].endswith("terminal deployment")


def test_calls_that_name_too_little_are_refused() -> None:
    """DEP-52."""
    state = make_state(JOB)

    assert "missing deployment ID" == calls.check_call(state, "pause", "")
    assert "deployment not found" == calls.check_call(state, "pause", "x")
    assert calls.NO_ALLOCS == calls.check_call(state, "set-health", "d")


def test_a_call_begins_to_watch() -> None:
    """Section 5 of chapter 08: and is refused where nobody can."""
    state = make_state(JOB)

    assert ["d"] == list(calls.fail(ON, state, "d", "e", 0).watchers.watchers.keys())
    assert calls.NOT_ENABLED == calls.fail(Watchers(), state, "d", "e", 0).error
    assert 'deployment "d" is terminal' == calls.fail(ON, end(state), "d", "e", 0).error
    assert calls.NOT_FOUND == calls.fail(ON, state, "x", "e", 0).error


def test_pausing_makes_no_eval_and_going_on_does() -> None:
    """DEP-48, DEP-49."""
    for is_pause, status, has_eval in [(True, "paused", False), (False, "running", True)]:
        request = calls.pause(ON, make_state(JOB), "d", "e", 5, is_pause=is_pause).request
        assert isinstance(request, DeploymentUpdateStatus)
        assert request.deployment_update
        assert (status, 5) == (request.deployment_update.status, request.deployment_update.updated_at_ns)
        assert has_eval == (request.eval is not None)


def test_promotion_names_no_time() -> None:
    """DEP-28, DEP-50."""
    request = calls.promote(ON, make_state(JOB), "d", "e", 5, is_all=False, groups=("g",)).request

    assert isinstance(request, DeploymentPromote)
    assert (("g",), 0) == (request.groups, request.promoted_at_ns)


def test_failing_by_hand_goes_back_if_any_group_wants_it() -> None:
    """DEP-51, DEP-56."""
    state = make_state(JOB, versions=(STABLE,), auto_revert=True)
    call = calls.fail(ON, state, "d", "e", 0)
    play = Play(state).obey(call)

    assert 0 == call.reverted_to
    assert "Deployment marked as failed - rolling back to job version 0" == play.deployment.status_description
    assert None is calls.fail(ON, make_state(JOB, versions=(STABLE,)), "d", "e", 0).reverted_to


def test_an_unhealthy_alloc_by_hand_always_fails_the_deployment() -> None:
    """DEP-52: whatever the deadline, and without a word about a missing version."""
    state = make_state(JOB, make_alloc(), auto_revert=True, progress_deadline_ns=60 * S)
    play = Play(state).obey(calls.set_health(ON, state, "d", "e", 7, unhealthy=("a",)))

    assert ("failed", FAILED_HEALTH) == (play.deployment.status, play.deployment.status_description)
    status = play.state.allocs["a"].deployment_status
    assert status
    assert (False, 7) == (status.healthy, status.timestamp_ns)


def test_health_by_hand_goes_back_only_for_the_groups_of_unhealthy_allocs() -> None:
    """DEP-52."""
    for reverts, target in [(True, 0), (False, None)]:
        state = make_state(JOB, make_alloc(), versions=(STABLE,), auto_revert=reverts)
        assert target == calls.set_health(ON, state, "d", "e", 0, unhealthy=("a",)).reverted_to
    healthy = calls.set_health(ON, state, "d", "e", 0, healthy=("a",)).request
    assert isinstance(healthy, DeploymentAllocHealth)
    assert None is healthy.deployment_update
    assert healthy.eval
