"""Orbits counted without any cleverness: every permutation of the names in a described world."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations, product

from nomadspec.model.language.bounded import BoundedModel, Cells

Description = Mapping[str, str | int | bool]


def list_worlds(bounded: BoundedModel) -> dict[Cells, int]:
    """List all reachable worlds, each with the number of its steps, by the plain interpreter."""
    found: dict[Cells, int] = {}
    queue = list(bounded.initial)
    known = set(queue)
    for cells in queue:
        after = [target for _, target in bounded.successors(cells)]
        found[cells] = len(after)
        for target in after:
            if target not in known:
                known.add(target)
                queue.append(target)
    return found


def list_renamings(bounded: BoundedModel) -> list[dict[str, str]]:
    """List all permutations of all interchangeable ids, as people write them."""
    frame = bounded.frame
    choices = []
    for ids in frame.schema.sets:
        names = [ids.name_of(member) for member in range(frame.length(ids))]
        chosen = permutations(names) if ids.is_symmetric else [tuple(names)]
        choices.append([dict(zip(names, order, strict=True)) for order in chosen])
    return [{old: new for part in parts for old, new in part.items()} for parts in product(*choices)]


def rename(description: Description, renaming: dict[str, str]) -> tuple[tuple[str, str | int | bool], ...]:
    """Rename ids in a described world, in the names of cells and in their values."""
    cells = _rename_cells(tuple(description), tuple(renaming.items()))
    values = [_rename_value(value, renaming) for value in description.values()]
    return tuple(sorted(zip(cells, values, strict=True)))


@cache
def _rename_cells(cells: tuple[str, ...], renaming: tuple[tuple[str, str], ...]) -> list[str]:
    """Rename ids in the names of cells, which are the same in all worlds."""
    new = dict(renaming)
    return [re.sub(r"[a-z]+\d+", lambda name: new[name[0]], cell) for cell in cells]


@cache
def find_orbits(bounded: BoundedModel) -> dict[object, tuple[list[Cells], int]]:
    """Group the reachable worlds: for each orbit its worlds, and the number of steps from one of them."""
    renamings = list_renamings(bounded)
    orbits: dict[object, tuple[list[Cells], int]] = {}
    for cells, steps in list_worlds(bounded).items():
        least = min(_list_images(bounded.describe(cells), renamings), key=repr)
        orbits.setdefault(least, ([], steps))[0].append(cells)
    return orbits


def _list_images(description: Description, renamings: list[dict[str, str]]) -> Iterator[object]:
    for renaming in renamings:
        yield rename(description, renaming)


def _rename_value(value: str | int | bool, renaming: dict[str, str]) -> str | int | bool:
    return renaming.get(value, value) if isinstance(value, str) else value
