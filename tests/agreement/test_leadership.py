"""What is lost with a leader, and what the next one puts back, is the same in the kernel and in the cluster.

Broker and blocked evals are followed as in their own tests. When a leader is lost or gained, or an operator
pauses the broker or lets it go on, the cluster's act is given the evaluations of the store and the plans that
wait, and broker and blocked evals go on as it leaves them. After each step they have to be as the kernel's.
These scopes have no entries in flight: what becomes of them with their leader is compared for the applier.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from msgspec.structs import replace as with_fields
from rpds import HashTrieMap

from nomadspec.model.cluster.acts.leadership import GainLeadership, LoseLeadership
from nomadspec.model.cluster.acts.settings import Configure
from nomadspec.model.cluster.components import plan_queue
from nomadspec.model.cluster.components.leader_memory import Memory, is_broker_paused
from nomadspec.model.cluster.entities import Evaluation, Plan
from nomadspec.model.cluster.entities.configuration import NEW_CLUSTERS
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import Delivered, Settings, Worker, World, make_world, with_memory
from nomadspec.model.kernel.broker import is_delayed
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import EvalRecord, Stage
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from tests.agreement import test_blocked as blocked
from tests.agreement import test_broker as broker
from tests.agreement.evaluations import RECORDS, At, list_evals, write_eval
from tests.agreement.subject import Choice, Subject
from tests.agreement.walking import KERNEL, Edge, in_depth

STEPS = 500


@dataclass(frozen=True, slots=True)
class Mirror:
    """The leader's broker and blocked evals, and the cluster as the last change of leadership left it."""

    broker: broker.Mirror
    blocked: blocked.Mirror
    cluster: World


def begin(world: Kernel, profile: Profile) -> Mirror:
    settings = Settings(profile=profile, delivery_limit=int(world.deliveries))
    cluster = GainLeadership().take(make_world(settings, workers=0))
    return Mirror(broker.begin(world, profile), blocked.begin(world, profile), cluster)


def write_record(world: Kernel, mirror: Mirror, at: At) -> Evaluation:
    """Write an evaluation as the store has it: when it was blocked, and how long it is to wait."""
    if world.eval_record[at] == EvalRecord.BLOCKED:
        return with_fields(blocked.write_blocked(world, at, mirror.blocked.written[at]), status="blocked")
    wait_ns = 10**9 if is_delayed(world, *at) else 0
    status = RECORDS[EvalRecord(world.eval_record[at])]
    return with_fields(write_eval(world, *at), status=status, wait_ns=wait_ns)


def gather(world: Kernel, mirror: Mirror) -> World:
    """Give the cluster the evaluations of the store, the leader's memory, and the plans that wait."""
    evals = [
        write_record(world, mirror, at)
        for at in list_evals(world)
        if world.eval_record[at] != EvalRecord.ABSENT
    ]
    configuration = with_fields(NEW_CLUSTERS, pause_eval_broker=is_broker_paused(mirror.cluster.state))
    cluster = with_fields(
        mirror.cluster,
        now_ns=mirror.broker.now_ns,
        state=State.of(evals=evals, configuration=configuration, index=mirror.blocked.index),
        workers=HashTrieMap({worker.id: worker for worker in list_waiting(world, mirror)}),
    )
    plans = cluster.leader.plans
    for worker in list_waiting(world, mirror):
        plans, _ = plan_queue.enqueue(plans, write_plan(worker), 0)
    memory = Memory(broker=mirror.broker.broker, blocked_evals=mirror.blocked.blocked_evals)
    return with_memory(with_fields(cluster, leader=with_fields(cluster.leader, plans=plans)), memory)


def list_waiting(world: Kernel, mirror: Mirror) -> Iterator[Worker]:
    """List the workers whose plans are with the applier."""
    for worker in world.workers:
        if is_with_applier(world, worker):
            entry = write_eval(world, world.job[worker], world.number[worker])
            held = Delivered(eval=entry, token=mirror.broker.held[worker], number=1, wait_index=0)
            yield Worker(id=name_worker(worker), held=held, awaits_plan=True)


def name_worker(worker: Any) -> str:
    return f"worker {worker}"


def write_plan(worker: Worker) -> Plan:
    assert worker.held is not None
    return Plan(eval_id=worker.held.eval.id, eval_token=worker.held.token)


def configure(cluster: World, *, pauses: bool) -> World:
    return Configure(configuration=with_fields(NEW_CLUSTERS, pause_eval_broker=pauses)).take(cluster)


