"""What a leader remembers beside the state: how applied entries reach the broker and blocked evals."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components import blocked, broker, broker_clock
from nomadspec.model.cluster.components.blocked_state import BlockedEvals, Blocking, Held, find_held
from nomadspec.model.cluster.components.broker_clock import Alarm
from nomadspec.model.cluster.components.broker_state import Broker
from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.cluster.store.handed_to_leader import (
    Block,
    DropWaiting,
    Enqueue,
    Handed,
    Unblock,
    UnblockClassAndQuota,
    UnblockNode,
    UnblockQuota,
    Untrack,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.quirks import CANCELLED_IS_DELIVERED, FORGOTTEN_WAKE, KEPT_TWICE, LOST_ACK


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """The broker and blocked evals of a server; only a leader's are enabled."""

    broker: Broker
    blocked_evals: BlockedEvals = BlockedEvals()


def take_in(memory: Memory, handed: Iterable[Handed], now_ns: int) -> Memory:
    """Take in what a committed entry hands out, in its order; what is for others is left to them.

    Spec: FSM-01, FSM-02, FSM-03, FSM-24.
    """
    for one in handed:
        match one:
            case Enqueue(evaluation=entry):
                memory = replace(memory, broker=broker.enqueue(memory.broker, entry, now_ns))
            case DropWaiting(evaluation=entry):
                memory = replace(memory, broker=broker.drop_waiting(memory.broker, entry.id))
            case _:
                memory = replace(memory, blocked_evals=_tell(memory.blocked_evals, one, now_ns))
    return memory


def _tell(blocked_evals: BlockedEvals, one: Handed, now_ns: int) -> BlockedEvals:
    match one:
        case Block(evaluation=entry):
            return blocked.block(blocked_evals, entry)
        case Untrack(namespace=namespace, job_id=job_id):
            return blocked.untrack(blocked_evals, (namespace, job_id))
    return _tell_free(blocked_evals, one, now_ns)


def _tell_free(blocked_evals: BlockedEvals, one: Handed, now_ns: int) -> BlockedEvals:
    match one:
        case Unblock(computed_class=node_class, index=index):
            return blocked.unblock(blocked_evals, node_class, index, now_ns)
        case UnblockClassAndQuota(computed_class=node_class, quota=quota, index=index):
            return blocked.unblock_class_and_quota(blocked_evals, node_class, quota, index, now_ns)
        case UnblockQuota(quota=quota, index=index):
            return blocked.unblock_quota(blocked_evals, quota, index, now_ns)
        case UnblockNode(node_id=node_id):
            return blocked.unblock_node(blocked_evals, node_id)
    return blocked_evals


def process_next(memory: Memory, now_ns: int, *, is_missed_in_doubt: bool = True) -> Memory:
    """Let blocked evals do what waits first, and the broker take what it frees.

    Spec: BLOCKED-02, BLOCKED-41.
    """
    blocked_evals, freed = blocked.process_next(
        memory.blocked_evals,
        now_ns,
        profile=memory.broker.settings.profile,
        is_missed_in_doubt=is_missed_in_doubt,
    )
    return _enqueue_freed(memory, blocked_evals, freed, now_ns)


def deliver(
    memory: Memory, state: State, queue_name: str, token: str, now_ns: int
) -> tuple[Memory, Evaluation | None]:
    """Deliver the first eval of a queue; as intended one that has ended meanwhile is dropped instead.

    Spec: BROKER-21, BROKER-22, BROKER-36, EVAL-45, BUG-013.
    """
    left, entry = broker.dequeue(memory.broker, queue_name, token, now_ns)
    if not left.settings.profile.has(CANCELLED_IS_DELIVERED) and has_ended(state, entry.id):
        return replace(memory, broker=broker.ack(left, entry.id, token, now_ns).broker), None
    return replace(memory, broker=left), entry


