"""The kernel's drainer agrees with the recorded one: in each world both mark, and end, the same.

The drainer begins anew in each world, as it does when a leader is elected: what the release forgets to look
at again (X-65, X-67) is not compared. The deadline of a drain may have passed, as far as marks go of what has
to leave before it ends; that a drain ends then whatever is left on its node, and marks all of that, is not
compared, for the kernel has no deadline. How many allocations of a group may move at once is a setting of its
job, which is large here. What the drainer writes is applied, and has to be what the kernel's step does.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.components.drain_look import list_remaining
from nomadspec.model.cluster.components.drain_requests import make_ends, make_marks
from nomadspec.model.cluster.components.drainer import BATCH_NS, Drainer, enable, find_next_due, react
from nomadspec.model.cluster.entities import Job, MigrateStrategy, TaskGroup
from nomadspec.model.cluster.entities.node import DrainStrategy
from nomadspec.model.cluster.store.entries import Entry, apply
from nomadspec.model.cluster.store.requests import (
    AllocUpdateDesiredTransition,
    BatchNodeUpdateDrain,
    Request,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.nodes import leaves_last
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from tests.agreement.evaluations import list_evals, read_arguments
from tests.agreement.objects import name_alloc, name_node, write_state
from tests.agreement.one_sided import DRAINER_IN_COMPONENT
from tests.agreement.subject import Choice, Subject
from tests.agreement.walking import KERNEL, Edge

STEPS = 400
DRAINS = {"migrations": 6, "evals": 6, "allocations": 5, "cap": 2, "count": 2}
"""Sizes by which walks come to many worlds in which something is to be marked."""
GROUP = TaskGroup(name="g", count=1, migrate=MigrateStrategy(max_parallel=100))
NEVER = DrainStrategy(deadline_ns=0)
PASSED = DrainStrategy(deadline_ns=-1)


@dataclass(frozen=True, slots=True)
class Mirror:
    """Where each allocation was last seen, and what was written in the last step of the drainer."""

    profile: Profile
    nodes: dict[tuple[Any, Any], Any] = field(default_factory=dict)
    written: State | None = None
    made: int = 0
    """How many evaluations were written with it."""


def begin(_world: Kernel, profile: Profile) -> Mirror:
    return Mirror(profile)


def write_job(job: Job) -> Job:
    return with_fields(job, task_groups=(GROUP,))


def write_whole_state(world: Kernel, mirror: Mirror, strategy: DrainStrategy) -> State:
    """Write the store, with what the drainer reads of nodes, jobs and allocations."""
    state = write_state(world, 100, mirror.nodes)
    draining = {name_node(node) for node in world.nodes if world.draining[node]}
    marked = {name_alloc(job, i) for job in world.jobs for i in world.allocs if world.migrate[job, i]}
    allocs = []
    for alloc in state.list_allocs():
        assert alloc.job is not None
        transition = with_fields(alloc.desired_transition, migrate=alloc.id in marked or None)
        job = write_job(alloc.job)
        allocs.append(
            with_fields(alloc, job=job, task_group=GROUP.name, modify_index=50, desired_transition=transition)
        )
    return State.of(
        nodes=[
            with_fields(node, drain_strategy=strategy if node.id in draining else None)
            for node in state.list_nodes()
        ],
        namespaces=state.namespaces.values(),
        jobs=[write_job(job) for job in state.list_jobs()],
        evals=state.list_evals(),
        allocs=allocs,
        index=100,
    )


def list_requests(state: State, profile: Profile) -> Iterator[Request]:
    """List what a drainer that begins anew writes, until nothing is left to do."""
    drainer, numbers, now_ns = enable(Drainer()), count(), 1
    while True:
        reaction = react(drainer, state, now_ns, lambda: f"drain eval {next(numbers)}", profile=profile)
        drainer = reaction.drainer
        for request in reaction.requests:
            yield request
            state = write(state, request, profile)
        if reaction.is_settled and find_next_due(drainer) is None:
            return
        now_ns += BATCH_NS


def write(state: State, request: Request, profile: Profile) -> State:
    applied = apply(state, Entry(state.latest_index + 1, request), now_ns=1, profile=profile)
    assert applied.error is None
    return applied.state


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List what the drainer would mark, be the deadline far or over, and which drains it would end before.

    What it marks of system jobs is left to the end of the drain.
    """
    if not world.leading:
        return
    last = {name_alloc(job, i) for job in world.jobs if leaves_last(world, job) for i in world.allocs}
    for strategy in (NEVER, PASSED):
        for request in list_requests(write_whole_state(world, mirror, strategy), mirror.profile):
            if isinstance(request, AllocUpdateDesiredTransition):
                yield from (("mark", alloc_id) for alloc_id in request.allocs if alloc_id not in last)
            elif isinstance(request, BatchNodeUpdateDrain) and strategy is NEVER:
                yield from (("end the drain", node_id) for node_id in request.updates)


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Write what the drainer does in a step of its own."""
    seen = {(job, i): after.occupies[job, i] for job in after.jobs for i in after.allocs}
    mirror = replace(mirror, written=None, made=0)
    told, rule = read_arguments(instance), instance.rule.name
    if rule in {"DrainAlloc", "EndDrain"}:
        state, numbers = write_whole_state(before, mirror, NEVER), count()
        node = state.nodes[name_node(told["node"])]
        is_end = rule == "EndDrain"
        left = (
            [one.id for one in list_remaining(state, node)]
            if is_end
            else [name_alloc(told["job"], told["alloc"])]
        )
        requests = make_marks(state, left, 1, lambda: f"drain eval {next(numbers)}")
        written = state
        for request in (*requests, *(make_ends([node.id], 1, is_late=False) if is_end else ())):
            written = write(written, request, mirror.profile)
        mirror = replace(mirror, written=written, made=len(written.evals) - len(state.evals))
    nodes = mirror.nodes | {at: node for at, node in seen.items() if node != NONE}
    return replace(mirror, nodes=nodes)


def show(state: State) -> dict[str, Any]:
    """Show which nodes drain and are eligible, and which allocations are to migrate."""
    nodes = state.list_nodes()
    drains = {one.id: (one.scheduling_eligibility, one.drain_strategy is not None) for one in nodes}
    return drains | {one.id: one.desired_transition.migrate is True for one in state.list_allocs()}


def check_edge(_bounded: BoundedModel, edge: Edge[Mirror]) -> None:
    """Compare what the drainer has written with what the kernel's step did."""
    written = edge.now.written
    if written is None:
        return
    assert show(write_whole_state(edge.after, edge.now, NEVER)) == show(written), f"after {edge.rule}"
    made = [
        at
        for at in list_evals(edge.before)
        if edge.before.made[at[0]] <= at[1] < edge.after.made[at[0]]
        and edge.after.eval_record[at] == EvalRecord.PENDING
    ]
    assert edge.now.made == len(made), f"after {edge.rule}"


