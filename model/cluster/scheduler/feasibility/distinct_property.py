"""Distinct properties: only so many allocations may run on nodes with one value of an attribute."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Final

from nomadspec.model.cluster.constraints.quoting import quote
from nomadspec.model.cluster.constraints.targets import resolve
from nomadspec.model.cluster.entities import Allocation, Constraint, Job, Node, Operand, TaskGroup
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.reasons import Filtered
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import UNCOUNTED_STOPS, UPDATED_TWICE

_DIGITS: Final = re.compile(r"[0-9]+\Z")
_LARGEST: Final = 2**64 - 1

Counts = Counter[str]
"""How many allocations are on nodes with a value."""


@dataclass(slots=True)
class PropertySet:
    """One constraint, with what it has counted so far.

    Spec: FEAS-46.
    """

    constraint: Constraint
    group: str | None
    """The group whose allocations count; None for all."""
    there: tuple[Allocation, ...]
    """The allocations of the job that have not ended, by the snapshot."""
    existing: Counts = field(default_factory=Counter)
    proposed: Counts = field(default_factory=Counter)
    cleared: Counts = field(default_factory=Counter)
    _counted: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Take note of whom the snapshot counts."""
        self._counted = frozenset(alloc.id for alloc in self.there)

    def count_existing(self, snapshot: Snapshot) -> None:
        """Count what is there.

        Spec: FEAS-47.
        """
        self.existing = self._count(snapshot, self.there)

    def count_plan(self, plan: PlanBuilder, profile: Profile) -> None:
        """Count anew what the plan places and stops.

        Where a value gets new allocations, one of several stops on it is not counted, and a single one is.

        Spec: FEAS-47, 06/S-04, 06/S-06.
        """
        snapshot = plan.snapshot
        placed = [alloc for allocs in plan.node_allocation.values() for alloc in allocs]
        stopped = [alloc for allocs in plan.node_update.values() for alloc in allocs]
        self.proposed = self._count(snapshot, (alloc for alloc in placed if not is_terminal(alloc)))
        if not profile.has(UPDATED_TWICE):
            updated = {alloc.id for alloc in placed}
            self.existing = self._count(snapshot, (each for each in self.there if each.id not in updated))
        self.cleared = self._count(snapshot, list_freeing(stopped, self._counted, profile))
        spare_one(self.cleared, self.proposed, profile)

    def _count(self, snapshot: Snapshot, allocs: Iterable[Allocation]) -> Counts:
        return count_values(snapshot, self.constraint.ltarget, self.group, allocs)

    def count_used(self, value: str) -> int:
        """Count how often a value is used.

        Spec: FEAS-48.
        """
        used = self.existing[value] + self.proposed[value]
        return max(used - self.cleared[value], 0)

    def check(self, node: Node) -> Filtered | None:
        """Refuse a node whose value is used up, or that has none.

        Spec: FEAS-49.
        """
        target, text = self.constraint.ltarget, self.constraint.rtarget
        allowed = parse_count(text) if text else 1
        if isinstance(allowed, str):
            return refuse(node, "FEAS-49", f"failed to convert RTarget {quote(text)} to uint64: {allowed}")
        value = find_value(target, node)
        if value is None:
            return refuse(node, "FEAS-49", f"missing property {quote(target)}")
        used = self.count_used(value)
        if used < allowed:
            return None
        reason = f"distinct_property: {target}={value} used by {used} allocs"
        return refuse(node, "FEAS-49", reason, value=value, used=used, allowed=allowed)


def find_value(target: str, node: Node) -> str | None:
    """Find the value of a property on a node; no property is none.

    Spec: FEAS-46.
    """
    return resolve(target, node) if target else None


def parse_count(text: str) -> int | str:
    """Read how many allocations may share a value; the answer is a text if that is no number."""
    if not _DIGITS.match(text):
        return f"strconv.ParseUint: parsing {quote(text)}: invalid syntax"
    digits = text.lstrip("0") or "0"
    if len(digits) > len(str(_LARGEST)) or int(digits) > _LARGEST:
        return f"strconv.ParseUint: parsing {quote(text)}: value out of range"
    return int(digits)


