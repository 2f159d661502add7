"""The tracker of blocked evals: it hands them to the broker when something became free that may help them.

Changes wait in a queue, so that whoever applies log entries never waits for the tracker; the index at which
something became free is noted at once. Every function that frees evals returns them with their tokens, for
the broker.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.components.blocked_state import (
    PRUNE_INTERVAL_NS,
    Blocking,
    Change,
    Freed,
    Held,
    Tracker,
    Unblocking,
    Untracking,
    find_held,
    list_missed_answers,
    list_system_of_node,
)
from nomadspec.model.cluster.components.blocked_stats import PRUNE_AGE_NS, count_in, count_out, prune
from nomadspec.model.cluster.components.broker_state import JobKey, get_job_key
from nomadspec.model.cluster.entities import Evaluation

_SYSTEM = "system"
_MAX_PLAN_ATTEMPTS = "max-plan-attempts"


def enable(tracker: Tracker, now_ns: int) -> Tracker:
    """Let the tracker work.

    Spec: BLOCKED-46.
    """
    if tracker.is_enabled:
        return tracker
    return replace(tracker, is_enabled=True, prune_at_ns=now_ns + PRUNE_INTERVAL_NS)


def disable() -> Tracker:
    """Forget everything, the changes that wait too.

    Spec: BLOCKED-46.
    """
    return Tracker()


def block(tracker: Tracker, entry: Evaluation, token: str = "", *, is_restored: bool = False) -> Tracker:
    """Ask for an eval to be tracked; a token says which delivery blocks it again.

    Spec: BLOCKED-01, BLOCKED-02, X-11.
    """
    return _append(tracker, Blocking(Held(entry, token), is_restored))


def untrack(tracker: Tracker, job: JobKey) -> Tracker:
    """Ask for the blocked evals of a job to be forgotten.

    Spec: BLOCKED-02.
    """
    return _append(tracker, Untracking(job))


def unblock_node(tracker: Tracker, node_id: str) -> Tracker:
    """Tell of a node that may take more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    return _append(tracker, Unblocking(node_id=node_id))


def unblock(tracker: Tracker, node_class: str, index: int, now_ns: int) -> Tracker:
    """Tell of nodes of a class that may take more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    return _free(tracker, (node_class,), Unblocking(node_class=node_class), index, now_ns)


def unblock_quota(tracker: Tracker, quota: str, index: int, now_ns: int) -> Tracker:
    """Tell of a quota that may allow more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    if not quota:
        return tracker
    return _free(tracker, (quota,), Unblocking(quota=quota), index, now_ns)


def unblock_class_and_quota(
    tracker: Tracker, node_class: str, quota: str, index: int, now_ns: int
) -> Tracker:
    """Tell of nodes of a class, and perhaps of a quota, that may take more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    keys = (node_class, quota) if quota else (node_class,)
    return _free(tracker, keys, Unblocking(node_class=node_class, quota=quota), index, now_ns)


def unblock_resources(tracker: Tracker, resources: Iterable[str], index: int, now_ns: int) -> Tracker:
    """Tell of new resources that belong to no node.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    keys = tuple(resources)
    return _free(tracker, keys, Unblocking(resources=frozenset(keys)), index, now_ns)


def _free(tracker: Tracker, keys: tuple[str, ...], change: Unblocking, index: int, now_ns: int) -> Tracker:
    """Note the index of the last call, not the highest one, before the change takes its turn.

    Spec: BLOCKED-43.
    """
    if not tracker.is_enabled:
        return tracker
    freed = tracker.freed.update(dict.fromkeys(keys, Freed(index, now_ns)))
    return _append(replace(tracker, freed=freed), change)


def _append(tracker: Tracker, change: Change) -> Tracker:
    if not tracker.is_enabled:
        return tracker
    return replace(tracker, changes=(*tracker.changes, change))


