"""Turns: in which order the actors of a cluster are asked for what they could do by themselves."""

from __future__ import annotations

from functools import cache
from typing import Final

from rpds import HashTrieMap

from nomadspec.model.cluster.acts import Act, GainLeadership
from nomadspec.model.cluster.acts.registry import list_acts
from nomadspec.model.cluster.acts.workers import sort_by_stage
from nomadspec.model.cluster.memo import remember_last
from nomadspec.model.cluster.world import Worker, World

_EARLY: Final = ("log", "applier", "worker", "broker", "blocked evals", "leader")
"""Who is asked first what it could do: those who are asked most often."""


def _list_turns() -> tuple[type[Act], ...]:
    """List the acts that nobody outside makes happen, in the order in which they are asked for choices."""
    acts = [cls for cls in list_acts() if not cls.is_external]
    rank = {actor: position for position, actor in enumerate(_EARLY)}
    return tuple(sorted(acts, key=lambda cls: (cls is not GainLeadership, rank.get(cls.actor, len(rank)))))


TURNS: Final = _list_turns()
"""The acts that a cluster takes by itself, in the order of their turns."""


def find_turns(world: World) -> tuple[type[Act], ...]:
    """Find the acts to ask for choices: those of a stage of workers only where some worker is at it."""
    return _find_turns_of(world.workers)


@remember_last
def _find_turns_of(workers: HashTrieMap[str, Worker]) -> tuple[type[Act], ...]:
    return _find_turns_at(frozenset(sort_by_stage(workers)))


@cache
def _find_turns_at(stages: frozenset[str]) -> tuple[type[Act], ...]:
    return tuple(cls for cls in TURNS if not cls.stage or cls.stage in stages)
