"""Driving a cluster: every move is taken, every property that it touches is asked, until one is broken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.acts import hold, hold_deployments, hold_nodes, hold_plans
from nomadspec.checkers.scenario.turns import TURNS, find_turns
from nomadspec.checkers.stateful.world.moves import Move, Pass, Setup, find_move, pass_time
from nomadspec.invariants.cluster.world import Property, Scope, Step, find_touched, list_properties
from nomadspec.model.cluster.acts import Act, Configure, GainLeadership, Timer, list_acts
from nomadspec.model.cluster.components.leader_memory import is_broker_paused
from nomadspec.model.cluster.entities import SchedulerConfiguration
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import Profile

REST_NS: Final = 3 * 3600 * NS_PER_S
"""So long nothing happens from outside before a cluster counts as being at rest."""

MOST_ACTS: Final = 5_000
"""A cluster that does more than this by itself without waiting does not come to rest."""

NO_REST: Final = "cluster_comes_to_rest"
"""What is broken by a cluster that goes on and on in no time."""


@cache
def list_actors() -> tuple[str, ...]:
    """List all actors by their names."""
    return tuple(sorted({cls.actor for cls in list_acts()}))


class GoOn(Struct, frozen=True):
    """Actors that were held go on, one after the other."""

    actors: tuple[str, ...]


class Breach(Struct, frozen=True):
    """A property that was broken: by which move, and what shows it."""

    name: str
    at: int
    """How many moves came before; all of them where it is broken at rest."""
    witness: str


OTHER_STEPS: Final = "acts_are_steps_of_the_kernel"
"""What is broken by an act that is none of the kernel's steps that it declares."""


class Asking:
    """Asks properties of each step, until one is broken; some hold each act against the kernel as well."""

    def __init__(self, properties: Iterable[Property], *, holds_acts: bool = False) -> None:
        """Begin with the properties that are asked; those of rest are asked apart."""
        self._holds_acts = holds_acts
        chosen = tuple(properties)
        self._moving = tuple(each for each in chosen if each.scope is not Scope.REST)
        self._resting = tuple(each for each in chosen if each.scope is Scope.REST)
        self._by_parts: dict[frozenset[str], tuple[Property, ...]] = {}
        self.breach: Breach | None = None

    def ask(self, step: Step, at: int) -> None:
        """Ask what a step touches."""
        for each in self._list_touched(find_touched(step)) if self.breach is None else ():
            if witnesses := each.list_witnesses(step):
                self.breach = Breach(each.name, at, witnesses[0])
                return
        if self._holds_acts and self.breach is None and step.act is not None:
            problems = (
                each(step.before, step.act, step.after).problem
                for each in (hold, hold_plans, hold_nodes, hold_deployments)
            )
            found = next(filter(None, problems), "")
            self.breach = Breach(OTHER_STEPS, at, found) if found else None

    def _list_touched(self, parts: frozenset[str]) -> tuple[Property, ...]:
        """List the properties that read something of what has changed: often it is the same."""
        found = self._by_parts.get(parts)
        if found is None:
            found = self._by_parts[parts] = tuple(each for each in self._moving if each.is_touched(parts))
        return found

    def ask_at_rest(self, world: World, at: int) -> None:
        """Ask what must be true of a cluster at rest."""
        step = Step(world, None, world)
        for each in self._resting if self.breach is None else ():
            if witnesses := each.list_witnesses(step):
                self.breach = Breach(each.name, at, witnesses[0])
                return


