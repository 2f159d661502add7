"""Judges what is written of evaluations beside the outcomes of schedulers: new ones, and their ends."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from nomadspec.checkers.oracle.explain.decisions import is_outcome
from nomadspec.checkers.oracle.explain.eval_fields import (
    compare_core,
    compare_kept_fields,
    compare_made_fields,
)
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.new_evals import read_new, show_new
from nomadspec.checkers.oracle.trace_allowed import list_nack_delays_ns
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.checkers.oracle.trace_window import CLOCKS_NS
from nomadspec.model.cluster.components.broker_state import BrokerSettings
from nomadspec.model.cluster.components.reapers import (
    CORE,
    DUPLICATE,
    FAILED,
    FOLLOW_UP_WAIT_NS,
    MORE_RECENT,
    fail_undeliverable,
)
from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Trigger
from nomadspec.model.cluster.policy.followups import DELAYED_RESCHEDULE, DELAYED_TIMEOUT
from nomadspec.model.cluster.scheduler.evaluations import CONFLICTS, REMAINING
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalUpdate
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.table import is_legal
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import KEPT_TWICE

_FOLLOW: Final = {
    Trigger.QUEUED_ALLOCS: EvalStatus.BLOCKED,
    Trigger.MAX_PLAN_ATTEMPTS: EvalStatus.BLOCKED,
    Trigger.ALLOC_RESCHEDULE: EvalStatus.PENDING,
    Trigger.MAX_DISCONNECT_TIMEOUT: EvalStatus.PENDING,
    Trigger.FAILED_FOLLOW_UP: EvalStatus.PENDING,
}
"""What is only made for an evaluation before it, and the status in which it begins."""
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    Trigger.QUEUED_ALLOCS: (REMAINING,),
    Trigger.MAX_PLAN_ATTEMPTS: (CONFLICTS,),
    Trigger.ALLOC_RESCHEDULE: (DELAYED_RESCHEDULE,),
    Trigger.ALLOC_FAILURE: (DELAYED_RESCHEDULE, ""),
    Trigger.MAX_DISCONNECT_TIMEOUT: (DELAYED_TIMEOUT,),
    Trigger.FAILED_FOLLOW_UP: ("",),
}
"""What is made for an evaluation before it, and the words in which it says why."""
_ALONE: Final = (Trigger.JOB_REGISTER, Trigger.JOB_SCALING, Trigger.NODE_UPDATE)
"""What is made in an entry of its own, for no evaluation before it."""
_BLOCKED: Final = frozenset(trigger for trigger, status in _FOLLOW.items() if status == EvalStatus.BLOCKED)


def compare_evals(
    request: EvalUpdate, before: State, recent: Sequence[State], path: str, profile: Profile
) -> Iterator[Difference]:
    """Compare evaluations that are written with what is known of them and of their jobs.

    Spec: EVAL-10, EVAL-12, EVAL-32, EVAL-45, LEADER-21, LEADER-22, LEADER-30, LEADER-40.
    """
    for at, entry in enumerate(request.evals):
        place, stored = f"{path}.Evals[{at}]", before.find_eval(entry.id)
        if entry.type == CORE:
            yield from compare_core(entry, place)
        elif stored is None:
            yield from _compare_new(entry, request, recent, place)
        else:
            yield from _compare_known(entry, stored, place, profile)
            yield from compare_kept_fields(entry, stored, request, recent, place, profile)
            if not is_outcome(entry):
                yield from _compare_end(entry, request, recent, place, profile)
            elif entry.status == EvalStatus.COMPLETE and entry.status_description:
                yield Difference(f"{place}.StatusDescription", entry.status_description, ABSENT, "EVAL-32")


def compare_origins(
    request: EvalUpdate, replay: Replay, gaps: Container[int], path: str
) -> Iterator[Difference]:
    """Compare since when evaluations are said to be there with the entries that have made some.

    Spec: EVAL-10, OBJ-182.
    """
    for at, entry in enumerate(request.evals):
        if not entry.create_index or entry.create_index in gaps or entry.type == CORE:
            continue
        if replay.find_state(entry.create_index).find_eval(entry.id) is None:
            yield Difference(f"{path}.Evals[{at}].CreateIndex", entry.create_index, ABSENT, "EVAL-10")


def _compare_new(
    entry: Evaluation, request: EvalUpdate, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    if entry.create_index:
        return  # it was deleted while somebody worked on it
    trigger = entry.triggered_by
    status = _FOLLOW[Trigger(trigger)] if trigger in _FOLLOW else EvalStatus.PENDING
    if entry.status != status:
        yield Difference(f"{path}.Status", entry.status, str(status), "EVAL-10")
    if trigger in _FOLLOW and not entry.previous_eval:
        yield Difference(f"{path}.PreviousEval", ABSENT, "an evaluation", "EVAL-12")
    if entry.previous_eval:
        others = [each for each in request.evals if each.id == entry.previous_eval]
        found = others or [each for state in recent if (each := state.find_eval(entry.previous_eval))]
        if not found:
            yield Difference(f"{path}.PreviousEval", entry.previous_eval, ABSENT, "EVAL-12")
        elif (found[0].namespace, found[0].job_id) != (entry.namespace, entry.job_id):
            yield Difference(f"{path}.JobID", entry.job_id, found[0].job_id, "EVAL-12")
        else:
            yield from _compare_made(entry, found[0], request, path)
            yield from compare_made_fields(entry, found[0], recent, path)
        return
    if trigger not in _ALONE:
        yield Difference(f"{path}.TriggeredBy", trigger, sorted(_ALONE), "EVAL-10")
    jobs = [job for state in recent if (job := state.find_job(entry.namespace, entry.job_id))]
    shown = sorted({(job.type, job.priority) for job in jobs})
    if trigger == Trigger.JOB_REGISTER and (entry.type, entry.priority) not in shown:
        yield Difference(path, (entry.type, entry.priority), shown, "TRIG-05b")


def _compare_made(
    entry: Evaluation, previous: Evaluation, request: EvalUpdate, path: str
) -> Iterator[Difference]:
    """Compare what was made for an evaluation with it: each in an entry of its own, in words of its own.

    Spec: EVAL-12, EVAL-13, EVAL-14, TRIG-16a, TRIG-16c, TRIG-17, TRIG-18, TRIG-19.
    """
    words = _WORDS.get(entry.triggered_by, ())
    if entry.status_description not in words:
        yield Difference(f"{path}.StatusDescription", entry.status_description, words or ABSENT, "EVAL-13")
    for name in ("type", "priority", *(("job_modify_index",) if entry.triggered_by in _BLOCKED else ())):
        told, known = getattr(entry, name), getattr(previous, name)
        if told != known:
            yield Difference(f"{path}.{name}", told, known, "EVAL-13")
    fellows = [each for each in request.evals if each.previous_eval and not each.create_index]
    if len(fellows) > 1 and entry.triggered_by != Trigger.FAILED_FOLLOW_UP:
        yield Difference(f"{path}.ID", [each.id for each in fellows], entry.id, "EVAL-12")


def _compare_known(
    entry: Evaluation, stored: Evaluation, path: str, profile: Profile
) -> Iterator[Difference]:
    source, target = EvalStatus(stored.status), EvalStatus(entry.status)
    if not is_legal(EVALUATION, source, target, profile):
        yield Difference(f"{path}.Status", entry.status, f"what may follow {stored.status}", "EVAL-02")


def _compare_end(
    entry: Evaluation, request: EvalUpdate, recent: Sequence[State], path: str, profile: Profile
) -> Iterator[Difference]:
    """Compare an end that the leader wrote: of what was delivered too often, or is not needed any more."""
    siblings = (
        each
        for state in recent
        for each in state.list_evals_of_job(entry.namespace, entry.job_id)
        if each.id != entry.id
    )
    if entry.status == EvalStatus.FAILED:
        yield from _compare_failed(entry, request, recent, path, profile)
    elif entry.status == EvalStatus.CANCELED and entry.status_description == DUPLICATE.format(entry.job_id):
        is_twin = is_own_duplicate(entry, profile)
        if not is_twin and not any(each.triggered_by in _BLOCKED or _is_blocked(each) for each in siblings):
            yield Difference(f"{path}.Status", entry.status, "no other one is blocked", "LEADER-30")
    elif entry.status == EvalStatus.CANCELED and entry.status_description == MORE_RECENT:
        is_there = recent[0].find_job(entry.namespace, entry.job_id) is not None
        if is_there and next(siblings, None) is None:
            yield Difference(f"{path}.Status", entry.status, "no other one was processed", "LEADER-40")
    elif entry.status == EvalStatus.CANCELED:
        yield Difference(f"{path}.StatusDescription", entry.status_description, MORE_RECENT, "EVAL-45")
    elif entry.status in {EvalStatus.PENDING, EvalStatus.COMPLETE}:
        yield Difference(f"{path}.SnapshotIndex", ABSENT, "the state that its scheduler saw", "EVAL-32")


def is_own_duplicate(entry: Evaluation, profile: Profile) -> bool:
    """True if an evaluation may have been taken for a duplicate of itself: it was blocked again.

    Spec: BLOCKED-20, BLOCKED-22, X-12.
    """
    return entry.snapshot_index >= entry.create_index and profile.has(KEPT_TWICE)


def _compare_failed(
    entry: Evaluation, request: EvalUpdate, recent: Sequence[State], path: str, profile: Profile
) -> Iterator[Difference]:
    """Compare an end for too many deliveries with how long these take, and with what follows it.

    Spec: BROKER-40, BROKER-41, LEADER-21, LEADER-22.
    """
    limit = BrokerSettings(profile=profile).delivery_limit
    words = FAILED.format(limit)
    if entry.status_description != words:
        yield Difference(f"{path}.StatusDescription", entry.status_description, words, "LEADER-21")
    soonest_ns = entry.create_time_ns + sum(list_nack_delays_ns(profile)) - CLOCKS_NS
    if entry.modify_time_ns < soonest_ns:
        told = f"after {soonest_ns}, when it was delivered {limit} times"
        yield Difference(f"{path}.ModifyTime", entry.modify_time_ns, told, "BROKER-41")
    follow = [
        each
        for each in request.evals
        if each.previous_eval == entry.id and each.triggered_by == Trigger.FAILED_FOLLOW_UP
    ]
    due = {state.find_job(entry.namespace, entry.job_id) is not None for state in recent}
    if bool(follow) not in due:
        model = ABSENT if follow else "a follow-up"
        yield Difference(f"{path}.NextEval", entry.next_eval or ABSENT, model, "LEADER-22")
    elif follow and entry.next_eval != follow[0].id:
        yield Difference(f"{path}.NextEval", entry.next_eval, follow[0].id, "LEADER-22")
    for made in follow:
        yield from _compare_follow_up(made, entry, recent[0], path)


def _compare_follow_up(made: Evaluation, failed: Evaluation, state: State, path: str) -> Iterator[Difference]:
    """Compare what the leader made of an evaluation that was delivered too often.

    Spec: LEADER-23, TRIG-23.
    """
    if made.wait_ns not in FOLLOW_UP_WAIT_NS:
        yield Difference(f"{path}.Wait", made.wait_ns, str(FOLLOW_UP_WAIT_NS), "LEADER-23")
    told = fail_undeliverable(state, failed, 0, 0, "", made.wait_ns)[1:]
    models = [read_new(each) for each in told]
    if models and read_new(made) not in models:
        yield Difference(f"{path}.Evals", show_new([read_new(made)]), show_new(models), "LEADER-23")


def _is_blocked(entry: Evaluation) -> bool:
    return entry.status == EvalStatus.BLOCKED
