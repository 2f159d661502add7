import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.canonical import canonicalise_job
from nomadspec.model.cluster.admission.job_checks import check_job
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.entities import (
    NUMA,
    Constraint,
    Job,
    LogConfig,
    Multiregion,
    ParameterizedJobConfig,
    PeriodicConfig,
    Resources,
    Spread,
    Task,
    TaskGroup,
    UIConfig,
    Vault,
)

TASK = Task(name="t", driver="exec", log_config=LogConfig(max_files=1, max_file_size_mb=1))
GROUP = TaskGroup(name="g", count=1, tasks=(TASK,))
JOB = canonicalise_job(
    Job(id="web", name="web", region="global", type="batch", priority=50, task_groups=(GROUP,))
)
FILLED = JOB.task_groups[0]


def complain_of(surroundings: Surroundings | None = None, /, **change: object) -> list[str]:
    job = replace(JOB, **change)
    return [found.text for found in check_job(job, surroundings or Surroundings())]


def with_task(**change: object) -> tuple[TaskGroup, ...]:
    return (replace(FILLED, tasks=(replace(FILLED.tasks[0], **change),)),)


def test_a_good_job() -> None:
    assert [] == complain_of()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"region": ""}, "Missing job region"),
        ({"id": ""}, "Missing job ID"),
        ({"id": "a b"}, "Job ID contains a space"),
        ({"id": "a\0b"}, "Job ID contains a null character"),
        ({"name": ""}, "Missing job name"),
        ({"type": ""}, "Missing job type"),
        ({"type": "tide"}, 'Invalid job type: "tide"'),
        ({"type": "_core"}, "job type cannot be core"),
        ({"datacenters": ("a", "")}, "Job datacenter must be non-empty string"),
        ({"namespace": "x"}, 'job "web" is in nonexistent namespace "x"'),
        ({"node_pool": "x"}, 'job "web" is in nonexistent node pool "x"'),
        ({"priority": 0}, "job priority must be between [1, 100]"),
        ({"priority": 101}, "job priority must be between [1, 100]"),
        ({"task_groups": ()}, "Missing job task groups"),
        ({"task_groups": (FILLED, FILLED)}, "Job task group 2 redefines 'g' from group 1"),
        ({"task_groups": (replace(FILLED, shutdown_delay_ns=-1),)}, "ShutdownDelay must be a positive value"),
        ({"task_groups": (replace(FILLED, count=-1),)}, "Task group g validation failed: "),
        ({"constraints": (Constraint(operand="~"),)}, "Constraint 1 validation failed: "),
        ({"spreads": (Spread(),)}, "Spread 1 validation failed: "),
        ({"payload": b"x"}, "a job cannot be submitted with a payload; only its dispatch brings one"),
        (
            {"ui": UIConfig(description="x" * 1001)},
            "UI description must be under 1000 characters, currently 1001",
        ),
        ({"multiregion": Multiregion(regions=({"Name": "a"},))}, "Multiregion jobs are unlicensed."),
        ({"task_groups": with_task(schedule={})}, "task schedules requires Nomad Enterprise"),
        ({"task_groups": with_task(vault=Vault())}, 'Vault "default" not enabled but used in the job'),
        (
            {
                "task_groups": with_task(
                    resources=Resources(cores=1, memory_mb=64, numa=NUMA(affinity="prefer"))
                )
            },
            "numa scheduling requires Nomad Enterprise",
        ),
    ],
)
def test_bad_jobs(change: dict[str, object], complaint: str) -> None:
    """JOB-02, OBJ-011, OBJ-033."""
    assert [complaint] == complain_of(**change)


def test_a_group_without_a_name_is_named_by_its_number() -> None:
    """OBJ-012."""
    found = complain_of(task_groups=(replace(FILLED, name=""),))

    assert ["Job task group 1 missing name", "Task group  validation failed: "] == found


def test_a_system_job_runs_once_a_node() -> None:
    """OBJ-035."""
    groups = (replace(FILLED, count=2, reschedule_policy=None),)

    assert [
        "Job task group g has count 2. Count cannot exceed 1 with system scheduler",
    ] == complain_of(type="system", task_groups=groups)
    assert [] == complain_of(type="sysbatch", task_groups=groups)


def test_parents_are_batch_jobs() -> None:
    """OBJ-035."""
    change = {
        "type": "service",
        "periodic": PeriodicConfig(enabled=True, specs=("@daily",), spec_type="cron"),
        "parameterized_job": ParameterizedJobConfig(payload="optional"),
    }

    assert [
        'Periodic can only be used with "batch" or "sysbatch" scheduler',
        'Parameterized job can only be used with "batch" or "sysbatch" scheduler',
    ] == complain_of(**change)
    assert [] == complain_of(**{**change, "type": "batch"})


def test_a_periodic_block_that_is_off_may_say_anything_anywhere() -> None:
    """OBJ-140."""
    assert [] == complain_of(type="service", periodic=PeriodicConfig(spec="x", spec_type="y"))


def test_complaints_about_launching_are_listed_apart() -> None:
    (found,) = check_job(
        replace(JOB, periodic=PeriodicConfig(enabled=True, spec_type="cron")), Surroundings()
    )

    assert ("", ["Must specify a spec"]) == (found.text, [part.text for part in found.parts])


@pytest.mark.parametrize(("most", "is_refused"), [(4, True), (5, False), (0, False)])
def test_counts_together_are_limited(most: int, *, is_refused: bool) -> None:
    """OBJ-034."""
    groups = (replace(FILLED, count=3), replace(FILLED, name="h", count=2))

    assert is_refused == bool(complain_of(Surroundings(most_count=most), task_groups=groups))


def test_a_server_with_vault_takes_its_users() -> None:
    surroundings = Surroundings(vault_clusters=frozenset({"default"}))

    assert [] == complain_of(surroundings, task_groups=with_task(vault=Vault()))
