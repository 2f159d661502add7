"""Scaling policies are written with their jobs: OBJ-395."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Job, ScalingPolicy, TaskGroup
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.job_writes import purge_job, stop_job, write_job
from nomadspec.model.cluster.store.tables import SCALING_POLICIES
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.store.made import KEY, make_job, need, register


def policy(group: str, **fields: object) -> ScalingPolicy:
    target = {"Namespace": "default", "Job": "j", "Group": group}
    return replace(ScalingPolicy(id="p", type="horizontal", target=target, max=3, enabled=True), **fields)


def scaled(*policies: ScalingPolicy) -> Job:
    groups = tuple(TaskGroup(name=each.target["Group"], scaling=each) for each in policies)
    return make_job(task_groups=groups)


def write(state: State, job: Job, index: int) -> State:
    draft = Draft.of(state, index, profile=NOMAD_2_0)
    write_job(draft, job)
    return draft.finish()


def shown(state: State) -> list[tuple[str, int, int]]:
    """Show the policies that the job itself has."""
    policies = [group.scaling for group in need(state.find_job(*KEY)).task_groups]
    return [(each.id, each.create_index, each.modify_index) for each in policies if each is not None]


def test_a_new_policy_is_shown_by_its_job_with_its_indexes() -> None:
    state = write(register(), scaled(policy("a")), 10)

    assert [("p", 10, 10)] == shown(state)
    assert (policy("a", create_index=10, modify_index=10),) == state.scaling_policies[KEY]
    assert 10 == state.index_of(SCALING_POLICIES)


def test_a_policy_that_is_as_it_was_is_not_written_again() -> None:
    state = write(write(register(), scaled(policy("a")), 10), scaled(policy("a", id="other")), 11)

    assert [("other", 0, 0)] == shown(state)
    assert (policy("a", create_index=10, modify_index=10),) == state.scaling_policies[KEY]
    assert 10 == state.index_of(SCALING_POLICIES)


def test_a_changed_policy_keeps_its_name_and_its_first_index() -> None:
    state = write(write(register(), scaled(policy("a")), 10), scaled(policy("a", id="other", max=5)), 11)

    assert [("p", 10, 11)] == shown(state)
    assert 11 == state.index_of(SCALING_POLICIES)


def test_the_policy_of_a_group_that_is_gone_is_deleted() -> None:
    state = write(write(register(), scaled(policy("a"), policy("b")), 10), scaled(policy("a")), 11)

    assert ["a"] == [each.target["Group"] for each in state.scaling_policies[KEY]]
    assert 11 == state.index_of(SCALING_POLICIES)


def test_a_stop_switches_policies_off_and_a_purge_deletes_them() -> None:
    draft = Draft.of(write(register(), scaled(policy("a")), 10), 11, profile=NOMAD_2_0)
    stop_job(draft, KEY, 0)
    stopped = draft.finish()
    draft = Draft.of(stopped, 12, profile=NOMAD_2_0)
    purge_job(draft, KEY)
    purged = draft.finish()

    assert [("p", 10, 11)] == shown(stopped)
    assert not need(stopped.scaling_policies[KEY][0]).enabled
    assert KEY not in purged.scaling_policies
    assert 12 == purged.index_of(SCALING_POLICIES)


def test_jobs_without_policies_move_no_index() -> None:
    assert 0 == write(register(), make_job(), 10).index_of(SCALING_POLICIES)