@dataclass(slots=True)
class Drive:
    """A cluster under way; an eager one settles after each move, as scenarios do that hold nobody back."""

    world: World
    asking: Asking
    is_eager: bool = False
    at: int = 0
    done: list[Act | Pass | GoOn] = field(default_factory=list)
    """What was done in the moves and to begin a rest, as it was found to be possible; not what came of it."""
    acts: int = 0
    _held: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Hold everybody back, or let the cluster that was set up settle."""
        if self.is_eager:
            self.settle()
        else:
            self._held.update(list_actors())

    @property
    def breach(self) -> Breach | None:
        """The first property that was broken."""
        return self.asking.breach

    def move(self, move: Move) -> bool:
        """Take a move if it is possible; true if it was."""
        if isinstance(move, Pass):
            self.done.append(move)
            self.wait(move.ms)
        elif (chosen := find_move(self.world, move)) is not None:
            self.done.append(chosen)
            self.take(chosen)
            self.settle()
        else:
            return False
        return True

    def take(self, chosen: Act) -> None:
        """Take an act, and ask what it touches."""
        before = replace(self.world, written=())
        self.world = chosen.take(before)
        self.acts += 1
        self.asking.ask(Step(before, chosen, self.world), self.at)

    def settle(self) -> None:
        """Let happen what can without waiting, but for the actors that are held."""
        if len(self._held) == len(list_actors()):
            return
        for _ in range(MOST_ACTS):
            chosen = self._list_next()
            if not chosen or self.breach is not None:
                return
            for one in chosen:
                self.take(one)
        self.asking.breach = Breach(NO_REST, self.at, f"after {MOST_ACTS:,} acts the cluster still goes on")

    def wait(self, ms: int) -> None:
        """Let time pass, and happen what is due meanwhile, but for the actors that are held."""
        until = pass_time(self.world, ms).now_ns
        while self.breach is None:
            self.settle()
            due_ns = self._find_next_due()
            if due_ns is None or due_ns > until:
                break
            self.world = replace(self.world, now_ns=due_ns)
        self.world = replace(self.world, now_ns=until)

    def _list_next(self) -> list[Act]:
        """List whose turn it is as scenarios do: those together that do not depend on each other."""
        for cls in find_turns(self.world):
            if cls.actor in self._held:
                continue
            choices = cls.choices(self.world)
            chosen = list(choices if cls.is_independent else islice(choices, 1))
            if chosen:
                return chosen
        return []

    def _find_next_due(self) -> int | None:
        timers = (cls for cls in TURNS if issubclass(cls, Timer) and cls.actor not in self._held)
        times = (due_ns for cls in timers for due_ns, _ in cls.list_due(self.world))
        return min((due_ns for due_ns in times if due_ns > self.world.now_ns), default=None)

    def rest(self) -> None:
        """Let a cluster come to rest, then ask what must be true of it then.

        Nothing rests without a leader, or while an operator keeps the broker paused: both are ended first.
        The end of a pause may be refused while a plan from before it is in flight (X-13): that goes on first.
        """
        if not self.world.is_led:
            self._begin_rest(GainLeadership())
        while self.breach is None and (known := self._find_pause()) is not None:
            self._begin_rest(Configure(configuration=replace(known, pause_eval_broker=False)))
            if is_broker_paused(self.world.state):
                self._release_all()
        self._release_all()
        self.wait(REST_NS // 1_000_000)
        self.settle()
        if self.breach is None:
            self.asking.ask_at_rest(self.world, self.at)

    def _find_pause(self) -> SchedulerConfiguration | None:
        state = self.world.state
        return state.configuration if is_broker_paused(state) else None

    def _release_all(self) -> None:
        held = tuple(sorted(self._held))
        if held:
            self.done.append(GoOn(held))
        for actor in held:
            self._held.discard(actor)
            self.settle()

    def _begin_rest(self, chosen: Act) -> None:
        self.done.append(chosen)
        self.take(chosen)
        self.settle()


def drive_through(
    setup: Setup,
    moves: Iterable[Move],
    profile: Profile,
    *,
    is_eager: bool = False,
    properties: tuple[Property, ...] | None = None,
    rests: bool = True,
) -> Drive:
    """Take moves one after the other up to the first breach; where there is none, let the cluster rest."""
    asking = Asking(list_properties() if properties is None else properties)
    drive = Drive(setup.build(profile), asking, is_eager)
    for move in moves:
        if drive.breach is not None:
            return drive
        drive.move(move)
        drive.at += 1
    if drive.breach is None and rests:
        drive.rest()
    return drive
