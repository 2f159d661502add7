"""Properties of a whole cluster: when they are asked, what they read, and why they matter.

A property yields its witnesses: one sentence each, which names the allocation, node or evaluation that is
wrong. It says what it reads, and is asked again only when that has changed: most acts touch little.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

import msgspec
from rpds import HashTrieMap

from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.world import World


class Scope(StrEnum):
    """Of what a property speaks."""

    ALWAYS = "always"
    STEP = "step"
    REST = "rest"
    """Of a cluster in which all has happened that happens by itself, and hours have passed."""


class Step(msgspec.Struct, frozen=True):
    """A world, what was done in it, and the world afterwards; without an act only time has passed."""

    before: World
    act: Act | None
    after: World

    @property
    def actor(self) -> str:
        """Who acted; nobody where only time has passed."""
        return self.act.actor if self.act is not None else ""


Check = Callable[[Step], Iterator[str]]

READS: Final[Mapping[str, Callable[[World], Any]]] = MappingProxyType(
    {
        "allocs": lambda world: world.state.allocs,
        "evals": lambda world: world.state.evals,
        "jobs": lambda world: world.state.jobs,
        "nodes": lambda world: world.state.nodes,
        "deployments": lambda world: world.state.deployments,
        "summaries": lambda world: world.state.job_summaries,
        "versions": lambda world: world.state.job_versions,
        "broker": lambda world: world.leader.memory.broker,
        "blocked_evals": lambda world: world.leader.memory.blocked_evals,
        "clients": lambda world: world.clients,
        "workers": lambda world: world.workers,
        "leader": lambda world: world.is_led,
    }
)
"""The parts of a world that a property may read."""


class Property(msgspec.Struct, frozen=True, kw_only=True):
    """A promise about whole clusters, found by its name."""

    name: str
    scope: Scope
    spec: tuple[str, ...]
    because: str
    """Who is hurt when it does not hold, in one sentence."""
    reads: tuple[str, ...]
    check: Check

    @property
    def about(self) -> str:
        """What it promises, as its function says it."""
        return (self.check.__doc__ or "").strip().partition("\n")[0]

    def is_touched(self, parts: frozenset[str]) -> bool:
        """True if it reads any of the parts that have changed."""
        return not parts.isdisjoint(self.reads)

    def list_witnesses(self, step: Step) -> list[str]:
        """List what is wrong; nothing where it holds."""
        return list(self.check(step))


def find_touched(step: Step) -> frozenset[str]:
    """Find the parts of a world that a step has changed."""
    before, after = step.before, step.after
    return frozenset(part for part, read in READS.items() if read(before) is not read(after))


def promise(scope: Scope, *spec: str, reads: str, because: str) -> Callable[[Check], Property]:
    """Make a property of the function that looks for what is wrong."""

    def make(check: Check) -> Property:
        parts = tuple(reads.split())
        return Property(
            name=check.__name__, scope=scope, spec=spec, because=because, reads=parts, check=check
        )

    return make


def always(*spec: str, reads: str, because: str) -> Callable[[Check], Property]:
    """Make a property of every world: its function looks at the world after a step."""
    return promise(Scope.ALWAYS, *spec, reads=reads, because=because)


def on_step(*spec: str, reads: str, because: str) -> Callable[[Check], Property]:
    """Make a property of every step: its function looks at both worlds and at the act."""
    return promise(Scope.STEP, *spec, reads=reads, because=because)


def at_rest(*spec: str, because: str) -> Callable[[Check], Property]:
    """Make a property of clusters at rest, in which nothing but time may still change."""
    return promise(Scope.REST, *spec, reads=" ".join(READS), because=because)


class Compared(msgspec.Struct, frozen=True):
    """Two versions of a table, and in which rows they differ."""

    before: HashTrieMap[Any, Any]
    after: HashTrieMap[Any, Any]
    changed: tuple[tuple[Any, Any], ...]
    new: tuple[Any, ...]


_compared: Final[deque[Compared]] = deque(maxlen=8)
"""The tables that were compared last: many properties ask for the same of one step."""


def _compare(before: HashTrieMap[Any, Any], after: HashTrieMap[Any, Any]) -> Compared:
    """Compare two versions of a table, unless that was just done."""
    for known in _compared:
        if known.before is before and known.after is after:
            return known
    kept = [(row, now) for key, row in before.items() if (now := after.get(key)) is not None]
    changed = tuple((row, now) for row, now in kept if now is not row)
    has_new = len(kept) < len(after)
    new = tuple(row for key, row in after.items() if key not in before) if has_new else ()
    found = Compared(before, after, changed, new)
    _compared.appendleft(found)
    return found


def list_changed(before: HashTrieMap[Any, Any], after: HashTrieMap[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """List the rows that changed, each as it was and as it is; new and deleted ones are left out."""
    if before is not after:
        yield from _compare(before, after).changed


def list_new(before: HashTrieMap[Any, Any], after: HashTrieMap[Any, Any]) -> Iterator[Any]:
    """List the rows that were not there."""
    if before is not after:
        yield from _compare(before, after).new
