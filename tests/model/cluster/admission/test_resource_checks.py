import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.complaint import Complaint
from nomadspec.model.cluster.admission.resource_checks import check_resources
from nomadspec.model.cluster.entities import NUMA, Constraint, RequestedDevice, Resources

ASKED = Resources(cpu_mhz=100, memory_mb=64)


@pytest.mark.parametrize(
    ("change", "complaints"),
    [
        ({}, []),
        ({"cpu_mhz": 1, "memory_mb": 10}, []),
        ({"cpu_mhz": 0, "cores": 2}, []),
        ({"memory_max_mb": -1}, []),
        ({"memory_max_mb": 64, "secrets_mb": 64}, []),
        ({"cores": -1}, ["cores value (-1) cannot be negative"]),
        ({"cpu_mhz": 0, "cores": -1}, ["cores value (-1) cannot be negative"]),
        ({"cores": 2}, ["Task can only ask for 'cpu' or 'cores' resource, not both."]),
        (
            {"memory_max_mb": 10},
            ["MemoryMaxMB value (10) should be larger than MemoryMB value (64)"],
        ),
        ({"numa": NUMA(affinity="bad")}, ["numa affinity must be one of none, prefer, or require"]),
        ({"disk_mb": 1}, ["a task cannot ask for disk; its group does"]),
        ({"secrets_mb": 65}, ["the secrets directory (65 MB) must fit the task's memory"]),
    ],
)
def test_resources(change: dict[str, object], complaints: list[str]) -> None:
    """OBJ-122."""
    assert complaints == [found.text for found in check_resources(replace(ASKED, **change))]


def test_too_little_is_listed_apart() -> None:
    (found,) = check_resources(Resources(cpu_mhz=-5, memory_mb=5))

    assert not found.text
    assert ["minimum CPU value is 1; got -5", "minimum MemoryMB value is 10; got 5"] == [
        part.text for part in found.parts
    ]


@pytest.mark.parametrize(
    ("device", "complaint"),
    [
        (
            RequestedDevice(count=1),
            "device name must be given as one of the following: type, vendor/type, or vendor/type/name",
        ),
        (
            RequestedDevice(name="gpu", constraints=(Constraint(operand="distinct_hosts"),)),
            'Constraint 1 validation failed: using unsupported operand "distinct_hosts"',
        ),
    ],
)
def test_devices(device: RequestedDevice, complaint: str) -> None:
    """OBJ-123."""
    (found,) = check_resources(replace(ASKED, devices=(RequestedDevice(name="fpga"), device)))

    assert Complaint("device 2 failed validation: ", (Complaint(complaint),)) == found
