"""Themes of walks: what meets too seldom in walks about everything is drawn more often in some of them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec import Struct

from nomadspec.checkers.stateful.world.moves import Move, Take

Values = Mapping[str, tuple[str, ...]]
"""Options of jobs, each with the values that it may have."""


class Theme(Struct, frozen=True, kw_only=True):
    """What a walk is about."""

    jobs: Mapping[str, int] = {}
    """The jobs that are registered, each with its share; none where the usual ones are."""
    options: Values = {}
    """What most registrations say, where their type of job has that option."""
    often: Mapping[str, int] = {}
    """How often an external act is drawn, where that is not as usual."""
    least_nodes: int = 1
    least_outside: float = 0
    """The least share of moves that come from outside."""
    registers: float = 0.3
    """The share of registrations among these: each new version takes what ran before away."""
    begins: tuple[Move, ...] = ()
    """What is done first."""


PLAIN: Final = Theme()
"""A walk about nothing in particular."""

LIMITED_ATTEMPTS: Final = Theme(
    jobs={"web": 4, "db": 4, "agent": 1},
    options={
        "reschedules": ("1", "2"),
        "reschedule_interval": ("1h",),
        "reschedule_delay": ("5s",),
        "restarts": ("0",),
        "cpu": ("100",),
    },
    often={"EndTasks": 40, "DrainNode": 1, "LoseServers": 1, "PurgeNode": 0, "Configure": 0},
    least_outside=0.2,
    registers=0.06,
)
RECONNECTS: Final = Theme(
    jobs={"web": 5, "db": 4, "agent": 1},
    options={
        "lost_after": ("20m", "2h"),
        "replace": ("yes",),
        "count": ("1", "2"),
        "cpu": ("100",),
        "reschedules": ("unlimited",),
        "reschedule_delay": ("5s",),
    },
    often={"LoseServers": 60, "FindServers": 20, "DrainNode": 2, "SetEligibility": 2, "PurgeNode": 0},
    least_nodes=3,
)
CANARIES: Final = Theme(
    jobs={"web": 6, "agent": 3},
    options={"groups": ("2",), "canary": ("1",), "count": ("1", "2"), "image": ("v1", "v2"), "cpu": ("100",)},
    often={"CallDeployment": 30, "SetHealth": 20, "DeregisterJob": 1},
    least_nodes=2,
)
PREEMPTION: Final = Theme(
    jobs={"web": 4, "api": 4, "db": 2, "agent": 2},
    options={"priority": ("30", "70"), "cpu": ("700",), "count": ("1", "2")},
    begins=tuple(Take("Configure", which) for which in (3, 4)),
)
"""Batch jobs and services may preempt from the beginning: those are the third and the fourth switch."""

DEPLOYMENTS: Final = Theme(
    jobs={"web": 6, "agent": 3},
    options={
        "max_parallel": ("0", "0", "1", "2", "4"),
        "canary": ("1", "1", "3"),
        "auto_promote": ("yes", "no"),
        "auto_revert": ("yes", "no"),
        "count": ("1", "2", "3"),
        "image": ("v1", "v2"),
        "cpu": ("100", "300"),
    },
    often={"CallDeployment": 20, "SetHealth": 12, "EndTasks": 12, "DeregisterJob": 1},
    least_nodes=2,
)
"""Deployments of all kinds: all at once, some at a time, or more at a time than there are."""

THEMES: Final = (LIMITED_ATTEMPTS, RECONNECTS, CANARIES, PREEMPTION, DEPLOYMENTS)


def draw_theme(random: Random) -> Theme:
    """Draw the theme of a walk: every second one has none."""
    return random.choice(THEMES) if random.random() < 0.5 else PLAIN  # noqa: PLR2004 -- the share itself
