"""What a graph of evaluations is made from, and what it is made of: frozen records, without any picture.

A ``History`` is what happened in a cluster, from a scenario, from a log, or, poorer, from what the API shows
at the end. An ``EvalDag`` is the graph of it. Its edges lead from what was first to what came of it; those of
the kinds in ``ENDING`` say only by what an allocation ended, and are no part of the order of causes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation


class Subject(StrEnum):
    """What a fact is about."""

    JOB = "job"
    NODE = "node"
    ALLOC = "alloc"
    DEPLOYMENT = "deployment"


class What(StrEnum):
    """What can be seen to happen."""

    REGISTERED = "register"
    STOPPED = "stop"
    PURGED = "purge"
    JOINED = "joins"
    DOWN = "misses heartbeat"
    DISCONNECTED = "disconnects"
    READY = "heartbeats"
    DRAINING = "drains"
    DRAINED = "ends its drain"
    ELIGIBILITY = "changes eligibility"
    CHANGED = "changes"
    HEALTHY = "healthy"
    UNHEALTHY = "unhealthy"
    FAILED = "fails"
    ENDED = "completes"
    ASKED = "is asked to move"
    PROMOTED = "promoted"
    STATUS = "changes status"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened to one object, at an index of the log."""

    index: int
    subject: Subject
    id: str
    what: What
    namespace: str = ""
    detail: str = ""
    actor: str = ""
    """The component that made it happen, where that was seen."""

    @property
    def key(self) -> str:
        """The ID of its node in the graph."""
        return f"event {self.index} {self.subject} {self.namespace}/{self.id} {self.what}"


@dataclass(frozen=True, slots=True)
class CommittedPlan:
    """What a plan did when it was committed, by the IDs of allocations."""

    index: int
    eval_id: str
    placed: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    preempted: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    made_evals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What happened in a cluster: every object as it was last seen, the facts and the plans in order."""

    title: str
    evals: tuple[Evaluation, ...]
    allocs: tuple[Allocation, ...]
    deployments: tuple[Deployment, ...]
    facts: tuple[Fact, ...]
    plans: tuple[CommittedPlan, ...] = ()
    has_plans: bool = False
    """Whether plans were seen: what the API shows at the end does not tell which evaluation stopped what."""
    makers: Mapping[str, str] = field(default_factory=dict)
    """The components that made evaluations, by the IDs of these, where that was seen."""


class NodeKind(StrEnum):
    """What a node of the graph is."""

    EVAL = "eval"
    ALLOC = "alloc"
    DEPLOYMENT = "deployment"
    EVENT = "event"


class EdgeKind(StrEnum):
    """How one node led to another."""

    PREVIOUS = "previous"
    NEXT = "next"
    BLOCKED = "blocked"
    CAUSED = "caused"
    PLACED = "placed"
    RESCHEDULED = "rescheduled"
    REPLACED = "replaced"
    THEN = "then"
    STOPPED = "stopped"
    PREEMPTED = "preempted"


ENDING: Final = frozenset({EdgeKind.STOPPED, EdgeKind.PREEMPTED})
"""They say what ended an allocation, which may itself have caused that: the edges run against time."""

ORDER: Final = frozenset({EdgeKind.THEN})
"""One event of a node after another: shown, and no cause."""

CHAIN: Final = frozenset({EdgeKind.PREVIOUS, EdgeKind.NEXT, EdgeKind.BLOCKED})
"""The links that evaluations bear themselves."""


@dataclass(frozen=True, slots=True)
class DagNode:
    """An evaluation, an allocation, a deployment or an event; a folded one stands for several alike."""

    id: str
    kind: NodeKind
    label: tuple[str, ...]
    """Its lines: what it is of, and why it is there."""
    status: str
    namespace: str
    job: str
    index: int
    """The index of the log at which it came to be; 0 where that is not known."""
    component: str = ""
    """The component of Nomad that made it; empty where that is not known."""
    is_no_op: bool = False
    """Whether an evaluation changed nothing and led to nothing; only known where plans were seen."""
    members: tuple[str, ...] = ()
    """The IDs that a folded node stands for."""

    @property
    def count(self) -> int:
        """How many it stands for."""
        return len(self.members) or 1

    @property
    def name(self) -> str:
        """The ID that its object bears."""
        return self.id.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class DagEdge:
    """A way from one node to another, by their IDs."""

    source: str
    target: str
    kind: EdgeKind


@dataclass(frozen=True, slots=True)
class EvalDag:
    """The graph: nodes by index, kind and ID, and edges in the order of their ends."""

    title: str
    nodes: tuple[DagNode, ...]
    edges: tuple[DagEdge, ...]

    @property
    def causal_edges(self) -> tuple[DagEdge, ...]:
        """The edges that lead from causes to effects."""
        return tuple(edge for edge in self.edges if edge.kind not in ENDING | ORDER)


def node_id(kind: NodeKind, name: str) -> str:
    """Write the ID of a node: IDs of evaluations and of allocations might be the same."""
    return f"{kind.value} {name}"
