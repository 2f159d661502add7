"""What must be true of evaluations: what has ended stays so, none is delivered twice, none is forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from nomadspec.invariants.cluster.world.registry import Step, always, list_changed, on_step
from nomadspec.model.cluster.acts import SubmitPlan
from nomadspec.model.cluster.components.broker_state import FAILED_QUEUE, Broker, JobKey, get_job_key
from nomadspec.model.cluster.entities import Evaluation, Trigger
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.entities.evaluation import is_terminal
from nomadspec.model.cluster.scheduler.attempts import LIMITS
from nomadspec.model.cluster.scheduler.outcome import Answer

_CORE: Final = "_core"
_BLOCKED_TRIGGERS: Final = frozenset({Trigger.QUEUED_ALLOCS, Trigger.MAX_PLAN_ATTEMPTS})


@on_step("OBJ-182", reads="evals", because="The reported outcome of an evaluation would change later.")
def terminal_eval_stays_terminal(step: Step) -> Iterator[str]:
    """An evaluation that is complete, failed or canceled keeps its status."""
    for was, now in list_changed(step.before.state.evals, step.after.state.evals):
        if is_terminal(was) and now.status != was.status:
            yield f"eval {now.id} was {was.status} and is {now.status}"


@always("EVAL-24", "EVAL-31", reads="evals", because="A reader could not follow why a job was evaluated.")
def links_of_evals_lead_back(step: Step) -> Iterator[str]:
    """A blocked evaluation and a follow-up name the evaluation that names them."""
    evals = step.after.state.evals
    for entry in evals.values():
        blocked = evals.get(entry.blocked_eval)
        if blocked is not None and (
            blocked.previous_eval != entry.id or blocked.triggered_by not in _BLOCKED_TRIGGERS
        ):
            yield f"eval {entry.id} names the blocked {blocked.id}, which comes from {blocked.previous_eval}"
        following = evals.get(entry.next_eval)
        if following is not None and following.previous_eval != entry.id:
            yield f"eval {entry.id} names {following.id} as next, which comes from {following.previous_eval}"


@always("EVAL-31", reads="evals", because="A reader who follows the links would go in circles.")
def chain_of_evals_has_no_cycle(step: Step) -> Iterator[str]:
    """The evaluation that one comes from was written no later than it."""
    evals = step.after.state.evals
    ending: set[str] = set()  # whose chains are known to end: none is followed twice
    for entry in evals.values():
        seen, current = {entry.id}, entry
        while (earlier := evals.get(current.previous_eval)) is not None and earlier.id not in ending:
            if earlier.id in seen:
                yield f"eval {entry.id} comes from itself by way of {current.id}"
                break
            seen.add(earlier.id)
            current = earlier
        else:
            ending |= seen


@always("OBJ-020", reads="evals allocs jobs deployments", because="Blocking queries would miss a change.")
def indexes_are_in_order(step: Step) -> Iterator[str]:
    """No object was made after it was last changed, or changed after the last entry."""
    state = step.after.state
    latest = state.latest_index
    for table in (state.evals, state.allocs, state.jobs, state.deployments):
        for row in table.values():
            if not row.create_index <= row.modify_index <= latest:
                yield f"{row.id}: made at {row.create_index}, changed at {row.modify_index}, of {latest}"


@on_step(
    "OBJ-020", reads="evals allocs jobs deployments nodes", because="Blocking queries would miss a change."
)
def indexes_never_go_back(step: Step) -> Iterator[str]:
    """The index at which an object was last changed never decreases, and that of its making never changes."""
    before, after = step.before.state, step.after.state
    for old, new in (
        (before.evals, after.evals),
        (before.allocs, after.allocs),
        (before.jobs, after.jobs),
        (before.deployments, after.deployments),
        (before.nodes, after.nodes),
    ):
        for was, now in list_changed(old, new) if old is not new else ():
            if now.create_index != was.create_index or now.modify_index < was.modify_index:
                made, then, last = now.create_index, was.modify_index, now.modify_index
                yield f"{now.id}: made at {was.create_index}, now {made}; changed at {then}, now {last}"


@always("BROKER-06", "BROKER-36", reads="broker", because="Two workers would plan for one job at once.")
def job_has_one_eval_in_flight(step: Step) -> Iterator[str]:
    """At most one evaluation of a job is ready, delivered, or waiting for its next delivery."""
    broker = step.after.leader.memory.broker
    held = Counter(get_job_key(entry) for entry in _list_in_flight(broker) if entry.type != _CORE)
    for (_, job_id), count in held.items():
        if count > 1:
            yield f"job {job_id} has {count} evaluations that are ready or delivered"


def _list_in_flight(broker: Broker) -> Iterator[Evaluation]:
    """List what is ready or delivered; what only the reaper will see is over for schedulers."""
    for name, queue in broker.queues.items():
        if name != FAILED_QUEUE:
            yield from queue.ready
    yield from (delivery.eval for delivery in broker.unack.values())


@always("BROKER-02", "BROKER-50", reads="broker", because="An evaluation would be worked on twice, or never.")
def eval_is_in_one_place_of_broker(step: Step) -> Iterator[str]:
    """The broker holds no evaluation in two places, and none that it does not know."""
    broker = step.after.leader.memory.broker
    places = Counter(entry.id for entry in _list_all(broker))
    for eval_id, count in places.items():
        if count > 1:
            yield f"eval {eval_id} is in {count} places of the broker"
        if eval_id not in broker.known:
            yield f"eval {eval_id} is in the broker, which does not know it"


def _list_all(broker: Broker) -> Iterator[Evaluation]:
    for queue in broker.queues.values():
        yield from queue.ready
    for heap in broker.pending.values():
        yield from heap
    yield from (delivery.eval for delivery in broker.unack.values())
    yield from (waiting.eval for waiting in broker.waits.values())
    yield from broker.delayed


@always("BROKER-22", reads="broker", because="An answer to one delivery would end another.")
def deliveries_have_tokens_of_their_own(step: Step) -> Iterator[str]:
    """No two deliveries that are outstanding share a token."""
    tokens = Counter(delivery.token for delivery in step.after.leader.memory.broker.unack.values())
    yield from (f"token {token} is of {count} deliveries" for token, count in tokens.items() if count > 1)


@always(
    "BLOCKED-20", "BLOCKED-21", reads="blocked_evals", because="One change would evaluate a job many times."
)
def job_has_one_blocked_eval(step: Step) -> Iterator[str]:
    """At most one evaluation of a job, system jobs aside, is tracked as blocked, and its job is known."""
    blocked_evals = step.after.leader.memory.blocked_evals
    held = [each.eval for table in (blocked_evals.captured, blocked_evals.escaped) for each in table.values()]
    of_job: Counter[JobKey] = Counter(get_job_key(entry) for entry in held)
    for (_, job_id), count in of_job.items():
        if count > 1:
            yield f"job {job_id} has {count} blocked evaluations"
    for entry in held:
        if blocked_evals.jobs.get(get_job_key(entry)) is None:
            yield f"eval {entry.id} is tracked, and its job {entry.job_id} has none"


@always(
    "LEADER-08",
    "BLOCKED-46",
    reads="broker blocked_evals",
    because="A server that does not lead would deliver.",
)
def disabled_memory_is_empty(step: Step) -> Iterator[str]:
    """A broker and blocked evals that are switched off hold nothing."""
    broker, blocked_evals = step.after.leader.memory.broker, step.after.leader.memory.blocked_evals
    if not broker.is_enabled:
        yield from (f"eval {entry.id} is in a broker that is off" for entry in _list_all(broker))
    if not blocked_evals.is_enabled:
        for table in (blocked_evals.captured, blocked_evals.escaped, blocked_evals.system):
            yield from (f"eval {eval_id} is tracked although nothing is" for eval_id in table)


@on_step("SYSTEM-04", "GENERIC-07", "PLAN-90", reads="workers", because="A worker would plan without end.")
def rejected_plans_end_a_delivery(step: Step) -> Iterator[str]:
    """A worker submits no more plans that are rejected as a whole than its scheduler has attempts.

    One more is allowed: a deployment that is new counts as progress once (PLAN-96).
    """
    if not isinstance(step.act, SubmitPlan):
        return
    call = step.before.workers[step.act.worker].call
    if call is None:
        return
    rejected = takewhile(_is_rejected, reversed(call.answers))
    count, limit = sum(1 for _ in rejected), LIMITS[call.evaluation.type]
    if count > limit:
        yield f"eval {call.evaluation.id} had {count} plans rejected, and {step.act.worker} submits another"


def _is_rejected(answer: Answer) -> bool:
    """True if nothing of a plan was taken but the deployment that it carries.

    That a deployment which had ended shall be successful changes nothing (SYSDEP-24).
    """
    result = answer.result
    if result is None:
        return True
    ended = {one.id for one in (result.deployment,) if one is not None and not is_active(one)}
    has_news = any(update.deployment_id not in ended for update in result.deployment_updates)
    return not (result.node_update or result.node_allocation or has_news)


EVAL_PROPERTIES: Final = (
    terminal_eval_stays_terminal,
    links_of_evals_lead_back,
    chain_of_evals_has_no_cycle,
    indexes_are_in_order,
    indexes_never_go_back,
    job_has_one_eval_in_flight,
    eval_is_in_one_place_of_broker,
    deliveries_have_tokens_of_their_own,
    job_has_one_blocked_eval,
    disabled_memory_is_empty,
    rejected_plans_end_a_delivery,
)
