from msgspec.structs import replace

from nomadspec.model.admission.admission import admit
from nomadspec.model.admission.surroundings import Surroundings
from nomadspec.model.entities import Job, LogConfig, Service, Task, TaskGroup

TASK = Task(name="t", driver="exec", log_config=LogConfig(max_files=1, max_file_size_mb=1))
GROUP = TaskGroup(name="g", count=1, tasks=(TASK,), services=(Service(name="s"),))
JOB = Job(id="web", name="web", region="global", type="service", task_groups=(GROUP,))


def test_a_job_is_filled_in_before_it_is_judged() -> None:
    """OBJ-038."""
    admission = admit(JOB, Surroundings(default_priority=70))
    group = admission.job.task_groups[0]

    assert admission.is_accepted
    assert 70 == admission.job.priority
    assert ["${attr.consul.version}"] == [constraint.ltarget for constraint in group.constraints]
    assert group.tasks[0].identity is not None
    assert 1 == len(admission.warnings)


def test_a_job_that_is_refused_says_why() -> None:
    admission = admit(replace(JOB, region=""), Surroundings())

    assert not admission.is_accepted
    assert ["Missing job region"] == [error.text for error in admission.errors]


def test_admission_of_what_was_admitted_changes_nothing() -> None:
    once = admit(JOB, Surroundings()).job

    assert once == admit(once, Surroundings()).job