def process_next(
    tracker: Tracker, now_ns: int, *, is_missed_in_doubt: bool = True
) -> tuple[Tracker, tuple[Held, ...]]:
    """Do what waits first, and return the evals that go to the broker.

    Spec: BLOCKED-02, BLOCKED-11, BLOCKED-12.
    """
    if not tracker.changes:
        return tracker, ()
    first, tracker = tracker.changes[0], replace(tracker, changes=tracker.changes[1:])
    match first:
        case Blocking():
            return _block(tracker, first, now_ns, is_missed_in_doubt=is_missed_in_doubt)
        case Untracking(job=job):
            return _untrack(tracker, job, now_ns), ()
        case Unblocking():
            return _unblock(tracker, first, now_ns)


def _block(
    tracker: Tracker, change: Blocking, now_ns: int, *, is_missed_in_doubt: bool
) -> tuple[Tracker, tuple[Held, ...]]:
    """Track an eval, unless its job has a newer one or what it waits for came meanwhile (BLOCKED-10)."""
    held = change.held
    resolved = _resolve_duplicate(tracker, held.eval, now_ns)
    if resolved is None:
        return replace(tracker, duplicates=(*tracker.duplicates, held.eval)), ()
    if change.is_restored:
        return resolved, (held,)
    answers = list_missed_answers(resolved, held.eval)
    if is_missed_in_doubt if len(answers) > 1 else next(iter(answers)):
        return resolved, (held,)
    return _track(resolved, held, now_ns), ()


def _resolve_duplicate(tracker: Tracker, entry: Evaluation, now_ns: int) -> Tracker | None:
    """Give way to the new eval, or return None where the tracked one is newer.

    Spec: BLOCKED-20, BLOCKED-22.
    """
    job = get_job_key(entry)
    if (other_id := tracker.jobs.get(job)) is None:
        return tracker
    if (other := find_held(tracker, other_id)) is None:
        return replace(tracker, jobs=tracker.jobs.discard(job))
    if _get_age(other.eval) > _get_age(entry):
        return None
    replaced = replace(tracker, duplicates=(*tracker.duplicates, other.eval))
    if other_id in tracker.escaped:
        stats = replace(tracker.stats, escaped=tracker.stats.escaped - 1)
        return replace(replaced, escaped=tracker.escaped.discard(other_id), stats=stats)
    stats = count_out(tracker.stats, other.eval, now_ns)
    return replace(replaced, captured=tracker.captured.discard(other_id), stats=stats)


def _get_age(entry: Evaluation) -> int:
    return max(entry.create_index, entry.snapshot_index)


def _track(tracker: Tracker, held: Held, now_ns: int) -> Tracker:
    entry = held.eval
    tracker = replace(
        tracker,
        jobs=tracker.jobs.insert(get_job_key(entry), entry.id),
        stats=count_in(tracker.stats, entry, now_ns),
    )
    if entry.escaped_computed_class:
        return replace(tracker, escaped=tracker.escaped.insert(entry.id, held))
    if entry.type == _SYSTEM:
        tracker = _track_system(tracker, held)
    return replace(tracker, captured=tracker.captured.insert(entry.id, held))


def _track_system(tracker: Tracker, held: Held) -> Tracker:
    """Remember the newest eval of a job for its node; the same eval again takes itself out.

    Spec: BLOCKED-12.
    """
    entry = held.eval
    job = get_job_key(entry)
    nodes = tracker.system_jobs.get(job, HashTrieMap())
    system = tracker.system.insert(entry.id, held).discard(nodes.get(entry.node_id, ""))
    by_job = tracker.system_jobs.insert(job, nodes.insert(entry.node_id, entry.id))
    return replace(tracker, system=system, system_jobs=by_job)


def _untrack(tracker: Tracker, job: JobKey, now_ns: int) -> Tracker:
    """Forget the evals of a job; of a system job only what is remembered by node (BLOCKED-45)."""
    if (nodes := tracker.system_jobs.get(job)) is not None:
        found = [tracker.system.get(eval_id) for _, eval_id in sorted(nodes.items())]
        return _drop_system(tracker, filter(None, found), now_ns)
    held = find_held(tracker, tracker.jobs.get(job, ""))
    return _drop(tracker, held, now_ns) if held else tracker


