"""Making a failure small: fewer moves, and eager clusters where that still shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from nomadspec.checkers.stateful.world.drive import Breach, drive_through
from nomadspec.checkers.stateful.world.moves import Join, Move, Options, Pass, Register, Setup, Take
from nomadspec.invariants.cluster.world import PROPERTIES, Scope
from nomadspec.model.cluster.acts.registry import find_act
from nomadspec.model.specification.profiles import Profile

MOST_TRIES: Final = 600
"""So many smaller walks are tried at most; each is walked from its beginning."""


class Failure(Struct, frozen=True):
    """A walk that breaks a property."""

    setup: Setup
    moves: tuple[Move, ...]
    is_eager: bool
    breach: Breach


def shrink(failure: Failure, profile: Profile, tries: int = MOST_TRIES) -> Failure:
    """Make the moves of a failure few and plain, so that the same property is broken still."""
    left = [tries]
    broken = PROPERTIES.get(failure.breach.name)
    asked = () if broken is None else (broken,)
    rests = broken is None or broken.scope is Scope.REST

    def fails(setup: Setup, moves: Sequence[Move], *, is_eager: bool) -> Failure | None:
        if left[0] <= 0:
            return None
        left[0] -= 1
        breach = drive_through(setup, moves, profile, is_eager=is_eager, properties=asked, rests=rests).breach
        if breach is None or breach.name != failure.breach.name:
            return None
        return Failure(setup, tuple(moves[: breach.at + 1]), is_eager, breach)

    outside = [move for move in failure.moves if _is_outside(move)]
    best = fails(failure.setup, outside, is_eager=True) or failure
    best = _drop(best, lambda moves: fails(best.setup, moves, is_eager=best.is_eager))
    best = _plain_setup(best, fails)
    return _plain_options(best, lambda moves: fails(best.setup, moves, is_eager=best.is_eager))


def _is_outside(move: Move) -> bool:
    return not isinstance(move, Take) or find_act(move.act).is_external


Fails = Callable[[list[Move]], Failure | None]


def _drop(best: Failure, fails: Fails) -> Failure:
    """Leave out as many moves as possible: halves first, then ever smaller pieces."""
    size = max(1, len(best.moves) // 2)
    while True:
        is_smaller, start = False, 0
        while start < len(best.moves):
            kept = [*best.moves[:start], *best.moves[start + size :]]
            smaller = fails(kept)
            if smaller is not None and len(smaller.moves) < len(best.moves):
                best, is_smaller = smaller, True
            else:
                start += size
        if size == 1 and not is_smaller:
            return best
        size = max(1, size // 2)


def _plain_setup(best: Failure, fails: Callable[..., Failure | None]) -> Failure:
    for plainer in (
        Setup(nodes=best.setup.nodes, node_options=best.setup.node_options, workers=best.setup.workers),
        Setup(nodes=1, node_options=best.setup.node_options, workers=best.setup.workers),
        Setup(nodes=best.setup.nodes, node_options=best.setup.node_options),
    ):
        if plainer != best.setup:
            best = fails(plainer, best.moves, is_eager=best.is_eager) or best
    return best


def _plain_options(best: Failure, fails: Fails) -> Failure:
    """Leave out the options of jobs that do not matter, one at a time, and wait no longer than needed."""
    position = 0
    while position < len(best.moves):
        for plainer in _list_plainer(best.moves[position]):
            moves = [*best.moves[:position], plainer, *best.moves[position + 1 :]]
            smaller = fails(moves)
            if smaller is not None and len(smaller.moves) <= len(best.moves):
                best = smaller
                break
        else:
            position += 1
            continue
        if position >= len(best.moves):
            break
    return best


def _leave_out(left_out: str, options: Options) -> Options:
    """Leave out an option; without a number of groups each option has one value."""
    kept = ((name, value) for name, value in options if name != left_out)
    return tuple((name, value.partition(",")[0] if left_out == "groups" else value) for name, value in kept)


def _list_plainer(move: Move) -> list[Move]:
    if isinstance(move, Register | Join):
        left_out = [name for name, _ in move.options if name != "type"]
        return [type(move)(move.name, _leave_out(name, move.options)) for name in left_out]
    if isinstance(move, Take) and move.which:
        return [Take(move.act, 0)]
    if isinstance(move, Pass) and move.ms not in {1000, 60_000}:
        return [Pass(ms) for ms in (1000, 60_000) if ms < move.ms]
    return []