CHANGES: dict[str, Callable[[World], World]] = {
    "LoseLeader": lambda cluster: LoseLeadership(committed=0).take(cluster),
    "GainLeader": lambda cluster: GainLeadership().take(cluster),
    "PauseBroker": lambda cluster: configure(cluster, pauses=True),
    "ResumeBroker": lambda cluster: configure(cluster, pauses=False),
}
"""What the cluster does in these steps of the kernel."""


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Give a step to broker and blocked evals, and a change of leadership to the cluster."""
    now = replace(
        mirror,
        broker=broker.follow(instance, before, after, mirror.broker),
        blocked=blocked.follow(instance, before, after, mirror.blocked),
    )
    if instance.rule.name not in CHANGES:
        return now
    cluster = CHANGES[instance.rule.name](gather(before, mirror))
    memory = cluster.leader.memory
    return Mirror(
        broker=replace(now.broker, broker=memory.broker),
        blocked=replace(now.blocked, blocked_evals=memory.blocked_evals),
        cluster=cluster,
    )


def show_kernel(before: Kernel, after: Kernel, rule: str) -> dict[str, Any]:
    """Show who leads, what is switched on, and whose plans have failed with their leader."""
    failed = {
        name_worker(worker)
        for worker in after.workers
        if rule == "LoseLeader" and is_with_applier(before, worker) and after.stage[worker] == Stage.FAILING
    }
    is_led, is_paused = bool(after.leading), bool(after.paused)
    return {"led": is_led, "paused": is_paused, "reaper": bool(after.reaping), "failed": failed}


def show_component(cluster: World, rule: str) -> dict[str, Any]:
    answered = {one.id for one in cluster.workers.values() if one.answer is not None and one.answer.error}
    return {
        "led": cluster.is_led,
        "paused": is_broker_paused(cluster.state),
        "reaper": cluster.is_led and cluster.leader.has_reaper,
        "failed": answered if rule == "LoseLeader" else set(),
    }


def check_edge(bounded: BoundedModel, edge: Edge[Mirror]) -> None:
    """Compare the leader's memory after a step, and who leads."""
    was, now = edge.was, edge.now
    steps = edge.instance, edge.before, edge.after
    broker.check_edge(Edge(*steps, was.broker, now.broker, edge.target))
    blocked.check_edge(bounded, Edge(*steps, was.blocked, now.blocked, edge.target))
    shown = show_component(now.cluster, edge.rule)
    assert show_kernel(edge.before, edge.after, edge.rule) == shown, f"after {edge.rule}"


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List which changes of leadership the cluster allows, and what it does not refuse to an operator."""
    cluster = gather(world, mirror)
    yield from (("lose the leader",) for _ in LoseLeadership.choices(cluster))
    yield from (("gain a leader",) for _ in GainLeadership.choices(cluster))
    was_paused = is_broker_paused(cluster.state)
    for asked in Configure.choices(cluster):
        if asked.configuration.pause_eval_broker != was_paused and not asked.take(cluster).reply.error:
            yield ("resume the broker" if was_paused else "pause the broker",)


LEADERSHIP = Subject(
    begin=begin,
    follow=follow,
    check=check_edge,
    rules={
        "LoseLeader": lambda _world, _told: ("lose the leader",),
        "GainLeader": lambda _world, _told: ("gain a leader",),
        "PauseBroker": lambda _world, _told: ("pause the broker",),
        "ResumeBroker": lambda _world, _told: ("resume the broker",),
    },
    list_allowed=list_allowed,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("scope", "sizes", "fired"),
    [
        ("leader-change", {}, {"LoseLeader", "GainLeader", "TrackBlocked", "RecoverNode"}),
        ("node-loss", {"elections": 2}, {"LoseLeader", "GainLeader", "LoseNode", "Ack"}),
        (
            "pause",
            {"elections": 1, "timeouts": 1},
            {"LoseLeader", "GainLeader", "PauseBroker", "ResumeBroker"},
        ),
        ("pause", {"pauses": 3}, {"PauseBroker", "ResumeBroker"}),
        ("delivery-limit", {"elections": 2}, {"LoseLeader", "GainLeader", "ReapFailed"}),
        in_depth("core-evals", {"elections": 2}, {"LoseLeader", "GainLeader", "EnqueueCoreEval"}),
        in_depth("escaped", {"elections": 2}, {"LoseLeader", "GainLeader", "TrackBlocked"}),
        in_depth("duplicates", {"elections": 2}, {"LoseLeader", "GainLeader", "CancelDuplicate"}),
    ],
)
def test_a_new_leader_puts_back_what_the_kernel_says(
    scope: str, sizes: dict[str, int], fired: set[str], profile: str, length: int
) -> None:
    assert fired <= LEADERSHIP.compare(KERNEL.at(scope, sizes=sizes, profile=profile), STEPS * length)
