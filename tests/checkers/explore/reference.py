"""The plainest breadth-first search, by the interpreter alone: what the explorer must agree with."""

from dataclasses import dataclass
from functools import cache

from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.fingerprint import digest, format_digest


@dataclass(frozen=True, slots=True)
class Reference:
    """What a search by the interpreter finds."""

    distinct: int
    generated: int
    depth: int
    digest: str
    paths: dict[Cells, tuple[str, ...]]
    """For each world the first of the shortest ways to it: rules with their arguments."""


@cache
def search(bounded: BoundedModel) -> Reference:
    """Search."""
    layout = Layout(bounded)
    paths: dict[Cells, tuple[str, ...]] = dict.fromkeys(bounded.initial, ())
    generated = len(paths)
    queue = list(paths)
    for cells in queue:
        for instance, after in bounded.successors(cells):
            generated += 1
            if after not in paths:
                paths[after] = (*paths[cells], f"{instance.rule.name}{instance.arguments}")
                queue.append(after)
    total = format_digest(digest((layout.pack(cells) for cells in paths), layout.byte_count))
    depth = 1 + max(len(path) for path in paths.values())
    return Reference(len(paths), generated, depth, total, paths)
