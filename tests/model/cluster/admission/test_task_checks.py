import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.task_checks import check_task
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Action,
    Affinity,
    ChangeScript,
    Constraint,
    EphemeralDisk,
    Lifecycle,
    LogConfig,
    Resources,
    Task,
    TaskArtifact,
    TaskGroup,
    Template,
    UpdateStrategy,
    VolumeMount,
    VolumeRequest,
)

TASK = Task(
    name="t",
    driver="exec",
    kill_timeout_ns=5 * NS_PER_S,
    log_config=LogConfig(max_files=10, max_file_size_mb=10),
    resources=Resources(cpu_mhz=100, memory_mb=64),
)
GROUP = TaskGroup(
    ephemeral_disk=EphemeralDisk(size_mb=300),
    volumes={"data": VolumeRequest(type="host")},
    update=UpdateStrategy(progress_deadline_ns=4 * NS_PER_S),
)
AFFINITY = Affinity(ltarget="a", rtarget="b", operand="=", weight=5)
SCRIPT = ChangeScript(command="x")


def complain_of(job_type: str = "batch", /, **change: object) -> list[str]:
    return [found.text for found in check_task(replace(TASK, **change), GROUP, job_type)]


def complain_inside(**change: object) -> list[str]:
    parts = (found.parts for found in check_task(replace(TASK, **change), GROUP, "batch"))
    return [part.text for found in parts for part in found]


def test_a_good_task() -> None:
    assert [] == complain_of(
        affinities=(AFFINITY,),
        artifacts=(TaskArtifact(getter_source="s", relative_dest="../alloc"),),
        templates=(Template(embedded_tmpl="x", change_mode="script", change_script=SCRIPT),),
        lifecycle=Lifecycle(hook="prestart"),
        volume_mounts=(VolumeMount(volume="data"),),
        actions=(Action(name="go-1", command="x"),),
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"name": ""}, "Missing task name"),
        ({"name": "a/b"}, "Task name cannot include slashes"),
        ({"name": "a\0b"}, "a task's name may not hold a null character"),
        ({"driver": ""}, "Missing task driver"),
        ({"log_config": None}, "Missing Log Config"),
        ({"kill_timeout_ns": -1}, "KillTimeout must be a positive value"),
        ({"lifecycle": Lifecycle()}, "Lifecycle validation failed: no lifecycle hook provided"),
        ({"lifecycle": Lifecycle(hook="mid")}, "Lifecycle validation failed: invalid hook: mid"),
        (
            {"constraints": (Constraint(operand="distinct_hosts"),)},
            "Constraint 1 has disallowed Operand at task level: distinct_hosts",
        ),
        (
            {"volume_mounts": (VolumeMount(volume="data"), VolumeMount(volume="ghost"))},
            "Volume Mount (1) references undefined volume ghost",
        ),
    ],
)
def test_bad_tasks(change: dict[str, object], complaint: str) -> None:
    assert [complaint] == complain_of(**change)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"resources": Resources(cpu_mhz=1, memory_mb=64, cores=1)}, "Task can only ask for 'cpu' or"),
        (
            {"log_config": LogConfig(max_files=1, max_file_size_mb=300)},
            "log storage (300 MB) must be less than requested disk capacity (300 MB)",
        ),
        (
            {"log_config": LogConfig(max_files=0, max_file_size_mb=10)},
            "minimum number of files is 1; got 0",
        ),
        ({"log_config": LogConfig(max_files=1)}, "the size of a log file must be at least 1 MB; got 0"),
        ({"artifacts": (TaskArtifact(),)}, "source must be specified"),
        (
            {"artifacts": (TaskArtifact(getter_source="s", relative_dest="a/../../../x"),)},
            "destination escapes allocation directory",
        ),
        (
            {"templates": (Template(change_mode="noop"),)},
            "Must specify a source path or have an embedded template",
        ),
        (
            {"templates": (Template(source_path="s", change_mode="signal"),)},
            "Must specify signal value when change mode is signal",
        ),
        (
            {"templates": (Template(source_path="s", change_mode="dance"),)},
            "Invalid change mode. Must be one of the following: noop, signal, script, restart",
        ),
        (
            {"templates": (Template(source_path="s", change_mode="script"),)},
            "a template whose change mode is script needs a script",
        ),
        (
            {"templates": (Template(source_path="s", change_mode="noop", splay_ns=-1),)},
            "a template's splay may not be negative",
        ),
        ({"actions": (Action(name="go"),)}, "command cannot be empty"),
        ({"actions": (Action(name="g o", command="x"),)}, "invalid name 'g o'"),
        ({"affinities": (replace(AFFINITY, weight=0),)}, "Affinity weight cannot be zero"),
        (
            {"constraints": (Constraint(ltarget="a", operand="~"),)},
            'Unknown constraint type "~"',
        ),
    ],
)
def test_bad_parts_of_tasks(change: dict[str, object], complaint: str) -> None:
    (found,) = complain_inside(**change)

    assert found.startswith(complaint)


def test_system_jobs_have_no_affinities() -> None:
    """OBJ-035."""
    assert ["System jobs may not have an affinity block"] == complain_of("system", affinities=(AFFINITY,))


def test_a_service_must_die_within_its_progress_deadline() -> None:
    assert ["KillTimout (5s) longer than the group's ProgressDeadline (4s)"] == complain_of("service")
    assert [] == complain_of("service", kill_timeout_ns=4 * NS_PER_S)
