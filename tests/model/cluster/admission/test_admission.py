from collections.abc import Iterator

from msgspec.structs import replace

from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.model.cluster.admission.admission import admit
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.codec import Dialect, read
from nomadspec.model.cluster.entities import Job, LogConfig, Service, Task, TaskGroup
from tests.recorded import list_traces

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


def list_registered_jobs() -> Iterator[Job]:
    """The jobs that the recorded clusters took, as they went into their logs."""
    for folder in list_traces():
        path = find_file(folder, "raft-log.ndjson")
        assert path is not None
        for line in read_lines(path):
            if line.document.get("CommandType") == "JobRegisterRequestType":
                yield read(Job, line.document["Body"]["Job"], dialect=Dialect.LOG)


def test_what_recorded_clusters_took_is_taken_unchanged() -> None:
    jobs = [job for job in list_registered_jobs() if not job.dispatched]
    surroundings = Surroundings(
        namespaces=frozenset(job.namespace for job in jobs),
        node_pools=frozenset(job.node_pool for job in jobs),
    )

    assert len(jobs) > 100
    assert [] == [
        job.id for job in jobs if (told := admit(job, surroundings)).job != job or not told.is_accepted
    ]
