"""Updates of jobs that run on every node: in place where that can be, else a few at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Deployment, DesiredDescription, Job
from nomadspec.model.cluster.entities.allocation import has_health, is_terminal
from nomadspec.model.cluster.entities.group import has_update_strategy
from nomadspec.model.cluster.entities.node import is_in_datacenters, is_in_pool
from nomadspec.model.cluster.policy.destructive import find_destructive_change
from nomadspec.model.cluster.policy.update import UpdateVerdict
from nomadspec.model.cluster.scheduler.allocations import update_in_place
from nomadspec.model.cluster.scheduler.in_place import Updater
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.reasons import Stage
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.lifecycle.deployment import HELD
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import (
    FEIGNED_EVICTION,
    REPLACED_BY_NOTHING,
    STOPPED_AGAIN,
    TURN_OF_THE_HOSTLESS,
    UPDATES_WHILE_HELD,
)


class Updates(Struct, frozen=True, kw_only=True):
    """Which allocations follow their job where they are, and which have to be replaced."""

    in_place: tuple[NodeEntry, ...] = ()
    destructive: tuple[NodeEntry, ...] = ()


def update_where_possible(updater: Updater, entries: Iterable[NodeEntry], deployment_id: str) -> Updates:
    """Update in place what can be, and put it into the plan; the rest has to be replaced.

    The last of those that wait takes the place of one that is updated, so the order is that of recordings.

    Spec: SYSTEM-15, SYSTEM-17, SYSTEM-18, SYSTEM-22.
    """
    in_place: list[NodeEntry] = []
    waiting, at = list(entries), 0
    while at < len(waiting):
        entry = waiting[at]
        if not _follows(updater, entry, deployment_id):
            at += 1
            continue
        in_place.append(entry)
        last = waiting.pop()
        if at < len(waiting):
            waiting[at] = last
    return Updates(in_place=tuple(in_place), destructive=tuple(waiting))


def _follows(updater: Updater, entry: NodeEntry, deployment_id: str) -> bool:
    """Let an allocation follow its job where it is, if it can; one that has ended does so by itself."""
    reasons, change = updater.context.reasons, _find_change(updater, entry)
    if change is not None:
        reasons.note_judgement(
            entry.alloc, Stage.UPDATE, UpdateVerdict.DESTRUCTIVE, "SYSTEM-15", changed=change
        )
        return False
    if is_terminal(entry.alloc):
        reasons.note_judgement(entry.alloc, Stage.UPDATE, UpdateVerdict.IN_PLACE, "SYSTEM-17")
        return True
    updated = _update(updater, entry)
    if updated is None:
        reasons.note_judgement(entry.alloc, Stage.UPDATE, UpdateVerdict.DESTRUCTIVE, "SYSTEM-17")
        return False
    reasons.note_judgement(entry.alloc, Stage.UPDATE, UpdateVerdict.IN_PLACE, "SYSTEM-18")
    updated = replace(updated, deployment_id=deployment_id, deployment_status=None)
    updater.context.plan.append_alloc(updated)
    return True


def _find_change(updater: Updater, entry: NodeEntry) -> str | None:
    """Find what of the job changed so much that no allocation of the group can follow it."""
    job = updater.context.job
    return "job" if job is None else find_destructive_change(entry.alloc.job or Job(), job, entry.group.name)


def _update(updater: Updater, entry: NodeEntry) -> Allocation | None:
    """Give the new form of a live allocation; none if it cannot stay on its node.

    Spec: SYSTEM-17, SYSTEM-18, SYS-06, 07/S-24.
    """
    context, alloc = updater.context, entry.alloc
    job, node = context.job, context.snapshot.find_node(alloc.node_id)
    if job is None or node is None:
        return None
    if not (is_in_datacenters(node, job.datacenters) and is_in_pool(node, job.node_pool)):
        return None
    selected = updater.try_node(alloc, entry.group, node)
    if selected is None or (selected.preempted and not context.profile.has(FEIGNED_EVICTION)):
        return None
    metrics = context.metrics.build(nodes_available={}, nodes_in_pool=0)
    updated = update_in_place(alloc, context.evaluation, selected.resources, keeps_cores=False)
    return replace(updated, metrics=replace(metrics, score_meta_data=()))


def compute_limits(
    job: Job | None,
    destructive: Sequence[NodeEntry],
    ignored: Iterable[NodeEntry],
    deployment: Deployment | None,
    *,
    profile: Profile,
) -> dict[str, int]:
    """Compute how many allocations of each group may be replaced now.

    What the deployment has placed and nobody knows the health of yet lowers it, even below zero.

    Spec: SYSTEM-19, SYSTEM-20, 05/S1.
    """
    if job is None:
        return {}
    if is_held(deployment, job) and not profile.has(UPDATES_WHILE_HELD):
        return {group.name: 0 for group in job.task_groups}
    of_job = job.update.max_parallel if job.update.max_parallel > 0 else len(destructive)
    limits = {group.name: of_job for group in job.task_groups}
    for group in job.task_groups:
        if group.update is not None and has_update_strategy(group):
            limits[group.name] = group.update.max_parallel
    for entry in ignored:
        is_of_it = deployment is not None and entry.alloc.deployment_id == deployment.id
        if is_of_it and not has_health(entry.alloc) and entry.group.name in limits:
            limits[entry.group.name] -= 1
    return limits


def is_held(deployment: Deployment | None, job: Job) -> bool:
    """True if the deployment of this version of a job is paused or has failed.

    Spec: SYSDEP-03.
    """
    if deployment is None or deployment.job_version != job.version:
        return False
    return deployment.status in HELD


def evict_within(
    limits: dict[str, int],
    destructive: Iterable[NodeEntry],
    plan: PlanBuilder,
    trying: Container[str],
    needs: Mapping[str, int],
    *,
    profile: Profile,
) -> list[NodeEntry]:
    """Stop what may be replaced now, and list it; canaries of groups that try do not use the limit up.

    Of a group that needs so many canaries no more make room. The release has no such bound: it takes back
    what is too many when all else is placed, also in their room.

    Spec: SYSTEM-21, SYSTEM-22, SYSTEM-23, 05/S16, X-55, X-78.
    """
    evicted: list[NodeEntry] = []
    made: Counter[str] = Counter()
    for entry in destructive:
        group = entry.group.name
        if limits[group] <= 0 or (entry.is_canary and group in needs and made[group] >= needs[group]):
            continue
        made[group] += entry.is_canary
        if profile.has(STOPPED_AGAIN) or not is_terminal(entry.alloc):
            plan.append_stop(entry.alloc, DesiredDescription.UPDATING)
        evicted.append(entry)
        limits[group] -= not (entry.is_canary and group in trying)
    return evicted


def put_hostless_last(updater: Updater, destructive: Iterable[NodeEntry]) -> tuple[NodeEntry, ...]:
    """Let nodes that can take the new version have their turn before those that cannot.

    The release takes them as they come: one that cannot uses up the limit, and nothing is placed.

    Spec: SYSTEM-21, SYSTEM-22, X-60.
    """
    entries = tuple(destructive)
    if updater.context.profile.has(TURN_OF_THE_HOSTLESS):
        return entries
    return tuple(sorted(entries, key=lambda entry: not _has_host(updater, entry)))


def _has_host(updater: Updater, entry: NodeEntry) -> bool:
    node = updater.context.snapshot.find_node(entry.alloc.node_id)
    return node is not None and updater.try_node(entry.alloc, entry.group, node) is not None


def find_stranded(
    updater: Updater, updates: Updates, kept: Iterable[NodeEntry], missing: Iterable[NodeEntry]
) -> frozenset[str]:
    """Find the groups of which something runs, and whose new version no node can take.

    The release does not ask: it drives them off their nodes one after the other.

    Spec: SYSTEM-21, SYSTEM-28, X-52.
    """
    if updater.context.profile.has(REPLACED_BY_NOTHING):
        return frozenset()
    at_home = {entry.group.name for entry in (*kept, *updates.in_place)}
    hosted, asked = set(at_home), [entry for entry in updates.destructive if not is_terminal(entry.alloc)]
    for entry in (*asked, *missing):
        node = updater.context.snapshot.find_node(entry.alloc.node_id)
        is_open = entry.group.name not in hosted
        if is_open and node is not None and updater.try_node(entry.alloc, entry.group, node) is not None:
            hosted.add(entry.group.name)
    return frozenset(entry.group.name for entry in asked) - hosted
