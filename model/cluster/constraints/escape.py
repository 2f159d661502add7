"""Which constraints depend on more than the class of a node."""

from typing import Final

from nomadspec.model.cluster.entities.constraint import Constraint
from nomadspec.model.cluster.entities.group import TaskGroup
from nomadspec.model.cluster.entities.job import Job
from nomadspec.model.cluster.entities.volume import VolumeType

_UNIQUE_BEGINNINGS: Final = ("${unique.", "${node.unique.", "${attr.unique.", "${meta.unique.")


def is_escaping(constraint: Constraint) -> bool:
    """True if nodes of one class may differ in a constraint.

    Spec: FEAS-19, OBJ-166.
    """
    return constraint.ltarget.startswith(_UNIQUE_BEGINNINGS) or constraint.rtarget.startswith(
        _UNIQUE_BEGINNINGS
    )


def is_job_escaped(job: Job) -> bool:
    """True if a constraint of the job itself escapes the class.

    Spec: FEAS-19.
    """
    return any(map(is_escaping, job.constraints))


def is_group_escaped(group: TaskGroup) -> bool:
    """True if a constraint of the group or of a task escapes the class, or a storage volume is asked for.

    Spec: FEAS-19.
    """
    if any(map(is_escaping, group.constraints)):
        return True
    if any(is_escaping(constraint) for task in group.tasks for constraint in task.constraints):
        return True
    return any(volume.type == VolumeType.CSI for volume in group.volumes.values())
