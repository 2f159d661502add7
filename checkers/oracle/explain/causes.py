"""Puts what an entry breaks down to a defect of the release: to the one without which it would be whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.cluster_properties import Broken, list_broken
from nomadspec.checkers.oracle.explain.decisions import Committed, list_decisions
from nomadspec.checkers.oracle.explain.outcomes import explain_outcome, is_plan_possible
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.trace_plans import explain_plan
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.components.reapers import DUPLICATE
from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.cluster.entities.job import SYSTEM_TYPES
from nomadspec.model.cluster.store.clients import RECONNECTED
from nomadspec.model.cluster.store.job_writes import PURGED
from nomadspec.model.cluster.store.requests import AllocClientUpdate, ApplyPlanResults, EvalUpdate
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    CANCELLED_IS_JOINED,
    COUNTED_ANEW,
    COUNTED_ONCE,
    DISPLACED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    FORCED_RUNNING,
    HASTY_CANCEL,
    HELD_FOR_NOTHING,
    LOST_ACK,
    ORPHANED_DEPLOYMENT,
    OVERWRITTEN_REPORT,
    REVIVED_ALLOCATION,
    REVIVED_VERSION,
    SHARED_FOLLOW_UP,
    SILENT_PURGE,
    STALE_DEPLOYMENT,
    STALE_REGISTRATION,
    STORED_CORE_EVAL,
    STRAY_DEPLOYMENT,
    SUCCESS_OF_NOTHING,
    SUCCESS_OF_THE_ENDED,
    UNCHECKED_UPDATE,
    WOKEN_TWICE,
)

_OF_STORE: Final = (
    COUNTED_ANEW,
    COUNTED_ONCE,
    FORCED_RUNNING,
    ORPHANED_DEPLOYMENT,
    OVERWRITTEN_REPORT,
    REVIVED_ALLOCATION,
    REVIVED_VERSION,
    SHARED_FOLLOW_UP,
    STALE_DEPLOYMENT,
    STALE_REGISTRATION,
)
"""What the state store does by itself: a log that is applied without it shows whether that was the cause."""

_OF_SCHEDULER: Final = (
    CANCELLED_IS_JOINED,
    HELD_FOR_NOTHING,
    STRAY_DEPLOYMENT,
    SUCCESS_OF_NOTHING,
    SUCCESS_OF_THE_ENDED,
)
"""What schedulers do wrong about deployments."""


_MADE_BY_STORE: Final = frozenset(
    {
        "counts_of_deployment_are_possible",
        "counts_of_deployment_equal_allocs",
        "dead_job_has_no_live_alloc",
        "indexes_are_in_order",
        "indexes_never_go_back",
        "indexes_of_kinds_of_changes_are_in_order",
        "last_drain_tells_whether_node_drains",
        "running_job_has_an_alloc_eval_or_deployment",
        "summary_of_job_follows_allocs",
        "versions_of_job_are_kept_once",
    }
)
"""What no entry says, but the store makes of it; the tables of the dump show that it made the same."""
_UNNAMED: Final = "{} was broken as the release does, and no finding is known of it"


def compare_promises(replay: Replay, context: Context) -> Iterator[Difference]:
    """Ask the properties of clusters on the way: what no known defect explains is forbidden.

    Where the model does the same by the rules of the release, without a defect that is known, that is
    remarked on: what the store makes of an entry, and decisions that were derived or may be right.

    Spec: EVAL-02, PLAN-54, DEP-24, OBJ-182, OBJ-230.
    """
    causes = Causes(replay, context.profile)
    for broken in list_broken(replay, context.profile):
        quirk = causes.find(broken)
        is_of_release = broken.promise.name in _MADE_BY_STORE or broken.index in context.derived
        if quirk is not None:
            context.tell_defect(quirk, broken.promise.name)
        elif context.profile.quirks and (is_of_release or causes.is_open(broken)):
            context.note(_UNNAMED.format(broken.promise.name))
        else:
            path = f"raft-log[{broken.index}]"
            yield Difference(path, broken.witness, broken.promise.about, broken.promise.spec[0])


@dataclass(slots=True)
class Causes:
    """Looks for the defect behind what is broken in a log, and keeps what it has replayed for that."""

    replay: Replay
    profile: Profile
    _cured: dict[tuple[tuple[Quirk, ...], str], frozenset[str]] = field(default_factory=dict)

    def find(self, broken: Broken) -> Quirk | None:
        """Find the defect of the profile that explains it; nothing where none does."""
        return next((quirk for quirk in self._list_likely(broken) if self.profile.has(quirk)), None)

    def _list_likely(self, broken: Broken) -> Iterator[Quirk]:
        request = self.replay.steps[broken.at].typed.entry.request
        if broken.promise.name == "terminal_eval_stays_terminal":
            yield from self._list_of_evals(broken)
        if broken.promise.name == "core_eval_is_never_stored":
            yield STORED_CORE_EVAL
        if isinstance(request, ApplyPlanResults):
            yield from self._list_of_plan(broken)
        yield from (quirk for quirk in _OF_STORE if self._is_cured_by((quirk,), broken))
        yield from self._list_of_scheduler(broken)
        yield from self._list_together(broken)

    # --- evaluations ---

    def _list_of_evals(self, broken: Broken) -> Iterator[Quirk]:
        before, after = broken.step.before.state, broken.step.after.state
        for now in after.list_evals():
            was = before.find_eval(now.id)
            if was is not None and now.id in broken.witness and was.status != now.status:
                yield from self._list_of_change(was, now, broken.at)

    def _list_of_change(self, was: Evaluation, now: Evaluation, at: int) -> Iterator[Quirk]:
        """List what may let an evaluation that has ended change: the table of its statuses knows them."""
        likely = self._find_cause_of_change(was, now, at)
        source, target = EvalStatus(was.status), EvalStatus(now.status)
        known = {
            arrow.quirk for arrow in EVALUATION.arrows if (arrow.source, arrow.target) == (source, target)
        }
        if likely in known or likely is WOKEN_TWICE:
            yield likely

    def _find_cause_of_change(self, was: Evaluation, now: Evaluation, at: int) -> Quirk:
        """Find the likely cause: what the evaluation said when it had ended, and what it went through."""
        is_system = was.type in SYSTEM_TYPES
        is_displaced = DUPLICATE.format(was.job_id) in self._list_descriptions(was.id, at)
        if isinstance(self.replay.steps[at].typed.entry.request, AllocClientUpdate):
            return HASTY_CANCEL
        if was.status_description == RECONNECTED:
            is_with_worker = now.snapshot_index < was.modify_index
            return HASTY_CANCEL if is_with_worker else DROPPED_DELAYED_FIRES
        if is_displaced and is_system:
            return DISPLACED_IS_DELIVERED
        if was.status == EvalStatus.CANCELED:
            return CANCELLED_IS_DELIVERED
        if was.status_description == PURGED.format(was.job_id):
            return SILENT_PURGE
        return WOKEN_TWICE if is_system and now.status == EvalStatus.CANCELED else LOST_ACK

    def _list_descriptions(self, eval_id: str, at: int) -> Iterator[str]:
        for step in self.replay.steps[:at]:
            request = step.typed.entry.request
            for entry in request.evals if isinstance(request, EvalUpdate) else ():
                if entry.id == eval_id:
                    yield entry.status_description

    # --- plans ---

    def _list_of_plan(self, broken: Broken) -> Iterator[Quirk]:
        """List by which defects the applier let a plan through that leads there."""
        told = explain_plan(self.replay, broken.at, self.profile)
        yield from told.quirks
        cured = without(self.profile, UNCHECKED_UPDATE)
        if told.base_index is not None and explain_plan(self.replay, broken.at, cured).base_index is None:
            yield UNCHECKED_UPDATE

    # --- the state store ---

    def _is_cured_by(self, quirks: Sequence[Quirk], broken: Broken) -> bool:
        """True if a store without some defects would break nothing by the same log."""
        if not all(map(self.profile.has, quirks)):
            return False
        key = tuple(quirks), broken.promise.name
        if key not in self._cured:
            cured = without(self.profile, *quirks)
            log = [step.typed for step in self.replay.steps]
            again = list_broken(replay_log(log, cured, read_run_clock), cured, [broken.promise])
            self._cured[key] = frozenset(each.subject for each in again)
        return broken.subject not in self._cured[key]

    def _list_together(self, broken: Broken) -> Iterator[Quirk]:
        """List the defects of the store that lead there together, where none of them does alone."""
        shown = tuple(filter(self.profile.has, _OF_STORE))
        if shown and self._is_cured_by(shown, broken):
            for quirk in shown:
                rest = tuple(each for each in shown if each is not quirk)
                if not self._is_cured_by(rest, broken):
                    yield quirk

    # --- schedulers ---

    def _list_of_scheduler(self, broken: Broken) -> Iterator[Quirk]:
        """List the defects without which the scheduler would have decided otherwise than it did."""
        for decision in list_decisions(self.replay):
            if broken.index not in decision.list_entries():
                continue
            if not explain_outcome(self.replay, decision, self.profile).is_derived:
                return
            for quirk in filter(self.profile.has, _OF_SCHEDULER):
                cured = without(self.profile, quirk)
                if any(explain_outcome(self.replay, decision, cured).list_contradictions()):
                    yield quirk

    def is_open(self, broken: Broken) -> bool:
        """True if an entry belongs to a decision that was not made again, and that may be right.

        Of a call that broke off there may be nothing but a plan.
        """
        request = self.replay.steps[broken.at].typed.entry.request
        decisions = [each for each in list_decisions(self.replay) if broken.index in each.list_entries()]
        if not decisions and isinstance(request, ApplyPlanResults):
            return is_plan_possible(self.replay, Committed(broken.index, request), self.profile)
        told = [explain_outcome(self.replay, each, self.profile) for each in decisions]
        return any(not each.is_derived and not any(each.list_contradictions()) for each in told)


def without(profile: Profile, *quirks: Quirk) -> Profile:
    """Give a profile in which some defects are mended."""
    name = " ".join([profile.name, *(f"-{quirk.id}" for quirk in quirks)])
    return Profile(name, profile.quirks.difference(quirks))
