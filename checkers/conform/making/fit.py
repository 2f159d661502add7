"""Questions about what fits on a node, how it is scored, and which ports are offered."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from nomadspec.checkers.conform.making.nodes import make_alloc, make_node

_VALUES: Final = (8000, 8001, 20001, 9000, 22, 70000, 65535, 65536)


def make_fit(random: Random) -> dict[str, Any]:
    """Make a question whether allocations fit on a node."""
    return {
        "node": make_node(random),
        "allocs": [make_alloc(random, number) for number in range(random.randrange(5))],
        "check_devices": random.random() < 0.7,
    }


def make_scores(random: Random) -> dict[str, Any]:
    """Make a question how a node that is used so far is scored."""
    cpu, memory = random.choice((0, 1, 1000, 6780, 123457)), random.choice((0, 1, 512, 53366))
    return {
        "node_cpu": cpu,
        "node_memory_mb": memory,
        "reserved_cpu": random.choice((0, 0, cpu // 4, cpu)),
        "reserved_memory_mb": random.choice((0, 0, memory // 8, memory)),
        "used_cpu": random.choice((0, cpu // 3, cpu, 2 * cpu)),
        "used_memory_mb": random.choice((0, memory // 2, memory, memory + 7)),
    }


def make_offer(random: Random) -> dict[str, Any]:
    """Make a question which ports a node offers for an ask."""
    return {
        "node": make_node(random),
        "allocs": [make_alloc(random, number) for number in range(random.randrange(4))],
        "ask": {
            "Mode": "host",
            "ReservedPorts": [
                _make_ask(random, f"r{at}", is_fixed=True) for at in range(random.randrange(3))
            ],
            "DynamicPorts": [
                _make_ask(random, f"d{at}", is_fixed=False) for at in range(random.randrange(4))
            ],
        },
    }


def _make_ask(random: Random, label: str, *, is_fixed: bool) -> dict[str, Any]:
    port: dict[str, Any] = {
        "Label": label,
        "HostNetwork": random.choice(("default", "default", "lab", "moon")),
    }
    if is_fixed:
        port["Value"] = random.choice(_VALUES)
        if random.random() < 0.1:
            port["IgnoreCollision"] = True
    to = random.choice((0, 0, -1, 8080))
    return port | ({"To": to} if to else {})
