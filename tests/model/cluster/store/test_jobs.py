"""Entries about jobs: registering, stopping, purging, marking, tagging, scaling."""

import pytest

from nomadspec.model.cluster.entities import (
    ParameterizedJobConfig,
    PeriodicConfig,
    ScalingEvent,
    VersionTag,
)
from nomadspec.model.cluster.store import Applied, State
from nomadspec.model.cluster.store.handed_to_leader import Enqueue, TrackPeriodic, UntrackPeriodic
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    JobBatchDeregister,
    JobDeregister,
    JobRegister,
    JobStability,
    JobToDeregister,
    JobVersionTagging,
    ScalingEventRegister,
)
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.store.made import (
    KEY,
    NOW_NS,
    do,
    make_alloc,
    make_deployment,
    make_eval,
    make_job,
    need,
    register,
    with_rows,
)

TAG = VersionTag(name="golden")
ONCE = "a request that came twice"


def test_a_job_and_its_evaluation_are_two_transactions() -> None:
    """OBJ-020, JOB-07."""
    applied = do(make_initial_state(), JobRegister(job=make_job(), eval=make_eval()), 5)
    first, second = applied.transactions

    assert "e1" not in first.after.evals
    assert 5 == second.after.evals["e1"].job_modify_index
    assert [TrackPeriodic, Enqueue] == [type(thing) for thing in applied.handed]


def test_the_indexes_that_a_registration_moves() -> None:
    """OBJ-026a."""
    indexes = do(make_initial_state(), JobRegister(job=make_job()), 5).state.indexes

    moved = {table for table, index in indexes.items() if index == 5}
    assert {"jobs", "job_version", "job_summary", "csi_plugins"} == moved


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (0, "Enforcing job modify index 0: job already exists"),
        (2, None),
        (9, "Enforcing job modify index 9: job exists with conflicting job modify index: 2"),
    ],
)
def test_the_index_of_a_stored_job_can_be_enforced(index: int, error: str | None) -> None:
    """OBJ-044, JOB-04."""
    request = JobRegister(job=make_job(), enforce_index=True, job_modify_index=index)

    assert error == do(register(), request).error


def test_an_enforced_index_of_a_job_that_is_not_stored() -> None:
    request = JobRegister(job=make_job(), enforce_index=True, job_modify_index=3)

    assert "Enforcing job modify index 3: job does not exist" == do(make_initial_state(), request).error


def test_a_token_that_a_child_already_has_drops_the_request_silently() -> None:
    """FSM-11, JOB-21."""
    child = make_job(id="web/dispatch-1", parent_id="web", dispatch_idempotency_token=ONCE)
    state = do(register(), JobRegister(job=child, idempotency_token=ONCE), 5).state
    again = do(state, JobRegister(job=child, idempotency_token=ONCE, eval=make_eval()), 6)

    assert (None, state) == (again.error, again.state)


@pytest.mark.parametrize(("profile", "evals"), [(NOMAD_2_0, 0), (INTENDED, 1)], ids=["nomad-2.0", "intended"])
def test_a_child_whose_parent_is_gone_is_stored_without_its_evaluation_only_in_the_release(
    profile: Profile, evals: int
) -> None:
    """FSM-11, 01/S21."""
    child = make_job(id="gone/dispatch-1", parent_id="gone")
    state = do(make_initial_state(), JobRegister(job=child, eval=make_eval()), profile=profile).state

    assert (1, evals) == (len(state.jobs), len(state.evals))


def test_the_first_registration_of_a_periodic_job_is_its_first_launch() -> None:
    """JOB-28, 09/S12."""
    periodic = PeriodicConfig(enabled=True)
    state = register(register(type="batch", periodic=periodic), 7, type="batch", periodic=periodic)
    launch = need(state.find_periodic_launch(*KEY))

    assert (NOW_NS, 2, 2) == (launch.launch_ns, launch.create_index, launch.modify_index)
    assert register(type="batch", periodic=PeriodicConfig()).find_periodic_launch(*KEY) is None


def test_a_launched_child_is_noted_at_its_parent() -> None:
    """JOB-25."""
    state = register(type="batch", periodic=PeriodicConfig(enabled=True))
    child = make_job(id="web/periodic-1234", parent_id="web")
    after = do(state, JobRegister(job=child, eval=make_eval())).state

    assert 1234_000_000_000 == need(after.find_periodic_launch(*KEY)).launch_ns
    assert 1 == len(after.evals)


def test_a_child_with_an_odd_id_is_no_launch() -> None:
    state = register(type="batch", periodic=PeriodicConfig(enabled=True))
    after = do(state, JobRegister(job=make_job(id="web/odd", parent_id="web"), eval=make_eval())).state

    assert NOW_NS == need(after.find_periodic_launch(*KEY)).launch_ns
    assert 0 == len(after.evals)


def test_a_deployment_that_comes_along_is_that_of_the_version_and_ends_the_older_ones() -> None:
    """DEP-17."""
    state = with_rows(
        register(), deployments=(make_deployment(id="old"), make_deployment(id="done", status="failed"))
    )
    request = JobRegister(job=make_job(submit_time_ns=6), deployment=make_deployment(), eval=make_eval())
    after = do(state, request).state
    made, old = need(after.find_deployment("d1")), need(after.find_deployment("old"))

    assert (1, 10, 10, 2) == (
        made.job_version,
        made.job_modify_index,
        made.job_spec_modify_index,
        made.job_create_index,
    )
    assert ("cancelled", "Cancelled due to newer version of job") == (old.status, old.status_description)
    assert "failed" == need(after.find_deployment("done")).status
    assert "d1" == after.evals["e1"].deployment_id


