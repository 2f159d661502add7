"""The plan applier's loop: one plan is judged while earlier ones are still being committed.

The applier judges by a private copy of the state, to which it applies what it has dispatched before that is
committed. What is open (which completions have been seen, which state a snapshot shows) is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.entities import Plan
from nomadspec.model.cluster.memo import NoValue
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.entries import Applied, Entry, apply
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import ERROR_AFTER_DISPATCH, PHANTOM_EFFECTS, STALE_JUDGEMENT


class Tried(NoValue):
    """What came of an entry in the private copy, for whoever applies the same entry to the same state."""

    __slots__ = ("_applied", "_entry", "_now_ns", "_state")

    def __init__(
        self,
        state: State | None = None,
        entry: Entry | None = None,
        now_ns: int = 0,
        applied: Applied | None = None,
    ) -> None:
        """Keep what came of an entry at some time in some state; nothing where none was tried."""
        self._state, self._entry, self._now_ns, self._applied = state, entry, now_ns, applied

    def find(self, state: State, entry: Entry, now_ns: int) -> Applied | None:
        """Find what came of an entry, if it is the one that was tried, at that time and in that very state.

        Spec: PLAN-33.
        """
        if self._entry is None or state is not self._state or entry.request is not self._entry.request:
            return None
        return self._applied if (entry.index, now_ns) == (self._entry.index, self._now_ns) else None


class Applier(msgspec.Struct, frozen=True):
    """What the applier remembers from one plan to the next.

    Spec: PLAN-30.
    """

    depth: int = 1
    """So many entries may be in flight."""
    snapshot: State | None = None
    """The private copy, with what was dispatched since it was taken."""
    seen_index: int = 0
    """The highest index at which an entry of its own is known to be committed."""
    inflight: int = 0
    """The entries that were dispatched and whose end was not seen yet."""
    tried: Tried = msgspec.field(default_factory=Tried)


class SnapshotTimeoutError(PlanError):
    """The state did not get as far as the plan needs in time."""

    def __init__(self, wanted: int, reached: int) -> None:
        """Keep the index that was needed and the one that was reached."""
        self.wanted = wanted
        self.reached = reached
        super().__init__(f"timed out waiting for index {wanted}; the state is at {reached}")


class OptimisticError(PlanError):
    """A dispatched entry does not apply to the private copy: the plan fails, and may commit all the same.

    Spec: PLAN-31, 03/S5.
    """


def collect(applier: Applier, indexes: Iterable[int], *, profile: Profile) -> Applier:
    """Take note of the entries whose end was reported, with the index of each; a failed one has index 0.

    Spec: PLAN-31, PLAN-34, PLAN-37, X-10.
    """
    ended = tuple(indexes)
    inflight = max(0, applier.inflight - len(ended))
    if has_heeded_failure(ended, profile):
        seen_index = max(applier.seen_index, *ended)
        return replace(applier, inflight=inflight, seen_index=seen_index, snapshot=None)
    index = max(ended, default=0)
    if index <= applier.seen_index:
        return replace(applier, inflight=inflight)
    snapshot = None if inflight == 0 else applier.snapshot
    return replace(applier, inflight=inflight, seen_index=index, snapshot=snapshot)


def has_heeded_failure(ended: Iterable[int], profile: Profile) -> bool:
    """True if an entry has failed, and what the private copy shows of it is taken back.

    Spec: X-10.
    """
    return 0 in ended and not profile.has(PHANTOM_EFFECTS)


def compute_least_index(applier: Applier, plan: Plan) -> int:
    """Compute how far a snapshot must have got for a plan.

    Spec: PLAN-31.
    """
    return max(applier.seen_index, plan.snapshot_index)


def keeps_snapshot(applier: Applier, plan: Plan, *, profile: Profile) -> bool:
    """True while a plan is judged by the copy at hand; a stale one is kept while entries are in flight.

    Spec: PLAN-31, PLAN-32, 03/S2, 03/S5.
    """
    if applier.snapshot is None or _needs_news(applier.snapshot, applier, plan, profile):
        return False
    return applier.inflight > 0 or applier.snapshot.latest_index >= compute_least_index(applier, plan)


def _needs_news(snapshot: State, applier: Applier, plan: Plan, profile: Profile) -> bool:
    """True if a plan was made from a newer state than the copy at hand, which then does not do."""
    is_older = applier.inflight > 0 and plan.snapshot_index > snapshot.latest_index
    lacks_eval = bool(plan.eval_id) and snapshot.find_eval(plan.eval_id) is None
    return (is_older and not profile.has(STALE_JUDGEMENT)) or (
        lacks_eval and not profile.has(ERROR_AFTER_DISPATCH)
    )


def may_judge(applier: Applier, plan: Plan, state: State, *, profile: Profile) -> bool:
    """True while there is a state to judge a plan by: the copy at hand, or one that has come far enough.

    While entries are in flight a copy is only replaced once they have ended: a new one would not show them.

    Spec: PLAN-31, 03/S2, 03/S5.
    """
    if keeps_snapshot(applier, plan, profile=profile):
        return True
    must_wait_for_end = applier.inflight > 0 and applier.snapshot is not None
    return not must_wait_for_end and state.latest_index >= compute_least_index(applier, plan)


def refresh(applier: Applier, plan: Plan, state: State, *, profile: Profile) -> Applier:
    """Make ready to judge a plan; where a new copy is needed, it is one of the given state.

    Spec: PLAN-31.
    """
    if keeps_snapshot(applier, plan, profile=profile):
        return applier
    least = compute_least_index(applier, plan)
    if state.latest_index < least:
        raise SnapshotTimeoutError(least, state.latest_index)
    return replace(applier, snapshot=state)


def must_wait(applier: Applier) -> bool:
    """True while the end of an entry must be seen before the next one is dispatched.

    Spec: PLAN-31, PLAN-36.
    """
    return applier.inflight >= applier.depth


def wait(applier: Applier, index: int) -> Applier:
    """See the end of one entry before dispatching the next; the copy stays as it is.

    Spec: PLAN-31.
    """
    return replace(applier, inflight=applier.inflight - 1, seen_index=max(applier.seen_index, index))


def dispatch(applier: Applier, request: ApplyPlanResults, applied_index: int, *, profile: Profile) -> Applier:
    """Count an entry that was handed to the log, and show its effect in the private copy.

    Its index there is a guess: the one after the last entry that was applied on this server.

    Spec: PLAN-31, PLAN-33.
    """
    if applier.snapshot is None:
        raise PlanError("there is no state to judge by: a snapshot comes first")
    entry, now_ns = Entry(applied_index + 1, request), request.updated_at_ns
    applied = apply(applier.snapshot, entry, now_ns=now_ns, profile=profile)
    if applied.error is not None:
        raise OptimisticError(applied.error)
    tried = Tried(applier.snapshot, entry, now_ns, applied)
    shown = applied.state
    if not profile.has(ERROR_AFTER_DISPATCH):
        shown = _show_dropped(shown, request, entry.index, profile)
    return replace(applier, snapshot=shown, inflight=applier.inflight + 1, tried=tried)


def _show_dropped(copy: State, request: ApplyPlanResults, index: int, profile: Profile) -> State:
    """Show what the copy drops, since it has the job as stopped, which it may not be when the log gets there.

    Spec: PLAN-31, PLAN-73, 03/S5.
    """
    draft = Draft.of(copy, index, request.updated_at_ns, profile=profile)
    for alloc in request.allocs_updated:
        if alloc.id not in copy.allocs:
            draft.put(replace(alloc, job=alloc.job or request.job, create_index=index, modify_index=index))
    return draft.finish() if draft.written else copy
