"""Blocked evals: they go to the broker when something became free that may help them.

Changes wait in a queue, so that whoever applies log entries never waits for blocked evals; the index at which
something became free is noted at once. Every function that frees evals returns them with their tokens, for
the broker.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.model.cluster.components.blocked_state import (
    PRUNE_INTERVAL_NS,
    BlockedEvals,
    Blocking,
    Change,
    Freed,
    Held,
    Unblocking,
    Untracking,
    find_held,
    list_missed_answers,
    list_system_of_node,
)
from nomadspec.model.cluster.components.blocked_stats import PRUNE_AGE_NS, count_in, count_out, prune
from nomadspec.model.cluster.components.broker_state import JobKey, get_job_key
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import DISPLACED_IS_DELIVERED, LEFT_CAPTURED, WOKEN_TWICE

_SYSTEM = "system"
_MAX_PLAN_ATTEMPTS = "max-plan-attempts"


def enable(blocked_evals: BlockedEvals, now_ns: int) -> BlockedEvals:
    """Let blocked evals work.

    Spec: BLOCKED-46.
    """
    if blocked_evals.is_enabled:
        return blocked_evals
    return replace(blocked_evals, is_enabled=True, prune_at_ns=now_ns + PRUNE_INTERVAL_NS)


def disable() -> BlockedEvals:
    """Forget everything, the changes that wait too.

    Spec: BLOCKED-46.
    """
    return BlockedEvals()


def block(
    blocked_evals: BlockedEvals, entry: Evaluation, token: str = "", *, is_restored: bool = False
) -> BlockedEvals:
    """Ask for an eval to be tracked; a token says which delivery blocks it again.

    Spec: BLOCKED-01, BLOCKED-02, X-11.
    """
    return _append(blocked_evals, Blocking(Held(entry, token), is_restored))


def untrack(blocked_evals: BlockedEvals, job: JobKey) -> BlockedEvals:
    """Ask for the blocked evals of a job to be forgotten.

    Spec: BLOCKED-02.
    """
    return _append(blocked_evals, Untracking(job))


def unblock_node(blocked_evals: BlockedEvals, node_id: str) -> BlockedEvals:
    """Tell of a node that may take more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    return _append(blocked_evals, Unblocking(node_id=node_id))


def unblock(blocked_evals: BlockedEvals, node_class: str, index: int, now_ns: int) -> BlockedEvals:
    """Tell of nodes of a class that may take more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    return _free(blocked_evals, (node_class,), Unblocking(node_class=node_class), index, now_ns)


def unblock_quota(blocked_evals: BlockedEvals, quota: str, index: int, now_ns: int) -> BlockedEvals:
    """Tell of a quota that may allow more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    if not quota:
        return blocked_evals
    return _free(blocked_evals, (quota,), Unblocking(quota=quota), index, now_ns)