def count_values(snapshot: Snapshot, target: str, group: str | None, allocs: Iterable[Allocation]) -> Counts:
    """Count by value the allocations of a group, or of all groups; unknown nodes have no value.

    Spec: FEAS-47.
    """
    counts: Counts = Counter()
    for alloc in allocs:
        node = snapshot.find_node(alloc.node_id) if group in {None, alloc.task_group} else None
        value = find_value(target, node) if node else None
        if value is not None:
            counts[value] += 1
    return counts


def list_freeing(stopped: list[Allocation], counted: Container[str], profile: Profile) -> list[Allocation]:
    """List the stops that free values: those of allocations that were counted, in the release all.

    Spec: FEAS-47, 06/S-06.
    """
    if profile.has(UNCOUNTED_STOPS):
        return stopped
    return [alloc for alloc in stopped if alloc.id in counted]


def spare_one(cleared: Counts, proposed: Counts, profile: Profile) -> None:
    """Leave one of several stops on a value that gets new allocations out, as the release does.

    Spec: FEAS-47, 06/S-06.
    """
    for value in proposed if profile.has(UNCOUNTED_STOPS) else ():
        if cleared[value] > 1:
            cleared[value] -= 1


def count_existing(snapshot: Snapshot, job: Job, target: str, group: str | None) -> Counts:
    """Count by value the allocations of a job that have not ended.

    Spec: FEAS-47.
    """
    return count_values(snapshot, target, group, list_existing(snapshot, job))


def list_existing(snapshot: Snapshot, job: Job) -> tuple[Allocation, ...]:
    """List the allocations of a job that have not ended, earlier jobs of its name left out.

    Spec: FEAS-47.
    """
    registered = snapshot.find_job(job.namespace, job.id)
    allocs = snapshot.list_allocs_of_job(job.namespace, job.id) if registered else ()
    return tuple(
        alloc for alloc in allocs if registered and _is_of(alloc, registered) and not is_terminal(alloc)
    )


def _is_of(alloc: Allocation, job: Job) -> bool:
    return alloc.job is not None and alloc.job.create_index == job.create_index


@dataclass(slots=True)
class DistinctProperties:
    """All sets of one attempt: those of the job, and those of each group that was searched for.

    Spec: FEAS-46, FEAS-50.
    """

    context: Context
    _of_job: list[PropertySet] = field(default_factory=list)
    _of_groups: dict[str, list[PropertySet]] = field(default_factory=dict)
    _active: list[PropertySet] = field(default_factory=list)

    def add_job(self, job: Job) -> None:
        """Add the sets of a version of the job; those of versions before it stay.

        Spec: 06/S-14.
        """
        self._of_job.extend(self._make_sets(job, job.constraints, None))

    def begin(self, job: Job, group: TaskGroup) -> None:
        """Begin a search: the sets of a group are made once, and the plan is counted anew.

        Spec: FEAS-47, FEAS-50, 06/S-14.
        """
        if group.name not in self._of_groups:
            self._of_groups[group.name] = self._make_sets(job, group.constraints, group.name)
        self._active = [*self._of_job, *self._of_groups[group.name]]
        for each in self._active:
            each.count_plan(self.context.plan, self.context.profile)

    def is_asked(self) -> bool:
        """True if the search that is under way asks for any."""
        return bool(self._active)

    def check(self, node: Node) -> Filtered | None:
        """Refuse a node by the first set that it does not fit into.

        Spec: FEAS-50.
        """
        for each in self._active:
            refused = each.check(node)
            if refused is not None:
                return refused
        return None

    def _make_sets(self, job: Job, constraints: Iterable[Constraint], group: str | None) -> list[PropertySet]:
        snapshot = self.context.snapshot
        wanted = [each for each in constraints if each.operand == Operand.DISTINCT_PROPERTY]
        there = list_existing(snapshot, job) if wanted else ()
        sets = [PropertySet(constraint, group, there) for constraint in wanted]
        for each in sets:
            each.count_existing(snapshot)
        return sets
