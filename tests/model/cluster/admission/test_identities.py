from nomadspec.model.cluster.admission.identities import give_identities
from nomadspec.model.cluster.entities import Job, Task, TaskGroup, WorkloadIdentity


def identify(task: Task) -> WorkloadIdentity | None:
    job = give_identities(Job(task_groups=(TaskGroup(tasks=(task,)),)))
    return job.task_groups[0].tasks[0].identity


def test_every_task_has_an_identity() -> None:
    """OBJ-038."""
    assert WorkloadIdentity(name="default", audience=("nomadproject.io",)) == identify(Task())


def test_what_the_user_says_of_it_stays() -> None:
    given = WorkloadIdentity(env=True, audience=("me",))

    assert WorkloadIdentity(name="default", audience=("me",), env=True) == identify(Task(identity=given))
