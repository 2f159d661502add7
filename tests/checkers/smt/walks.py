"""Reachable worlds, sampled by seeded walks on the interpreter."""

import random

from nomadspec.model.bounded import BoundedModel, Cells


def list_reachable(bounded: BoundedModel, number: int, seed: int = 7) -> list[Cells]:
    """List worlds on walks from the initial ones, the same for the same seed."""
    chance = random.Random(seed)
    found: dict[Cells, None] = {}
    while len(found) < number:
        cells = chance.choice(bounded.initial)
        for _ in range(30):
            after = [world for _, world in bounded.successors(cells)]
            if not after:
                break
            cells = chance.choice(after)
            if chance.random() < 0.3:
                found[cells] = None
    return list(found)[:number]
