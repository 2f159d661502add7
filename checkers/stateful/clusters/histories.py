"""Made-up histories: nodes, and what happens to them and to jobs."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from msgspec import Struct

from nomadspec.checkers.stateful.clusters.jobs import TYPES, jobs
from nomadspec.checkers.stateful.clusters.nodes import nodes
from nomadspec.model.cluster.entities import AllocClient, Job, JobType, Node, SchedulerConfiguration
from nomadspec.model.cluster.entities.configuration import PreemptionConfig

WITHOUT_PREEMPTION: Final = SchedulerConfiguration()
WITH_PREEMPTION: Final = SchedulerConfiguration(
    preemption_config=PreemptionConfig(
        system_scheduler_enabled=True,
        sys_batch_scheduler_enabled=True,
        batch_scheduler_enabled=True,
        service_scheduler_enabled=True,
    )
)


class Register(Struct, frozen=True):
    """A job is registered, or a newer version of it."""

    job: Job


class Stop(Struct, frozen=True):
    """One of the jobs is stopped, if there is one."""

    which: int


class Report(Struct, frozen=True):
    """A client tells how one of the living allocations is, and whether a deployment may count on it."""

    which: int
    status: AllocClient
    healthy: bool | None


class ChangeNode(Struct, frozen=True):
    """Something happens to one of the nodes."""

    which: int
    to: str
    """A status, an eligibility, `drain` or `undrain`."""


class Promote(Struct, frozen=True):
    """The canaries of all deployments are promoted, where they are healthy."""


class Wait(Struct, frozen=True):
    """Time passes."""

    seconds: int


class SetDeploymentStatus(Struct, frozen=True):
    """An operator pauses, resumes or fails the deployments that go on."""

    to: str
    """A status of deployments."""


class Forget(Struct, frozen=True):
    """The collector deletes every evaluation that has ended, and every allocation that nothing needs."""


Single = Register | Stop | Report | ChangeNode | Promote | Wait | SetDeploymentStatus | Forget


class Together(Struct, frozen=True):
    """Several things happen before any scheduler looks."""

    steps: tuple[Single, ...]


class Late(Struct, frozen=True):
    """Things happen after all schedulers have looked, and before any of their plans is judged."""

    steps: tuple[Single, ...]


Step = Single | Together | Late


class History(Struct, frozen=True):
    """Nodes, and what happens one after the other; the seed stands for chance."""

    nodes: tuple[Node, ...]
    steps: tuple[Step, ...]
    configuration: SchedulerConfiguration = WITHOUT_PREEMPTION
    seed: int = 0


_WHICH = st.integers(0, 5)
_NODE_CHANGES = st.sampled_from(
    ("down", "disconnected", "ready", "ineligible", "eligible", "drain", "undrain")
)


def steps(made: st.SearchStrategy[Job]) -> st.SearchStrategy[Single]:
    """Draw something that happens; jobs are made by a strategy."""
    statuses = st.sampled_from((AllocClient.RUNNING, AllocClient.COMPLETE, AllocClient.FAILED))
    health = st.sampled_from((None, True, False))
    return st.one_of(
        st.builds(Register, made),
        st.builds(Report, _WHICH, statuses, health),
        st.builds(ChangeNode, _WHICH, _NODE_CHANGES),
        st.builds(Wait, st.sampled_from((1, 45, 4000))),
        st.just(Promote()),
        st.builds(Stop, _WHICH),
    )


def meetings(made: st.SearchStrategy[Job]) -> st.SearchStrategy[Step]:
    """Draw what meets something: several things before one look, or between a plan and its commit.

    Operators pause, resume and fail deployments too, and the collector forgets what has ended.
    """
    operated = st.builds(SetDeploymentStatus, st.sampled_from(("paused", "running", "failed")))
    single = st.one_of(steps(made), operated, st.just(Forget()))
    several = st.lists(single, min_size=1, max_size=3).map(tuple)
    return st.one_of(single, st.builds(Together, several), st.builds(Late, several))


@st.composite
def histories(
    draw: st.DrawFn,
    types: tuple[JobType, ...] = TYPES,
    *,
    most_steps: int = 6,
    may_be_broken: bool = False,
    may_meet: bool = False,
    configurations: tuple[SchedulerConfiguration, ...] = (WITHOUT_PREEMPTION, WITH_PREEMPTION),
    made: st.SearchStrategy[Job] | None = None,
) -> History:
    """Draw a history that begins with the registration of a job of a type, or by another strategy.

    Where things may meet, not all that happens is looked at before the next thing happens.
    """
    drawn = jobs(types) if made is None else made
    return History(
        nodes=tuple(draw(st.lists(nodes(may_be_broken=may_be_broken), min_size=1, max_size=4))),
        steps=(
            Register(draw(drawn)),
            *draw(st.lists(meetings(drawn) if may_meet else steps(drawn), max_size=most_steps)),
        ),
        configuration=draw(st.sampled_from(configurations)),
        seed=draw(st.integers(0, 3)),
    )
