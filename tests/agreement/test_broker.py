"""The kernel's broker agrees with the recorded one: each step of a scope is given to both.

Where the kernel has an evaluation after a step is where the component has it: ready, behind its job, with a
worker, waiting, failed, on the list to cancel, or nowhere. What the kernel dequeues is ready there, with the
greatest priority of its queue.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from msgspec.structs import replace as with_fields
from rpds import HashTrieMap

from nomadspec.checkers.diagrams.sightings import read_kernel
from nomadspec.model.cluster.components import broker as component
from nomadspec.model.cluster.components import leader_memory
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Blocking, Held
from nomadspec.model.cluster.components.broker_clock import list_alarms
from nomadspec.model.cluster.components.broker_state import FAILED_QUEUE, Broker, BrokerSettings
from nomadspec.model.cluster.components.leader_memory import Memory
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.broker import is_delayed
from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, Kind, Stage
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import FORGOTTEN_BATCH
from tests.agreement.evaluations import (
    RECORDS,
    WAKING,
    At,
    list_evals,
    list_woken,
    name,
    read_arguments,
    write_eval,
)
from tests.agreement.one_sided import BROKER_IN_KERNEL
from tests.agreement.subject import Choice, Subject, Translate, name_by_eval
from tests.agreement.walking import KERNEL, Edge

FLUSHING = {"LoseLeader", "PauseBroker"}
RESTORING = {"GainLeader", "ResumeBroker"}
STEPS = 500
_PLACES = {
    InBroker.READY: "ready",
    InBroker.UNACKED: "unacked",
    InBroker.NACKED: "waiting",
    InBroker.WAITING: "waiting",
    InBroker.PENDING_BEHIND_JOB: "pending",
    InBroker.FAILED: "failed",
}


@dataclass(frozen=True, slots=True)
class Mirror:
    """The recorded broker, and the clock that its timers are set by."""

    broker: Broker
    now_ns: int = 0
    tokens: int = 0
    held: dict[Any, str] = field(default_factory=dict)
    """By worker, the token of its delivery, valid or not."""


def offer(mirror: Mirror, world: Kernel, at: At, token: str = "") -> Mirror:
    """Enqueue an evaluation, under the token of its delivery where it is with a worker."""
    entry = write_eval(world, *at)
    return replace(mirror, broker=component.enqueue(mirror.broker, entry, mirror.now_ns, token))


def begin(world: Kernel, profile: Profile) -> Mirror:
    """Give what has just been registered to a new broker."""
    settings = BrokerSettings(profile=profile, delivery_limit=int(world.deliveries))
    mirror = Mirror(component.enable(Broker(settings=settings)))
    for at in list_evals(world):
        if world.in_broker[at] != InBroker.OUT:
            mirror = offer(mirror, world, at)
    return mirror


def find_delivery(mirror: Mirror, at: At) -> str:
    delivery = mirror.broker.unack.get(name(*at))
    return delivery.token if delivery else ""


def let_alarm_ring(mirror: Mirror, world: Kernel, kind: str, at: At) -> Mirror:
    (alarm,) = [one for one in list_alarms(mirror.broker) if (one.kind, one.eval_id) == (kind, name(*at))]
    memory = leader_memory.fire(remember(mirror, world), write_records(world), alarm)
    return replace(mirror, broker=memory.broker, now_ns=max(mirror.now_ns, alarm.due_ns))


def remember(mirror: Mirror, world: Kernel) -> Memory:
    """Put blocked evals beside the broker: all that a delivery is asked about when it is given back."""
    evals = list_evals(world)
    tracked = {name(*at): write_held(world, at) for at in evals if world.blocked_in[at] != BlockedIn.OUT}
    return Memory(
        broker=mirror.broker,
        blocked_evals=BlockedEvals(
            captured=HashTrieMap(tracked),
            changes=tuple(Blocking(write_held(world, at)) for at in evals if world.arriving[at]),
            duplicates=tuple(write_eval(world, *at) for at in evals if world.duplicate[at]),
        ),
    )


def write_records(world: Kernel) -> State:
    """Write which evaluations the store has, and what has become of each."""
    evals = {at: EvalRecord(world.eval_record[at]) for at in list_evals(world)}
    return State.of(
        evals=[
            with_fields(write_eval(world, *at), status=RECORDS[record])
            for at, record in evals.items()
            if record != EvalRecord.ABSENT
        ]
    )


def write_held(world: Kernel, at: At) -> Held:
    return Held(write_eval(world, *at))


def put_first(mirror: Mirror, at: At, queue: str) -> Mirror:
    """Let an evaluation be the first of its queue where that is one of another job with its priority.

    The kernel does not say which of two jobs was there first.
    """
    ready = mirror.broker.queues[queue].ready
    (wanted,) = [one for one in ready if one.id == name(*at)]
    assert wanted.priority == max(one.priority for one in ready)
    others = tuple(one for one in ready if one is not wanted)
    first = with_fields(mirror.broker.queues[queue], ready=())
    broker = with_fields(mirror.broker, queues=mirror.broker.queues.insert(queue, first))
    for one in (with_fields(wanted, create_index=0), *others):
        broker = component.make_ready(broker, one, queue)
    return replace(mirror, broker=broker)


def deliver(mirror: Mirror, world: Kernel, at: At) -> tuple[Mirror, bool]:
    """Dequeue an evaluation; False where it is dropped, for it has ended."""
    queue, token = write_eval(world, *at).type, f"token {mirror.tokens}"
    memory = remember(put_first(mirror, at, queue), world)
    memory, entry = leader_memory.deliver(memory, write_records(world), queue, token, mirror.now_ns)
    assert entry is None or name(*at) == entry.id
    return replace(mirror, broker=memory.broker, tokens=mirror.tokens + 1), entry is not None


def reap(mirror: Mirror, at: At) -> Mirror:
    """Let the leader take an evaluation that used up its deliveries, and ack it."""
    first, token = put_first(mirror, at, FAILED_QUEUE).broker, f"token {mirror.tokens}"
    broker, entry = component.dequeue(first, FAILED_QUEUE, token, mirror.now_ns)
    assert name(*at) == entry.id
    return end(replace(mirror, broker=broker, tokens=mirror.tokens + 1), at)


def take_in(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Enqueue what a step makes, and what blocked evals hands back in it."""
    for each in list_evals(before):
        if before.made[each[0]] <= each[1] < after.made[each[0]] and is_offered(after, each):
            mirror = hand_in(mirror, after, each)
    if instance.rule.name in WAKING:
        for each in list_woken(instance.rule.name, before, after):
            mirror = offer(mirror, before, each, find_delivery(mirror, each))
    return mirror


