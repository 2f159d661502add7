"""Drawing moves: few jobs with many versions on few nodes, so that things meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from nomadspec.checkers.stateful.world.moves import MS, Move, Options, Pass, Register, Setup, Take
from nomadspec.model.cluster.acts import find_next_due, list_acts
from nomadspec.model.cluster.world import World

VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "groups": ("2",),
    "count": ("0", "1", "2", "3"),
    "cpu": ("300", "700"),
    "image": ("v1", "v2"),
    "priority": ("30", "70"),
    "reschedules": ("0", "1", "unlimited"),
    "restarts": ("0", "1"),
    "reschedule_interval": ("1m", "1h"),
    "lost_after": ("2m",),
    "replace": ("yes", "no"),
}
UPDATE_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "canary": ("0", "1"),
    "max_parallel": ("1", "2"),
    "auto_promote": ("yes", "no"),
    "auto_revert": ("yes", "no"),
}
"""What only jobs take that are rolled out."""

NAMES: Final = ("web", "db", "agent")
OUTSIDE: Final = frozenset({"RegisterJob", "RegisterNode"})
"""Acts that have no choices: jobs and nodes are drawn here."""

RARE: Final[Mapping[str, int]] = {
    "DeregisterJob": 2,
    "LoseLeadership": 2,
    "EnqueueCoreEval": 2,
    "Configure": 1,
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


@dataclass(slots=True)
class Drawer:
    """Draws the moves of one walk; which actors are slow is drawn once for each."""

    random: Random
    outside: float = 0.15
    """The share of moves that come from outside."""
    weights: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw how busy the walk is, and who is slow in it."""
        self.outside = self.random.choice((0.04, 0.1, 0.25))
        paces = {cls.actor: self.random.choice((0.1, 1.0, 1.0, 4.0)) for cls in list_acts()}
        self.weights = {cls.__name__: paces[cls.actor] for cls in list_acts()}

    def draw_setup(self) -> Setup:
        """Draw the cluster in which a walk begins."""
        return Setup(
            nodes=self.random.choice((1, 2, 3)),
            node_options=(("cpu", self.random.choice(("1000", "2000"))),),
            workers=self.random.choice((1, 2, 3)),
            pipeline=self.random.choice((1, 1, 2)),
            seed=self.random.randrange(4),
        )

    def draw_register(self) -> Register:
        """Draw a job: a name keeps its type, so that most are further versions."""
        name = self.random.choice(NAMES)
        kind = {"web": "service", "db": "batch", "agent": "system"}[name]
        offered = dict(VARIANTS)
        if kind in {"service", "system"}:
            offered |= UPDATE_OPTIONS
        if kind == "system":
            offered.pop("count")
        chosen = self.random.sample(sorted(offered), self.random.randrange(1, 6))
        options: Options = tuple((each, self.random.choice(offered[each])) for each in sorted(chosen))
        return Register(name, (("type", kind), *options) if kind != "service" else options)

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
        if kind < 0.3 and world.is_led:  # noqa: PLR2004 -- the share of registrations
            return self.draw_register()
        if kind < 0.45:  # noqa: PLR2004 -- and of waits
            return Pass(self.random.choice((1, 1000, 15_000, 70_000, 400_000)))
        names = [cls.__name__ for cls in list_acts() if cls.is_external and cls.__name__ not in OUTSIDE]
        name = self.random.choices(names, [RARE.get(name, USUAL) for name in names])[0]
        return Take(name, self.random.randrange(8))

    def _draw_pass(self, world: World) -> Pass | None:
        due_ns = find_next_due(world)
        if due_ns is None or due_ns <= world.now_ns:
            return None
        late = self.random.choice((0, 0, 0, 1, 700, 30_000))
        return Pass(-(-(due_ns - world.now_ns) // MS) + late)
