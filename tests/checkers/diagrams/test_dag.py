"""Graphs of events are reduced, drawn and exported, always alike."""

import xml.etree.ElementTree as ET

import pytest

from nomadspec.checkers.diagrams.dag import (
    FORMATS,
    Cause,
    CauseKind,
    Event,
    EventGraph,
    EventStatus,
    draw_events,
    reduce_causes,
    render_events,
    to_graphml,
)
from nomadspec.model.errors import ImpossibleError, UsageError

ENABLES, INFORMS = CauseKind.ENABLES, CauseKind.INFORMS
EVENTS = EventGraph(
    "Eggs",
    (
        Event("1", "1  Lay\nhen1", "Lay", EventStatus.ORIGIN, cluster="hen1"),
        Event("2", "2  Boil", "Boil"),
        Event("3", "3  Eat", "Eat", EventStatus.VIOLATING),
    ),
    (
        Cause("1", "2", ENABLES, ("a", "b", "c", "d")),
        Cause("2", "3", INFORMS, ("x", "y", "z")),
        Cause("1", "3", ENABLES),
    ),
)


def test_what_follows_from_other_causes_is_left_out() -> None:
    assert [("1", "2"), ("2", "3")] == [(c.source, c.target) for c in reduce_causes(EVENTS).causes]


def test_a_circle_of_causes_is_impossible() -> None:
    circle = EventGraph("x", EVENTS.events, (*EVENTS.causes, Cause("3", "1", ENABLES)))

    with pytest.raises(ImpossibleError, match="its own cause"):
        reduce_causes(circle)


def test_actors_get_frames_and_statuses_get_styles() -> None:
    graph = draw_events(EVENTS)

    assert ["hen1"] == [cluster.label for cluster in graph.clusters]
    assert ["hen1", "", ""] == [node.cluster for node in graph.nodes]
    assert ["first", "step", "violating"] == [node.style.name for node in graph.nodes]


def test_many_reasons_are_counted() -> None:
    labels = [edge.label for edge in draw_events(EVENTS).edges]

    assert ["a\nb\nand 2 more", "x\ny\nz", ""] == labels


def test_graphml_keeps_everything() -> None:
    root = ET.fromstring(to_graphml(EVENTS))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}

    assert ["1", "2", "3"] == [node.get("id") for node in root.findall(".//g:node", space)]
    assert 3 == len(root.findall(".//g:edge", space))
    assert "a, b, c, d" in {data.text for data in root.findall(".//g:edge/g:data", space)}


@pytest.mark.parametrize("fmt", FORMATS)
def test_every_format_is_written_always_alike(fmt: str) -> None:
    first, second = render_events(EVENTS, fmt), render_events(EVENTS, fmt)

    assert first
    assert first == second


def test_other_formats_are_refused() -> None:
    with pytest.raises(UsageError, match="choose one of mermaid, dot, svg, png, graphml"):
        render_events(EVENTS, "gif")
