"""Made-up jobs: few of them, so that most are newer versions of one that runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hypothesis import strategies as st

from nomadspec.checkers.stateful.clusters.nodes import DEVICE, DRIVER, VOLUME
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Affinity,
    Constraint,
    DelayFunction,
    DisconnectStrategy,
    EphemeralDisk,
    Job,
    JobType,
    NetworkResource,
    Operand,
    Port,
    RequestedDevice,
    ReschedulePolicy,
    Resources,
    Spread,
    SpreadTarget,
    Task,
    TaskGroup,
    UpdateStrategy,
    VolumeRequest,
)
from nomadspec.model.cluster.entities.job import SYSTEM_TYPES

TYPES: Final = (JobType.SERVICE, JobType.BATCH, JobType.SYSTEM, JobType.SYSBATCH)
"""The types of jobs that run something."""

PLAIN_TYPES: Final = (JobType.SERVICE, JobType.BATCH, JobType.SYSTEM)
"""Those that the kernel plans for."""

_RACK: Final = "${meta.rack}"
_CONSTRAINTS: Final = (
    Constraint(ltarget=_RACK, operand=Operand.EQUAL, rtarget="r1"),
    Constraint(ltarget="${attr.unique.number}", operand=Operand.UNEQUAL, rtarget="1"),
    Constraint(operand=Operand.DISTINCT_HOSTS),
    Constraint(ltarget=_RACK, operand=Operand.DISTINCT_PROPERTY, rtarget="2"),
)
_UPDATE: Final = UpdateStrategy(max_parallel=1, health_check="checks", progress_deadline_ns=600 * NS_PER_S)
_UPDATES: Final = (
    None,
    _UPDATE,
    UpdateStrategy(max_parallel=2, health_check="checks", canary=1),
    UpdateStrategy(max_parallel=2, health_check="checks", canary=2, auto_revert=True, auto_promote=True),
    UpdateStrategy(max_parallel=0, health_check="checks", canary=1),
    UpdateStrategy(max_parallel=5, health_check="checks", canary=3),
)
"""Of none at all, with max_parallel 0, and up to more allocations and canaries than a group has."""
_SYSTEM_UPDATES: Final = (
    None,
    _UPDATE,
    UpdateStrategy(max_parallel=2, health_check="checks", canary=50),
    UpdateStrategy(max_parallel=1, health_check="checks", auto_revert=True),
    UpdateStrategy(max_parallel=0, health_check="checks", canary=50),
    UpdateStrategy(max_parallel=5, health_check="checks", canary=100),
)
"""Canaries of jobs on every node are a share of the nodes."""

_RESCHEDULES: Final = (
    None,
    ReschedulePolicy(unlimited=True, delay_function=DelayFunction.CONSTANT, delay_ns=30 * NS_PER_S),
    ReschedulePolicy(
        attempts=1, interval_ns=3600 * NS_PER_S, delay_function=DelayFunction.CONSTANT, delay_ns=0
    ),
)
_DISCONNECTS: Final = (
    None,
    DisconnectStrategy(lost_after_ns=60 * NS_PER_S, replace=True),
    DisconnectStrategy(lost_after_ns=60 * NS_PER_S, replace=True, reconcile="keep_original"),
    DisconnectStrategy(lost_after_ns=60 * NS_PER_S, replace=True, reconcile="keep_replacement"),
    DisconnectStrategy(lost_after_ns=60 * NS_PER_S, replace=False),
)
_NETWORKS: Final = (
    (),
    (NetworkResource(mode="host", reserved_ports=(Port(label="http", value=8080, host_network="default"),)),),
    (NetworkResource(mode="host", dynamic_ports=(Port(label="any", to=-1, host_network="default"),)),),
)
_SPREADS: Final = (
    (),
    (Spread(attribute=_RACK, weight=50),),
    (Spread(attribute=_RACK, weight=50, spread_target=(SpreadTarget(value="r1", percent=70),)),),
)
_AFFINITIES: Final = (
    (),
    (Affinity(ltarget=_RACK, operand=Operand.EQUAL, rtarget="r1", weight=-50),),
    (Affinity(ltarget=_RACK, operand=Operand.EQUAL, rtarget="r2", weight=50),),
)
_DEVICES: Final = ((), (), (RequestedDevice(name=DEVICE, count=1),))
_VOLUMES: Final[tuple[Mapping[str, VolumeRequest], ...]] = (
    {},
    {},
    {"store": VolumeRequest(name="store", type="host", source=VOLUME)},
)
_STRATEGIES: Final = {JobType.SERVICE: _UPDATES, JobType.SYSTEM: _SYSTEM_UPDATES}
"""The update strategies of each type of job."""


def _few(members: tuple[Constraint, ...]) -> st.SearchStrategy[tuple[Constraint, ...]]:
    return st.just(()) | st.sampled_from(members).map(lambda member: (member,))


@st.composite
def groups(draw: st.DrawFn, name: str, job_type: JobType) -> TaskGroup:
    """Draw a group of a job of a type."""
    is_everywhere = job_type in SYSTEM_TYPES
    resources = Resources(
        cpu_mhz=draw(st.sampled_from((100, 600))),
        memory_mb=draw(st.sampled_from((64, 400))),
        devices=draw(st.sampled_from(_DEVICES)),
    )
    return TaskGroup(
        name=name,
        count=1 if is_everywhere else draw(st.integers(0, 3)),
        tasks=(Task(name="main", driver=DRIVER, resources=resources),),
        constraints=draw(_few(_CONSTRAINTS)),
        update=draw(st.sampled_from(_STRATEGIES[job_type])) if job_type in _STRATEGIES else None,
        reschedule_policy=None if is_everywhere else draw(st.sampled_from(_RESCHEDULES)),
        disconnect=draw(st.sampled_from(_DISCONNECTS)),
        networks=draw(st.sampled_from(_NETWORKS)),
        volumes=draw(st.sampled_from(_VOLUMES)),
        spreads=() if is_everywhere else draw(st.sampled_from(_SPREADS)),
        affinities=() if is_everywhere else draw(st.sampled_from(_AFFINITIES)),
        ephemeral_disk=EphemeralDisk(size_mb=10, sticky=draw(st.booleans())),
        meta={"text": draw(st.sampled_from(("", "new")))},
    )


@st.composite
def plain_jobs(draw: st.DrawFn, types: tuple[JobType, ...] = PLAIN_TYPES) -> Job:
    """Draw a job of which the kernel has a notion: how many, how large, and where it may go; nothing else."""
    job_type = draw(st.sampled_from(types))
    resources = Resources(cpu_mhz=draw(st.sampled_from((100, 300, 600))), memory_mb=64)
    constraints = draw(_few(_CONSTRAINTS[:2]))
    group = TaskGroup(
        name="web",
        count=1 if job_type in SYSTEM_TYPES else draw(st.integers(0, 4)),
        tasks=(Task(name="main", driver=DRIVER, resources=resources),),
        constraints=constraints,
        ephemeral_disk=EphemeralDisk(size_mb=10),
        meta={"text": draw(st.sampled_from(("", "new")))},
    )
    return Job(
        id=job_type.value,
        name=job_type.value,
        namespace="default",
        type=job_type,
        priority=draw(st.sampled_from((20, 50, 80))),
        datacenters=draw(st.sampled_from((("*",), ("dc1",)))),
        node_pool="default",
        spreads=draw(st.sampled_from(_SPREADS)) if job_type not in SYSTEM_TYPES else (),
        task_groups=(group,),
    )


@st.composite
def jobs(draw: st.DrawFn, types: tuple[JobType, ...] = TYPES) -> Job:
    """Draw a job of one of the types; its ID is that of its type, so that the next one is a newer version."""
    job_type = draw(st.sampled_from(types))
    names = draw(st.sampled_from((("web",), ("web", "db"))))
    return Job(
        id=job_type.value,
        name=job_type.value,
        namespace="default",
        type=job_type,
        priority=draw(st.sampled_from((20, 50, 80))),
        datacenters=draw(st.sampled_from((("*",), ("dc1",)))),
        node_pool="default",
        constraints=draw(_few(_CONSTRAINTS)),
        task_groups=tuple(draw(groups(name, job_type)) for name in names),
    )
