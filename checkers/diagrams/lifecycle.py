"""A lifecycle table as a graph.

All arrows of a pair that look alike become one edge with several lines. An arrow that leads from every other
status to one is drawn once, from a node that stands for all of them. Deletions are left to the table, unless
being deleted is one of the statuses.
"""

from collections.abc import Iterable
from enum import Enum
from itertools import pairwise
from typing import Final

from nomadspec.checkers.diagrams import palette
from nomadspec.checkers.diagrams.graph import Edge, EdgeStyle, Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.render import render_graph
from nomadspec.checkers.report.titles import list_ids_in, name_with_title
from nomadspec.model.lifecycle.table import ABSENT, Arrow, ArrowKind, Lifecycle, Status, label_of, list_arrows
from nomadspec.model.specification.profiles import Profile

ORIGIN_ID: Final = "origin"
ANY_ID: Final = "any"
DEFECTS: Final = (palette.QUIRK, palette.QUIRK_CREATION)
"""What is laid over the picture of what is intended."""
WEIGHTS: Final = {palette.HAPPY: 20, palette.QUIRK: 0, palette.QUIRK_CREATION: 0}


def render_lifecycle(lifecycle: Lifecycle, profile: Profile, fmt: str) -> bytes:
    """Draw a lifecycle as a profile has it."""
    return render_graph(build_lifecycle_graph(lifecycle, profile), fmt)


def build_lifecycle_graph(lifecycle: Lifecycle, profile: Profile) -> Graph:
    """Turn a lifecycle into a graph."""
    arrows = [arrow for arrow in list_arrows(lifecycle, profile) if arrow.target is not ABSENT]
    happy = frozenset(pairwise(lifecycle.happy_path))
    bundles: dict[tuple[str, str, EdgeStyle], list[Arrow]] = {}
    for arrow in arrows:
        source = ANY_ID if _is_from_everywhere(lifecycle, arrow, arrows) else name_node(arrow.source)
        bundles.setdefault((source, name_node(arrow.target), _edge_style(arrow, happy)), []).append(arrow)
    edges = tuple(_edge(*ends, bundle, _weigh(lifecycle, *ends)) for ends, bundle in bundles.items())
    used = {source for source, _, _ in bundles}
    return Graph(
        title=f"{lifecycle.title}, profile {profile.name}",
        nodes=tuple(node for node in _list_nodes(lifecycle) if node.style.meaning or node.id in used),
        edges=edges,
        notes=list_notes(edges),
    )


def list_notes(edges: Iterable[Edge]) -> tuple[str, ...]:
    """List what the IDs mean that stand on edges."""
    return tuple(map(name_with_title, list_ids_in("\n".join(edge.label for edge in edges))))


def _list_nodes(lifecycle: Lifecycle) -> Iterable[Node]:
    """List the happy path first: what is listed first is drawn first."""
    yield Node(ORIGIN_ID, lifecycle.origin, palette.ORIGIN)
    for status in lifecycle.happy_path:
        yield Node(name_node(status), label_of(status), find_status_style(lifecycle, status))
    for status in lifecycle.list_statuses():
        if status not in lifecycle.happy_path:
            yield Node(name_node(status), label_of(status), find_status_style(lifecycle, status))
    yield Node(ANY_ID, "any other", palette.ANY)


def _is_from_everywhere(lifecycle: Lifecycle, arrow: Arrow, arrows: Iterable[Arrow]) -> bool:
    """True if the same step leads from all other statuses to this one."""
    alike = {
        other.source
        for other in arrows
        if (other.target, other.cause, other.quirk, other.kind)
        == (arrow.target, arrow.cause, arrow.quirk, arrow.kind)
    }
    others = set(lifecycle.list_statuses()) - {arrow.target}
    return len(others) > len(lifecycle.happy_path) and others <= alike


def find_status_style(lifecycle: Lifecycle, status: Enum) -> NodeStyle:
    """Find how a status is painted: one of trouble, one that is open, and ends well or otherwise."""
    if status in lifecycle.trouble:
        return palette.TROUBLE
    if status in lifecycle.quasi:
        return palette.QUASI
    if status in lifecycle.terminal:
        return palette.GOOD if status in lifecycle.happy_path else palette.ENDED
    return palette.ENDED if status in lifecycle.resting else palette.LIVE


def _edge_style(arrow: Arrow, happy: frozenset[tuple[Enum, Enum]]) -> EdgeStyle:
    if arrow.kind is ArrowKind.CREATION:
        return palette.CREATION if arrow.quirk is None else palette.QUIRK_CREATION
    if arrow.quirk is not None:
        return palette.QUIRK
    return palette.HAPPY if (arrow.source, arrow.target) in happy else palette.CHANGE


def _weigh(lifecycle: Lifecycle, source: str, target: str, style: EdgeStyle) -> int:
    """Keep the happy path straight, from where it comes from on."""
    is_first = (
        source == ORIGIN_ID and lifecycle.happy_path[:1] and target == name_node(lifecycle.happy_path[0])
    )
    return WEIGHTS.get(palette.HAPPY if is_first else style, 1)


def _edge(source: str, target: str, style: EdgeStyle, arrows: list[Arrow], weight: int) -> Edge:
    lines = dict.fromkeys(line for arrow in arrows for line in label_lines(arrow))
    return Edge(source, target, style, label="\n".join(lines), weight=weight, is_overlay=style in DEFECTS)


def name_node(status: Status) -> str:
    """Give the ID of the node of a status."""
    return ORIGIN_ID if status is ABSENT else status.name.lower()


def label_lines(arrow: Arrow) -> list[str]:
    """Write what makes a status change, a line for each trigger; what only a quirk does says so."""
    lines = list(arrow.triggers) or [arrow.cause]
    return lines if arrow.quirk is None else [f"{line} [{arrow.quirk}]" for line in lines]
