"""A run of a scenario as a chart: evaluations by status, what waits where, how long placements took.

The acts of a cluster follow one another from left to right, and most of them take no time: where time passes
it is written below. A run with more acts than columns shows of each column the last statuses and the most
that waited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from nomadspec.checkers.escaping import escape_markup
from nomadspec.checkers.scenario.record import QUEUES, STATUSES, Sample
from nomadspec.model.cluster.entities.scalar import NS_PER_S

_WIDTH, _LEFT, _RIGHT = 960, 56, 168
_PLOT: Final = _WIDTH - _LEFT - _RIGHT
_TOP, _HEIGHT, _GAP = 64, 150, 56
_COLUMNS: Final = _PLOT
_TICKS: Final = 4
_LABEL_ROOM: Final = 64
"""So far apart stand the times below."""

_STYLE: Final = """\
svg{--ink:#1f2933;--faint:#5b6772;--line:#d9dee4;--paper:#ffffff;
--c0:#8fd3b6;--c1:#a7b0ba;--c2:#d2553d;--c3:#e39a3b;--c4:#3b78c2;--c5:#8a5fb5;--c6:#1d9467}
@media (prefers-color-scheme:dark){svg{--ink:#e6eaee;--faint:#a3adb8;--line:#39424c;--paper:#15191e;
--c0:#2f7d5d;--c1:#6f7a86;--c2:#e8735c;--c3:#e0a458;--c4:#6fa6e6;--c5:#b493d6;--c6:#4fc793}}
text{font:12px system-ui,sans-serif;fill:var(--ink)}
.title{font-weight:600;font-size:15px}.name{font-weight:600}.faint{fill:var(--faint)}
.grid{stroke:var(--line);fill:none}.curve{fill:none;stroke-width:1.6}.middle{text-anchor:middle}
.end{text-anchor:end}"""


class Column(NamedTuple):
    """What is drawn at one place: one act, or several where there are more acts than places."""

    at_ns: int
    statuses: tuple[int, ...]
    queues: tuple[int, ...]
    delay: float | None
    """The longest delay of a placement."""


def draw_chart(samples: Sequence[Sample], title: str, begun_ns: int) -> str:
    """Draw the samples of a run, which began at some time, as SVG that follows the reader's light or dark."""
    columns = list(_gather(samples))
    height = _TOP + 3 * (_HEIGHT + _GAP)
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape_markup(title)}">',
        f"<style>{_STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{height}" fill="var(--paper)"/>',
        _text(_LEFT, 26, title, "title"),
        _text(_LEFT, 44, f"{len(samples):,} steps in sequence; the axis shows when time passes", "faint"),
        *_draw_statuses(columns, begun_ns),
        *_draw_queues(columns, begun_ns),
        *_draw_delays(columns, begun_ns),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _gather(samples: Sequence[Sample]) -> Iterator[Column]:
    """Put neighbouring samples together until there are no more than places."""
    width = -(-len(samples) // _COLUMNS)
    for first in range(0, len(samples), max(width, 1)):
        group = samples[first : first + width]
        delays = [delay for sample in group for delay in sample.delays]
        yield Column(
            group[-1].at_ns,
            group[-1].statuses,
            tuple(max(each) for each in zip(*(sample.queues for sample in group), strict=True)),
            max(delays, default=None),
        )


def _draw_statuses(columns: Sequence[Column], begun_ns: int) -> Iterator[str]:
    """Draw how many evaluations there are of each status, one area on the other."""
    panel = _Panel(0, columns, max((sum(each.statuses) for each in columns), default=0))
    yield from panel.draw_frame("evaluations by status", begun_ns)
    below = [0] * len(columns)
    for number, name in enumerate(STATUSES):
        above = [under + each.statuses[number] for under, each in zip(below, columns, strict=True)]
        if above != below:
            around = [*panel.list_corners(above), *reversed(panel.list_corners(below))]
            yield f'<path d="M{" ".join(around)}Z" fill="var(--c{number})"/>'
        yield from panel.draw_legend(number, len(STATUSES) - 1 - number, name)
        below = above


def _draw_queues(columns: Sequence[Column], begun_ns: int) -> Iterator[str]:
    """Draw how much waits in each place."""
    panel = _Panel(1, columns, max((max(each.queues) for each in columns), default=0))
    yield from panel.draw_frame("queues", begun_ns)
    for number, name in enumerate(QUEUES):
        values, colour = [each.queues[number] for each in columns], len(QUEUES) - number
        if any(values):
            curve = " ".join(panel.list_corners(values))
            yield f'<path class="curve" d="M{curve}" stroke="var(--c{colour})"/>'
        yield from panel.draw_legend(colour, number, name)


def _draw_delays(columns: Sequence[Column], begun_ns: int) -> Iterator[str]:
    """Draw how long it took from what asked for an allocation to its placement."""
    panel = _Panel(2, columns, max((each.delay or 0 for each in columns), default=0))
    yield from panel.draw_frame("seconds from evaluation to placement", begun_ns)
    for at, each in enumerate(columns):
        if each.delay is not None:
            x, y = panel.find_x(at), panel.find_y(each.delay)
            yield f'<circle cx="{_number(x)}" cy="{_number(y)}" r="3" fill="var(--c4)"/>'
    yield from panel.draw_legend(4, 0, "placed")


class _Panel:
    """One of the charts that stand below each other, with the same acts from left to right."""

    def __init__(self, place: int, columns: Sequence[Column], most: float) -> None:
        self._top = _TOP + place * (_HEIGHT + _GAP) + 20
        self._columns = columns
        self._step = find_step(most)
        self._most = self._step * max(1, -(-most // self._step))

    def find_x(self, at: int) -> float:
        """Find where a column begins."""
        return _LEFT + at * _PLOT / max(len(self._columns), 1)

    def find_y(self, value: float) -> float:
        """Find how high a value stands."""
        return self._top + _HEIGHT * (1 - value / self._most)

    def list_corners(self, values: Sequence[float]) -> list[str]:
        """List the corners of a line that changes its height where a column begins."""
        corners = []
        for at, value in enumerate(values):
            if not at or value != values[at - 1]:
                corners += [(at, values[at - 1])] if at else []
                corners.append((at, value))
        corners += [(len(values), values[-1])] if values else []
        return [f"{_number(self.find_x(at))},{_number(self.find_y(value))}" for at, value in corners]

    def draw_frame(self, name: str, begun_ns: int) -> Iterator[str]:
        """Draw the name, the lines of the scale, and the times below."""
        yield _text(_LEFT, self._top - 10, name, "name")
        for number in range(round(self._most / self._step) + 1):
            y = self.find_y(number * self._step)
            yield f'<path class="grid" d="M{_LEFT},{_number(y)}h{_PLOT}"/>'
            yield _text(_LEFT - 8, y + 4, _number(number * self._step), "faint end")
        free, before_ns = float(_LEFT), begun_ns - 1
        for at, each in enumerate(self._columns):
            x = self.find_x(at)
            if each.at_ns != before_ns and x >= free and x <= _LEFT + _PLOT - _LABEL_ROOM / 2:
                yield f'<path class="grid" d="M{_number(x)},{self._top}v{_HEIGHT + 4}"/>'
                label = describe_time(each.at_ns - begun_ns)
                yield _text(x, self._top + _HEIGHT + 18, label, "faint middle")
                free = x + _LABEL_ROOM
            before_ns = each.at_ns

    def draw_legend(self, colour: int, row: int, name: str) -> Iterator[str]:
        """Draw a line of the legend."""
        x, y = _LEFT + _PLOT + 18, self._top + 6 + 20 * row
        yield f'<rect x="{x}" y="{y}" width="12" height="12" rx="2" fill="var(--c{colour})"/>'
        yield _text(x + 20, y + 10, name, "")


def find_step(most: float) -> int:
    """Find the step of a scale: 1, 2 or 5 with noughts, so that few of them reach the most."""
    step, factors = 1, (2, 2.5, 2)
    at = 0
    while step * _TICKS < most:
        step, at = round(step * factors[at % len(factors)]), at + 1
    return step


def describe_time(duration_ns: int) -> str:
    """Write a time as a person would: ``1h 5m``, ``2m 30s``, ``4.5s``."""
    seconds = duration_ns / NS_PER_S
    whole = int(seconds)
    if whole >= 3600:  # noqa: PLR2004 -- an hour
        return f"{whole // 3600}h {whole % 3600 // 60}m"
    if whole >= 60:  # noqa: PLR2004 -- a minute
        return f"{whole // 60}m {whole % 60}s"
    return f"{_number(seconds)}s"


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{_number(x)}" y="{_number(y)}" class="{kind}">{escape_markup(text)}</text>'


def _number(value: float) -> str:
    """Write a number with a decimal where it has one."""
    return f"{value:.1f}".removesuffix(".0")
