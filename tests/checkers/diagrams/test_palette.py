"""The colours."""

import pytest

from nomadspec.checkers.diagrams import palette
from nomadspec.checkers.diagrams.graph import EdgeStyle, NodeStyle

NODE_STYLES = [style for style in vars(palette).values() if isinstance(style, NodeStyle)]
EDGE_STYLES = [style for style in vars(palette).values() if isinstance(style, EdgeStyle)]


def compute_luminance(colour: str) -> float:
    """Compute the relative luminance of a colour as WCAG defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def compute_contrast(one: str, other: str) -> float:
    """Compute the contrast ratio of two colours."""
    high, low = sorted((compute_luminance(one), compute_luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("style", NODE_STYLES, ids=[style.name for style in NODE_STYLES])
def test_labels_of_nodes_can_be_read(style: NodeStyle) -> None:
    assert compute_contrast(style.text, style.fill) > 4.5


@pytest.mark.parametrize("style", EDGE_STYLES, ids=[style.name for style in EDGE_STYLES])
def test_labels_of_edges_can_be_read(style: EdgeStyle) -> None:
    assert compute_contrast(style.stroke, "#ffffff") > 4.5


def test_styles_have_names_of_their_own() -> None:
    names = [style.name for style in NODE_STYLES] + [style.name for style in EDGE_STYLES]

    assert len(set(names)) == len(names)
