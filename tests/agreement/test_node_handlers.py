"""Handlers of node events owe in the kernel the evaluations that the cluster's component makes.

After each event of a node the component is asked for which jobs it writes an evaluation, by the store as it
is then. In the kernel a handler writes them one by one, later; in a cluster one entry has all of them, right
after that of the event. No recording is of this component alone: those of whole clusters judge it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.components.node_evals import (
    is_terminal_everywhere,
    is_woken_by_status,
    make_node_evals,
)
from nomadspec.model.cluster.entities import Evaluation, Job
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord, JobPhase, Kind
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from tests.agreement.evaluations import name_job, read_arguments
from tests.agreement.objects import name_node, write_state
from tests.agreement.one_sided import HANDLER_IN_COMPONENT, HANDLER_IN_KERNEL
from tests.agreement.subject import Choice, Subject
from tests.agreement.walking import KERNEL, Edge, in_depth

STEPS = 500
ELIGIBILITY = "MarkEligible"
EVENTS = {
    "LoseNode",
    "RecoverNode",
    "MissHeartbeat",
    "ReconnectNode",
    "ReadyNode",
    "ExpireDisconnectedNode",
    ELIGIBILITY,
}
"""The rules after which the component is asked; all but the last change the status of a node."""
PLACING = {"ApplyPlan", "Commit"}
"""The rules that place something, perhaps on a node that is down."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """What handlers have still to write, by job, and what one side has alone of it."""

    profile: Profile
    nodes: dict[tuple[Any, Any], Any] = field(default_factory=dict)
    """Where each allocation was last seen."""
    owed: dict[str, Evaluation] = field(default_factory=dict)
    ending: frozenset[str] = frozenset()
    """The jobs of these that are told for what has ended on one side only."""
    untold: frozenset[str] = frozenset()
    """Jobs that the component leaves alone, and the kernel does not."""


def begin(_world: Kernel, profile: Profile) -> Mirror:
    return Mirror(profile)


def find_status(world: Kernel, node: Any) -> str:
    if world.node_up[node]:
        return "ready"
    if world.disconnected[node]:
        return "disconnected"
    return "initializing" if world.initializing[node] else "down"


def write_whole_state(world: Kernel, mirror: Mirror) -> State:
    """Write the store, with what the component reads of nodes and jobs."""
    state = write_state(world, 100, mirror.nodes)
    statuses = {name_node(node): find_status(world, node) for node in world.nodes}

    def write_job(job: Job) -> Job:
        return with_fields(job, datacenters=("*",))

    return State.of(
        nodes=[with_fields(node, status=statuses[node.id], datacenter="dc1") for node in state.list_nodes()],
        jobs=[write_job(job) for job in state.list_jobs()],
        allocs=[with_fields(one, job=one.job and write_job(one.job)) for one in state.list_allocs()],
        index=100,
    )


def hear(rule: str, node: Any, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Ask the component whom an event of a node matters to."""
    state, numbers = write_whole_state(after, mirror), count()
    stored = state.nodes[name_node(node)]
    statuses = find_status(before, node), find_status(after, node)
    if rule != ELIGIBILITY and not is_woken_by_status(*statuses):
        return mirror
    made = make_node_evals(state, stored, 100, lambda: f"eval {next(numbers)}", 1, profile=mirror.profile)
    owed = {one.job_id: one for one in made or ()}
    assert len(owed) == len(made or ())
    ending = {
        one.job_id
        for one in state.list_allocs_of_node(stored.id)
        if is_terminal(one) and not is_terminal_everywhere(one)
    }
    left_alone = {
        name_job(job)
        for job in after.jobs
        if after.kind[job] == Kind.SYSBATCH
        or (after.kind[job] == Kind.SYSTEM and after.job_phase[job] != JobPhase.WANTED)
    }
    known = mirror.owed.keys() - mirror.ending
    return replace(
        mirror,
        owed=mirror.owed | owed,
        ending=mirror.ending | ((owed.keys() & ending) - known),
        untold=mirror.untold | (left_alone - owed.keys()),
    )


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Let handlers hear of an event, and forget what the kernel's have written or lost."""
    told, rule = read_arguments(instance), instance.rule.name
    seen = {(job, i): after.occupies[job, i] for job in after.jobs for i in after.allocs}
    mirror = replace(mirror, nodes=mirror.nodes | {at: node for at, node in seen.items() if node != NONE})
    if rule in EVENTS:
        return hear(rule, told["node"], before, after, mirror)
    if rule in {"WriteNodeEval", "LoseHandler"}:
        job = name_job(told["job"])
        return replace(
            mirror,
            owed={name: one for name, one in mirror.owed.items() if name != job},
            ending=mirror.ending - {job},
            untold=mirror.untold - {job},
        )
    if rule not in PLACING:
        return mirror
    late = {name_job(job) for job in after.jobs if after.owed[job] and not before.owed[job]}
    return replace(mirror, untold=mirror.untold | late)


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List for which jobs an evaluation is to be written, which takes a leader."""
    yield from (("write", job) for job in mirror.owed if world.leading)


def check_edge(_bounded: BoundedModel, edge: Edge[Mirror]) -> None:
    """Compare an evaluation that a handler writes with the one that the component has made."""
    job = read_arguments(edge.instance).get("job", NONE)
    if edge.rule != "WriteNodeEval" or name_job(job) not in edge.was.owed:
        return
    number: Any = edge.before.made[job]
    made, at = edge.was.owed[name_job(job)], (job, number)
    assert ("node-update", "pending") == (made.triggered_by, made.status)
    assert edge.after.eval_record[at] == EvalRecord.PENDING
    assert made.priority == 50 + int(edge.after.eval_priority[at])


HANDLERS = Subject(
    begin=begin,
    follow=follow,
    check=check_edge,
    rules={"WriteNodeEval": lambda _world, told: ("write", name_job(told["job"]))},
    list_allowed=list_allowed,
    kernel_alone=HANDLER_IN_KERNEL,
    component_alone=HANDLER_IN_COMPONENT,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("scope", "sizes", "fired"),
    [
        ("types", {"node_changes": 4, "stops": 1}, {"LoseNode", "StopJob", "WriteNodeEval"}),
        ("awaited", {}, {"MissHeartbeat", "ReconnectNode", "ReadyNode", "ExpireDisconnectedNode"}),
        ("woken-late", {}, {"LoseNode", "RecoverNode", "MarkEligible", "WriteNodeEval"}),
        ("node-loss", {"node_changes": 4, "elections": 2}, {"LoseLeader", "GainLeader", "WriteNodeEval"}),
        ("late-loss", {"node_changes": 3}, {"LoseNode", "WriteNodeEval"}),
        in_depth("disconnect", {"node_changes": 2, "disconnects": 2}, {"MissHeartbeat", "WriteNodeEval"}),
        in_depth("update", {"node_changes": 4, "reports": 2}, {"LoseNode", "UpdateJob", "WriteNodeEval"}),
    ],
)
def test_handlers_of_node_events_owe_what_the_component_makes(
    scope: str, sizes: dict[str, int], fired: set[str], profile: str, length: int
) -> None:
    assert fired <= HANDLERS.compare(KERNEL.at(scope, sizes=sizes, profile=profile), STEPS * length)
