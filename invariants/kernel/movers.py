"""Who moves what: a status, a place and a stage change in the rules that are there for it, and in no other.

The lifecycle tables say which changes there are. These tables say who makes them.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from nomadspec.invariants.kernel.lifecycles import Pairs, is_one_of
from nomadspec.model.kernel import (
    applier,
    blocked,
    broker,
    clients,
    collection,
    deployments,
    disconnects,
    jobs,
    leader,
    nodes,
    pipeline,
    preemption,
    worker,
)
from nomadspec.model.kernel.state import AllocPhase, Flight, Kernel, Place, Record, Rollout, Stage, Tracking
from nomadspec.model.logic import Value, all_of, any_of, for_all, implies, one_of
from nomadspec.model.property import By, step
from nomadspec.model.rule import Rule

Targets = Mapping[int, frozenset[str]]
"""The rules, by name, in which something comes to be what a number stands for."""
Arrows = Mapping[str, Pairs]
"""What a rule, by its name, changes into what; a rule that is not named changes nothing."""


def name_all(rules: Iterable[Rule]) -> frozenset[str]:
    """List the names of rules."""
    return frozenset(rule.name for rule in rules)


MAKERS: Final = (
    jobs.update_job,
    jobs.amend_job,
    jobs.stop_job,
    jobs.register_again,
    jobs.evaluate_job,
    jobs.purge_job,
    nodes.drain_alloc,
    nodes.move_alloc,
    nodes.write_node_eval,
    disconnects.reconnect_alloc,
    deployments.watch_health,
    deployments.fail_rollout,
    deployments.steer_rollout,
    broker.make_misfit,
    broker.request_evaluation,
    clients.fail_alloc,
    applier.apply_plan,
    pipeline.commit,
)
"""The rules that make an evaluation which is to run at once."""

WAKERS: Final = (
    nodes.recover_node,
    nodes.hear_node,
    nodes.ready_node,
    nodes.open_node,
    clients.fail_alloc,
    clients.complete_alloc,
    clients.report_end,
)
"""The rules that unblock what waits for capacity."""

_BLOCKERS: Final = (worker.block, worker.block_at, worker.give_up)
_RESTORERS: Final = (leader.gain_leader, leader.resume)
_FORGETTERS: Final = (leader.lose_leader, leader.pause)
_ENDERS: Final = (broker.expire_delivery, worker.nack, worker.ack, broker.discard, broker.reap_failed)
"""The rules that free a job for the next evaluation behind it."""
_PURGERS: Final = (jobs.purge_job, collection.reap_job)

RECORDS: Final[Targets] = {
    Record.ABSENT: name_all((collection.collect_eval, collection.delete_eval)),
    Record.PENDING: name_all((*MAKERS, broker.reap_failed, disconnects.mark_unknown)),
    Record.BLOCKED: name_all(_BLOCKERS),
    Record.COMPLETE: name_all((worker.write_outcome, *_PURGERS)),
    Record.FAILED: name_all((worker.reject, worker.give_up, broker.reap_failed)),
    Record.CANCELED: name_all(
        (
            worker.write_outcome,
            broker.cancel_superseded,
            blocked.cancel_duplicate,
            disconnects.reconnect_alloc,
            clients.fail_alloc,
        )
    ),
}

_QUEUED: Final = (*MAKERS, broker.enqueue_core, broker.end_wait, *WAKERS, *_RESTORERS, worker.ack)
_RETRIED: Final = (blocked.track, blocked.retry_failed_plans)

PLACES: Final[Targets] = {
    Place.OUT: name_all((*_ENDERS, *_FORGETTERS, *_PURGERS, disconnects.reconnect_alloc, clients.fail_alloc)),
    Place.READY: name_all((*_QUEUED, *_RETRIED, *_ENDERS, *_PURGERS, broker.end_nack_delay)),
    Place.UNACKED: name_all((broker.dequeue,)),
    Place.NACKED: name_all((broker.expire_delivery, worker.nack)),
    Place.BEHIND: name_all((*_QUEUED, *_RETRIED)),
    Place.WAITING: name_all((broker.reap_failed, disconnects.mark_unknown, *_RESTORERS)),
    Place.FAILED: name_all((broker.expire_delivery, worker.nack)),
}

TRACKINGS: Final[Targets] = {
    Tracking.OUT: name_all((*WAKERS, *_RETRIED, *_FORGETTERS, worker.write_outcome)),
    Tracking.CAPTURED: name_all((blocked.track,)),
    Tracking.ESCAPED: name_all((blocked.track,)),
}

ALLOCATIONS: Final[Targets] = {
    AllocPhase.LIVE: name_all((applier.apply_plan, pipeline.commit, disconnects.reconnect_alloc)),
    AllocPhase.STOPPED: name_all((applier.apply_plan, pipeline.commit)),
    AllocPhase.FAILED: name_all((clients.fail_alloc,)),
    AllocPhase.COMPLETE: name_all((clients.complete_alloc,)),
    AllocPhase.UNKNOWN: name_all((disconnects.mark_unknown,)),
    AllocPhase.GONE: name_all((collection.collect_alloc, *_PURGERS)),
}

ROLLOUTS: Final[Targets] = {
    Rollout.ABSENT: name_all(_PURGERS),
    Rollout.RUNNING: name_all((deployments.write_rollout, deployments.steer_rollout)),
    Rollout.PAUSED: name_all((deployments.write_rollout, deployments.steer_rollout)),
    Rollout.SUCCESSFUL: name_all((deployments.finish_rollout,)),
    Rollout.FAILED: name_all((deployments.fail_rollout, deployments.steer_rollout)),
    Rollout.CANCELLED: name_all((deployments.cancel_rollout,)),
}

_ANSWERS: Final = (Stage.DECIDED, Stage.REFUSED, Stage.EXHAUSTED, Stage.FAILING)


def pair_up(sources: Iterable[int], targets: Iterable[int]) -> Pairs:
    """List each change from one of the sources to one of the targets."""
    after = tuple(targets)
    return tuple((int(source), int(target)) for source in sources for target in after)


def _arrows_of(*rows: tuple[tuple[Rule, ...], Iterable[int], Iterable[int]]) -> Arrows:
    return {rule.name: pair_up(sources, targets) for rules, sources, targets in rows for rule in rules}


STAGES: Final[Arrows] = _arrows_of(
    ((broker.dequeue,), [Stage.IDLE], [Stage.TAKEN]),
    ((worker.begin, worker.begin_behind), [Stage.TAKEN], [Stage.PLANNING]),
    ((worker.reject,), [Stage.TAKEN], [Stage.ACKING, Stage.FAILING]),
    ((worker.run_core,), [Stage.TAKEN], [Stage.ACKING]),
    ((worker.err,), [Stage.TAKEN, Stage.PLANNING, Stage.PLANNED, Stage.REFUSED], [Stage.FAILING]),
    ((worker.plan, preemption.plan_preemption), [Stage.PLANNING], [Stage.PLANNED, Stage.DECIDED]),
    ((disconnects.mark_unknown,), [Stage.PLANNING], [Stage.FAILING, Stage.REFUSED]),
    ((worker.block,), [Stage.PLANNED, Stage.DECIDED], [Stage.FAILING]),
    ((worker.submit,), [Stage.PLANNED], [Stage.SUBMITTED, Stage.FAILING, Stage.DECIDED]),
    ((applier.apply_plan, applier.refuse_gang), [Stage.SUBMITTED], _ANSWERS),
    ((pipeline.evaluate, pipeline.evaluate_gang), [Stage.SUBMITTED], [Stage.JUDGED, *_ANSWERS]),
    ((pipeline.judge_again,), [Stage.JUDGED], [Stage.SUBMITTED]),
    ((pipeline.dispatch,), [Stage.JUDGED], [Stage.FLYING, Stage.FAILING]),
    ((pipeline.commit,), [Stage.FLYING], _ANSWERS),
    ((pipeline.crash, pipeline.fall), [Stage.FLYING], [Stage.FAILING]),
    ((pipeline.miss_refresh,), [Stage.REFUSED], [Stage.FAILING]),
    ((worker.refresh,), [Stage.REFUSED], [Stage.PLANNING]),
    ((worker.write_outcome,), [Stage.DECIDED], [Stage.ACKING, Stage.FAILING]),
    ((worker.give_up,), [Stage.EXHAUSTED], [Stage.ACKING, Stage.FAILING]),
    ((worker.ack,), [Stage.ACKING], [Stage.IDLE]),
    ((worker.nack,), [Stage.FAILING], [Stage.IDLE]),
    ((leader.lose_leader,), [Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING], [Stage.FAILING]),
)

_OF_AN_EVALUATION: Final = (
    worker.reject,
    worker.block,
    worker.block_at,
    worker.write_outcome,
    worker.give_up,
    worker.ack,
    worker.nack,
    disconnects.mark_unknown,
    broker.expire_delivery,
)
_OF_A_DELIVERY: Final = (
    *_OF_AN_EVALUATION,
    worker.run_core,
    worker.begin,
    worker.begin_behind,
    worker.plan,
    preemption.plan_preemption,
    worker.submit,
    worker.refresh,
    applier.apply_plan,
    applier.refuse_gang,
    pipeline.evaluate,
    pipeline.evaluate_gang,
    pipeline.dispatch,
)
_LEADING_ON: Final = (
    broker.dequeue,
    worker.reject,
    worker.run_core,
    worker.begin,
    worker.begin_behind,
    worker.err,
    worker.plan,
    preemption.plan_preemption,
    worker.submit,
    worker.refresh,
    worker.write_outcome,
    worker.give_up,
    worker.ack,
    worker.nack,
    applier.apply_plan,
    applier.refuse_gang,
    pipeline.evaluate,
    pipeline.evaluate_gang,
    pipeline.judge_again,
    pipeline.dispatch,
    pipeline.miss_refresh,
)

FLIGHTS: Final[Arrows] = _arrows_of(
    ((pipeline.dispatch,), [Flight.FREE], [Flight.FLYING, Flight.STRAY]),
    ((pipeline.commit,), [Flight.FLYING, Flight.STRAY], [Flight.LANDED, Flight.CRASHED, Flight.FREE]),
    (
        (pipeline.crash, pipeline.fall, pipeline.lose_entry),
        [Flight.FLYING, Flight.STRAY],
        [Flight.CRASHED, Flight.FREE],
    ),
    ((pipeline.collect, pipeline.await_completion), [Flight.LANDED, Flight.CRASHED], [Flight.FREE]),
    ((pipeline.judge_again,), [Flight.CRASHED], [Flight.FREE]),
    ((leader.lose_leader,), [Flight.LANDED, Flight.CRASHED], [Flight.FREE]),
)


def list_targets(by: By, table: Targets) -> tuple[int, ...]:
    """List what a step may turn something into."""
    return tuple(target for target, names in table.items() if by.rule.name in names)


def is_made_by(by: By, table: Targets, before: Value, after: Value) -> Value:
    """Say that nothing changed, or that the rule of the step is there to turn something into that."""
    return any_of(before == after, one_of(after, *list_targets(by, table)))


def is_arrow_of(by: By, table: Arrows, before: Value, after: Value) -> Value:
    """Say that nothing changed, or that it is a change of the rule of the step."""
    return is_one_of(table.get(by.rule.name, ()), before, after)


@step("EVAL-01", "EVAL-37", "LEADER-20", "LEADER-40", why="who finds a status relies on who has written it")
def records_are_written_by_who_may(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that each status is written by those whose decision it is."""
    return for_all(
        is_made_by(by, RECORDS, s.record[j, e], n.record[j, e]) for j in s.jobs for e in s.eval_numbers
    )


