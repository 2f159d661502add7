"""Drawing moves: few jobs with many versions on few nodes, so that things meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from nomadspec.checkers.scenario.objects import OPTIONS_OF_JOBS
from nomadspec.checkers.stateful.world.moves import MS, Join, Move, Options, Pass, Register, Setup, Take
from nomadspec.checkers.stateful.world.themes import PLAIN, Theme
from nomadspec.model.cluster.acts import find_next_due, list_acts
from nomadspec.model.cluster.world import World

JOBS: Final[Mapping[str, Options]] = {
    "web": (),
    "db": (("type", "batch"),),
    "agent": (("type", "system"),),
    "sweep": (("type", "sysbatch"),),
    "hourly": (("type", "batch"), ("cron", "@hourly"), ("overlap", "no")),
    "task": (("type", "batch"), ("parameterized", "yes")),
}
"""What each job always is, so that most registrations are further versions."""

SHARES: Final[Mapping[str, int]] = {"web": 6, "db": 4, "agent": 4, "sweep": 2, "hourly": 1, "task": 1}

_ANY: Final[Mapping[str, tuple[str, ...]]] = {
    "groups": ("2",),
    "cpu": ("300", "700"),
    "image": ("v1", "v2"),
    "priority": ("30", "70"),
    "restarts": ("0", "1"),
    "lost_after": ("2m", "2m", "20m", "2h"),
    "replace": ("yes", "no"),
    "reconcile": ("keep_original", "keep_replacement", "longest_running"),
    "stop_on_client_after": ("1m",),
    "port": ("8080", "dynamic"),
    "volume": ("data",),
    "sticky": ("yes",),
    "distinct_property": ("meta.rack", "meta.rack=2"),
}
_COUNTED: Final[Mapping[str, tuple[str, ...]]] = {
    "count": ("0", "1", "2", "3"),
    "reschedules": ("0", "1", "unlimited"),
    "reschedule_interval": ("1m", "1h"),
    "reschedule_delay": ("5s", "2m"),
    "distinct": ("yes",),
    "spread": ("meta.rack", "meta.rack=r1:70"),
}
"""What only jobs take that do not run on every node."""

_UPDATED: Final[Mapping[str, tuple[str, ...]]] = {
    "max_parallel": ("0", "1", "2", "4"),
    "auto_promote": ("yes", "no"),
    "auto_revert": ("yes", "no"),
}
"""What only jobs take that get deployments: with max_parallel 0 as if they had no update block (OBJ-102)."""

_CANARIES: Final = ("0", "1", "1", "3")
"""Canaries of a service: fewer than its count, as many, and more."""
_CANARIES_ON_NODES: Final = ("0", "1", "50", "100")
"""Canaries of a system job, of a hundred of its nodes."""

OFFERED: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "service": {**_ANY, **_COUNTED, **_UPDATED, "canary": _CANARIES},
    "batch": {**_ANY, **_COUNTED, "max_run": ("3m",)},
    "system": {**_ANY, **_UPDATED, "canary": _CANARIES_ON_NODES},
    "sysbatch": {**_ANY, "max_run": ("3m",)},
}
"""The options that a job of a type is drawn with, and their values."""

NODE_VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {"rack": ("r1", "r2"), "volume": ("data",)}
MOST_NODES: Final = 4

OUTSIDE: Final = frozenset({"RegisterJob", "RegisterNode"})
"""Acts that have no choices: jobs and nodes are drawn here."""

RARE: Final[Mapping[str, int]] = {
    "DeregisterJob": 2,
    "PurgeNode": 2,
    "LoseLeadership": 2,
    "EnqueueCoreEval": 2,
    "Configure": 3,
    "WritePool": 1,
    "DeletePool": 1,
    "WriteNamespace": 1,
    "DeleteNamespace": 1,
    "PlanJob": 1,
    "TagVersion": 1,
    "DeleteEvals": 1,
}
USUAL: Final = 6
"""How often an external act is drawn beside the others."""
_JOINS: Final = 0.06
"""The share of nodes that join among the moves from outside."""
_WAITS: Final = 0.09
"""The share of waits among them."""
OFTEN: Final = 0.8
"""How often a registration says what the theme of its walk asks for."""


def find_type(name: str) -> str:
    """Find the type of a job by its name."""
    return dict(JOBS.get(name, ())).get("type", "service")


@dataclass(slots=True)
class Drawer:
    """Draws the moves of one walk; which actors are slow is drawn once for each."""

    random: Random
    theme: Theme = PLAIN
    outside: float = 0.15
    """The share of moves that come from outside."""
    weights: dict[str, float] = field(default_factory=dict)
    _node_options: Options = ()

    def __post_init__(self) -> None:
        """Draw how busy the walk is, and who is slow in it."""
        self.outside = max(self.theme.least_outside, self.random.choice((0.04, 0.1, 0.25)))
        paces = {cls.actor: self.random.choice((0.1, 1.0, 1.0, 4.0)) for cls in list_acts()}
        self.weights = {cls.__name__: paces[cls.actor] for cls in list_acts()}

    def draw_setup(self) -> Setup:
        """Draw the cluster in which a walk begins."""
        self._node_options = (("cpu", self.random.choice(("1000", "2000"))),)
        return Setup(
            nodes=max(self.theme.least_nodes, self.random.choice((1, 2, 3))),
            node_options=self._node_options,
            workers=self.random.choice((1, 2, 3)),
            pipeline=self.random.choice((1, 1, 2)),
            seed=self.random.randrange(4),
        )

    def draw_register(self) -> Register:
        """Draw a job: a name keeps its type, so that most are further versions."""
        shares = self.theme.jobs or SHARES
        name = self.random.choices(list(shares), list(shares.values()))[0]
        offered = OFFERED[find_type(name)]
        chosen = self.random.sample(sorted(offered), self.random.randrange(1, 7))
        themed = {each: values for each, values in self.theme.options.items() if each in offered}
        most_of_it = [each for each in themed if self.random.random() < OFTEN]
        values = {each: offered[each] for each in chosen} | {each: themed[each] for each in most_of_it}
        most = 2 if "groups" in values else 1
        drawn = {each: self._draw_value(each, values[each], most=most) for each in sorted(values)}
        return Register(name, (*JOBS.get(name, ()), *drawn.items()))

    def _draw_value(self, option: str, values: tuple[str, ...], *, most: int) -> str:
        """Draw a value, or one for each group."""
        number = 1 if option in OPTIONS_OF_JOBS else self.random.randint(1, most)
        return ",".join(self.random.choice(values) for _ in range(number))

    def draw_join(self) -> Join:
        """Draw a node: a new one, one that was purged, or one that is started again as another."""
        names = self.random.sample(sorted(NODE_VARIANTS), self.random.randint(0, len(NODE_VARIANTS)))
        options = {name: self.random.choice(NODE_VARIANTS[name]) for name in names}
        return Join(f"node-{self.random.randrange(MOST_NODES) + 1}", (*self._node_options, *options.items()))

    def draw(self, world: World) -> Move:
        """Draw the next move: from outside, or what the cluster does by itself, or time."""
        if self.random.random() < self.outside:
            return self._draw_outside(world)
        found = self._draw_inside(world)
        if found is not None:
            return found
        return self._draw_pass(world) or self._draw_outside(world)

    def _draw_inside(self, world: World) -> Take | None:
        names = [cls for cls in list_acts() if not cls.is_external]
        keyed = sorted(names, key=lambda cls: -(self.random.random() ** (1 / self.weights[cls.__name__])))
        for cls in keyed:
            choices = sum(1 for _ in cls.choices(world))
            if choices:
                return Take(cls.__name__, self.random.randrange(choices))
        return None

    def _draw_outside(self, world: World) -> Move:
        kind = self.random.random()
        registers = self.theme.registers
        if kind < registers and world.is_led:
            return self.draw_register()
        if kind < registers + _JOINS and world.is_led:
            return self.draw_join()
        if kind < registers + _JOINS + _WAITS:
            return Pass(self.random.choice((1, 1000, 15_000, 70_000, 400_000)))
        names = [cls.__name__ for cls in list_acts() if cls.is_external and cls.__name__ not in OUTSIDE]
        shares = {**RARE, **self.theme.often}
        name = self.random.choices(names, [shares.get(name, USUAL) for name in names])[0]
        return Take(name, self.random.randrange(24))

    def _draw_pass(self, world: World) -> Pass | None:
        due_ns = find_next_due(world)
        if due_ns is None or due_ns <= world.now_ns:
            return None
        late = self.random.choice((0, 0, 0, 1, 700, 30_000))
        return Pass(-(-(due_ns - world.now_ns) // MS) + late)