def unblock_class_and_quota(
    blocked_evals: BlockedEvals, node_class: str, quota: str, index: int, now_ns: int
) -> BlockedEvals:
    """Tell of nodes of a class, and perhaps of a quota, that may take more.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    keys = (node_class, quota) if quota else (node_class,)
    return _free(blocked_evals, keys, Unblocking(node_class=node_class, quota=quota), index, now_ns)


def unblock_resources(
    blocked_evals: BlockedEvals, resources: Iterable[str], index: int, now_ns: int
) -> BlockedEvals:
    """Tell of new resources that belong to no node.

    Spec: BLOCKED-02, BLOCKED-42.
    """
    keys = tuple(resources)
    return _free(blocked_evals, keys, Unblocking(resources=frozenset(keys)), index, now_ns)


def _free(
    blocked_evals: BlockedEvals, keys: tuple[str, ...], change: Unblocking, index: int, now_ns: int
) -> BlockedEvals:
    """Note the index of the last call, not the highest one, before the change takes its turn.

    Spec: BLOCKED-43.
    """
    if not blocked_evals.is_enabled:
        return blocked_evals
    freed = blocked_evals.freed.update(dict.fromkeys(keys, Freed(index, now_ns)))
    return _append(replace(blocked_evals, freed=freed), change)


def _append(blocked_evals: BlockedEvals, change: Change) -> BlockedEvals:
    if not blocked_evals.is_enabled:
        return blocked_evals
    return replace(blocked_evals, changes=(*blocked_evals.changes, change))


def process_next(
    blocked_evals: BlockedEvals, now_ns: int, *, profile: Profile, is_missed_in_doubt: bool = True
) -> tuple[BlockedEvals, tuple[Held, ...]]:
    """Do what waits first, and return the evals that go to the broker.

    Spec: BLOCKED-02, BLOCKED-11, BLOCKED-12.
    """
    if not blocked_evals.changes:
        return blocked_evals, ()
    first, blocked_evals = blocked_evals.changes[0], replace(blocked_evals, changes=blocked_evals.changes[1:])
    match first:
        case Blocking():
            blocked_evals, freed = _block(
                blocked_evals, first, now_ns, profile, is_missed_in_doubt=is_missed_in_doubt
            )
        case Untracking(job=job):
            return _untrack(blocked_evals, job, now_ns, profile), ()
        case Unblocking():
            blocked_evals, freed = _unblock(blocked_evals, first, now_ns)
    return _let_go(blocked_evals, freed, profile), freed


def _let_go(blocked_evals: BlockedEvals, freed: Iterable[Held], profile: Profile) -> BlockedEvals:
    """Let no node wake once more what goes to the broker; in the release it stays under its node.

    Spec: BLOCKED-41, X-16.
    """
    for held in () if profile.has(WOKEN_TWICE) else freed:
        blocked_evals = _leave_node(blocked_evals, held.eval.id)
    return blocked_evals


def _leave_node(blocked_evals: BlockedEvals, eval_id: str) -> BlockedEvals:
    """Remember an eval for its node no more; whether it is tracked, and so counted, is another matter."""
    if (held := blocked_evals.system.get(eval_id)) is None:
        return blocked_evals
    job = get_job_key(held.eval)
    nodes = blocked_evals.system_jobs[job].discard(held.eval.node_id)
    return replace(
        blocked_evals,
        system=blocked_evals.system.discard(eval_id),
        system_jobs=blocked_evals.system_jobs.insert(job, nodes),
    )


def _block(
    blocked_evals: BlockedEvals,
    change: Blocking,
    now_ns: int,
    profile: Profile,
    *,
    is_missed_in_doubt: bool,
) -> tuple[BlockedEvals, tuple[Held, ...]]:
    """Track an eval, unless its job has a newer one or what it waits for came meanwhile (BLOCKED-10)."""
    held = change.held
    resolved = _resolve_duplicate(blocked_evals, held.eval, now_ns, profile)
    if resolved is None:
        return _give_way(blocked_evals, held.eval, profile), ()
    if change.is_restored:
        return resolved, (held,)
    answers = list_missed_answers(resolved, held.eval)
    if is_missed_in_doubt if len(answers) > 1 else next(iter(answers)):
        return resolved, (held,)
    return _track(resolved, held, now_ns), ()


def _give_way(blocked_evals: BlockedEvals, entry: Evaluation, profile: Profile) -> BlockedEvals:
    """Note that an eval is a duplicate of another of its job; in the release its node wakes it all the same.

    Spec: BLOCKED-21, X-09.
    """
    noted = replace(blocked_evals, duplicates=(*blocked_evals.duplicates, entry))
    return noted if profile.has(DISPLACED_IS_DELIVERED) else _leave_node(noted, entry.id)


def _resolve_duplicate(
    blocked_evals: BlockedEvals, entry: Evaluation, now_ns: int, profile: Profile
) -> BlockedEvals | None:
    """Give way to the new eval, or return None where the tracked one is newer.

    Spec: BLOCKED-20, BLOCKED-22.
    """
    job = get_job_key(entry)
    if (other_id := blocked_evals.jobs.get(job)) is None:
        return blocked_evals
    if (other := find_held(blocked_evals, other_id)) is None:
        return replace(blocked_evals, jobs=blocked_evals.jobs.discard(job))
    if _get_age(other.eval) > _get_age(entry):
        return None
    replaced = _give_way(blocked_evals, other.eval, profile)
    if other_id in blocked_evals.escaped:
        stats = replace(blocked_evals.stats, escaped=blocked_evals.stats.escaped - 1)
        return replace(replaced, escaped=blocked_evals.escaped.discard(other_id), stats=stats)
    stats = count_out(blocked_evals.stats, other.eval, now_ns)
    return replace(replaced, captured=blocked_evals.captured.discard(other_id), stats=stats)


def _get_age(entry: Evaluation) -> int:
    return max(entry.create_index, entry.snapshot_index)


def _track(blocked_evals: BlockedEvals, held: Held, now_ns: int) -> BlockedEvals:
    entry = held.eval
    blocked_evals = replace(
        blocked_evals,
        jobs=blocked_evals.jobs.insert(get_job_key(entry), entry.id),
        stats=count_in(blocked_evals.stats, entry, now_ns),
    )
    if entry.escaped_computed_class:
        return replace(blocked_evals, escaped=blocked_evals.escaped.insert(entry.id, held))
    if entry.type == _SYSTEM:
        blocked_evals = _track_system(blocked_evals, held)
    return replace(blocked_evals, captured=blocked_evals.captured.insert(entry.id, held))


def _track_system(blocked_evals: BlockedEvals, held: Held) -> BlockedEvals:
    """Remember the newest eval of a job for its node; the same eval again takes itself out.

    Spec: BLOCKED-12.
    """
    entry = held.eval
    job = get_job_key(entry)
    nodes = blocked_evals.system_jobs.get(job, HashTrieMap())
    system = blocked_evals.system.insert(entry.id, held).discard(nodes.get(entry.node_id, ""))
    by_job = blocked_evals.system_jobs.insert(job, nodes.insert(entry.node_id, entry.id))
    return replace(blocked_evals, system=system, system_jobs=by_job)


def _untrack(blocked_evals: BlockedEvals, job: JobKey, now_ns: int, profile: Profile) -> BlockedEvals:
    """Forget the evals of a job; in the release, of a system job only what is remembered by node.

    Spec: BLOCKED-45, X-14.
    """
    nodes = blocked_evals.system_jobs.get(job)
    if nodes is not None and profile.has(LEFT_CAPTURED):
        found = [blocked_evals.system.get(eval_id) for _, eval_id in sorted(nodes.items())]
        return _drop_system(blocked_evals, filter(None, found), now_ns)
    for eval_id in () if nodes is None else nodes.values():
        blocked_evals = _leave_node(blocked_evals, eval_id)
    held = find_held(blocked_evals, blocked_evals.jobs.get(job, ""))
    return _drop(blocked_evals, held, now_ns) if held else blocked_evals


def _drop_system(blocked_evals: BlockedEvals, found: Iterable[Held], now_ns: int) -> BlockedEvals:
    for held in found:
        stats = count_out(blocked_evals.stats, held.eval, now_ns)
        blocked_evals = replace(_leave_node(blocked_evals, held.eval.id), stats=stats)
    return blocked_evals


def _drop(blocked_evals: BlockedEvals, held: Held, now_ns: int) -> BlockedEvals:
    entry = held.eval
    stats = count_out(blocked_evals.stats, entry, now_ns)
    if entry.id in blocked_evals.escaped:
        stats = replace(stats, escaped=stats.escaped - 1)
    return replace(
        blocked_evals,
        captured=blocked_evals.captured.discard(entry.id),
        escaped=blocked_evals.escaped.discard(entry.id),
        jobs=blocked_evals.jobs.discard(get_job_key(entry)),
        stats=stats,
    )


def _unblock(
    blocked_evals: BlockedEvals, event: Unblocking, now_ns: int
) -> tuple[BlockedEvals, tuple[Held, ...]]:
    """Free whom an event may help; then none counts as escaped, even if some still are (BLOCKED-41)."""
    tracked = _select(blocked_evals, lambda held: _is_helped(blocked_evals, held.eval, event))
    system = list_system_of_node(blocked_evals, event.node_id) if event.node_id else ()
    if not tracked and not system:
        return blocked_evals, ()
    for held in tracked:
        blocked_evals = _drop(blocked_evals, held, now_ns)
    blocked_evals = _drop_system(blocked_evals, system, now_ns)
    return replace(blocked_evals, stats=replace(blocked_evals.stats, escaped=0)), (*tracked, *system)


def _select(blocked_evals: BlockedEvals, is_wanted: Callable[[Held], bool]) -> tuple[Held, ...]:
    held_ones = (*sorted(blocked_evals.escaped.items()), *sorted(blocked_evals.captured.items()))
    return tuple(held for _, held in held_ones if is_wanted(held))


def _is_helped(blocked_evals: BlockedEvals, entry: Evaluation, event: Unblocking) -> bool:
    """True if an event concerns an eval that is captured or escaped (BLOCKED-40)."""
    if entry.id in blocked_evals.escaped:
        return bool(event.node_class) or not event.resources.isdisjoint(entry.missing_non_node_resources)
    if not event.node_class and not event.quota:
        return False
    is_other_quota = bool(entry.quota_limit_reached) and entry.quota_limit_reached != event.quota
    if event.quota and is_other_quota:
        return False
    return entry.class_eligibility.get(event.node_class, True)


def list_failed(blocked_evals: BlockedEvals) -> tuple[Held, ...]:
    """List the evals whose plans were rejected too often.

    Spec: BLOCKED-44.
    """
    return _select(blocked_evals, lambda held: held.eval.triggered_by == _MAX_PLAN_ATTEMPTS)


def unblock_failed(
    blocked_evals: BlockedEvals, now_ns: int, *, profile: Profile
) -> tuple[BlockedEvals, tuple[Held, ...]]:
    """Free the evals whose plans were rejected too often; this is done at once.

    Spec: BLOCKED-02, BLOCKED-44.
    """
    freed = list_failed(blocked_evals)
    for held in freed:
        blocked_evals = _drop(blocked_evals, held, now_ns)
    return _let_go(blocked_evals, freed, profile), freed


def take_duplicates(blocked_evals: BlockedEvals) -> tuple[BlockedEvals, tuple[Evaluation, ...]]:
    """Take the evals that gave way to others of their jobs.

    Spec: BLOCKED-23.
    """
    return replace(blocked_evals, duplicates=()), blocked_evals.duplicates


def elapse(blocked_evals: BlockedEvals, now_ns: int) -> BlockedEvals:
    """Forget every five minutes what became free long ago.

    Spec: BLOCKED-32, BLOCKED-47.
    """
    if not blocked_evals.is_enabled or blocked_evals.prune_at_ns > now_ns:
        return blocked_evals
    # The last time alone counts, however many have passed: it forgets whatever those before it would.
    past_ns = (now_ns - blocked_evals.prune_at_ns) % PRUNE_INTERVAL_NS
    return _prune(blocked_evals, now_ns - past_ns)


def _prune(blocked_evals: BlockedEvals, now_ns: int) -> BlockedEvals:
    kept = {key: freed for key, freed in blocked_evals.freed.items() if freed.at_ns >= now_ns - PRUNE_AGE_NS}
    return replace(
        blocked_evals,
        freed=HashTrieMap(kept),
        stats=prune(blocked_evals.stats, now_ns),
        prune_at_ns=now_ns + PRUNE_INTERVAL_NS,
    )