def _drop_system(tracker: Tracker, found: Iterable[Held], now_ns: int) -> Tracker:
    for held in found:
        job = get_job_key(held.eval)
        nodes = tracker.system_jobs[job].discard(held.eval.node_id)
        tracker = replace(
            tracker,
            system=tracker.system.discard(held.eval.id),
            system_jobs=tracker.system_jobs.insert(job, nodes),
            stats=count_out(tracker.stats, held.eval, now_ns),
        )
    return tracker


def _drop(tracker: Tracker, held: Held, now_ns: int) -> Tracker:
    entry = held.eval
    stats = count_out(tracker.stats, entry, now_ns)
    if entry.id in tracker.escaped:
        stats = replace(stats, escaped=stats.escaped - 1)
    return replace(
        tracker,
        captured=tracker.captured.discard(entry.id),
        escaped=tracker.escaped.discard(entry.id),
        jobs=tracker.jobs.discard(get_job_key(entry)),
        stats=stats,
    )


def _unblock(tracker: Tracker, event: Unblocking, now_ns: int) -> tuple[Tracker, tuple[Held, ...]]:
    """Free whom an event may help; then none counts as escaped, even if some still are (BLOCKED-41)."""
    tracked = _select(tracker, lambda held: _is_helped(tracker, held.eval, event))
    system = list_system_of_node(tracker, event.node_id) if event.node_id else ()
    if not tracked and not system:
        return tracker, ()
    for held in tracked:
        tracker = _drop(tracker, held, now_ns)
    tracker = _drop_system(tracker, system, now_ns)
    return replace(tracker, stats=replace(tracker.stats, escaped=0)), (*tracked, *system)


def _select(tracker: Tracker, is_wanted: Callable[[Held], bool]) -> tuple[Held, ...]:
    held_ones = (*sorted(tracker.escaped.items()), *sorted(tracker.captured.items()))
    return tuple(held for _, held in held_ones if is_wanted(held))


def _is_helped(tracker: Tracker, entry: Evaluation, event: Unblocking) -> bool:
    """Whether an event concerns an eval that is captured or escaped (BLOCKED-40)."""
    if entry.id in tracker.escaped:
        return bool(event.node_class) or not event.resources.isdisjoint(entry.missing_non_node_resources)
    if not event.node_class and not event.quota:
        return False
    is_other_quota = bool(entry.quota_limit_reached) and entry.quota_limit_reached != event.quota
    if event.quota and is_other_quota:
        return False
    return entry.class_eligibility.get(event.node_class, True)


def list_failed(tracker: Tracker) -> tuple[Held, ...]:
    """List the evals whose plans were refused too often.

    Spec: BLOCKED-44.
    """
    return _select(tracker, lambda held: held.eval.triggered_by == _MAX_PLAN_ATTEMPTS)


def unblock_failed(tracker: Tracker, now_ns: int) -> tuple[Tracker, tuple[Held, ...]]:
    """Free the evals whose plans were refused too often; this is done at once.

    Spec: BLOCKED-02, BLOCKED-44.
    """
    freed = list_failed(tracker)
    for held in freed:
        tracker = _drop(tracker, held, now_ns)
    return tracker, freed


def take_duplicates(tracker: Tracker) -> tuple[Tracker, tuple[Evaluation, ...]]:
    """Take the evals that gave way to others of their jobs.

    Spec: BLOCKED-23.
    """
    return replace(tracker, duplicates=()), tracker.duplicates


def elapse(tracker: Tracker, now_ns: int) -> Tracker:
    """Forget every five minutes what became free long ago.

    Spec: BLOCKED-32, BLOCKED-47.
    """
    if not tracker.is_enabled or tracker.prune_at_ns > now_ns:
        return tracker
    # The last time alone counts, however many have passed: it forgets whatever those before it would.
    past_ns = (now_ns - tracker.prune_at_ns) % PRUNE_INTERVAL_NS
    return _prune(tracker, now_ns - past_ns)


def _prune(tracker: Tracker, now_ns: int) -> Tracker:
    kept = {key: freed for key, freed in tracker.freed.items() if freed.at_ns >= now_ns - PRUNE_AGE_NS}
    return replace(
        tracker,
        freed=HashTrieMap(kept),
        stats=prune(tracker.stats, now_ns),
        prune_at_ns=now_ns + PRUNE_INTERVAL_NS,
    )
