"""The pairs of statuses of an allocation go the ways of both lifecycles, and scenarios go no others."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scenario.run import Run
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
from tests.tidy.source import ROOT

SCENARIOS = sorted((ROOT / "docs/scenarios").rglob("*.scenario"))
P = AllocPair


def split(pair: Enum) -> tuple[AllocDesired, AllocClient]:
    desired, client = pair.name.split("_")
    return AllocDesired[desired], AllocClient[client]


@pytest.mark.parametrize("profile", [INTENDED, NOMAD_2_0], ids=["intended", "nomad-2.0"])
def test_each_change_of_a_pair_is_one_of_either_status(profile: Profile) -> None:
    changes = [
        (arrow.source, arrow.target)
        for arrow in ALLOCATION.arrows
        if arrow.is_open(profile) and arrow.source is not ABSENT and arrow.target is not ABSENT
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


def name_pair(desired: str, client: str) -> AllocPair:
    return next(pair for pair in P if pair.name == f"{desired}_{client}".upper())


def list_steps(path: Path) -> Iterator[tuple[AllocPair | None, AllocPair | None]]:
    kept: list[World] = []
    begun = Run(NOMAD_2_0, path.parent, worlds=kept)
    run = play_lines(parse_lines(path.read_text(), path.name), NOMAD_2_0, run=begun)
    before = run.origin.state.allocs
    for after in (world.state.allocs for world in kept):
        for alloc_id in {*before, *after} if after is not before else ():
            pairs = [
                None if alloc is None else name_pair(alloc.desired_status, alloc.client_status)
                for alloc in (before.get(alloc_id), after.get(alloc_id))
            ]
            yield pairs[0], pairs[1]
        before = after


def test_scenarios_go_no_other_ways() -> None:
    seen = {step for path in SCENARIOS for step in list_steps(path)}
    strange = {step for step in seen if not is_legal(ALLOCATION, *step, NOMAD_2_0)}

    assert strange == set()
    assert {(None, P.RUN_PENDING), (P.RUN_RUNNING, P.STOP_LOST), (P.RUN_UNKNOWN, P.RUN_RUNNING)} <= seen
