"""The pairs of statuses of an allocation go the ways of both lifecycles, and scenarios go no others."""

from collections.abc import Iterator
from enum import Enum
from itertools import chain, pairwise
from pathlib import Path

import pytest

from nomadspec.checkers.scenario.play import play
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.world import World
from nomadspec.model.lifecycle.allocation import (
    ALLOCATION_CLIENT,
    ALLOCATION_DESIRED,
    AllocClient,
    AllocDesired,
)
from nomadspec.model.lifecycle.allocation_pairs import ALLOCATION, AllocPair
from nomadspec.model.lifecycle.table import ABSENT, is_legal
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.checkers.oracle.refinement.acts.steps import FEW_SCENARIOS, list_steps
from tests.tidy.source import ROOT

FINDINGS = sorted((ROOT / "docs/scenarios/findings").glob("*.scenario"))
P = AllocPair
PAIRS = {pair.name: pair for pair in P}


def split(pair: Enum) -> tuple[AllocDesired, AllocClient]:
    desired, client = pair.name.split("_")
    return AllocDesired[desired], AllocClient[client]


@pytest.mark.parametrize("profile", [INTENDED, NOMAD_2_0], ids=["intended", "nomad-2.0"])
def test_each_change_of_a_pair_is_one_of_either_status(profile: Profile) -> None:
    changes = [
        (arrow.source, arrow.target)
        for arrow in ALLOCATION.arrows
        if arrow.is_open(profile.has) and arrow.source is not ABSENT and arrow.target is not ABSENT
    ]
    parts = [tuple(zip(split(before), split(after), strict=True)) for before, after in changes]

    assert [
        pair
        for pair, (desired, _) in zip(changes, parts, strict=True)
        if not is_legal(ALLOCATION_DESIRED, *desired, profile)
    ] == []
    assert [
        pair
        for pair, (_, client) in zip(changes, parts, strict=True)
        if not is_legal(ALLOCATION_CLIENT, *client, profile)
    ] == []


def find_pair(alloc: Allocation | None) -> AllocPair | None:
    return None if alloc is None else PAIRS[f"{alloc.desired_status}_{alloc.client_status}".upper()]


def list_worlds(path: Path) -> Iterator[tuple[World, World]]:
    """List the worlds before and after each event of a finding."""
    kept: list[World] = []
    run = play(path, NOMAD_2_0, Run(NOMAD_2_0, path.parent, worlds=kept))
    return pairwise([run.origin, *kept])


def list_changes(before: World, after: World) -> Iterator[tuple[AllocPair | None, AllocPair | None]]:
    was, now = before.state.allocs, after.state.allocs
    for alloc_id in {*was, *now} if was is not now else ():
        yield find_pair(was.get(alloc_id)), find_pair(now.get(alloc_id))


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([path for path in FINDINGS if "unknown" in path.stem], id="of what is unknown"),
        pytest.param(FINDINGS, id="all", marks=pytest.mark.deep),
    ],
)
def test_scenarios_go_no_other_ways(files: list[Path]) -> None:
    """What is unknown goes ways of its own; the findings about anything else go those of the scenarios."""
    played = chain(
        ((before, after) for before, _, after in list_steps(FEW_SCENARIOS)),
        *(list_worlds(path) for path in files),
    )
    seen = {change for worlds in played for change in list_changes(*worlds)}
    strange = {step for step in seen if not is_legal(ALLOCATION, *step, NOMAD_2_0)}

    assert strange == set()
    assert {(None, P.RUN_PENDING), (P.RUN_RUNNING, P.STOP_LOST), (P.RUN_UNKNOWN, P.RUN_RUNNING)} <= seen
