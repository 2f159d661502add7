"""Draws of random values, and claims tried on them."""

import random
from collections.abc import Sequence
from typing import TypeVar

from nomadspec.invariants.cluster.resources.claim import Claim, Part
from nomadspec.model.specification.profiles import INTENDED, Profile

Option = TypeVar("Option")


class RandomValues:
    """A draw of small random values, which remembers them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.drawn: dict[str, int | bool | frozenset[int]] = {}

    def number(self, name: str, least: int | None = None, most: int | None = None) -> int:
        first = least if least is not None else -2
        value = self.chance.randint(first, most if most is not None else first + 6)
        self.drawn[name] = value
        return value

    def flag(self, name: str) -> bool:
        self.drawn[name] = value = self.chance.random() < 0.5
        return value

    def text(self, name: str) -> str:
        return f"text {self.number(name)}"

    def numbers(self, name: str) -> frozenset[int]:
        self.drawn[name] = value = frozenset(self.chance.sample(range(8), self.chance.randint(0, 3)))
        return value

    def growing(self, name: str) -> set[int]:
        return set(self.numbers(name))

    def pick(self, name: str, options: Sequence[Option]) -> Option:
        place = self.number(name, 0, len(options) - 1)
        return options[place]

    def show(self, name: str, shown: object) -> None:
        assert name
        assert shown is not None


def list_failures(claim: Claim, part: Part, profile: Profile = INTENDED, times: int = 150) -> list[object]:
    """List the random values for which a part of a claim does not hold."""
    failures: list[object] = []
    for seed in range(times):
        values = RandomValues(seed)
        if not part.state(values, profile):
            failures.append((claim.name, values.drawn))
    return failures