def end(mirror: Mirror, at: At) -> Mirror:
    """Ack the delivery of an evaluation."""
    reply = component.ack(mirror.broker, name(*at), find_delivery(mirror, at), mirror.now_ns)
    assert not reply.error
    return replace(mirror, broker=reply.broker)


def give_back(mirror: Mirror, world: Kernel, at: At) -> Mirror:
    """Nack the delivery of an evaluation."""
    token = find_delivery(mirror, at)
    assert token
    memory = remember(mirror, world)
    memory = leader_memory.give_back(memory, write_records(world), name(*at), token, mirror.now_ns)
    return replace(mirror, broker=memory.broker)


def switch(before: Kernel, mirror: Mirror, *, is_on: bool) -> Mirror:
    """Flush the component, or enable it and give it what is pending."""
    if not is_on:
        return replace(mirror, broker=component.disable(mirror.broker))
    mirror = replace(mirror, broker=component.enable(mirror.broker))
    for at in list_evals(before):
        if before.eval_record[at] == EvalRecord.PENDING:
            mirror = hand_in(mirror, before, at)
    return mirror


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Give the component what a step of the kernel gives to the broker."""
    told = read_arguments(instance)
    at = (told.get("job", NONE), told.get("number", NONE))
    match instance.rule.name:
        case "Dequeue":
            mirror, is_delivered = deliver(mirror, before, at)
            assert is_delivered
            mirror = replace(mirror, held=mirror.held | {told["worker"]: find_delivery(mirror, at)})
        case "Discard":
            mirror, is_delivered = deliver(mirror, before, at)
            assert not is_delivered
        case "Ack" if before.holds[told["worker"]]:
            mirror = end(mirror, at)
        case "Nack" if before.holds[told["worker"]]:
            mirror = give_back(mirror, before, at)
        case "ExpireDelivery":
            mirror = let_alarm_ring(mirror, before, "nack", at)
        case "EndNackDelay" | "EndWait":
            mirror = let_alarm_ring(mirror, before, "delay", at)
        case "ReapFailed":
            mirror = reap(mirror, at)
        case "CancelCancelable" | "LoseCancelable":
            left = tuple(one for one in mirror.broker.cancelable if one.id != name(*at))
            mirror = replace(mirror, broker=with_fields(mirror.broker, cancelable=left))
        case rule if rule in FLUSHING or rule in RESTORING:
            mirror = switch(before, mirror, is_on=bool(after.leading and not after.paused))
        case _:
            pass
    return take_in(instance, before, after, stop_clocks(before, after, mirror))


def stop_clocks(before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Stop the clock of a delivery while its plan is with the applier, and start it again after that."""
    broker = mirror.broker
    for worker in after.workers:
        was, is_now = is_with_applier(before, worker), is_with_applier(after, worker)
        if after.holds[worker] and was != is_now:
            eval_id, token = name(after.job[worker], after.number[worker]), mirror.held[worker]
            reply = (
                component.pause_nack_timer(broker, eval_id, token)
                if is_now
                else component.resume_nack_timer(broker, eval_id, token, mirror.now_ns)
            )
            assert not reply.error
            broker = reply.broker
    return replace(mirror, broker=broker)


