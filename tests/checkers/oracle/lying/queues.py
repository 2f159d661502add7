"""Lies about the eval broker, blocked evaluations and the reapers of the leader: who works when, on what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.decisions import list_decisions
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import read_run_clock, replay_log
from nomadspec.model.cluster.components.reapers import DUPLICATE, FAILED, MORE_RECENT
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, JobType, Trigger
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State, requests
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.evaluations import (
    HOUR_NS,
    follows,
    is_called_off,
    is_of_node,
    is_outcome,
    on_eval,
)
from tests.checkers.oracle.lying.others import eval_of
from tests.checkers.oracle.lying.plans import ODD
from tests.checkers.oracle.lying.telling import Lie, Twist, given, on, read_rest, with_first

R = requests
DAY_NS = 24 * HOUR_NS
Pick = Callable[[Evaluation], bool]


def _is_blocked(entry: Evaluation) -> bool:
    return follows(entry) and entry.status == EvalStatus.BLOCKED


def _has_classes(entry: Evaluation) -> bool:
    return _is_blocked(entry) and bool(entry.class_eligibility)


def _is_delayed(entry: Evaluation) -> bool:
    return follows(entry) and entry.wait_until_ns > 0


def _is_of_system(entry: Evaluation) -> bool:
    return is_outcome(entry) and entry.type in {JobType.SYSTEM, JobType.SYSBATCH}


def _is_cancelable(entry: Evaluation) -> bool:
    return is_called_off(entry) and entry.status_description == MORE_RECENT


def _is_duplicate(entry: Evaluation) -> bool:
    return is_called_off(entry) and entry.status_description == DUPLICATE.format(entry.job_id)


def _recount(entry: Evaluation) -> Mapping[str, Any]:
    return {name: replace(metric, nodes_evaluated=77) for name, metric in entry.failed_tg_allocs.items()}


MADE: Mapping[str, Twist] = {
    "made: another class is eligible": on_eval(
        _has_classes,
        class_eligibility=lambda each: {name: not known for name, known in each.class_eligibility.items()},
    ),
    "made: no class is known": on_eval(_has_classes, class_eligibility={}),
    "made: any class may help": on_eval(
        lambda each: _is_blocked(each) and not each.escaped_computed_class, escaped_computed_class=True
    ),
    "made: waits for a volume": on_eval(_is_blocked, missing_non_node_resources=("csi-volume:default:odd",)),
    "made: waits for a quota": on_eval(_is_blocked, quota_limit_reached="odd"),
    "made: of another state": on_eval(follows, snapshot_index=lambda each: max(each.snapshot_index - 1, 1)),
    "made: of no state": on_eval(follows, snapshot_index=0),
    "made: other nodes were looked at": on_eval(_is_blocked, failed_tg_allocs=_recount),
    "made: counts what is queued": on_eval(_is_blocked, queued_allocations={"odd": 1}),
    "made: of a deployment": on_eval(follows, deployment_id=ODD),
    "made: of a node": on_eval(
        lambda each: follows(each) and each.type in {JobType.SERVICE, JobType.BATCH}, node_id=ODD
    ),
    "made: a day before": on_eval(follows, create_time_ns=lambda each: each.create_time_ns - DAY_NS),
    "made: a day later": on_eval(follows, modify_time_ns=lambda each: each.modify_time_ns + DAY_NS),
    "made: leads on": on_eval(follows, next_eval=ODD),
    "made: leads to another that is blocked": on_eval(follows, blocked_eval=ODD),
    "made: waits a moment beside its time": on_eval(_is_delayed, wait_ns=NS_PER_S),
    "made: blocked and due later": on_eval(
        _is_blocked, wait_until_ns=lambda each: each.create_time_ns + HOUR_NS
    ),
}


# --- outcomes ---

ENDED: Mapping[str, Twist] = {
    "ended: a day before it was made": on_eval(
        is_outcome, modify_time_ns=lambda each: each.create_time_ns - DAY_NS
    ),
    "ended: a day later": on_eval(is_outcome, modify_time_ns=lambda each: each.modify_time_ns + DAY_NS),
    "ended: given back so often that nobody waits so long": on_eval(is_outcome, wait_ns=7 * NS_PER_S),
    "ended: knows classes that it did not": on_eval(
        lambda each: is_outcome(each) and not each.class_eligibility, class_eligibility={"odd": True}
    ),
    "ended: waits for a quota": on_eval(is_outcome, quota_limit_reached="odd"),
    "ended: a system job has one that is blocked": on_eval(_is_of_system, blocked_eval=ODD),
    "ended: another update was asked for": on_eval(
        lambda each: is_outcome(each) and each.plan_annotations is not None, plan_annotations=None
    ),
    "ended: as if only asked what would be": on_eval(is_outcome, annotate_plan=True),
    "ended: tells its secret": on_eval(is_outcome, leader_acl="odd"),
    "ended: names its relatives": on_eval(
        lambda each: is_outcome(each) and bool(each.previous_eval), previous_eval=""
    ),
}


# --- the reapers ---


def _fail_at_once(request: Any, _: State) -> Any:
    """Fail an evaluation at once as if it had been delivered too often."""
    found = next(filter(is_outcome, request.evals), None)
    if found is None or len(request.evals) > 1:
        return None
    follow = Evaluation(
        id=ODD,
        namespace=found.namespace,
        job_id=found.job_id,
        type=found.type,
        priority=found.priority,
        triggered_by=Trigger.FAILED_FOLLOW_UP,
        job_modify_index=found.job_modify_index,
        status="pending",
        previous_eval=found.id,
        wait_ns=90 * NS_PER_S,
        create_time_ns=found.modify_time_ns,
        modify_time_ns=found.modify_time_ns,
    )
    failed = replace(
        found,
        status="failed",
        status_description=FAILED.format(3),
        next_eval=ODD,
        failed_tg_allocs={},
        plan_annotations=None,
        queued_allocations={},
        snapshot_index=0,
    )
    return replace(request, evals=(failed, follow))


def _call_off(description: str) -> Twist:
    """Call off what a scheduler has ended."""

    def change(request: Any, _: State) -> Any:
        found = next(filter(is_outcome, request.evals), None)
        words = description.format(found.job_id) if found else ""
        called = found and replace(
            found, status="canceled", status_description=words, snapshot_index=0, plan_annotations=None
        )
        return called and replace(request, evals=(called,))

    return on(EvalUpdate, change)


def _call_off_another(pick: Pick, is_other: Callable[[Evaluation, Evaluation], bool]) -> Twist:
    """Call off another one of the job instead, which is worked on."""

    def change(request: Any, state: State) -> Any:
        for at, entry in enumerate(request.evals):
            if not pick(entry):
                continue
            others = state.list_evals_of_job(entry.namespace, entry.job_id)
            named = {each.id for each in request.evals}
            other = next((each for each in others if each.id not in named and is_other(each, entry)), None)
            if other is not None:
                told = replace(
                    other,
                    status=entry.status,
                    status_description=entry.status_description,
                    modify_time_ns=entry.modify_time_ns,
                )
                return replace(request, evals=(*request.evals[:at], told, *request.evals[at + 1 :]))
        return None

    return on(EvalUpdate, change)


def _is_newer(kind: str) -> Callable[[Evaluation, Evaluation], bool]:
    return lambda other, entry: other.status == kind and other.create_index > entry.create_index


def _and_another(made: Callable[[Evaluation], Evaluation]) -> Twist:
    def change(request: Any, _: State) -> Any:
        found = next(filter(is_outcome, request.evals), None)
        return found and replace(request, evals=(*request.evals, made(found)))

    return on(EvalUpdate, change)


def _make_core(status: str, words: str) -> Callable[[Evaluation], Evaluation]:
    return lambda found: Evaluation(
        id=ODD,
        namespace="-",
        job_id="eval-gc",
        type="_core",
        priority=32767,
        triggered_by=Trigger.SCHEDULED,
        status=status,
        status_description=words,
        create_time_ns=found.modify_time_ns,
        modify_time_ns=found.modify_time_ns,
    )


LEADER: Mapping[str, Twist] = {
    "leader: fails at once": on(EvalUpdate, _fail_at_once),
    "leader: calls off what was worked on": _call_off(MORE_RECENT),
    "leader: calls off a duplicate that is none": _call_off(DUPLICATE),
    "leader: calls off the newer one": _call_off_another(_is_cancelable, _is_newer(EvalStatus.PENDING)),
    "leader: calls off the newer one that is blocked": _call_off_another(
        _is_duplicate, _is_newer(EvalStatus.BLOCKED)
    ),
    "leader: calls off and waits": on_eval(is_called_off, wait_ns=7 * NS_PER_S),
    "leader: calls off a day before": on_eval(
        is_called_off, modify_time_ns=lambda each: each.create_time_ns - DAY_NS
    ),
    "leader: calls off with counts": on_eval(is_called_off, queued_allocations={"odd": 1}),
    "leader: calls off for a deployment": on_eval(is_called_off, deployment_id=ODD),
    "leader: calls off and leads on": on_eval(is_called_off, next_eval=ODD),
    "leader: keeps work of its own": _and_another(_make_core("pending", "")),
    "leader: has done work of its own": _and_another(_make_core("complete", "")),
    "leader: calls off work of its own for fun": _and_another(_make_core("canceled", "for fun")),
}


# --- evaluations of others ---


def _each(kind: type, **changes: Any) -> Twist:
    return on(
        kind,
        lambda request, _: given(
            request, evals=with_first(request.evals, lambda each: not each.create_index, **changes)
        ),
    )


_ODD_CREATOR: Mapping[str, Mapping[str, Any]] = {
    "of a state": {"snapshot_index": 1},
    "a day before": {"create_time_ns": lambda each: each.create_time_ns - DAY_NS},
    "a day later": {
        "create_time_ns": lambda each: each.create_time_ns + DAY_NS,
        "modify_time_ns": lambda each: each.modify_time_ns + DAY_NS,
    },
    "and changed since": {"modify_time_ns": lambda each: each.modify_time_ns + HOUR_NS},
}
_CREATORS: Mapping[str, Callable[..., Twist]] = {
    "by a registration": lambda **told: eval_of(R.JobRegister, **told),
    "by a stop": lambda **told: eval_of(R.JobDeregister, **told),
    "by a watcher": lambda **told: eval_of(R.DeploymentUpdateStatus, **told),
    "by a promotion": lambda **told: eval_of(R.DeploymentPromote, **told),
    "by a client": lambda **told: _each(R.AllocClientUpdate, **told),
    "by marks": lambda **told: _each(R.AllocUpdateDesiredTransition, **told),
    "by a node": lambda **told: on_eval(is_of_node, **told),
    "by an eviction": lambda **told: on(
        R.ApplyPlanResults,
        lambda request, _: given(
            request, preemption_evals=with_first(request.preemption_evals, lambda _: True, **told)
        ),
    ),
}
CREATED: Mapping[str, Twist] = {
    f"created: {who} {how}": twist(**changes)
    for how, changes in _ODD_CREATOR.items()
    for who, twist in _CREATORS.items()
}

QUEUES: Mapping[str, Twist] = {**MADE, **ENDED, **LEADER, **CREATED}
"""Lies that change one entry."""


# --- the order of entries ---


class Swapped:
    """What a call makes is written after the plan that it belongs to.

    Of system jobs that is not known: how much an attempt makes depends on the order of maps.
    """

    def tell(self, name: str) -> Iterator[Lie]:
        """Swap the two for one decision after the other."""
        replay = replay_recorded(name)
        for decision in list_decisions(replay):
            made = next(iter(decision.made), None)
            plan = next((each for each in decision.plans if made is not None and each.at > made.at), None)
            is_known = decision.outcome.type in {JobType.SERVICE, JobType.BATCH}
            if made is None or plan is None or not is_known:
                continue
            typed = {step.typed.entry.index: step.typed for step in replay.steps}
            changed = {
                made.at: _move(typed[plan.at], made.at),
                plan.at: _move(typed[made.at], plan.at),
            }
            log = [changed.get(step.typed.entry.index, step.typed) for step in replay.steps]
            blamed = frozenset({made.at, plan.at, decision.index})
            yield Lie(name, plan.at, replay_log(log, NOMAD_2_0, read_run_clock), blamed, read_rest(name))


class Overlapping:
    """A second evaluation of a job is worked on before the first one has ended."""

    def tell(self, name: str) -> Iterator[Lie]:
        """Let one after the other begin too early."""
        replay = replay_recorded(name)
        last: dict[tuple[str, str], int] = {}
        for decision in list_decisions(replay):
            outcome, key = decision.outcome, (decision.outcome.namespace, decision.outcome.job_id)
            earlier = last.get(key, 0)
            last[key] = decision.index
            if not outcome.create_index < earlier <= outcome.snapshot_index:
                continue
            log = [
                TypedEntry(
                    step.typed.type,
                    replace(
                        step.typed.entry, request=_begin_early(step.typed.entry.request, outcome, earlier - 1)
                    ),
                )
                for step in replay.steps
            ]
            blamed = frozenset(decision.list_entries())
            told = replay_log(log, NOMAD_2_0, read_run_clock)
            yield Lie(name, decision.index, told, blamed, read_rest(name))


def _begin_early(request: Any, outcome: Evaluation, index: int) -> Any:
    if not isinstance(request, EvalUpdate):
        return request
    evals = (
        replace(each, snapshot_index=index)
        if each.snapshot_index and outcome.id in {each.id, each.previous_eval}
        else each
        for each in request.evals
    )
    return replace(request, evals=tuple(evals))


def _move(typed: TypedEntry, index: int) -> TypedEntry:
    return TypedEntry(typed.type, replace(typed.entry, index=index))


REORDERED: Mapping[str, Swapped | Overlapping] = {
    "made: after its plan": Swapped(),
    "ended: begun before the one before it ended": Overlapping(),
}
"""Lies about when something happened."""
