"""What an allocation takes of a node: its tasks flattened to one amount of each thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from nomadspec.model.cluster.entities import AllocatedResources, Lifecycle
from nomadspec.model.cluster.memo import remember_each

_MAIN: Final = 0
_PRESTART: Final = 1
_POSTSTOP: Final = 2

_PHASES: Final[Mapping[tuple[str, bool], tuple[int, ...]]] = {
    ("", False): (_MAIN,),
    ("", True): (_MAIN,),
    ("prestart", False): (_PRESTART,),
    ("prestart", True): (_MAIN, _PRESTART),
    ("poststart", False): (_MAIN,),
    ("poststart", True): (_MAIN,),
    ("poststop", False): (_POSTSTOP,),
    ("poststop", True): (_POSTSTOP,),
}
"""In which phases a task holds what it asked for, by its hook and whether it is a sidecar."""

_NO_CORES: Final[frozenset[int]] = frozenset()


class Amounts(msgspec.Struct, frozen=True, gc=False):
    """An amount of each thing that allocations compete for."""

    cpu_mhz: int = 0
    memory_mb: int = 0
    memory_max_mb: int = 0
    disk_mb: int = 0
    cores: frozenset[int] = _NO_CORES


NOTHING: Final = Amounts()
"""No amount of anything."""


def compute_amounts(allocated: AllocatedResources | None) -> Amounts:
    """Flatten what an allocation was given, once: all later forms of an allocation share that record.

    Spec: OBJ-258, OBJ-259, RANK-23.
    """
    return NOTHING if allocated is None else _flatten_once(allocated)


def flatten(allocated: AllocatedResources) -> Amounts:
    """Flatten what an allocation was given: phases that do not overlap share, cores are never shared.

    Spec: OBJ-258, OBJ-259, RANK-23.
    """
    lifecycles = allocated.task_lifecycles
    cpu_mhz, memory_mb, memory_max_mb = [0, 0, 0], [0, 0, 0], [0, 0, 0]
    pinned_mhz = 0
    cores: set[int] = set()
    for name, task in allocated.tasks.items():
        own_mhz = task.cpu.cpu_shares
        if task.cpu.reserved_cores:
            pinned_mhz += own_mhz
            cores.update(task.cpu.reserved_cores)
            own_mhz = 0
        memory = task.memory
        for phase in _find_phases(lifecycles.get(name)):
            cpu_mhz[phase] += own_mhz
            memory_mb[phase] += memory.memory_mb
            memory_max_mb[phase] += memory.memory_max_mb or memory.memory_mb
    return Amounts(
        pinned_mhz + max(cpu_mhz),
        max(memory_mb),
        max(memory_max_mb),
        allocated.shared.disk_mb,
        frozenset(cores) if cores else _NO_CORES,
    )


_flatten_once: Final = remember_each(flatten)


def _find_phases(lifecycle: Lifecycle | None) -> tuple[int, ...]:
    if lifecycle is None:
        return (_MAIN,)
    return _PHASES.get((lifecycle.hook, lifecycle.sidecar), ())
