"""The reachable graph of a small scope: its worlds, the steps between them, and where something is wrong.

Worlds are numbered as a search finds them. A world is labelled with the cells in which it differs from the
first one; a step has the colour of its rule and the arguments as its label. What fails, what an ``always``
forbids and what is stuck is marked, as are the worlds from which a bound lets no steps be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import networkx as nx

from nomadspec.checkers.diagrams.dag import strip_stamp
from nomadspec.checkers.diagrams.graph import Edge, EdgeStyle, Graph, Node, NodeStyle
from nomadspec.checkers.diagrams.palette import LIVE, ORIGIN, TROUBLE
from nomadspec.checkers.diagrams.render import render_graph
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.model_promises import name_promise
from nomadspec.model.language.property import Kind, Property
from nomadspec.model.language.story import DEADLOCK, Application, label_instance

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel, Cells

FORMATS: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".svg": "svg", ".png": "png", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".mermaid": "mermaid",
        ".graphml": "graphml",
    }
)  # fmt: skip
"""How a graph is written, by the ending of the file."""

MOST_DRAWN: Final = 200
MOST_WRITTEN: Final = 5_000
"""How many worlds a picture shows, and how many a text for other programs lists."""

_MOST_LINES: Final = 8
_COLOURS: Final = (
    "#3c4650", "#2a62a8", "#0f7a52", "#a86b00", "#8a3ba6", "#b3321b", "#00798a", "#6b6f00",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reached:
    """A world of the graph: what differs from the first one, and what is wrong with it."""

    cells: Cells
    label: tuple[str, ...]
    is_initial: bool
    wrong: tuple[str, ...]
    """The properties that it violates; steps that fail are told here too, since they lead nowhere."""
    is_cut: bool
    """Whether a bound keeps the steps from it out of the graph."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A step of the graph, between worlds by number."""

    source: int
    target: int
    step: Application
    wrong: tuple[str, ...]
    """The ``step`` properties that it violates."""


@dataclass(frozen=True, slots=True)
class Reachable:
    """The graph of what can be reached."""

    title: str
    worlds: tuple[Reached, ...]
    steps: tuple[Taken, ...]


PLAIN: Final = NodeStyle("world", "a world", fill=LIVE.fill, stroke=LIVE.stroke, shape="box")
FIRST: Final = NodeStyle(
    "first", "an initial world", fill=ORIGIN.fill, stroke=ORIGIN.stroke, shape="box", width=2.5
)
WRONG: Final = NodeStyle(
    "wrong", "something is wrong", fill=TROUBLE.fill, stroke=TROUBLE.stroke, shape="box", width=2
)
WRONG_FIRST: Final = NodeStyle(
    "wrongfirst",
    "an initial world where something is wrong",
    fill=TROUBLE.fill,
    stroke=ORIGIN.stroke,
    shape="box",
    width=2.5,
)
LEFT: Final = NodeStyle(
    "left", "a bound lets no step be taken", fill="#f4f5f6", stroke="#7a838c", shape="box", is_dashed=True
)


def find_format(path: Path) -> str:
    """Find how a graph is written to a file, by the ending of its name."""
    fmt = FORMATS.get(path.suffix.lower())
    if fmt is None:
        raise UsageError(f"{path} says no format: let its name end in {', '.join(FORMATS)}.")
    return fmt


def find_reachable(
    bounded: BoundedModel,
    properties: Iterable[Property],
    most_worlds: int,
    *,
    max_depth: int | None = None,
    goes_on: Callable[[Cells], bool] | None = None,
) -> Reachable:
    """Find the worlds that can be reached, breadth first; more of them than wanted are refused."""
    asked = tuple(properties)
    finder = _Finder(bounded, asked, most_worlds)
    depth = 0
    begin, end = 0, len(finder.worlds)
    while begin < end:
        for number in range(begin, end):
            is_deep = max_depth is not None and depth >= max_depth
            is_outside = goes_on is not None and not goes_on(finder.worlds[number])
            finder.expand(number, is_cut=is_deep or is_outside)
        begin, end, depth = end, len(finder.worlds), depth + 1
    sizes = " ".join(f"{name}={value}" for name, value in bounded.sizes.items())
    title = f"{bounded.model.name}, scope {bounded.scope} ({sizes}), profile {bounded.profile.name}"
    return Reachable(title, tuple(finder.reached), tuple(finder.taken))


def render_reachable(found: Reachable, fmt: str) -> bytes:
    """Write or draw a reachable graph."""
    return to_graphml(found) if fmt == "graphml" else render_graph(draw_reachable(found), fmt)


def draw_reachable(found: Reachable) -> Graph:
    """Make the picture: initial worlds first, a colour for each rule."""
    styles = _choose_styles(found.steps)
    bundles: dict[tuple[int, int, EdgeStyle], list[str]] = {}
    for taken in found.steps:
        text = str(taken.step).removeprefix(taken.step.rule)[1:-1]
        text = "\n".join(filter(None, (text, *(f"breaks {name}" for name in taken.wrong))))
        bundles.setdefault((taken.source, taken.target, styles[taken.step.rule]), []).append(text)
    return Graph(
        title=found.title,
        nodes=tuple(_draw_world(number, world) for number, world in enumerate(found.worlds)),
        edges=tuple(
            Edge(f"w{source}", f"w{target}", style, "\n".join(filter(None, lines)))
            for (source, target, style), lines in bundles.items()
        ),
        direction="TB",
    )