def fire(memory: Memory, state: State, alarm: Alarm) -> Memory:
    """Let a timer of the broker fire: that of a delivery gives it back.

    Spec: BROKER-04, BROKER-32.
    """
    token = broker.find_token(memory.broker, alarm.eval_id) if alarm.kind == "nack" else None
    if token is not None:
        return give_back(memory, state, alarm.eval_id, token, alarm.due_ns)
    return replace(memory, broker=broker_clock.fire(memory.broker, alarm))


def give_back(memory: Memory, state: State, eval_id: str, token: str, now_ns: int) -> Memory:
    """Take back a delivery; as intended, the nack of an eval that has ended or is blocked again is its ack.

    Spec: BROKER-32, BROKER-40, WORKER-03, WORKER-32, X-08, X-12.
    """
    profile = memory.broker.settings.profile
    is_done = not profile.has(LOST_ACK) and has_ended(state, eval_id)
    is_kept = not profile.has(KEPT_TWICE) and _is_kept(memory.blocked_evals, eval_id)
    answer = broker.ack if is_done or is_kept else broker.nack
    return replace(memory, broker=answer(memory.broker, eval_id, token, now_ns).broker)


def has_ended(state: State, eval_id: str) -> bool:
    """True if an eval is terminal in the store, whatever broker and workers have of it."""
    stored = state.find_eval(eval_id)
    return stored is not None and is_terminal(stored)


def _is_kept(blocked_evals: BlockedEvals, eval_id: str) -> bool:
    """True while an eval is tracked as blocked, is about to be, or is a duplicate of another one.

    One of a system job that its node class has freed is still remembered by node, and is no longer tracked.
    """
    arriving = (change.held.eval.id for change in blocked_evals.changes if isinstance(change, Blocking))
    waiting = (*arriving, *(each.id for each in blocked_evals.duplicates))
    return find_held(blocked_evals, eval_id) is not None or eval_id in waiting


def unblock_failed(memory: Memory, now_ns: int) -> Memory:
    """Try again, as is done once a minute, what failed because its plans were rejected.

    Spec: BLOCKED-44, LEADER-50.
    """
    profile = memory.broker.settings.profile
    blocked_evals, freed = blocked.unblock_failed(memory.blocked_evals, now_ns, profile=profile)
    return _enqueue_freed(memory, blocked_evals, freed, now_ns)


def _enqueue_freed(memory: Memory, blocked_evals: BlockedEvals, freed: Iterable[Held], now_ns: int) -> Memory:
    handed = ((held.eval, held.token) for held in freed)
    return Memory(broker=broker.enqueue_all(memory.broker, handed, now_ns), blocked_evals=blocked_evals)


def is_broker_paused(state: State) -> bool:
    """True while the operator wants the broker and the blocked evaluations switched off."""
    return state.configuration is not None and state.configuration.pause_eval_broker


def set_enabled(memory: Memory, state: State, now_ns: int, *, is_enabled: bool) -> Memory:
    """Switch both on or off; once they are newly on, they get every eval that has not ended.

    Spec: LEADER-01, LEADER-04, LEADER-08, FSM-29.
    """
    if not is_enabled:
        return Memory(broker=broker.disable(memory.broker), blocked_evals=blocked.disable())
    is_news = not (memory.broker.is_enabled and memory.blocked_evals.is_enabled)
    enabled = Memory(
        broker=broker.enable(memory.broker), blocked_evals=blocked.enable(memory.blocked_evals, now_ns)
    )
    return restore(enabled, state, now_ns) if is_news else enabled


def restore(memory: Memory, state: State, now_ns: int) -> Memory:
    """Give broker and blocked evals the evals of the state, the oldest first.

    Spec: LEADER-02, BROKER-09, X-11.
    """
    is_forgotten = memory.broker.settings.profile.has(FORGOTTEN_WAKE)
    for entry in state.list_evals():
        if entry.status == EvalStatus.PENDING:
            memory = replace(memory, broker=broker.enqueue(memory.broker, entry, now_ns))
        elif entry.status == EvalStatus.BLOCKED:
            blocked_evals = blocked.block(memory.blocked_evals, entry, is_restored=not is_forgotten)
            memory = replace(memory, blocked_evals=blocked_evals)
    return memory
