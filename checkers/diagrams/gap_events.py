"""A step that breaks a property in a world that perhaps nothing leads to, as a graph of causes."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import Final

from nomadspec.checkers.diagrams.dag import EventGraph, EventStatus
from nomadspec.checkers.diagrams.story_events import events_of, list_reads
from nomadspec.model.language.claim import judge
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import Replay, Story, label_instance

_WIDTH: Final = 36
_MOST_CELLS: Final = 10


def events_of_gap(name: str, replay: Replay, reach: str) -> EventGraph:
    """Make the graph of a step that breaks a property; its world says what it holds, and who leads there."""
    bounded = replay.bounded
    story = Story(
        model=bounded.model.name,
        scope=bounded.scope,
        sizes=bounded.sizes,
        profile=bounded.profile.name,
        steps=tuple(label_instance(bounded, moment.instance) for moment in replay.moments),
        property=name,
    )
    graph = events_of(story, replay, judge(story, replay))
    label = "\n".join(["a world", *wrap(reach, _WIDTH), *_list_lines(name, replay)])
    events = tuple(
        replace(event, label=label) if event.status is EventStatus.ORIGIN else event for event in graph.events
    )
    return EventGraph(graph.title, events, graph.causes)


def _list_lines(name: str, replay: Replay) -> list[str]:
    """List the cells that made the step possible and the property false, as many as fit."""
    described = list_values(name, replay)
    lines = [
        f"{cell} = {str(value).lower() if isinstance(value, bool) else value}" for cell, value in described
    ]
    more = len(lines) - _MOST_CELLS
    return lines if more <= 0 else [*lines[:_MOST_CELLS], f"and {more} more"]


def list_values(name: str, replay: Replay) -> list[tuple[str, str | int | bool]]:
    """List what the first world holds in the cells that the step and the property look at."""
    bounded, moment = replay.bounded, replay.moments[0]
    read = set[int]().union(
        *(list_reads(part, replay.first) for part in bounded.traced[moment.instance.number].guard)
    )
    prop = bounded.model.find_property(name)
    if prop.kind is not Kind.STEP:
        read |= list_reads(prop(bounded.world(bounded.cell_terms)), moment.cells)
    items = list(bounded.describe(replay.first).items())
    return [items[cell] for cell in sorted(read)]