def test_stopping_writes_a_version_and_an_evaluation() -> None:
    """JOB-12."""
    applied = do(register(), JobDeregister(namespace="default", job_id="web", eval=make_eval()))

    assert need(applied.state.find_job(*KEY)).stop
    assert 2 == len(applied.transactions)
    assert UntrackPeriodic("default", "web") == applied.handed[0]


def test_purging_and_its_evaluation() -> None:
    """JOB-13."""
    request = JobDeregister(namespace="default", job_id="web", purge=True, eval=make_eval())
    state = do(register(), request).state

    assert (0, 1) == (len(state.jobs), len(state.evals))
    assert 10 == state.index_of("scaling_event")


@pytest.mark.parametrize(
    ("purge", "error"),
    [
        (True, "DeleteJob failed: job not found"),
        (False, 'job "web" in namespace "default" doesn\'t exist to be deregistered'),
    ],
)
def test_an_unknown_job_is_refused_and_its_evaluation_is_written(purge: bool, error: str) -> None:
    """FSM-12, JOB-15."""
    request = JobDeregister(namespace="default", job_id="web", purge=purge, eval=make_eval())
    applied = do(make_initial_state(), request)

    assert error == applied.error
    assert 1 == len(applied.state.evals)


def test_allocs_of_the_job_can_be_asked_to_stop_without_delay() -> None:
    """JOB-16."""
    earlier = make_alloc(id="a2", job=make_job(create_index=1))
    state = with_rows(register(), (make_alloc(), earlier))
    after = do(state, JobDeregister(namespace="default", job_id="web", no_shutdown_delay=True)).state

    assert need(after.find_alloc("a1")).desired_transition.no_shutdown_delay
    assert need(after.find_alloc("a2")).desired_transition.no_shutdown_delay is None


def deregister_batch(state: State, *jobs: JobToDeregister) -> Applied:
    return do(state, JobBatchDeregister(jobs=jobs))


def test_a_batch_is_done_as_a_whole_or_not_at_all() -> None:
    """GC-95."""
    known = JobToDeregister(namespace="default", id="web", purge=True)
    unknown = JobToDeregister(namespace="default", id="other", purge=True)

    assert 0 == len(deregister_batch(register(), known).state.jobs)
    refused = deregister_batch(register(), known, unknown)
    assert ("DeleteJob failed: job not found", 1) == (refused.error, len(refused.state.jobs))


def test_a_batch_can_stop_too() -> None:
    state = deregister_batch(register(), JobToDeregister(namespace="default", id="web")).state

    assert need(state.find_job(*KEY)).stop


def test_a_version_is_marked_stable() -> None:
    request = JobStability(namespace="default", job_id="web", job_version=0, stable=True)

    assert need(do(register(), request).state.find_job(*KEY)).stable


def tag(state: State, version: int = 0, name: str = "golden", tag: VersionTag | None = TAG) -> Applied:
    return do(
        state, JobVersionTagging(namespace="default", job_id="web", name=name, version=version, tag=tag)
    )


def test_a_tag_moves_its_version_and_the_job_if_it_is_current() -> None:
    """OBJ-403."""
    state = tag(register()).state

    assert TAG == need(need(state.find_job(*KEY)).version_tag)
    assert (10, 2) == (state.index_of("job_version"), state.index_of("jobs"))


def test_an_old_version_is_tagged_beside_the_job() -> None:
    state = tag(register(register(), 5)).state

    assert need(state.find_job(*KEY)).version_tag is None
    assert TAG == need(state.find_job_version("default", "web", 0)).version_tag


def test_a_tag_is_taken_away_by_its_name() -> None:
    state = tag(tag(register()).state, tag=None).state

    assert need(state.find_job(*KEY)).version_tag is None


def test_tags_that_cannot_be() -> None:
    """JOB-36."""
    tagged = tag(register(register(), 5)).state

    assert 'job "web" version 7 not found' == tag(register(), version=7).error
    assert 'tag "safe" not found on job "web"' == tag(tagged, name="safe", tag=None).error
    assert tag(tagged, version=1).error is not None


def test_the_newest_scaling_event_comes_first() -> None:
    """JOB-22."""

    def scale(state: State, index: int) -> State:
        event = ScalingEvent(previous_count=index)
        request = ScalingEventRegister(namespace="default", job_id="web", task_group="g", scaling_event=event)
        return do(state, request, index).state

    events = scale(scale(register(), 5), 6).scaling_events[KEY]

    assert [6, 5] == [event.create_index for event in events.scaling_events["g"]]
    assert 6 == events.modify_index


def test_requests_without_what_they_are_about() -> None:
    assert do(make_initial_state(), JobRegister()).error
    assert make_initial_state() == do(make_initial_state(), ScalingEventRegister()).state


def test_a_parameterized_parent_is_no_launch() -> None:
    parent = register(
        type="batch", periodic=PeriodicConfig(enabled=True), parameterized_job=ParameterizedJobConfig()
    )
    after = do(parent, JobRegister(job=make_job(id="web/periodic-9", parent_id="web"))).state

    assert after.find_periodic_launch(*KEY) is None