def end_delivery(word: str) -> Translate:
    """Call a rule by a word and its worker, and by whether the token of that is valid."""
    return lambda world, told: (word, told["worker"], bool(world.holds[told["worker"]]))


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List what the broker allows, to workers that have come so far."""
    broker, stages = mirror.broker, {worker: world.stage[worker] for worker in world.workers}
    places = {name(*at): at for at in list_evals(world)}
    for queue_name, queue in broker.queues.items():
        first = [one.id for one in queue.ready if one.priority == max(each.priority for each in queue.ready)]
        if queue_name == FAILED_QUEUE:
            yield from (("reap", one) for one in first if world.reaping)
        else:
            idle = [worker for worker in stages if stages[worker] == Stage.IDLE]
            for eval_id in first if idle else ():
                _, is_delivered = deliver(mirror, world, places[eval_id])
                yield from (("dequeue", w, eval_id) if is_delivered else ("drop", eval_id) for w in idle)
    for alarm in list_alarms(broker):
        yield ("time out" if alarm.kind == "nack" else "end a wait"), alarm.eval_id
    for one in broker.cancelable:
        yield "cancel", one.id
        if broker.settings.profile.has(FORGOTTEN_BATCH):
            yield "forget to cancel", one.id
    for stage, word, answer in (
        (Stage.ACKING, "ack", component.ack),
        (Stage.FAILING, "nack", component.nack),
    ):
        for worker in (each for each in stages if stages[each] == stage):
            eval_id = name(world.job[worker], world.number[worker])
            reply = answer(broker, eval_id, mirror.held[worker], mirror.now_ns)
            yield word, worker, not reply.error
    if broker.is_enabled:
        yield from (("make a core eval", job) for job in world.jobs if world.kind[job] == Kind.CORE)


def is_offered(world: Kernel, at: At) -> bool:
    """True while the leader has its broker take a new evaluation: it is pending, or of the leader's own."""
    is_own = world.kind[at[0]] == Kind.CORE
    return bool(
        world.leading and not world.paused and (is_own or world.eval_record[at] == EvalRecord.PENDING)
    )


def hand_in(mirror: Mirror, world: Kernel, at: At) -> Mirror:
    """Enqueue an evaluation that may have to wait for its time."""
    entry = with_fields(write_eval(world, *at), wait_ns=10**9 if is_delayed(world, *at) else 0)
    return replace(mirror, broker=component.enqueue(mirror.broker, entry, mirror.now_ns))


def show_kernel(world: Kernel) -> dict[str, Any]:
    return {
        name(*at): (_PLACES.get(InBroker(world.in_broker[at]), "nowhere"), bool(world.cancelable[at]))
        for at in list_evals(world)
    }


def show_component(world: Kernel, broker: Broker) -> dict[str, Any]:
    """Show where the component has each evaluation."""
    where = {one.id: "ready" for queue in broker.queues.values() for one in queue.ready}
    where |= (
        {one.id: "failed" for one in broker.queues[FAILED_QUEUE].ready}
        if FAILED_QUEUE in broker.queues
        else {}
    )
    where |= dict.fromkeys(broker.unack, "unacked") | dict.fromkeys(broker.waits, "waiting")
    where |= {one.id: "pending" for behind in broker.pending.values() for one in behind}
    listed = {one.id for one in broker.cancelable}
    return {name(*at): (where.get(name(*at), "nowhere"), name(*at) in listed) for at in list_evals(world)}


def check_edge(edge: Edge[Mirror]) -> None:
    """Compare kernel and component after a step."""
    shown = show_component(edge.after, edge.now.broker)
    assert show_kernel(edge.after) == shown, f"after {edge.rule}{edge.instance.arguments}"