DRAINER = Subject(
    begin=begin,
    follow=follow,
    check=check_edge,
    rules={
        "DrainAlloc": lambda _world, told: ("mark", name_alloc(told["job"], told["alloc"])),
        "EndDrain": lambda _world, told: ("end the drain", name_node(told["node"])),
    },
    list_allowed=list_allowed,
    component_alone=DRAINER_IN_COMPONENT,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("sizes", "fired"),
    [
        ({}, {"DrainAlloc", "EndDrain", "MigrateAlloc"}),
        ({"kinds": 3, "reports": 1}, {"DrainAlloc", "EndDrain", "ReportEnd"}),
        ({"updates": 1, "stops": 1}, {"DrainAlloc", "EndDrain", "UpdateJob", "StopJob"}),
        ({"disconnects": 1, "stops": 1}, {"DrainAlloc", "EndDrain", "MissHeartbeat", "StopJob"}),
        pytest.param(
            {"node_changes": 2, "elections": 1},
            {"DrainAlloc", "EndDrain", "LoseNode"},
            marks=pytest.mark.deep,
        ),
        pytest.param(
            {"kinds": 3, "disconnects": 1},
            {"DrainAlloc", "EndDrain", "MissHeartbeat"},
            marks=pytest.mark.deep,
        ),
    ],
)
def test_the_kernel_drains_as_the_recorded_drainer_does(
    sizes: dict[str, int], fired: set[str], profile: str, length: int
) -> None:
    bounded = KERNEL.at("drain", sizes=DRAINS | sizes, profile=profile)
    assert fired <= DRAINER.compare(bounded, STEPS * length)