@step("BROKER-04", "BROKER-20", "BROKER-36", "BROKER-40", why="an evaluation must not move by itself")
def evaluations_are_moved_by_who_may(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an evaluation comes to a place of the broker by what is there to bring it."""
    return for_all(
        is_made_by(by, PLACES, s.place[j, e], n.place[j, e]) for j in s.jobs for e in s.eval_numbers
    )


@step("BLOCKED-10", "BLOCKED-40", "BLOCKED-44", why="what is woken for nothing runs for nothing")
def the_blocked_are_woken_for_a_reason(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the tracker takes in what it is given, and gives up what is woken, displaced or placed."""
    return for_all(
        is_made_by(by, TRACKINGS, s.tracking[j, e], n.tracking[j, e]) for j in s.jobs for e in s.eval_numbers
    )


@step("ALLOC-03", "ALLOC-09", "PLAN-74", why="servers say what is wanted, and clients what is")
def allocations_are_written_by_who_may(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that plans place and stop, that clients report ends, and that nobody else does."""
    return for_all(
        is_made_by(by, ALLOCATIONS, s.alloc_phase[j, i], n.alloc_phase[j, i])
        for j in s.jobs
        for i in s.allocs
    )


@step("DEP-08", "DEP-09", "DEP-12", "DEP-48", why="who steers a deployment relies on its status")
def deployments_are_written_by_who_may(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that plans begin a deployment, watchers and operators end it, and nobody else touches it."""
    return for_all(is_made_by(by, ROLLOUTS, s.rollout[j], n.rollout[j]) for j in s.jobs)


@step(
    "WORKER-03",
    "WORKER-10",
    "PLAN-13",
    "EVAL-32",
    why="a worker that leaves out a step does half of its work",
)
def workers_go_from_step_to_step(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a worker takes, plans, submits, waits, writes and answers, each after the other."""
    return for_all(is_arrow_of(by, STAGES, s.stage[w], n.stage[w]) for w in s.workers)


@step("WORKER-03", "WORKER-10", "PLAN-13", why="a worker that does a thing over and over does nothing else")
def each_step_of_a_worker_leads_on(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that whatever a worker does, or is answered, takes it to another step of its work."""
    if not by.is_(*_LEADING_ON):
        return True
    return n.stage[by["worker"]] != s.stage[by["worker"]]


@step(
    "WORKER-03",
    "BROKER-22",
    "PLAN-13",
    why="who acts for another job than its own writes what it does not know",
)
def steps_are_of_the_delivery(s: Kernel, n: Kernel, by: By) -> Value:  # noqa: ARG001 -- what it was is in s
    """Say that a worker acts, and is answered, for the evaluation that it has."""
    if not by.is_(*_OF_A_DELIVERY):
        return True
    is_job = s.job[by["worker"]] == by["job"]
    if not by.is_(*_OF_AN_EVALUATION):
        return is_job
    return all_of(is_job, s.number[by["worker"]] == by["number"])


@step("PLAN-31", "PLAN-34", "PLAN-36", why="an entry ends once, and is seen to have ended once")
def entries_go_from_step_to_step(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry is handed out, is committed or fails, and is seen to, each after the other."""
    return for_all(is_arrow_of(by, FLIGHTS, s.flight[f], n.flight[f]) for f in s.flights)


@step("WORKER-10", "PLAN-13", "BROKER-22", why="a worker must not be led by what another one does")
def workers_keep_to_themselves(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that what a worker does moves no other worker, nor an evaluation of another job."""
    if not by.is_(*WORKERS_OWN):
        return True
    worker_, job = by["worker"], by["job"]
    others = for_all(any_of(w == worker_, n.stage[w] == s.stage[w]) for w in s.workers)
    elsewhere = for_all(
        implies(
            j != job,
            all_of(
                n.place[j, e] == s.place[j, e],
                n.record[j, e] == s.record[j, e],
                n.arriving[j, e] == s.arriving[j, e],
                n.tracking[j, e] == s.tracking[j, e],
            ),
        )
        for j in s.jobs
        for e in s.eval_numbers
    )
    return all_of(others, elsewhere)


WORKERS_OWN: Final = (
    broker.dequeue,
    broker.expire_delivery,
    worker.begin,
    worker.plan,
    worker.block,
    worker.block_at,
    worker.submit,
    worker.refresh,
    worker.reject,
    worker.write_outcome,
    worker.give_up,
    worker.ack,
    worker.nack,
    disconnects.mark_unknown,
)
"""What workers do in turn, each by itself."""
