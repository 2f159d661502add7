"""The state of a cluster as far as its events show it, and what no two sights of an object may show.

Events may be missing, so nothing is made of what was not seen: a status must be reachable from the one that
was seen before, by any number of steps; what has ended stays so; and only what is known to run on a node is
counted there. Defects of the release that may be behind something are named: only a log can tell a cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.invariants.cluster.world.catalogue import PROPERTIES
from nomadspec.invariants.cluster.world.registry import Property, Scope, Step, find_touched
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation, Job, Node
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.world import Settings, World, make_world
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT, ALLOCATION_DESIRED
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.table import Lifecycle, list_legal_pairs
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk
from nomadspec.model.specification.quirks import (
    CANCELLED_IS_DELIVERED,
    DISPLACED_IS_DELIVERED,
    DROPPED_DELAYED_FIRES,
    ERROR_AFTER_DISPATCH,
    HASTY_CANCEL,
    LOST_ACK,
    OVERWRITTEN_END,
    OVERWRITTEN_REPORT,
    REVIVED_ALLOCATION,
    SILENT_PURGE,
    STALE_DEPLOYMENT,
    STALE_JUDGEMENT,
    STORED_CORE_EVAL,
    UNCHECKED_UPDATE,
    WOKEN_TWICE,
)

_ASKED: Final[Mapping[str, tuple[Quirk, ...]]] = {
    "chain_of_replacements_has_no_cycle": (),
    "core_eval_is_never_stored": (STORED_CORE_EVAL,),
    "draining_node_is_ineligible": (),
    "ended_alloc_stays_ended": (OVERWRITTEN_REPORT,),
    "ended_deployment_stays_ended": (STALE_DEPLOYMENT,),
    "identity_of_alloc_never_changes": (),
    "no_node_is_oversubscribed": (ERROR_AFTER_DISPATCH, STALE_JUDGEMENT, UNCHECKED_UPDATE),
    "promotion_is_never_undone": (),
    "stopped_alloc_stays_stopped": (REVIVED_ALLOCATION,),
    "terminal_eval_stays_terminal": (
        *(CANCELLED_IS_DELIVERED, DISPLACED_IS_DELIVERED, DROPPED_DELAYED_FIRES, HASTY_CANCEL, LOST_ACK),
        *(OVERWRITTEN_END, SILENT_PURGE, WOKEN_TWICE),
    ),
    "version_of_job_never_decreases": (),
}
"""What is asked of a sight, whatever else there is, and which defects of the release may break it."""

_STATUSES: Final[tuple[tuple[type, str, Lifecycle, str], ...]] = (
    (Evaluation, "status", EVALUATION, "EVAL-02"),
    (Allocation, "client_status", ALLOCATION_CLIENT, "OBJ-213"),
    (Allocation, "desired_status", ALLOCATION_DESIRED, "OBJ-230"),
    (Deployment, "status", DEPLOYMENT, "OBJ-273"),
)
"""Which member of which object follows which table."""

Row: TypeAlias = Node | Job | Evaluation | Allocation | Deployment
"""What is made out of an event."""

TOPICS: Final[Mapping[str, type[Row]]] = {
    "Allocation": Allocation,
    "Deployment": Deployment,
    "Evaluation": Evaluation,
    "Job": Job,
    "Node": Node,
}
"""What is made out of the events of a topic; others tell nothing that is judged."""


@dataclass(slots=True)
class Sight:
    """What was seen of a cluster so far."""

    context: Context
    world: World = field(init=False)
    known: dict[str, frozenset[str]] = field(default_factory=dict)
    """What was found broken already, by property."""

    def __post_init__(self) -> None:
        """Begin without having seen anything."""
        self.forget()

    def forget(self) -> None:
        """Begin anew after a gap: nothing is known of what was not seen to end."""
        self.world = make_world(Settings(profile=self.context.profile), workers=0)
        self.known = {}

    def see(self, rows: Iterable[Row], index: int, path: str) -> Iterator[Difference]:
        """Take objects as they are at an index, and list what cannot be of them."""
        before, draft = self.world.state, Draft.of(self.world.state, index, profile=self.context.profile)
        for row in rows:
            yield from self._put(row, draft, path)
        draft.touch("seen")
        after = replace(self.world, state=draft.finish())
        step, self.world = Step(replace(self.world, state=before), None, after), after
        touched = find_touched(step)
        for promise in _list_asked():
            if promise.is_touched(touched):
                yield from self._ask(promise, step, path)

    def _put(self, row: Row, draft: Draft, path: str) -> Iterator[Difference]:
        """Put an object where it belongs, unless a newer one was seen already."""
        known = _find_known(row, draft)
        if known is not None and known.modify_index > row.modify_index:
            return
        for kind, name, table, rule in _STATUSES:
            if isinstance(row, kind) and known is not None:
                told, stood = getattr(row, name), getattr(known, name)
                if not _is_reachable(table, stood, told, self.context.profile):
                    yield Difference(f"{path}.{row.id}.{name}", told, f"what may follow {stood}", rule)
        draft.put(row)

    def _ask(self, promise: Property, step: Step, path: str) -> Iterator[Difference]:
        """Ask a property; what a defect of the release may have done is remarked on once."""
        witnesses = promise.list_witnesses(step)
        subjects = {" ".join(each.split()[:2]): each for each in witnesses}
        known = self.known.get(promise.name, frozenset())
        likely = [quirk.id for quirk in _ASKED[promise.name] if self.context.profile.has(quirk)]
        for subject, witness in subjects.items():
            if subject in known:
                continue
            if likely:
                self.context.note(f"{promise.name} was broken, by one of {', '.join(likely)} if by a defect")
            else:
                yield Difference(path, witness, promise.about, promise.spec[0])
        if promise.scope is Scope.ALWAYS:
            self.known[promise.name] = frozenset(subjects)


@cache
def _list_asked() -> tuple[Property, ...]:
    return tuple(PROPERTIES[name] for name in _ASKED)


def _find_known(row: Row, draft: Draft) -> Row | None:
    match row:
        case Node():
            return draft.nodes.get(row.id)
        case Job():
            return draft.jobs.get((row.namespace, row.id))
        case Evaluation():
            return draft.evals.get(row.id)
        case Allocation():
            return draft.allocs.get(row.id)
        case Deployment():
            return draft.deployments.get(row.id)


@cache
def _find_reachable(table: Lifecycle, profile: Profile) -> Mapping[str, frozenset[str]]:
    """Find by status all that may follow it, after however many steps."""
    pairs = [(a.name.lower(), b.name.lower()) for a, b in list_legal_pairs(table, profile)]
    reached = {status.name.lower(): {status.name.lower()} for status in table.list_statuses()}
    for _ in reached:
        for source, target in pairs:
            for targets in reached.values():
                if source in targets:
                    targets.add(target)
    return {status: frozenset(targets) for status, targets in reached.items()}


def _is_reachable(table: Lifecycle, source: str, target: str, profile: Profile) -> bool:
    """True if a status may follow another; of one that the table does not know nothing is said."""
    reachable = _find_reachable(table, profile)
    return source not in reachable or target not in reachable or target in reachable[source]
