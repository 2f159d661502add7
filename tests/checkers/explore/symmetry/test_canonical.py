"""Orbits: one world stands for exactly those that differ by names, whichever way it is found."""

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.symmetry import canonical as subject
from nomadspec.checkers.explore.symmetry.candidates import Candidates
from nomadspec.checkers.explore.symmetry.canonical import make_symmetry
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.explore.symmetry.tables import Tables
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.explore.models import CLUB, GRID
from tests.checkers.explore.symmetry.orbits import find_orbits
from tests.checkers.stepper.models import DESK

SCOPES = [
    pytest.param(CLUB.at("small"), id="club"),
    pytest.param(CLUB.at("people"), id="people"),
    pytest.param(CLUB.at("dogs"), id="dogs"),
    pytest.param(CLUB.at("guests"), id="guests"),
    pytest.param(GRID.at(), id="grid"),
    pytest.param(DESK.at(sizes={"notes": 2, "most": 1}), id="desk"),
    pytest.param(find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), id="2pc"),
    pytest.param(
        find_model("core").at("small", sizes={"count": 1, "cap": 1, "deliveries": 1}, profile="nomad-2.0"),
        id="core",
    ),
]


@pytest.mark.parametrize("way", [Tables, Candidates])
@pytest.mark.parametrize("bounded", SCOPES)
def test_orbits_are_those_of_all_permutations(
    bounded: BoundedModel, way: type[Tables] | type[Candidates]
) -> None:
    layout = Layout(bounded)
    symmetry = way(bounded.frame, layout, find_sorts(bounded.frame))
    orbits = find_orbits(bounded)

    representatives = [
        {symmetry.canonical(layout.pack(cells)) for cells in worlds} for worlds, _ in orbits.values()
    ]

    assert [1] * len(orbits) == [len(found) for found in representatives]
    assert len(orbits) == len({next(iter(found)) for found in representatives})


@pytest.mark.parametrize("way", [Tables, Candidates])
@pytest.mark.parametrize("bounded", SCOPES)
def test_a_representative_belongs_to_its_orbit(
    bounded: BoundedModel, way: type[Tables] | type[Candidates]
) -> None:
    layout = Layout(bounded)
    symmetry = way(bounded.frame, layout, find_sorts(bounded.frame))

    for worlds, _ in find_orbits(bounded).values():
        found = layout.unpack(symmetry.canonical(layout.pack(worlds[0])))
        # the initial worlds name no id, so an orbit is reachable as a whole
        assert found in worlds


def test_many_permutations_are_left_to_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = CLUB.at("people")
    layout = Layout(bounded)

    assert isinstance(make_symmetry(bounded.frame, layout), Tables)
    monkeypatch.setattr(subject, "_MOST_IN_TABLES", 11)
    assert isinstance(make_symmetry(bounded.frame, layout), Candidates)


def count_orbits(bounded: BoundedModel) -> tuple[int, int]:
    """Count orbits and the steps from one world of each, by trying all permutations of all names."""
    orbits = find_orbits(bounded)
    return len(orbits), sum(steps for _, steps in orbits.values()) + len(bounded.initial)


@pytest.mark.parametrize("scope", ["two-tokens", pytest.param("partial", marks=pytest.mark.deep)])
def test_the_kernel_has_the_orbits_of_all_permutations(scope: str) -> None:
    bounded = find_model("kernel").at(scope, profile="nomad-2.0")

    report = explore(bounded, properties=[DEADLOCK], reduction="symmetry", stop_at_first=False)

    assert count_orbits(bounded) == (report.distinct, report.generated)


@pytest.mark.deep
@pytest.mark.parametrize(
    "scope",
    [
        "contention",
        "late-loss",
        "plan-rejections",
        "drain",
        "preemption",
        "all-at-once",
        "disconnect",
        "in-place",
    ],
)
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_larger_scopes_of_the_kernel_have_too(scope: str, engine: str) -> None:
    bounded = find_model("kernel").at(scope, profile="nomad-2.0")

    report = explore(bounded, properties=[DEADLOCK], reduction="symmetry", stop_at_first=False, engine=engine)

    assert count_orbits(bounded) == (report.distinct, report.generated)
