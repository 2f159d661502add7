"""The kernel's collector agrees with the recorded one: in each world both would take the same.

What an allocation has to wait for is time, which has gone by here. The kernel does not know which evaluation
made an allocation, so that each is asked about as one of an evaluation that has ended, and each evaluation as
one without allocations; nor whether a client has started what was placed, so that both are allowed; nor any
limit of rescheduling, so that what failed of a job that is wanted is still to be replaced. The collector
takes no profile: what a leader spares of what is found, as intended, is seen to elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.components.core_gc import PurgeJobs, ReapEvals, Thresholds, Work, collect
from nomadspec.model.cluster.components.gc_checks import check_eval, may_be_deleted
from nomadspec.model.cluster.entities import Allocation, Evaluation, Job, ReschedulePolicy, TaskGroup
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.job_status import refresh_job_status
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from tests.agreement.evaluations import name, name_job, read_arguments
from tests.agreement.objects import name_alloc, write_state
from tests.agreement.one_sided import COLLECTOR_IN_COMPONENT
from tests.agreement.subject import Choice, Subject
from tests.agreement.walking import KERNEL, in_depth

STEPS = 400
ANY_AGE = Thresholds(eval_ns=0, batch_eval_ns=0, job_ns=0, node_ns=0, deployment_ns=0)
NOW_NS = 10**18
MAKER = Evaluation(id="maker", namespace="default", status="complete")
"""The evaluation that has made all allocations, which has ended."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where each allocation was last seen, and the jobs that a run of the collector has found to be dead."""

    profile: Profile
    nodes: dict[tuple[Any, Any], Any] = field(default_factory=dict)
    found: frozenset[Any] = frozenset()


def begin(_world: Kernel, profile: Profile) -> Mirror:
    return Mirror(profile)


def follow(instance: Instance, _before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    seen = {(job, i): after.occupies[job, i] for job in after.jobs for i in after.allocs}
    told, found = read_arguments(instance), mirror.found
    if instance.rule.name == "FindJobEligibleForGc":
        found |= {told["job"]}
    if instance.rule.name in {"GcJob", "SkipGcJob"}:
        found -= {told["job"]}
    nodes = mirror.nodes | {at: node for at, node in seen.items() if node != NONE}
    return replace(mirror, nodes=nodes, found=found)


def write_job(job: Job) -> Job:
    """Write a job of the store with what the collector reads of it."""
    return with_fields(
        job,
        task_groups=(TaskGroup(reschedule_policy=ReschedulePolicy(unlimited=True)),),
        job_modify_index=50 + job.version,
    )


def write_alloc(alloc: Allocation, client_status: str) -> Allocation:
    """Write an allocation of the store; of one that was placed, the client says what is given."""
    assert alloc.job is not None
    status = client_status if alloc.client_status == "running" else alloc.client_status
    return with_fields(alloc, eval_id=MAKER.id, create_index=50 + alloc.job.version, client_status=status)


def write_whole_state(world: Kernel, mirror: Mirror, client_status: str) -> State:
    """Write the store, each job with the status that the store derives."""
    state = write_state(world, 100, mirror.nodes)
    whole = State.of(
        nodes=state.list_nodes(),
        jobs=[write_job(job) for job in state.list_jobs()],
        evals=state.list_evals(),
        allocs=[write_alloc(alloc, client_status) for alloc in state.list_allocs()],
        index=100,
    )
    draft = Draft.of(whole, 101, 0, profile=mirror.profile)
    for job in world.jobs:
        is_deleted = any(
            n < world.made[job] and world.eval_record[job, n] == EvalRecord.ABSENT for n in world.eval_numbers
        )
        refresh_job_status(draft, ("default", name_job(job)), eval_deleted=is_deleted)
    return draft.finish()


def list_allocs_to_go(state: State) -> set[str]:
    """List the allocations that the collector would take with their evaluation, one job after the other."""
    found: set[str] = set()
    for alloc in state.list_allocs():
        assert alloc.job is not None
        job = state.find_job(alloc.namespace, alloc.job_id)
        maker = with_fields(MAKER, job_id=alloc.job_id, type=job.type if job else "service")
        check = check_eval(state, maker, now_ns=NOW_NS, cutoff_ns=NOW_NS, is_dead_batch_allowed=False)
        found |= {each for each in check.allocs if each == alloc.id}
    return found


def list_evals_to_go(state: State) -> set[str]:
    """List the evaluations that the collector would take."""
    (reap,) = collect(Work.EVALS, state, NOW_NS, ANY_AGE) or (ReapEvals(),)
    assert isinstance(reap, ReapEvals)
    return set(reap.evals)


def list_jobs_to_go(state: State) -> set[str]:
    """List the jobs that the collector would take with all that belongs to them."""
    purges = [one for one in collect(Work.JOBS, state, NOW_NS, ANY_AGE) if isinstance(one, PurgeJobs)]
    return {job_id for purge in purges for _, job_id in purge.jobs}


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List what may be taken, whether or not clients have started what was placed."""
    if not world.leading:
        return
    for client in ("pending", "running"):
        state = write_whole_state(world, mirror, client)
        yield from (("collect", one) for one in list_allocs_to_go(state))
        yield from (("collect", one) for one in list_evals_to_go(state))
        found = list_jobs_to_go(state)
        yield from (("find", job) for job in world.jobs if name_job(job) in found)
        yield from (("purge", job) for job in mirror.found if state.find_job("default", name_job(job)))
        if world.paused:
            yield from (("delete", one.id) for one in state.list_evals() if may_be_deleted(state, one))


COLLECTOR = Subject(
    begin=begin,
    follow=follow,
    check=lambda _bounded, _edge: None,
    rules={
        "GcEval": lambda _world, told: ("collect", name(told["job"], told["number"])),
        "GcAlloc": lambda _world, told: ("collect", name_alloc(told["job"], told["alloc"])),
        "FindJobEligibleForGc": lambda _world, told: ("find", told["job"]),
        "GcJob": lambda _world, told: ("purge", told["job"]),
        "DeleteEval": lambda _world, told: ("delete", name(told["job"], told["number"])),
    },
    list_allowed=list_allowed,
    component_alone=COLLECTOR_IN_COMPONENT,
)


@pytest.mark.parametrize(
    ("scope", "sizes", "fired"),
    [
        in_depth("gc", {}, {"GcEval", "GcAlloc", "FindJobEligibleForGc", "GcJob"}),
        (
            "gc",
            {"kinds": 1, "reports": 1, "allocations": 3, "updates": 1},
            {"CompleteAlloc", "FailAlloc", "GcAlloc"},
        ),
        ("void-entry", {}, {"FailAlloc", "GcEval"}),
        ("types", {"gc_deletions": 2, "stops": 1, "reports": 1}, {"FindJobEligibleForGc", "GcEval"}),
        ("disconnect", {"gc_deletions": 1, "stops": 1}, {"MissHeartbeat", "FindJobEligibleForGc"}),
        ("purge", {"gc_deletions": 1}, {"GcEval", "PurgeJob"}),
    ],
)
def test_the_kernel_collects_what_the_recorded_collector_does(
    scope: str, sizes: dict[str, int], fired: set[str], length: int
) -> None:
    assert fired <= COLLECTOR.compare(KERNEL.at(scope, sizes=sizes, profile="nomad-2.0"), STEPS * length)
