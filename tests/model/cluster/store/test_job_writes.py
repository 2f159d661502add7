"""The writes that change jobs."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    JobScalingEvents,
    PeriodicLaunch,
    Resources,
    ScalingPolicy,
    Task,
    TaskGroup,
)
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.job_writes import (
    carry_over,
    purge_job,
    record_launch,
    stop_job,
    write_job,
    write_stability,
)
from nomadspec.model.cluster.store.run import RefusedError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.store.made import (
    KEY,
    make_alloc,
    make_deployment,
    make_eval,
    make_job,
    need,
    register,
    with_rows,
)


def test_a_new_job_keeps_the_version_that_it_brings() -> None:
    """OBJ-040."""
    job = need(register(version=7).find_job(*KEY))

    assert (7, 2, 2, 2) == (job.version, job.create_index, job.modify_index, job.job_modify_index)


@pytest.mark.parametrize(("brought", "version"), [(0, 3), (2, 3), (9, 9)])
def test_a_change_counts_on_unless_it_brings_a_greater_version(brought: int, version: int) -> None:
    """OBJ-041."""
    job = need(register(register(version=2), 5, version=brought).find_job(*KEY))

    assert (version, 2, 5, 5) == (job.version, job.create_index, job.modify_index, job.job_modify_index)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"namespace": "nowhere"}, 'job "web" is in nonexistent namespace "nowhere"'),
        ({"node_pool": "nopool"}, 'job "web" is in nonexistent node pool "nopool"'),
    ],
)
def test_its_surroundings_must_be_there(fields: dict[str, object], text: str) -> None:
    with pytest.raises(RefusedError, match=text):
        write_job(Draft.of(register(), 5, profile=NOMAD_2_0), make_job(**fields))


def test_marking_an_old_version_makes_it_the_current_job_again() -> None:
    """OBJ-401."""
    draft = Draft.of(register(register(), 5), 8, profile=NOMAD_2_0)
    write_stability(draft, KEY, 0, stable=True)
    job = need(draft.finish().find_job(*KEY))

    assert (0, True, 8, 2) == (job.version, job.stable, job.modify_index, job.job_modify_index)
    assert [1, 0] == [kept.version for kept in draft.finish().list_job_versions(*KEY)]


def test_marking_what_is_marked_or_missing_writes_nothing() -> None:
    draft = Draft.of(register(), 8, profile=NOMAD_2_0)
    write_stability(draft, KEY, 0, stable=False)
    write_stability(draft, KEY, 4, stable=True)

    assert {} == draft.written


def test_stopping_is_a_new_version_that_policies_do_not_scale() -> None:
    """OBJ-047."""
    group = TaskGroup(name="g", scaling=ScalingPolicy(enabled=True, max=3))
    draft = Draft.of(register(task_groups=(group,), stable=True), 8, profile=NOMAD_2_0)
    job = stop_job(draft, KEY, 77)

    assert (True, 1, 77, True) == (job.stop, job.version, job.submit_time_ns, job.stable)
    assert not need(job.task_groups[0].scaling).enabled


def test_a_purge_deletes_everything_but_evaluations() -> None:
    """OBJ-048, GC-96."""
    evals = (make_eval(), make_eval(id="e2", status="blocked"))
    state = with_rows(register(), (make_alloc(client_status="running"),), evals, (make_deployment(),))
    draft = Draft.of(state, 8, profile=NOMAD_2_0)
    draft.put(PeriodicLaunch(namespace="default", id="web"))
    draft.put(JobScalingEvents(namespace="default", job_id="web"))
    purge_job(draft, KEY)
    after = draft.finish()

    assert (None, None, None) == (after.find_job(*KEY), after.find_job_summary(*KEY), after.find_alloc("a1"))
    assert () == after.list_job_versions(*KEY) + after.list_deployments_of_job(*KEY)
    assert 0 == len(after.periodic_launches) + len(after.scaling_events)
    assert ["complete", "blocked"] == [each.status for each in after.list_evals_of_job(*KEY)]


def test_a_purge_ends_pending_evaluations_without_moving_their_index() -> None:
    """EVAL-46."""
    draft = Draft.of(
        with_rows(register(), evals=(make_eval(modify_index=3, modify_time_ns=4),)), 8, profile=NOMAD_2_0
    )
    purge_job(draft, KEY)
    ended = draft.evals["e1"]

    assert ("complete", "job web deleted") == (ended.status, ended.status_description)
    assert (3, 4) == (ended.modify_index, ended.modify_time_ns)


def test_purging_what_is_not_there_is_refused() -> None:
    with pytest.raises(RefusedError, match="DeleteJob failed: job not found"):
        purge_job(Draft.of(State(), 8, profile=NOMAD_2_0), KEY)


def test_counts_and_resources_are_carried_over_by_name() -> None:
    """OBJ-049."""
    stored = make_job(
        task_groups=(TaskGroup(name="g", count=5, tasks=(Task(name="t", resources=Resources(cpu_mhz=9)),)),)
    )
    asked = make_job()
    both = carry_over(asked, stored, counts=True, resources=True).task_groups[0]

    assert (5, 9) == (both.count, need(both.tasks[0].resources).cpu_mhz)
    assert asked is carry_over(asked, stored, counts=False, resources=False)
    assert asked is carry_over(asked, None, counts=True, resources=True)
    only_counts = carry_over(asked, stored, counts=True, resources=False).task_groups[0]
    assert (5, None) == (only_counts.count, only_counts.tasks[0].resources)


def test_a_group_of_another_name_stays_as_it_is() -> None:
    asked = make_job(task_groups=(TaskGroup(name="new", count=2),))

    assert asked == carry_over(asked, make_job(), counts=True, resources=True)


def test_a_launch_keeps_the_index_of_the_first() -> None:
    """JOB-25."""
    draft = Draft.of(register(), 8, profile=NOMAD_2_0)
    record_launch(draft, KEY, 1)
    later = Draft.of(draft.finish(), 9, profile=NOMAD_2_0)
    record_launch(later, KEY, 2)
    launch = need(later.finish().find_periodic_launch(*KEY))

    assert (2, 8, 9) == (launch.launch_ns, launch.create_index, launch.modify_index)
    assert launch == replace(launch)
