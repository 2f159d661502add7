"""Whatever walks break under the described release ends with the cure of a known finding."""

import pytest

from nomadspec.checkers.stateful.world.drive import Breach, drive_through
from nomadspec.checkers.stateful.world.searching import walk_once
from nomadspec.checkers.stateful.world.shrinking import Failure, shrink
from nomadspec.invariants.cluster.world import PROPERTIES, Scope, list_properties
from nomadspec.invariants.cluster.world.finding_scenarios import COMPANIONS, CURES, SCENARIOS
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile
from nomadspec.model.specification.quirk import Quirk

SEED = 801
WALKS = 40
MOVES = 150


def _list_cures(violated: str) -> list[Quirk]:
    """List all cures, those first whose scenarios break the same."""
    likely = [shown.cure for shown in SCENARIOS if shown.violates == violated]
    return list(dict.fromkeys([*likely, *CURES, *COMPANIONS]))


def _find_breach(failure: Failure, profile: str) -> Breach | None:
    asked = PROPERTIES[failure.breach.name]
    return drive_through(
        failure.setup,
        failure.moves,
        find_profile(profile),
        is_eager=failure.is_eager,
        properties=(asked,),
        rests=asked.scope is Scope.REST,
    ).breach


@pytest.mark.deep(seconds=60)
def test_each_breach_in_walks_of_the_release_ends_with_the_cure_of_a_known_finding() -> None:
    """Each is made small first: in a whole walk a cure may end it only because all else goes another way."""
    ended: list[tuple[int, str]] = []
    unexplained: list[tuple[int, str]] = []
    for number in range(WALKS):
        walk = walk_once(SEED, number, NOMAD_2_0, list_properties(), MOVES)
        breach = walk.drive.breach
        if breach is None:
            continue
        small = shrink(Failure(walk.setup, walk.moves, is_eager=False, breach=breach), NOMAD_2_0, 150)
        cures = (
            cure
            for cure in _list_cures(breach.name)
            if _find_breach(small, f"{NOMAD_2_0.name} -{cure}") is None
        )
        (ended if next(cures, None) is not None else unexplained).append((number, breach.name))

    assert ended
    assert not unexplained
