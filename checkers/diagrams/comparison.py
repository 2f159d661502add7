"""Upstream's hand-drawn diagrams as graphs, each arrow coloured by what the rules say of it."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from nomadspec.checkers.diagrams.differences import Difference, Verdict, list_comparisons
from nomadspec.checkers.diagrams.graph import Edge, EdgeStyle, Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.upstream import DrawnDiagram
from nomadspec.model.lifecycle.table import ArrowKind, Lifecycle, Status, label_of
from nomadspec.model.specification.profiles import INTENDED, Profile

COLOURS: Final = {
    Verdict.AGREED: "#0f7a52",
    Verdict.RESTRICTED: "#3c4650",
    Verdict.OTHER_KIND: "#7a4fb5",
    Verdict.BY_QUIRK: "#c2520a",
    Verdict.THEIRS: "#b3261e",
    Verdict.OURS: "#2a62a8",
}
STATUS: Final = NodeStyle("status", fill="#d5f6ea", stroke="#1d9467", width=4)
QUASI: Final = NodeStyle("quasi", fill="#d5f6ea", stroke="#1d9467", is_dashed=True)
EVENT: Final = NodeStyle("event", fill="#d5f6ea", stroke="#1d9467", shape="circle", width=1)
HAPPY_WEIGHT: Final = 20


def build_comparison_graph(diagram: DrawnDiagram, profile: Profile) -> Graph:
    """Draw upstream's diagram again, in its own node styles, and over it what only we intend."""
    drawn = [one for one in list_comparisons(diagram, profile) if one.number is not None]
    ours = [one for one in list_comparisons(diagram, INTENDED) if one.number is None]
    statuses = {end for one in [*drawn, *ours] for end in (one.source, one.target)}
    lifecycle = diagram.lifecycle
    others = (status for status in lifecycle.list_statuses() if status not in lifecycle.happy_path)
    ordered = [*lifecycle.happy_path, *others]
    return Graph(
        title=f"{diagram.title}, judged under profile {profile.name}",
        nodes=(
            Node("event", "Cluster Event", EVENT),
            *(_node(lifecycle, status) for status in ordered if status in statuses),
        ),
        edges=(*(_edge(lifecycle, one) for one in drawn), *_lay_over(ours)),
    )


def _lay_over(ours: list[Difference]) -> Iterator[Edge]:
    """Draw what only our tables have: one edge for all that joins the same statuses in the same way."""
    causes: dict[tuple[Status, Status, ArrowKind], list[str]] = {}
    for one in ours:
        causes.setdefault((one.source, one.target, one.kind), []).append(one.what.partition(": ")[0])
    for (source, target, kind), lines in causes.items():
        label = "\n".join(dict.fromkeys(lines))
        yield Edge(_id(source), _id(target), _style(Verdict.OURS, kind), label=label, is_overlay=True)


def _node(lifecycle: Lifecycle, status: Status) -> Node:
    return Node(_id(status), label_of(status), QUASI if status in lifecycle.quasi else STATUS)


def _edge(lifecycle: Lifecycle, one: Difference) -> Edge:
    happy = ("event", *(_id(status) for status in lifecycle.happy_path))
    ends = _id(one.source), _id(one.target)
    weight = HAPPY_WEIGHT if ends in pairwise(happy) else 1
    label = f"{one.number}. {one.what}".replace(": ", "\n").replace(", ", "\n")
    return Edge(*ends, _style(one.verdict, one.kind), label=label, weight=weight)


def _style(verdict: Verdict, kind: ArrowKind) -> EdgeStyle:
    is_creation = kind is ArrowKind.CREATION
    return EdgeStyle(
        name=f"{verdict.name.lower().replace('_', '')}{'new' if is_creation else ''}",
        meaning=f"{verdict.value} (a new eval)" if is_creation else verdict.value,
        stroke=COLOURS[verdict],
        is_dashed=is_creation,
    )


def _id(status: Status) -> str:
    return label_of(status, absent="event")
