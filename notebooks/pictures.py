"""Small plots as SVG, so that a notebook needs nothing but nomadspec and Jupyter."""

from collections.abc import Mapping, Sequence
from html import escape

INK, SOFT = "#1b1f24", "#d0d7de"
COLOURS = ("#0b5cad", "#b3541e", "#1a6e36", "#7a3e9d", "#8a6d00", "#57606a")


class Plot:
    """A finished plot, which shows itself."""

    def __init__(self, width: int, height: int, parts: Sequence[str]) -> None:
        self.svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="12">'
            f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>'
        )

    def __repr__(self) -> str:
        return "<a plot>"

    def _repr_svg_(self) -> str:
        return self.svg


def write(x: float, y: float, text: str, anchor: str = "start") -> str:
    """Write a text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{INK}" text-anchor="{anchor}">{escape(text)}</text>'


def draw_bars(title: str, bars: Mapping[str, float], unit: str = "") -> Plot:
    """Draw a bar for each name; what is below zero goes to the left."""
    low, high = min(0.0, *bars.values()), max(0.0, *bars.values())
    scale = 360 / ((high - low) or 1)
    zero = 250 - low * scale
    parts = [write(10, 20, title), f'<path d="M{zero:.1f} 30v{len(bars) * 24}" stroke="{SOFT}"/>']
    for at, (name, value) in enumerate(bars.items()):
        left, wide, y = zero + min(0.0, value) * scale, abs(value) * scale, 34 + at * 24
        parts.append(write(240, y + 13, name, "end"))
        parts.append(
            f'<rect x="{left:.1f}" y="{y}" width="{wide:.1f}" height="16" fill="{COLOURS[value < 0]}"/>'
        )
        parts.append(write(left + wide + 5, y + 13, f"{value:.3g}{unit}"))
    return Plot(700, 45 + len(bars) * 24, parts)


def draw_steps(title: str, lines: Mapping[str, Sequence[tuple[float, float]]], unit: str = "s") -> Plot:
    """Draw amounts that change at moments and stay between them."""
    end = max(at for points in lines.values() for at, _ in points) or 1
    most = max(value for points in lines.values() for _, value in points) or 1
    parts = [write(10, 20, title), write(690, 255, f"{end:.0f} {unit}", "end"), write(40, 255, "0")]
    parts += [
        f'<path d="M40 {240 - 200 * value / most:.1f}h650" stroke="{SOFT}"/>'
        + write(34, 244 - 200 * value / most, str(value), "end")
        for value in range(int(most) + 1)
    ]
    for at, (name, points) in enumerate(lines.items()):
        path, shift = "", 1.5 * at  # lines that run together stay apart
        for when, value in points:
            x, y = 40 + 650 * when / end, 240 - 200 * value / most - shift
            path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
        parts.append(f'<path d="{path}H690" fill="none" stroke="{COLOURS[at]}" stroke-width="2.5"/>')
        parts.append(f'<rect x="{60 + 150 * at}" y="268" width="12" height="12" fill="{COLOURS[at]}"/>')
        parts.append(write(77 + 150 * at, 279, name))
    return Plot(700, 290, parts)
