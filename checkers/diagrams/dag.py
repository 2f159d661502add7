"""The graph of what caused what: events, and for each what made it possible or gave it its values.

An ``EventGraph`` is data and knows nothing of where its events come from. ``story_events.py`` makes one of a
story; evaluations, allocations and operator's commands of a real cluster can make others. Drawing leaves out
every edge that follows from others, puts events of one actor in a frame, and colours by status.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from io import BytesIO
from types import MappingProxyType
from typing import Final

import networkx as nx

from nomadspec.checkers.diagrams.graph import Cluster, Edge, EdgeStyle, Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.palette import GOOD, LIVE, ORIGIN, TROUBLE
from nomadspec.checkers.diagrams.render import FORMATS as PICTURE_FORMATS
from nomadspec.checkers.diagrams.render import render_graph
from nomadspec.checkers.escaping import escape_line
from nomadspec.model.errors import ImpossibleError, UsageError

FORMATS: Final = (*PICTURE_FORMATS, "graphml")

_MOST_REASONS: Final = 2
_GRAPHML_STAMP: Final = b"<?xml version='1.0' encoding='utf-8'?>\n"


class EventStatus(Enum):
    """What an event means for what the graph shows."""

    ORIGIN = "origin"
    PLAIN = "plain"
    LOOPING = "looping"
    REACHING = "reaching"
    VIOLATING = "violating"


class CauseKind(Enum):
    """How one event caused another."""

    ENABLES = "enables"
    INFORMS = "informs"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: ``cluster`` names who did it, where somebody did."""

    id: str
    label: str
    kind: str
    status: EventStatus = EventStatus.PLAIN
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """One event that made another possible, or gave it a value; the reasons name what it left behind."""

    source: str
    target: str
    kind: CauseKind
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventGraph:
    """Events in the order in which they happened, and what caused what; causes come before effects."""

    title: str
    events: tuple[Event, ...]
    causes: tuple[Cause, ...]


STEP: Final = NodeStyle("step", "step", fill=LIVE.fill, stroke=LIVE.stroke)
FIRST: Final = NodeStyle("first", "first world", fill=ORIGIN.fill, stroke=ORIGIN.stroke, is_dashed=True)
LOOPING: Final = NodeStyle("looping", "repeats for ever", fill="#fff1cc", stroke="#a86b00")
REACHING: Final = NodeStyle("reaching", "the goal", fill=GOOD.fill, stroke=GOOD.stroke, width=2)
VIOLATING: Final = NodeStyle("violating", "violation", fill=TROUBLE.fill, stroke=TROUBLE.stroke, width=2)
_NODE_STYLES: Final[Mapping[EventStatus, NodeStyle]] = MappingProxyType(
    {
        EventStatus.ORIGIN: FIRST,
        EventStatus.PLAIN: STEP,
        EventStatus.LOOPING: LOOPING,
        EventStatus.REACHING: REACHING,
        EventStatus.VIOLATING: VIOLATING,
    }
)
_EDGE_STYLES: Final[Mapping[CauseKind, EdgeStyle]] = MappingProxyType(
    {
        CauseKind.ENABLES: EdgeStyle("enables", "made it possible", stroke="#3c4650"),
        CauseKind.INFORMS: EdgeStyle("informs", "gave it a value", stroke="#2a62a8", is_dashed=True),
    }
)


def render_events(events: EventGraph, fmt: str) -> bytes:
    """Write or draw a graph of events, without the edges that follow from others."""
    if fmt == "graphml":
        return to_graphml(reduce_causes(events))
    if fmt not in FORMATS:
        raise UsageError(
            f"A graph of causes cannot be written as {fmt!r}; choose one of {', '.join(FORMATS)}."
        )
    return render_graph(draw_events(reduce_causes(events)), fmt)


def reduce_causes(events: EventGraph) -> EventGraph:
    """Leave out each cause that a longer way through other causes implies."""
    graph = _directed(events)
    if not nx.is_directed_acyclic_graph(graph):
        raise ImpossibleError(f"{events.title}: an event is its own cause.")
    kept = set(nx.transitive_reduction(graph).edges)
    causes = tuple(cause for cause in events.causes if (cause.source, cause.target) in kept)
    return EventGraph(events.title, events.events, causes)


def draw_events(events: EventGraph) -> Graph:
    """Make the picture: a frame for each actor, time from top to bottom."""
    clusters = dict.fromkeys(event.cluster for event in events.events if event.cluster)
    return Graph(
        title=events.title,
        nodes=tuple(
            Node(event.id, event.label, _NODE_STYLES[event.status], event.cluster) for event in events.events
        ),
        edges=tuple(
            Edge(cause.source, cause.target, _EDGE_STYLES[cause.kind], _reason_label(cause.reasons))
            for cause in events.causes
        ),
        clusters=tuple(Cluster(name, name) for name in clusters),
        direction="TB",
    )


def to_graphml(events: EventGraph) -> bytes:
    """Write a graph of events as GraphML, for other programs."""
    graph = _directed(events)
    buffer = BytesIO()
    nx.write_graphml_xml(graph, buffer)
    return strip_stamp(buffer.getvalue())


def strip_stamp(content: bytes) -> bytes:
    """Give GraphML with one head, however many heads the version that wrote it gave it."""
    return _GRAPHML_STAMP + content.removeprefix(_GRAPHML_STAMP) + b"\n"


def _directed(events: EventGraph) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph(title=escape_line(events.title))
    for event in events.events:
        graph.add_node(
            escape_line(event.id),
            label=escape_line(event.label.replace("\n", " ")),
            kind=event.kind,
            status=event.status.value,
            cluster=escape_line(event.cluster),
        )
    for cause in events.causes:
        reasons = escape_line(", ".join(cause.reasons))
        source, target = escape_line(cause.source), escape_line(cause.target)
        graph.add_edge(source, target, kind=cause.kind.value, reasons=reasons)
    return graph


def _reason_label(reasons: tuple[str, ...]) -> str:
    more = len(reasons) - _MOST_REASONS
    shown = reasons[:_MOST_REASONS] if more > 1 else reasons[: _MOST_REASONS + 1]
    return "\n".join([*shown, *([f"and {more} more"] if more > 1 else [])])
