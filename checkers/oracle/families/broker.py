"""Judges the recordings of the eval broker: all it remembers after every operation, heap arrays too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import parse_instant, read
from nomadspec.model.cluster.components import broker as actions
from nomadspec.model.cluster.components.broker import Reply
from nomadspec.model.cluster.components.broker_clock import elapse
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings, list_candidate_queues
from nomadspec.model.cluster.entities import Evaluation

RULES: Final[Rules] = (
    ("t_ms", "BROKER-20"),
    ("state.ready", "BROKER-17"),
    ("state.unack", "BROKER-22"),
    ("state.pending", "BROKER-16"),
    ("state.slot", "BROKER-07"),
    ("state.wait", "BROKER-04"),
    ("state.delayed", "BROKER-10"),
    ("state.delay_heap", "BROKER-10"),
    ("state.cancelable", "BROKER-36"),
    ("state.requeue", "BROKER-03"),
    ("state.known", "BROKER-22"),
    ("state.stats", "BROKER-53"),
    ("any_of", "BROKER-21"),
)
_RULES_BY_OPERATION: Final[Mapping[str, str]] = {
    "dequeue": "BROKER-21",
    "ack": "BROKER-35",
    "nack": "BROKER-40",
    "outstanding-reset": "BROKER-30",
    "outstanding": "BROKER-22",
    "pause-nack": "BROKER-31",
    "resume-nack": "BROKER-31",
    "cancelable": "BROKER-51",
}
_NS_PER_MS: Final = 1_000_000
_EMPTY_WAIT_MS: Final = 2
"""So long a dequeue waits in vain."""


class Operation(msgspec.Struct, frozen=True, tag_field="op"):
    """Something that is done with the broker, and the time on the virtual clock after it."""

    t_ms: Whole


class SetEnabled(Operation, frozen=True, tag="set-enabled"):
    """The broker is switched on or off."""

    enabled: bool


class Enqueue(Operation, frozen=True, tag="enqueue"):
    """An eval is handed over."""

    eval: dict[str, Any]
    note: str = ""


class Restore(Enqueue, frozen=True, tag="restore"):
    """An eval is handed over by a new leader."""


class Handed(msgspec.Struct, frozen=True):
    """One of several evals that are handed over together."""

    eval: dict[str, Any]
    token: str


class EnqueueAll(Operation, frozen=True, tag="enqueue-all"):
    """Several evals are handed over."""

    evals: list[Handed]


class Choice(msgspec.Struct, frozen=True):
    """What a dequeue delivered."""

    eval: str
    token: str


class Dequeue(Operation, frozen=True, tag="dequeue"):
    """A worker asks for work; the answer is needed because the server chooses at random among queues."""

    schedulers: list[str]
    answer: Choice | None


class Ack(Operation, frozen=True, tag="ack"):
    """A delivery has done its work."""

    eval: str
    token: str


class Nack(Ack, frozen=True, tag="nack"):
    """A delivery has failed."""


class OutstandingReset(Ack, frozen=True, tag="outstanding-reset"):
    """A worker says that it is still at it."""


class PauseNack(Ack, frozen=True, tag="pause-nack"):
    """The clock of a delivery is stopped."""


class ResumeNack(Ack, frozen=True, tag="resume-nack"):
    """The clock of a delivery is started."""


class Outstanding(Operation, frozen=True, tag="outstanding"):
    """Whether an eval is delivered is asked."""

    eval: str


class Elapse(Operation, frozen=True, tag="elapse"):
    """Time passes: whole milliseconds of it, for the clock that is told counts no others."""

    ns: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1, multiple_of=_NS_PER_MS)]


class Cancelable(Operation, frozen=True, tag="cancelable"):
    """Cancelable evals are taken."""

    batch: int


class DropWaiting(Operation, frozen=True, tag="drop-waiting"):
    """An eval that waits for its date is called off."""

    eval: str


AnyOperation = (
    SetEnabled
    | Enqueue
    | Restore
    | EnqueueAll
    | Dequeue
    | Ack
    | Nack
    | OutstandingReset
    | PauseNack
    | ResumeNack
    | Outstanding
    | Elapse
    | Cancelable
    | DropWaiting
)


class Config(msgspec.Struct, frozen=True):
    """The parameters of the broker."""

    nack_timeout_ns: Whole
    initial_nack_delay_ns: Whole
    subsequent_nack_delay_ns: Whole
    delivery_limit: Whole


class Vector(msgspec.Struct, frozen=True):
    """One recording: a broker and what is done with it."""

    config: Config
    ops: list[AnyOperation]


def judge(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Follow a broker through all that is done with it.

    The clock moves by at least a millisecond between two operations: attempts that came to nothing were not
    recorded. Only the switching on of a broker takes no time. Where choices are left aside the clock is
    part of what was asked, and taken as it is.
    """
    shape = read_shape(Vector, vector)
    settings = BrokerSettings(profile=context.profile, **msgspec.structs.asdict(shape.config))
    broker = Broker(settings=settings)
    tokens = 0
    earliest_ms = 0
    for position, (operation, recorded) in enumerate(zip(shape.ops, vector["ops"], strict=True)):
        least_ms = 0 if context.ignores_choices else earliest_ms + _get_duration_ms(operation, broker)
        now_ms = max(operation.t_ms, least_ms)
        earliest_ms = now_ms + (not (isinstance(operation, SetEnabled) and operation.enabled))
        now_ns = compute_now_ns(now_ms)
        answer, broker = _apply(elapse(broker, now_ns), operation, now_ns, f"T{tokens + 1}")
        tokens += isinstance(operation, Dequeue) and bool(answer["answer"])
        broker = elapse(broker, now_ns)
        answer |= {"t_ms": now_ms, "state": show(broker)}
        rules = (*RULES, ("", _RULES_BY_OPERATION.get(recorded["op"], "BROKER-04")))
        yield from compare(list_told(operation, recorded), answer, f"ops[{position}]", rules)


