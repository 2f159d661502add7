"""Graphs written by hand."""

from collections.abc import Mapping, Sequence

from nomadspec.checkers.native.edges import Edges


def make_edges(steps: Mapping[int, Sequence[int]], count: int) -> Edges:
    """Make the steps of so many worlds: the targets from each, all by the first instance."""
    edges = Edges(1)
    for world in range(count):
        for target in steps.get(world, ()):
            edges.add(target, 0)
        edges.close()
    return edges
