"""Questions about the index that gives out names of allocations."""

from __future__ import annotations

from random import Random
from typing import Any, Final

_OPERATIONS: Final = ("next", "highest", "unset", "is-duplicate", "next-canaries")


def make_names(random: Random) -> dict[str, Any]:
    """Make an index, with gaps and doubles, and ask for names of it."""
    count = random.choice((0, 1, 2, 3, 5, 8, 9, 17))
    used = [random.randrange(max(1, count + 3)) for _ in range(random.randrange(count + 3))]
    return {
        "job": "web",
        "group": "main",
        "count": count,
        "existing": [_name(number) for number in used],
        "ops": [_make_operation(random, count) for _ in range(random.randrange(1, 6))],
    }


def _name(number: int) -> str:
    return f"web.main[{number}]"


def _make_operation(random: Random, count: int) -> dict[str, Any]:
    kind = random.choice(_OPERATIONS)
    if kind in {"unset", "is-duplicate"}:
        return {"op": kind, "index": random.randrange(count + 2)}
    asked: dict[str, Any] = {"op": kind, "n": random.randrange(count + 3)}
    if kind == "next-canaries":
        numbers = [_name(number) for number in range(count)]
        asked["existing_canaries"] = random.sample(numbers, random.randrange(len(numbers) + 1))
        asked["destructive"] = random.sample(numbers, random.randrange(len(numbers) + 1))
    return asked
