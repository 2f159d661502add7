"""Follows recordings and counts what the kernel says of them."""

from nomadspec.checkers.oracle.refinement.check import refine_line
from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.checkers.oracle.registry import read_kind
from tests.recorded import find_recording_file, list_lines


def follow(name: str, every: int = 1) -> Refinement:
    """Hold the recordings of a file, or each so many-th of them, against the kernel."""
    told = Refinement()
    for line in list_lines(find_recording_file(name))[::every]:
        told.add(line.id, refine_line(read_kind(name), line))
    return told
