"""Reachable worlds, sampled by seeded walks on the interpreter."""

import random
from contextlib import suppress

from nomadspec.model.errors import ModelError
from nomadspec.model.language.bounded import BoundedModel, Cells


def list_successors(bounded: BoundedModel, cells: Cells) -> list[Cells]:
    """List the worlds after a world, without those that the interpreter refuses."""
    found = []
    for instance in bounded.instances:
        with suppress(ModelError):
            found.append(bounded.step(cells, instance))
    return [after for after in found if after is not None]


def list_reachable(bounded: BoundedModel, number: int, seed: int = 7) -> list[Cells]:
    """List worlds on walks from the initial ones, the same for the same seed."""
    chance = random.Random(seed)
    found: dict[Cells, None] = {}
    for _ in range(20 * number):
        if len(found) >= number:
            break
        _walk(bounded, chance, found)
    return list(found)[:number]


def _walk(bounded: BoundedModel, chance: random.Random, found: dict[Cells, None]) -> None:
    cells = chance.choice(bounded.initial)
    for _ in range(30):
        has_answers = bounded.duties.find_broken(cells) is None  # elsewhere a search ends
        after = list_successors(bounded, cells) if has_answers else []
        if not after:
            return
        cells = chance.choice(after)
        if chance.random() < 0.3 and bounded.duties.find_broken(cells) is None:
            found[cells] = None