def compute_now_ns(since_start_ms: int) -> int:
    """Compute the time on the virtual clock of these recordings."""
    start_ns = parse_instant("2000-01-01T00:00:00Z") or 0
    return start_ns + since_start_ms * _NS_PER_MS


def list_told(operation: msgspec.Struct, recorded: Mapping[str, Any]) -> dict[str, Any]:
    """List what the recording of an operation tells, without what was asked."""
    asked = {"op", *operation.__struct_encode_fields__} - {"t_ms", "answer"}
    return {key: value for key, value in recorded.items() if key not in asked}


def _get_duration_ms(operation: AnyOperation, broker: Broker) -> int:
    match operation:
        case Elapse(ns=passed):
            return passed // _NS_PER_MS
        case Dequeue(answer=None) if broker.is_enabled:
            return _EMPTY_WAIT_MS
    return 0


def _apply(broker: Broker, operation: AnyOperation, now_ns: int, token: str) -> tuple[dict[str, Any], Broker]:
    """Do one operation, and give what it answers and the broker after it."""
    match operation:
        case Ack():
            reply = _return(broker, operation, now_ns)
            return ({"error": reply.error} if reply.error else {}), reply.broker
        case Dequeue():
            return _dequeue(broker, operation, now_ns, token)
        case Outstanding(eval=eval_id):
            held = actions.find_token(broker, eval_id)
            return {"answer": {"token": held or "", "ok": held is not None}}, broker
        case Cancelable(batch=size):
            after, taken = actions.take_cancelable(broker, size)
            return {"answer": list_ids(taken)}, after
    return {}, _change(broker, operation, now_ns)


def _change(broker: Broker, operation: AnyOperation, now_ns: int) -> Broker:
    """Do an operation that answers nothing."""
    match operation:
        case SetEnabled(enabled=enabled):
            return actions.enable(broker) if enabled else actions.disable(broker)
        case Enqueue(eval=raw):
            return actions.enqueue(broker, read(Evaluation, raw), now_ns)
        case EnqueueAll(evals=handed):
            pairs = [(read(Evaluation, one.eval), one.token) for one in handed]
            return actions.enqueue_all(broker, pairs, now_ns)
        case DropWaiting(eval=eval_id):
            return actions.drop_waiting(broker, eval_id)
    return broker


def _return(broker: Broker, operation: Ack, now_ns: int) -> Reply:
    """Do something with a delivery."""
    asked = (broker, operation.eval, operation.token)
    match operation:
        case Nack():
            return actions.nack(*asked, now_ns)
        case OutstandingReset():
            return actions.reset_nack_timer(*asked, now_ns)
        case PauseNack():
            return actions.pause_nack_timer(*asked)
        case ResumeNack():
            return actions.resume_nack_timer(*asked, now_ns)
    return actions.ack(*asked, now_ns)


def _dequeue(broker: Broker, operation: Dequeue, now_ns: int, token: str) -> tuple[dict[str, Any], Broker]:
    """Deliver what was delivered, if it is among what the server chooses from."""
    if not broker.is_enabled:
        return {"answer": None, "error": actions.DISABLED}, broker
    queues = list_candidate_queues(broker, operation.schedulers)
    by_root = {broker.queues[name].ready[0].id: name for name in queues}
    if not by_root:
        return {"answer": None}, broker
    recorded = operation.answer.eval if operation.answer else ""
    chosen = recorded if recorded in by_root else min(by_root)
    after, entry = actions.dequeue(broker, by_root[chosen], token, now_ns)
    answer: dict[str, Any] = {"answer": {"eval": entry.id, "token": token}}
    return answer | ({"any_of": sorted(by_root)} if len(by_root) > 1 else {}), after


def list_ids(entries: Sequence[Evaluation]) -> list[str]:
    """List the IDs of evals in their order."""
    return [entry.id for entry in entries]


def show(broker: Broker) -> dict[str, Any]:
    """Show a broker the way the recordings do."""
    queues = broker.queues.items()
    return {
        "ready": {name: list_ids(queue.ready) for name, queue in queues if queue.ready},
        "unack": {eval_id: delivery.token for eval_id, delivery in broker.unack.items()},
        "pending": {"/".join(job): list_ids(behind) for job, behind in broker.pending.items()},
        "slot": {"/".join(job): eval_id for job, eval_id in broker.slots.items()},
        "wait": sorted(broker.waits.keys()),
        "delayed": sorted(list_ids(broker.delayed)),
        "delay_heap": len(broker.delayed),
        "cancelable": list_ids(broker.cancelable),
        "requeue": {token: entry.id for token, entry in broker.requeue.items()},
        "known": dict(broker.known.items()),
        "stats": {
            "TotalReady": sum(len(queue.ready) for _, queue in queues),
            "TotalUnacked": len(broker.unack),
            "TotalPending": sum(len(behind) for behind in broker.pending.values()),
            "TotalWaiting": broker.waiting_count,
            "TotalCancelable": len(broker.cancelable),
            "ByScheduler": {
                name: {"Ready": len(queue.ready), "Unacked": queue.unacked} for name, queue in queues
            },
        },
    }


JUDGES: Final[Mapping[str, Judge]] = {"sequences": judge}
