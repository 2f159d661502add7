import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.group_checks import check_group, check_preferences
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Affinity,
    DisconnectStrategy,
    EphemeralDisk,
    Job,
    Lifecycle,
    LogConfig,
    MigrateStrategy,
    NetworkResource,
    Port,
    ReschedulePolicy,
    Resources,
    RestartPolicy,
    ScalingPolicy,
    Service,
    Spread,
    Task,
    TaskGroup,
    UpdateStrategy,
    VolumeRequest,
)

TASK = Task(
    name="t",
    driver="exec",
    log_config=LogConfig(max_files=1, max_file_size_mb=1),
    resources=Resources(cpu_mhz=100, memory_mb=64),
)
GROUP = TaskGroup(
    name="g",
    count=1,
    ephemeral_disk=EphemeralDisk(size_mb=300),
    restart_policy=RestartPolicy(interval_ns=60 * NS_PER_S, mode="fail"),
    reschedule_policy=ReschedulePolicy(),
    tasks=(TASK,),
)
NAMELESS = replace(TASK, name="")
LEADER = replace(TASK, leader=True)
SIDE = replace(TASK, name="side", lifecycle=Lifecycle(hook="prestart"))


def complain_of(job_type: str = "batch", /, **change: object) -> list[str]:
    return [found.text for found in check_group(replace(GROUP, **change), Job(type=job_type))]


def test_a_good_group() -> None:
    assert [] == complain_of()


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({"name": ""}, ["Missing task group name"]),
        ({"name": "a\0"}, ["a group's name may not hold a null character"]),
        ({"count": -1}, ["Task group count can't be negative"]),
        ({"tasks": ()}, ["Missing tasks for task group"]),
        ({"restart_policy": None}, ["Task Group g should have a restart policy"]),
        ({"reschedule_policy": None}, ["Task Group g should have a reschedule policy"]),
        ({"ephemeral_disk": EphemeralDisk(size_mb=9)}, ["minimum DiskMB value is 10; got 9"]),
        ({"max_run_duration_ns": 0}, ["MaxRunDuration must be greater than zero"]),
        ({"migrate": MigrateStrategy()}, ['Job type "batch" does not allow migrate block']),
        ({"disconnect": DisconnectStrategy(reconcile="coin")}, ["reconcile option is invalid: coin"]),
        ({"volumes": {"d": VolumeRequest(type="host")}}, ["Task group volume validation for d failed: "]),
        (
            {"networks": (NetworkResource(dynamic_ports=(Port(label="a", to=-2),)),)},
            ["Task group network validation failed: "],
        ),
        ({"services": (Service(name="_", provider="nomad"),)}, ["Task group service validation failed: "]),
        ({"scaling": ScalingPolicy(max=0)}, ["Task group scaling policy validation failed: "]),
        ({"tasks": (LEADER, replace(LEADER, name="u"))}, ["Only one task may be marked as leader"]),
        ({"tasks": (TASK, TASK)}, ["Task 2 redefines 't' from task 1"]),
        ({"tasks": (NAMELESS,)}, ["Task 1 missing name", "Task  validation failed: "]),
        ({"tasks": (SIDE,)}, ["Task group g must have at least one main task"]),
        (
            {"tasks": (replace(TASK, services=(Service(name="_", provider="nomad"),)),)},
            ["Task t validation failed: "],
        ),
    ],
)
def test_bad_groups(change: dict[str, object], complaints: list[str]) -> None:
    """OBJ-012, OBJ-037, OBJ-070."""
    assert complaints == complain_of(**change)


@pytest.mark.parametrize("job_type", ["system", "sysbatch"])
def test_what_runs_once_a_node_is_not_rescheduled(job_type: str) -> None:
    """OBJ-035."""
    assert ["System or sysbatch jobs should not have a reschedule policy"] == complain_of(job_type)
    assert [] == complain_of(job_type, reschedule_policy=None)


@pytest.mark.parametrize("job_type", ["service", "system"])
def test_only_batch_jobs_have_a_duration(job_type: str) -> None:
    """OBJ-035."""
    refusal = f'Job type "{job_type}" does not allow max_run_duration'

    assert refusal in complain_of(job_type, max_run_duration_ns=1)
    assert [] == complain_of(max_run_duration_ns=1)


def test_an_update_of_a_batch_job_is_refused_and_checked_all_the_same() -> None:
    """OBJ-035."""
    found = complain_of(update=UpdateStrategy())

    assert 'Job type "batch" does not allow update block' == found[0]
    assert 5 == len(found)


def test_a_migrate_block_of_a_service_is_checked() -> None:
    assert ["MaxParallel must be >= 0 but found -1"] == complain_of(
        "service", migrate=MigrateStrategy(max_parallel=-1)
    )


def test_system_jobs_have_neither_affinities_nor_spreads() -> None:
    """OBJ-035: whatever they say."""
    job = Job(affinities=(Affinity(),), spreads=(Spread(),))

    assert ["System jobs may not have an affinity block", "System jobs may not have a spread block"] == [
        found.text for found in check_preferences(job, "system")
    ]
    assert ["Affinity 1 validation failed: ", "Spread 1 validation failed: "] == [
        found.text for found in check_preferences(job, "sysbatch")
    ]
