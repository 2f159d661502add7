"""What evaluations really did in explored scopes, next to what the lifecycle tables allow.

A sighting belongs to the arrows with its ends. Where several arrows have the same ends, rules decide: for an
arrow that makes an evaluation the trigger that its rule stands for, else the spec IDs that the rule and the
arrow share most of. An arrow that only a quirk opens is looked for under that quirk alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from nomadspec.checkers.diagrams import palette
from nomadspec.checkers.diagrams.graph import Edge, EdgeStyle, Graph, Node
from nomadspec.checkers.diagrams.lifecycle import (
    ORIGIN_ID,
    build_lifecycle_graph,
    label_lines,
    list_notes,
    name_node,
)
from nomadspec.checkers.diagrams.sightings import PARTLY, PLANNED, WHOLE, Seen, Sighting
from nomadspec.model.language.domain import NONE
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.evaluation_full import EVALUATION_FULL
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE
from nomadspec.model.lifecycle.table import (
    ABSENT,
    Arrow,
    ArrowKind,
    Lifecycle,
    Status,
    label_of,
    list_arrows,
    number_of,
)
from nomadspec.model.specification.profiles import Profile

EXPLORABLE: Final = MappingProxyType(
    {one.name: one for one in (EVALUATION, EVALUATION_FULL, EVALUATION_PLACE)}
)
"""The lifecycles whose objects the kernel has."""

TRIGGERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "Block": frozenset({"queued-allocs"}),
        "BlockAt": frozenset({"queued-allocs"}),
        "UseUpAttempts": frozenset({"max-plan-attempts"}),
        "ReapFailed": frozenset({"failed-follow-up"}),
        "MarkUnknown": frozenset({"max-disconnect-timeout"}),
        "ApplyPlan": frozenset({"preemption"}),
        "Commit": frozenset({"preemption"}),
        "WriteNodeEval": frozenset({"node-update"}),
        "UpdateJob": frozenset({"job-register"}),
        "RegisterAgain": frozenset({"job-register"}),
        "RequestEvaluation": frozenset({"job-register"}),
        "StopJob": frozenset({"job-deregister"}),
        "PurgeJob": frozenset({"job-deregister"}),
        "FailAlloc": frozenset({"alloc-failure"}),
        "ReconnectAlloc": frozenset({"reconnect"}),
        "WatchHealth": frozenset({"deployment-watcher"}),
        "FailDeployment": frozenset({"deployment-watcher"}),
        "SetDeploymentStatus": frozenset({"deployment-watcher"}),
        "EvaluateJob registered_unchanged": frozenset({"job-register"}),
        "EvaluateJob evaluated": frozenset({"job-register"}),
        "EvaluateJob dispatched": frozenset({"job-register"}),
        "EvaluateJob scaled": frozenset({"job-scaling"}),
        "EvaluateJob launched": frozenset({"periodic-job"}),
        "MakeUnhandledTrigger": frozenset(),
        "MigrateAlloc": frozenset({"alloc-stop"}),
        "DrainAlloc": frozenset({"node-drain"}),
        "EndDrain": frozenset({"node-drain"}),
        "UpdateJobInPlace": frozenset({"job-register"}),
    }
)
"""What the evaluation is triggered by that a rule of the kernel makes."""

ONLY_BY: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "flush": frozenset({"LoseLeader", "PauseBroker"}),
        "new leader": frozenset({"LoseLeader", "PauseBroker"}),
        "new leader, pause": frozenset({"LoseLeader", "PauseBroker"}),
        "last nack, or new leader": frozenset({"Nack", "ExpireDelivery", "LoseLeader", "PauseBroker"}),
        "retried, still no place": frozenset({"WriteOutcome"}),
        "outcome written": frozenset({"WriteOutcome"}),
        "blocked, but missed a wake-up": frozenset({"TrackBlocked"}),
        "job purged": frozenset({"PurgeJob", "GcJob"}),
        "alloc reconnected": frozenset({"ReconnectAlloc"}),
        "operator, broker paused": frozenset({"DeleteEval"}),
        "garbage collection": frozenset({"GcEval", "GcJob"}),
    }
)
"""The rules that stand for a cause, where spec IDs do not tell."""

AFTER_PLAN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "answered: all committed": WHOLE,
        "answered: only partly committed, or error": PARTLY,
        "scheduled, its plan committed": PLANNED,
        "retried, its plan committed": PLANNED,
        "outcome of a committed plan written": PLANNED,
    }
)
"""What stands behind the rule of a step that has a cause, where it depends on what became of a plan."""

_EVERYWHERE: Final = frozenset({"EVAL-10", "EVAL-45"})
"""IDs that say no more than that an evaluation is made or canceled."""

SEEN: Final = EdgeStyle("seen", "seen, with how often", stroke="#0f7a52", width=2)
SEEN_CREATION: Final = EdgeStyle(
    "seencreation", "seen: creates another object", stroke="#2a62a8", width=2, is_dashed=True
)
SEEN_QUIRK: Final = EdgeStyle("seenquirk", "seen, only with the named quirk", stroke="#c2520a", width=2)
UNSEEN: Final = EdgeStyle("unseen", "allowed, but not seen", stroke="#b9c0c8")
UNSEEN_CREATION: Final = EdgeStyle(
    "unseencreation", "not seen: creates another object", stroke="#b9c0c8", is_dashed=True
)
STRANGE: Final = EdgeStyle("strange", "seen, and in no table", stroke="#b3261e", width=2)


@dataclass(slots=True)
class Witnesses:
    """The arrows of one table with what was seen of each, and what no arrow allows."""

    lifecycle: Lifecycle
    profile: Profile
    taken: dict[Arrow, list[tuple[Seen, Sighting]]] = field(default_factory=dict)
    strange: list[tuple[Seen, Sighting]] = field(default_factory=list)

    def count(self, arrow: Arrow) -> int:
        """Count the steps that take an arrow."""
        return sum(seen.counts[sighting] for seen, sighting in self.taken.get(arrow, ()))


def find_witnesses(lifecycle: Lifecycle, profile: Profile, explored: Iterable[Seen]) -> Witnesses:
    """Find which arrows were taken."""
    found = Witnesses(lifecycle, profile)
    for seen in explored:
        arrows = list_arrows(lifecycle, seen.task.bounded.profile)
        for sighting in seen.counts:
            if sighting.lifecycle != lifecycle.name:
                continue
            taken = choose_arrows(arrows, sighting, seen.spec_of(sighting.rule))
            for arrow in taken:
                found.taken.setdefault(arrow, []).append((seen, sighting))
            is_legal = has_ends(arrows, sighting)
            if not taken and sighting.kind is ArrowKind.CHANGE and not is_legal:
                found.strange.append((seen, sighting))
    return found


def choose_arrows(arrows: Iterable[Arrow], sighting: Sighting, spec: frozenset[str]) -> tuple[Arrow, ...]:
    """Choose the arrows that a sighting takes: those with its ends which agree best with its rule."""
    ends = (sighting.kind, sighting.source, sighting.target)
    same = [
        arrow
        for arrow in arrows
        if (arrow.kind, number_of_end(arrow.source), number_of_end(arrow.target)) == ends
    ]
    told = sighting.rule.partition(" ")[2]
    what = told if told in AFTER_PLAN.values() else ""
    same = [arrow for arrow in same if AFTER_PLAN.get(arrow.cause, "") == what]
    triggers = TRIGGERS.get(sighting.rule)
    if triggers is not None and sighting.kind is ArrowKind.CREATION:
        same = [arrow for arrow in same if not arrow.triggers or triggers & set(arrow.triggers)]
    same = [arrow for arrow in same if sighting.rule in ONLY_BY.get(arrow.cause, {sighting.rule})]
    same = [arrow for arrow in same if arrow.cause in ONLY_BY] or same
    same = [arrow for arrow in same if arrow.quirk is None] or same
    if len({arrow.quirk for arrow in same}) > 1:
        return ()
    if len(same) > 1:
        shared = [len(spec & set(arrow.spec) - _EVERYWHERE) for arrow in same]
        same = [arrow for arrow, amount in zip(same, shared, strict=True) if amount == max(shared)]
    return tuple(same)


def has_ends(arrows: Iterable[Arrow], sighting: Sighting) -> bool:
    """True if some arrow joins the same statuses, whatever its cause."""
    ends = (sighting.kind, sighting.source, sighting.target)
    return any(
        (arrow.kind, number_of_end(arrow.source), number_of_end(arrow.target)) == ends for arrow in arrows
    )


def number_of_end(status: Status) -> int:
    """Give the number of a status; ``NONE`` stands for an object that is not there."""
    return NONE if status is ABSENT else number_of(status)


def build_explored_graph(witnesses: Witnesses, scopes: Iterable[str]) -> Graph:
    """Draw the table with what was seen of it: arrows that were never seen are grey."""
    lifecycle, profile = witnesses.lifecycle, witnesses.profile
    bundles: dict[tuple[str, str, EdgeStyle], list[str]] = {}
    for arrow in list_arrows(lifecycle, profile):
        if arrow.target is not ABSENT:
            times = witnesses.count(arrow)
            line = "\n".join(label_lines(arrow)) + (f" ×{times:,}" if times else "")  # noqa: RUF001 -- the sign for how often
            bundle = bundles.setdefault(
                (name_node(arrow.source), name_node(arrow.target), _style(arrow, times)), []
            )
            bundle.append(line)
    for seen, sighting in witnesses.strange:
        if sighting.target != NONE:
            source, target = _name(lifecycle, sighting.source), _name(lifecycle, sighting.target)
            line = f"{sighting.rule} ×{seen.counts[sighting]:,}"  # noqa: RUF001 -- the sign for how often
            bundles.setdefault((source, target, STRANGE), []).append(line)
    happy = {(name_node(one), name_node(other)) for one, other in pairwise(lifecycle.happy_path)}
    edges = tuple(
        Edge(source, target, style, "\n".join(dict.fromkeys(lines)), 20 if (source, target) in happy else 1)
        for (source, target, style), lines in bundles.items()
    )
    return Graph(
        title=f"{lifecycle.title}, as explored in {', '.join(scopes)}, profile {profile.name}",
        nodes=_list_nodes(lifecycle, profile),
        edges=edges,
        notes=list_notes(edges),
    )


def _list_nodes(lifecycle: Lifecycle, profile: Profile) -> tuple[Node, ...]:
    nodes = build_lifecycle_graph(lifecycle, profile).nodes
    origin = Node("origin", lifecycle.origin, palette.ORIGIN)
    return (origin, *(node for node in nodes if node.id not in {"origin", "any"}))


def _style(arrow: Arrow, times: int) -> EdgeStyle:
    is_creation = arrow.kind is ArrowKind.CREATION
    if not times:
        return UNSEEN_CREATION if is_creation else UNSEEN
    if arrow.quirk is not None:
        return SEEN_QUIRK
    return SEEN_CREATION if is_creation else SEEN


def _name(lifecycle: Lifecycle, number: int) -> str:
    return ORIGIN_ID if number == NONE else name_node(lifecycle.list_statuses()[number])


def describe_ends(lifecycle: Lifecycle, sighting: Sighting) -> tuple[str, str]:
    """Name the ends of a sighting."""
    ends = (sighting.source, sighting.target)
    source, target = (label_of(None if end == NONE else lifecycle.list_statuses()[end]) for end in ends)
    return source, target
