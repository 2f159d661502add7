import pytest

from nomadspec.model.cluster.constraints.escape import is_escaping, is_group_escaped, is_job_escaped
from nomadspec.model.cluster.entities import (
    Constraint,
    Job,
    RequestedDevice,
    Resources,
    Task,
    TaskGroup,
    VolumeRequest,
)

UNIQUE = Constraint(ltarget="${attr.unique.hostname}", operand="distinct_property")
COMMON = Constraint(ltarget="${attr.kernel.name}", operand="=", rtarget="linux")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("${unique.x}", True),
        ("${node.unique.id}", True),
        ("${attr.unique.hostname}", True),
        ("${meta.unique.serial", True),
        ("${attr.uniquely}", False),
        ("${node.class}", False),
        ("unique.x", False),
        ("${device.attr.unique.x}", False),
    ],
)
def test_what_is_unique_escapes_on_either_side(target: str, expected: bool) -> None:
    """FEAS-19."""
    assert expected == is_escaping(Constraint(ltarget=target, rtarget="x"))
    assert expected == is_escaping(Constraint(ltarget="x", rtarget=target))


def test_a_job_escapes_by_its_own_constraints_only() -> None:
    """FEAS-19."""
    group = TaskGroup(constraints=(UNIQUE,))

    assert is_job_escaped(Job(constraints=(COMMON, UNIQUE)))
    assert not is_job_escaped(Job(constraints=(COMMON,), task_groups=(group,)))


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (TaskGroup(constraints=(COMMON,)), False),
        (TaskGroup(constraints=(COMMON, UNIQUE)), True),
        (TaskGroup(tasks=(Task(), Task(constraints=(UNIQUE,)))), True),
        (TaskGroup(volumes={"v": VolumeRequest(type="host")}), False),
        (TaskGroup(volumes={"v": VolumeRequest(type="host"), "w": VolumeRequest(type="csi")}), True),
        (
            TaskGroup(tasks=(Task(resources=Resources(devices=(RequestedDevice(constraints=(UNIQUE,)),))),)),
            False,
        ),
    ],
)
def test_a_group_escapes_by_constraints_of_its_tasks_and_by_storage(group: TaskGroup, expected: bool) -> None:
    """FEAS-19."""
    assert expected == is_group_escaped(group)