def to_graphml(found: Reachable) -> bytes:
    """Write a reachable graph as GraphML, for other programs; each step is an edge of its own."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(title=found.title)
    for number, world in enumerate(found.worlds):
        graph.add_node(
            f"w{number}",
            label=", ".join(world.label),
            initial=world.is_initial,
            wrong=", ".join(world.wrong),
            cut=world.is_cut,
        )
    for taken in found.steps:
        source, target = f"w{taken.source}", f"w{taken.target}"
        wrong = ", ".join(taken.wrong)
        graph.add_edge(source, target, rule=taken.step.rule, step=str(taken.step), wrong=wrong)
    buffer = BytesIO()
    nx.write_graphml_xml(graph, buffer)
    return strip_stamp(buffer.getvalue())


class _Finder:
    """Collects worlds and steps."""

    def __init__(self, bounded: BoundedModel, asked: tuple[Property, ...], most: int) -> None:
        self._bounded = bounded
        self._worlds_asked = tuple(prop for prop in asked if prop.kind is Kind.ALWAYS)
        self._steps_asked = tuple(prop for prop in asked if prop.kind is Kind.STEP)
        self._most = most
        self._numbers: dict[Cells, int] = {}
        self._first = bounded.describe(bounded.initial[0])
        self.worlds: list[Cells] = []
        self.reached: list[Reached] = []
        self.taken: list[Taken] = []
        for cells in bounded.initial:
            self._add(cells)

    def expand(self, number: int, *, is_cut: bool) -> None:
        """Take the steps of a world, unless it is cut."""
        cells = self.worlds[number]
        failing = [] if is_cut else self._take_steps(number, cells)
        is_stuck = not is_cut and not failing and all(taken.source != number for taken in self.taken[-1:])
        wrong = [*self._list_wrong(cells), *failing]
        if is_stuck and not self._bounded.is_at_rest(cells):
            wrong.append(DEADLOCK)
        is_initial = cells in self._bounded.initial
        self.reached.append(Reached(cells, self._label(cells), is_initial, tuple(wrong), is_cut))

    def _take_steps(self, number: int, cells: Cells) -> list[str]:
        failing = []
        for instance in self._bounded.instances:
            step = label_instance(self._bounded, instance)
            try:
                after = self._bounded.step(cells, instance)
            except ModelError as error:
                failing.append(f"{name_promise(error)} by {step}")
                continue
            if after is not None:
                broken = (
                    prop.name
                    for prop in self._steps_asked
                    if not self._bounded.holds_step(prop, cells, instance, after)
                )
                self.taken.append(Taken(number, self._add(after), step, tuple(broken)))
        return failing

    def _list_wrong(self, cells: Cells) -> list[str]:
        return [prop.name for prop in self._worlds_asked if not self._bounded.holds(prop, cells)]

    def _add(self, cells: Cells) -> int:
        number = self._numbers.setdefault(cells, len(self._numbers))
        if number == len(self.worlds):
            if number >= self._most:
                raise UsageError(
                    f"More than {self._most:,} worlds can be reached, too many for such a graph: choose "
                    f"smaller sizes or a --depth; .dot, .mmd and .graphml take {MOST_WRITTEN:,}."
                )
            self.worlds.append(cells)
        return number

    def _label(self, cells: Cells) -> tuple[str, ...]:
        described = self._bounded.describe(cells)
        changed = [
            (name if value else f"not {name}") if isinstance(value, bool) else f"{name} {value}"
            for name, value in described.items()
            if self._first[name] != value
        ]
        more = len(changed) - _MOST_LINES
        shown = changed if more <= 1 else [*changed[:_MOST_LINES], f"and {more} more"]
        return tuple(shown) or ("as at first",)


def _draw_world(number: int, world: Reached) -> Node:
    wrong = [f"breaks {name}" if name != DEADLOCK else name for name in world.wrong]
    return Node(f"w{number}", "\n".join((f"#{number}", *world.label, *wrong)), _choose_look(world))


def _choose_look(world: Reached) -> NodeStyle:
    if world.wrong:
        return WRONG_FIRST if world.is_initial else WRONG
    if world.is_initial:
        return FIRST
    return LEFT if world.is_cut else PLAIN


def _choose_styles(steps: Iterable[Taken]) -> dict[str, EdgeStyle]:
    """Give each rule a colour, and dashes to those for which none is left."""
    rules = dict.fromkeys(taken.step.rule for taken in steps)
    return {
        rule: EdgeStyle(f"rule{at}", rule, stroke=_COLOURS[at % len(_COLOURS)], is_dashed=at >= len(_COLOURS))
        for at, rule in enumerate(rules)
    }
