"""The identity that every task gets without asking."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.entities import Job, Task, WorkloadIdentity

_DEFAULT: Final = WorkloadIdentity(name="default", audience=("nomadproject.io",))


def give_identities(job: Job) -> Job:
    """Give every task its default identity; one that has it keeps what it says beside name and audience.

    Spec: OBJ-038, OBJ-120.
    """
    groups = (replace(group, tasks=tuple(map(_identify, group.tasks))) for group in job.task_groups)
    return replace(job, task_groups=tuple(groups))


def _identify(task: Task) -> Task:
    if task.identity is None:
        return replace(task, identity=_DEFAULT)
    own = task.identity
    filled = replace(own, name=own.name or _DEFAULT.name, audience=own.audience or _DEFAULT.audience)
    return replace(task, identity=filled)
