"""A run of a scenario: the cluster, what is held back, and the timeline of what happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.scenario.record import Record
from nomadspec.checkers.scenario.turns import TURNS, find_turns
from nomadspec.model.cluster.acts import Act, GainLeadership, SubmitPlan, Timer
from nomadspec.model.cluster.acts.registry import show
from nomadspec.model.cluster.store.tables import EVALS
from nomadspec.model.cluster.world import Reply, Settings, World, list_written, make_world
from nomadspec.model.errors import EXIT_INCONCLUSIVE, NomadSpecError
from nomadspec.model.specification.profiles import Profile

MOST_ACTS: Final = 2_000_000
"""A statement that takes more acts than this does not come to an end."""

MOST_PLANS: Final = 200
"""A worker that submits more plans than this in one delivery, and one for each node, plans without end."""

_NO_REPLY: Final = Reply()


class EndlessError(NomadSpecError):
    """A cluster goes on and on in no time; the message says who does."""

    exit_code: ClassVar[int] = EXIT_INCONCLUSIVE


class Event(Struct, frozen=True):
    """One row of the timeline."""

    line: int
    at_ns: int
    act: Act
    index: int
    """The last index of the log after it."""
    made: tuple[str, ...]
    """The evaluations that came with it: ID, trigger and status."""
    reply: Reply
    """What an operator was answered."""

    @property
    def actor(self) -> str:
        """Who did it."""
        return self.act.actor

    @property
    def what(self) -> str:
        """What was done, as people call it."""
        return show(self.act)


@dataclass(frozen=True, slots=True)
class Unmet:
    """An expectation that is not met."""

    line: int
    expected: str
    found: str
    is_exact: bool = True
    """Whether what was found could stand in place of what was expected."""


@dataclass(slots=True)
class Run:
    """A scenario under way."""

    profile: Profile
    folder: Path = field(default_factory=Path)
    """Where the files lie that it names."""
    world: World = field(init=False)
    origin: World = field(init=False, repr=False)
    """The world before the first event."""
    line: int = 0
    events: list[Event] = field(default_factory=list)
    unmet: list[Unmet] = field(default_factory=list)
    met: int = 0
    stopped_by: str | None = None
    """``interrupt``, ``time`` or ``endless`` where it did not come to its end."""
    stopped_because: str = ""
    """What goes on without end, where something does."""
    heard: set[int] = field(default_factory=set)
    """The lines whose refusal some later line expects."""
    has_cluster: bool = False
    """Whether some line has set a cluster up."""
    held: set[str] = field(default_factory=set)
    """The actors, and the acts, that do nothing until they are released."""
    marked_at: int = 0
    """The index of the log from which on evaluations are counted."""
    marked_event: int = 0
    record: Record | None = None
    """Counts what a chart shows, where somebody wants one."""
    worlds: list[World] | None = field(default=None, repr=False)
    """The cluster after each event, where somebody wants that: a long run has much of it."""

    def __post_init__(self) -> None:
        """Begin with servers that have a leader, and nothing else."""
        self.begin(Settings(profile=self.profile), workers=2)

    def begin(self, settings: Settings, workers: int) -> None:
        """Begin with servers of these settings, of which one leads."""
        self.world = self.origin = GainLeadership().take(make_world(settings, workers))

    def take(self, one: Act) -> None:
        """Take an act, and note it."""
        before = replace(self.world, reply=_NO_REPLY, written=())
        self.world = one.take(before)
        if self.record is not None:
            self.record.note(self.world, self.line)
        self.events.append(
            Event(
                self.line,
                self.world.now_ns,
                one,
                self.world.state.latest_index,
                _list_made(self.world),
                self.world.reply,
            )
        )
        if self.worlds is not None:
            self.worlds.append(self.world)

    def settle(self) -> None:
        """Let happen what can without waiting, but for what is held."""
        limit = len(self.events) + MOST_ACTS
        while len(self.events) < limit:
            if not self._take_next():
                return
            self._refuse_endless_plans()
        raise EndlessError(f"after {MOST_ACTS:,} acts the cluster has not come to rest")

    def _refuse_endless_plans(self) -> None:
        """Stop where a worker plans for one evaluation again and again: the release knows no end of that."""
        act = self.events[-1].act
        if not isinstance(act, SubmitPlan):
            return
        call = self.world.workers[act.worker].call
        if call is not None and len(call.answers) > MOST_PLANS + len(self.world.state.nodes):
            told = f"{len(call.answers) + 1} plans for {call.evaluation.id}, and does not come to an end"
            raise EndlessError(f"{act.worker} has submitted {told}")

    def _take_next(self) -> bool:
        """Let those act whose turn it is; what does not depend on each other happens together."""
        for cls in find_turns(self.world):
            if self.held and self._is_held(cls):
                continue
            choices = cls.choices(self.world)
            if cls.is_independent:
                chosen = list(choices)
                for one in chosen:
                    self.take(one)
                if chosen:
                    return True
            elif (first := next(choices, None)) is not None:
                self.take(first)
                return True
        return False

    def wait(self, duration_ns: int) -> None:
        """Let time pass, and happen what is due meanwhile."""
        until_ns = self.world.now_ns + duration_ns
        while True:
            self.settle()
            due_ns = self._find_next_due()
            if due_ns is None or due_ns > until_ns:
                break
            self.world = replace(self.world, now_ns=due_ns)
        self.world = replace(self.world, now_ns=until_ns)

    def _find_next_due(self) -> int | None:
        """Find when the next timer fires of those that are not held."""
        timers = (cls for cls in TURNS if issubclass(cls, Timer) and not self._is_held(cls))
        times = (due_ns for cls in timers for due_ns, _ in cls.list_due(self.world))
        return min((due_ns for due_ns in times if due_ns > self.world.now_ns), default=None)

    def _is_held(self, cls: type[Act]) -> bool:
        return cls.actor in self.held or cls.__name__ in self.held

    def expect(self, expected: str, found: str, *, is_exact: bool = True) -> None:
        """Compare what was expected with what is."""
        if expected == found:
            self.met += 1
        else:
            self.unmet.append(Unmet(self.line, expected, found, is_exact))

    def hear_refusal(self) -> None:
        """Note that a line expects the last refusal."""
        self.heard |= {event.line for event in self.events[-1:] if event.reply.error}

    def list_surprises(self) -> list[tuple[int, str]]:
        """List the lines that were refused though no line expects that, with what they were told."""
        refused = ((event.line, event.reply.error) for event in self.events if event.reply.error)
        return [(line, error) for line, error in refused if line not in self.heard]

    def mark(self) -> None:
        """Count evaluations, entries and acts from here on only."""
        self.marked_at = self.world.state.latest_index
        self.marked_event = len(self.events)

    def count_acts(self, name: str) -> int:
        """Count the acts of a name since the mark."""
        events = islice(self.events, self.marked_event, None)
        return sum(type(event.act).__name__ == name for event in events)


def _list_made(after: World) -> tuple[str, ...]:
    """List the evaluations that an act made, in the order of their creation."""
    if not after.written:
        return ()
    keys = (str(key) for key, before in list_written(after, EVALS).items() if before is None)
    made = [entry for key in keys if (entry := after.state.find_eval(key)) is not None]
    made.sort(key=lambda entry: (entry.create_index, entry.id))
    return tuple(f"{entry.id} {entry.triggered_by} {entry.status}" for entry in made)
