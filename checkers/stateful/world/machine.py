"""Hypothesis drives whole clusters: moves are drawn and shrunk by it, all properties are asked of each step.

Derive from the machine for a test suite of one's own, or run it as it is:

    class TestClusters(ClusterMachine.TestCase): ...

A failure names the property, its witness, and the scenario of the moves that Hypothesis left.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from nomadspec.checkers.stateful.world.drawing import OUTSIDE, UPDATE_OPTIONS, VARIANTS
from nomadspec.checkers.stateful.world.drive import Asking, Drive
from nomadspec.checkers.stateful.world.moves import Move, Pass, Register, Setup, Take
from nomadspec.checkers.stateful.world.shrinking import Failure
from nomadspec.checkers.stateful.world.telling import tell
from nomadspec.invariants.cluster.world import Property, list_properties
from nomadspec.model.cluster.acts import list_acts
from nomadspec.model.specification.profiles import INTENDED, Profile

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


def _list_offered(kind: str) -> list[str]:
    """List the options that the jobs of a type are drawn with."""
    offered = {**VARIANTS, **({} if kind == "batch" else UPDATE_OPTIONS)}
    return sorted(offered.keys() - ({"count"} if kind == "system" else set()))


# A strategy that is made anew for each draw is looked through anew, which takes longer than what it draws.
_JOBS: Final = (("web", ""), ("db", "batch"), ("agent", "system"))
_NAMED: Final = st.sampled_from(_JOBS)
_CHOSEN: Final = {
    kind: st.lists(st.sampled_from(_list_offered(kind)), max_size=4, unique=True) for _, kind in _JOBS
}
_VALUES: Final = {name: st.sampled_from(values) for name, values in {**VARIANTS, **UPDATE_OPTIONS}.items()}


@st.composite
def registrations(draw: st.DrawFn) -> Register:
    """Draw a job, or a further version of one; its name says of which type it is."""
    name, kind = draw(_NAMED)
    options = tuple((each, draw(_VALUES[each])) for each in sorted(draw(_CHOSEN[kind])))
    return Register(name, (("type", kind), *options) if kind else options)


class ClusterMachine(RuleBasedStateMachine):
    """A cluster under way in the hands of Hypothesis."""

    profile: Profile = INTENDED
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
