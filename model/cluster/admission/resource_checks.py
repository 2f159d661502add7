"""Checks of what a task asks for."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import Complaint, collect, complain_freely, complain_where
from nomadspec.model.cluster.admission.preferences import check_affinities, check_constraint
from nomadspec.model.cluster.entities import Operand, RequestedDevice, Resources

_LEAST_CPU_MHZ: Final = 1
_LEAST_MEMORY_MB: Final = 10
_NO_LIMIT: Final = -1
_NUMA_AFFINITIES: Final = frozenset({"none", "prefer", "require"})
_NOT_FOR_DEVICES: Final = frozenset({Operand.DISTINCT_HOSTS, Operand.DISTINCT_PROPERTY})


def check_resources(asked: Resources) -> Iterator[Complaint]:
    """Check what a task asks for.

    Spec: OBJ-122.
    """
    ceiling_mb = asked.memory_max_mb
    yield from collect("", _check_least(asked))
    yield from complain_where(
        (asked.cores < 0, f"cores value ({asked.cores}) cannot be negative"),
        (
            asked.cores > 0 and asked.cpu_mhz > 0,
            "Task can only ask for 'cpu' or 'cores' resource, not both.",
        ),
        (
            ceiling_mb not in {0, _NO_LIMIT} and ceiling_mb < asked.memory_mb,
            f"MemoryMaxMB value ({ceiling_mb}) should be larger than MemoryMB value ({asked.memory_mb})",
        ),
        (
            asked.numa is not None and asked.numa.affinity not in _NUMA_AFFINITIES,
            "numa affinity must be one of none, prefer, or require",
        ),
    )
    if asked.disk_mb > 0:
        yield complain_freely("a task cannot ask for disk; its group does")
    if not 0 <= asked.secrets_mb <= asked.memory_mb:
        yield complain_freely(f"the secrets directory ({asked.secrets_mb} MB) must fit the task's memory")
    for number, device in enumerate(asked.devices, 1):
        yield from collect(f"device {number} failed validation: ", _check_device(device))


def _check_least(asked: Resources) -> Iterator[Complaint]:
    return complain_where(
        (
            asked.cores == 0 and asked.cpu_mhz < _LEAST_CPU_MHZ,
            f"minimum CPU value is {_LEAST_CPU_MHZ}; got {asked.cpu_mhz}",
        ),
        (
            asked.memory_mb < _LEAST_MEMORY_MB,
            f"minimum MemoryMB value is {_LEAST_MEMORY_MB}; got {asked.memory_mb}",
        ),
    )


def _check_device(device: RequestedDevice) -> Iterator[Complaint]:
    yield from complain_where(
        (
            not device.name,
            "device name must be given as one of the following: type, vendor/type, or vendor/type/name",
        )
    )
    for number, constraint in enumerate(device.constraints, 1):
        heading = f"Constraint {number} validation failed: "
        if constraint.operand in _NOT_FOR_DEVICES:
            yield Complaint(f'{heading}using unsupported operand "{constraint.operand}"')
        else:
            yield from collect(heading, check_constraint(constraint))
    yield from check_affinities(device.affinities)
