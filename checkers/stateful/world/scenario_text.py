"""Telling a failure as a scenario that a person reads, and that `nomadspec scenario run` plays again."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import Final

from nomadspec.checkers.scenario.statements.settings import PREEMPTION_SWITCHES
from nomadspec.checkers.stateful.world.drive import REST_NS, GoOn, drive_through, list_actors
from nomadspec.checkers.stateful.world.moves import Join, Pass, Register, write_options
from nomadspec.checkers.stateful.world.shrinking import Failure
from nomadspec.invariants.cluster.world import PROPERTIES
from nomadspec.model.cluster.acts import (
    Act,
    Configure,
    FailPlan,
    FindServers,
    GainLeadership,
    LoseServers,
    RegisterJob,
    RegisterNode,
)
from nomadspec.model.cluster.acts.registry import show
from nomadspec.model.cluster.entities import SchedulerAlgorithm, SchedulerConfiguration
from nomadspec.model.specification.profiles import Profile

_UNITS: Final = (("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1))


def tell(failure: Failure, profile: Profile) -> str:
    """Write the scenario of a failure: what it breaks, why that matters, and what happens."""
    lines = [*_introduce(failure), ""]
    if not failure.is_eager:
        lines += [f"hold {quote(actor)}" for actor in list_actors()]
    setup = failure.setup
    lines.append(
        f"cluster {setup.nodes} nodes{write_options(setup.node_options)} workers {setup.workers} "
        f"pipeline {setup.pipeline} seed {setup.seed} profile {quote(profile.name)}"
    )
    rests = failure.breach.at >= len(failure.moves)
    # No property is asked: another one may be broken earlier, and the story would end there.
    drive = drive_through(
        setup, failure.moves, profile, is_eager=failure.is_eager, properties=(), rests=rests
    )
    registered = (move for move in failure.moves if isinstance(move, Register | Join))
    for done in drive.done:
        lines += _tell_one(done, registered, is_eager=failure.is_eager)
    if rests:
        lines.append(f"wait {write_duration(REST_NS // 1_000_000)}")
    return "\n".join(lines) + "\n"


def _introduce(failure: Failure) -> Iterator[str]:
    broken = PROPERTIES.get(failure.breach.name)
    yield f"# Breaks {failure.breach.name}: {failure.breach.witness}."
    if broken is not None:
        yield f"# {broken.because}"


def _tell_one(done: Act | Pass | GoOn, registered: Iterator[Register | Join], *, is_eager: bool) -> list[str]:
    if isinstance(done, Pass):
        return [f"wait {write_duration(done.ms)}"]
    if isinstance(done, GoOn):
        return [f"release {quote(actor)}" for actor in done.actors]
    if isinstance(done, RegisterJob | RegisterNode):
        move = next(registered)
        said = f"register {move.name}" if isinstance(move, Register) else f"node {move.name} joins"
        return [said + write_options(move.options)]
    if (said_so := _say(done)) is not None:
        return [said_so]
    line = f"do {quote(show(done))}"
    return [line, "wait 0s"] if is_eager else [line]


def _say(done: Act) -> str | None:
    """Say an act in words, where there are any."""
    match done:
        case LoseServers(node=node):
            return f"{node} misses heartbeats"
        case FindServers(node=node):
            return f"{node} returns"
        case GainLeadership():
            return "leader elected"
        case FailPlan():
            return "plan entry fails"
        case Configure(configuration=wanted):
            return f"configure{write_options(_describe(wanted))}"
    return None


def _describe(wanted: SchedulerConfiguration) -> dict[str, str]:
    """Describe a configuration whole: that before is not known, since entries fail."""
    flags = {name: getattr(wanted.preemption_config, flag) for name, flag in PREEMPTION_SWITCHES.items()}
    flags["pause_broker"] = wanted.pause_eval_broker
    words = {name: "yes" if is_on else "no" for name, is_on in flags.items()}
    return {"algorithm": wanted.scheduler_algorithm or SchedulerAlgorithm.BINPACK.value} | words


def write_duration(ms: int) -> str:
    """Write a duration as people do: 1h30m."""
    parts = []
    for name, size in _UNITS:
        number, ms = divmod(ms, size)
        if number:
            parts.append(f"{number}{name}")
    return "".join(parts) or "0s"
