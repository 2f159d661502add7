"""Hypothesis drives whole clusters: moves are drawn and shrunk by it, all properties are asked of each step.

Derive from the machine for a test suite of one's own, and say by which profile clusters behave:

    class Clusters(ClusterMachine):
        profile = INTENDED

    class TestClusters(Clusters.TestCase): ...

A failure names the property, its witness, and the scenario of the moves that Hypothesis left.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from nomadspec.checkers.stateful.world.drawing import (
    JOBS,
    MOST_NODES,
    NODE_VARIANTS,
    OFFERED,
    OUTSIDE,
    find_type,
)
from nomadspec.checkers.stateful.world.drive import Asking, Drive
from nomadspec.checkers.stateful.world.moves import Join, Move, Options, Pass, Register, Setup, Take
from nomadspec.checkers.stateful.world.scenario_text import tell
from nomadspec.checkers.stateful.world.shrinking import Failure
from nomadspec.invariants.cluster.world import Property, list_properties
from nomadspec.model.cluster.acts import list_acts
from nomadspec.model.specification.profiles import Profile

_INSIDE: Final = tuple(cls.__name__ for cls in list_acts() if not cls.is_external)
_EVENTS: Final = tuple(cls.__name__ for cls in list_acts() if cls.is_external and cls.__name__ not in OUTSIDE)
_WAITS_MS: Final = (1, 1000, 15_000, 70_000, 400_000)
_MOST_TOGETHER: Final = 12


class BrokenError(AssertionError):
    """A property of whole clusters is broken; the scenario that breaks it is in the message."""


def setups() -> st.SearchStrategy[Setup]:
    """Draw the cluster in which a run begins."""
    return st.builds(
        Setup,
        nodes=st.integers(1, 3),
        node_options=st.sampled_from(((("cpu", "1000"),), (("cpu", "2000"),))),
        workers=st.integers(1, 3),
        pipeline=st.integers(1, 2),
        seed=st.integers(0, 3),
    )


# A strategy that is made anew for each draw is looked through anew, which takes longer than what it draws.
_CHOSEN: Final = {
    kind: st.lists(st.sampled_from(sorted(offered)), max_size=4, unique=True)
    for kind, offered in OFFERED.items()
}
_VALUES: Final = {
    kind: {name: st.sampled_from(values) for name, values in offered.items()}
    for kind, offered in OFFERED.items()
}
PLAIN_JOBS: Final = ("web", "db", "agent")
"""Jobs that run something by themselves, and not at times only."""


@st.composite
def registrations(draw: st.DrawFn, names: tuple[str, ...] = tuple(JOBS)) -> Register:
    """Draw a job, or a further version of one; its name says of which type it is."""
    name = draw(st.sampled_from(names))
    kind = find_type(name)
    options = tuple((each, draw(_VALUES[kind][each])) for each in sorted(draw(_CHOSEN[kind])))
    return Register(name, (*JOBS[name], *options))


@st.composite
def joins(draw: st.DrawFn, usual: Options) -> Join:
    """Draw a node that registers, as new or once more, with what all nodes have and something else."""
    name = f"node-{draw(st.integers(1, MOST_NODES))}"
    chosen = draw(st.lists(st.sampled_from(sorted(NODE_VARIANTS)), unique=True))
    return Join(
        name, (*usual, *((each, draw(st.sampled_from(NODE_VARIANTS[each]))) for each in sorted(chosen)))
    )


class ClusterMachine(RuleBasedStateMachine):
    """A cluster under way in the hands of Hypothesis."""

    profile: Profile
    properties: tuple[Property, ...] = list_properties()
    holds_acts: bool = False
    """Whether each act is held against the kernel as well, which takes several times as long."""

    def __init__(self) -> None:
        """Wait for the cluster that is drawn."""
        super().__init__()
        self.setup = Setup()
        self.moves: list[Move] = []
        self.drive: Drive | None = None

    @initialize(setup=setups())
    def begin(self, setup: Setup) -> None:
        """Set the cluster up."""
        self.setup = setup
        self.drive = Drive(setup.build(self.profile), Asking(self.properties, holds_acts=self.holds_acts))

    @rule(
        names=st.lists(
            st.tuples(st.sampled_from(_INSIDE), st.integers(0, 3)), min_size=1, max_size=_MOST_TOGETHER
        )
    )
    def go_on(self, names: list[tuple[str, int]]) -> None:
        """Let several actors do what they can."""
        for name, which in names:
            self._move(Take(name, which))

    @rule(job=registrations())
    def register(self, job: Register) -> None:
        """An operator registers a job."""
        self._move(job)

    @rule(data=st.data())
    def join(self, data: st.DataObject) -> None:
        """A node registers."""
        self._move(data.draw(joins(self.setup.node_options)))

    @rule(name=st.sampled_from(_EVENTS), which=st.integers(0, 7))
    def happen(self, name: str, which: int) -> None:
        """Something happens from outside."""
        self._move(Take(name, which))

    @rule(ms=st.sampled_from(_WAITS_MS))
    def wait(self, ms: int) -> None:
        """Time passes."""
        self._move(Pass(ms))

    def teardown(self) -> None:
        """Let the cluster rest, and ask what must be true of it then."""
        if self.drive is not None and self.drive.breach is None:
            self.drive.rest()
            self._report()

    def _move(self, move: Move) -> None:
        if self.drive is not None and self.drive.move(move):
            self.moves.append(move)
            self.drive.at += 1
            self._report()

    def _report(self) -> None:
        breach = self.drive.breach if self.drive is not None else None
        if breach is None:
            return
        failure = Failure(self.setup, tuple(self.moves), is_eager=False, breach=breach)
        raise BrokenError(f"{breach.name}: {breach.witness}\n\n{tell(failure, self.profile)}")