BROKER = Subject(
    begin=begin,
    follow=follow,
    check=lambda _bounded, edge: check_edge(edge),
    rules={
        "Dequeue": lambda _world, told: ("dequeue", told["worker"], name(told["job"], told["number"])),
        "Discard": name_by_eval("drop"),
        "Ack": end_delivery("ack"),
        "Nack": end_delivery("nack"),
        "ExpireDelivery": name_by_eval("time out"),
        "EndNackDelay": name_by_eval("end a wait"),
        "EndWait": name_by_eval("end a wait"),
        "ReapFailed": name_by_eval("reap"),
        "CancelCancelable": name_by_eval("cancel"),
        "LoseCancelable": name_by_eval("forget to cancel"),
        "EnqueueCoreEval": lambda _world, told: ("make a core eval", told["job"]),
    },
    list_allowed=list_allowed,
    kernel_alone=BROKER_IN_KERNEL,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("scope", "fired"),
    [
        ("external-triggers", {"Dequeue", "Ack", "CancelCancelable"}),
        ("delivery-limit", {"Nack", "ExpireDelivery", "EndNackDelay", "ReapFailed", "EndWait"}),
        ("core-evals", {"EnqueueCoreEval", "ReapFailed", "CancelCancelable"}),
        ("redelivery", {"TrackBlocked", "RecoverNode", "ExpireDelivery"}),
        ("leader-change", {"LoseLeader", "GainLeader", "TrackBlocked"}),
        ("pause", {"PauseBroker", "ResumeBroker"}),
        ("preemption", {"Dequeue", "Ack"}),
        pytest.param("two-tokens", {"ExpireDelivery", "Nack"}, marks=pytest.mark.deep),
        pytest.param("requested-first", {"RequestEvaluation", "Nack"}, marks=pytest.mark.deep),
        pytest.param("follow-up-canceled", {"EndWait", "ReapFailed"}, marks=pytest.mark.deep),
    ],
)
def test_the_kernel_has_each_evaluation_where_the_recorded_broker_has_it(
    scope: str, fired: set[str], profile: str, length: int
) -> None:
    assert fired <= BROKER.compare(KERNEL.at(scope, profile=profile), STEPS * length)


def test_as_intended_both_drop_what_is_canceled_instead_of_delivering_it(length: int) -> None:
    sizes = {"jobs": 2, "workers": 1, "evals": 6, "external_triggers": 2}

    assert "Discard" in BROKER.compare(
        KERNEL.at("woken-late", sizes=sizes, profile="intended"), STEPS * length
    )


Story = tuple[tuple[str, dict[str, Any]], ...]
"""Rules with some of their arguments."""
JOBS = (JobId(0), JobId(1))

STORY: Story = (
    ("Dequeue", {"number": 0}),
    ("Begin", {}),
    ("Plan", {"to": (NONE, NONE)}),
    ("BlockAt", {"number": 0, "node": 0}),
    ("WriteOutcome", {"number": 0}),
    ("TrackBlocked", {"number": 1}),
    ("LoseNode", {"node": 1}),
    ("RecoverNode", {"node": 1}),
    ("WriteNodeEval", {}),
    ("Ack", {"number": 0}),
    ("LoseNode", {"node": 0}),
    ("RecoverNode", {"node": 0}),
)
"""An evaluation that blocked evals keeps under its node is cancelable, and then its node has room."""


def retell(bounded: BoundedModel, cells: Cells, story: Story) -> Iterator[Edge[Mirror]]:
    """Go from a start through the steps of a story, each the first of its kind."""
    mirror = begin(read_kernel(bounded, cells), bounded.profile)
    for rule, fixed in story:
        instance, target = next(
            (instance, target)
            for instance, target in bounded.successors(cells)
            if instance.rule.name == rule and fixed.items() <= read_arguments(instance).items()
        )
        before, after = read_kernel(bounded, cells), read_kernel(bounded, target)
        now = follow(instance, before, after, mirror)
        yield Edge(instance, before, after, mirror, now, target)
        cells, mirror = target, now


@pytest.mark.parametrize("is_written", [False, True])
def test_a_cancelable_evaluation_is_known_to_the_broker_and_not_offered_again(*, is_written: bool) -> None:
    bounded = KERNEL.at("woken-twice", profile="nomad-2.0")
    cells = next(one for one in bounded.initial if read_kernel(bounded, one).kind[JobId(0)] == Kind.SYSTEM)
    written = (("CancelCancelable", {"number": 1}),) if is_written else ()
    for edge in retell(bounded, cells, (*STORY[:10], *written, *STORY[10:])):
        check_edge(edge)

    assert ("nowhere", not is_written) == show_kernel(edge.after)[name(JobId(0), 1)]


def test_of_what_used_up_its_deliveries_the_highest_priority_is_reaped_first() -> None:
    bounded = KERNEL.at("preemption", sizes={"deliveries": 1, "errors": 2}, profile="nomad-2.0")
    cells = next(
        one for one in bounded.initial if [read_kernel(bounded, one).priority[job] for job in JOBS] == [0, 1]
    )
    given_back: Story = (("Dequeue", {}), ("FailOnError", {}), ("Nack", {}))
    *_, last = retell(bounded, cells, given_back * 2)

    reaped = [read_arguments(one)["job"] for one, _ in bounded.successors(last.target) if is_reaping(one)]
    assert [JOBS[1]] == reaped
    allowed = [choice for choice in list_allowed(last.after, last.now) if choice[0] == "reap"]
    assert [("reap", name(JOBS[1], 0))] == allowed


def is_reaping(instance: Instance) -> bool:
    return instance.rule.name == "ReapFailed"
