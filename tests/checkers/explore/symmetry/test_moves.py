"""What renamings do to cells, for machine code; orbits are counted without any cleverness."""

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.symmetry.moves import write_canonical
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.explore.models import CLUB
from tests.checkers.explore.symmetry.orbits import find_orbits


@pytest.mark.parametrize(
    "bounded",
    [
        *(CLUB.at(scope) for scope in ("small", "dogs", "guests")),
        find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"),
        find_model("core").at("small", sizes={"jobs": 1, "count": 1, "deliveries": 1}, profile="nomad-2.0"),
    ],
)
def test_orbits_are_those_of_all_permutations(bounded: BoundedModel) -> None:
    orbits = find_orbits(bounded)

    report = explore(
        bounded, properties=[DEADLOCK], reduction="symmetry", engine="compiled", stop_at_first=False
    )

    assert "compiled" == report.engine
    assert (len(orbits), sum(steps for _, steps in orbits.values()) + len(bounded.initial)) == (
        report.distinct,
        report.generated,
    )


@pytest.mark.parametrize(
    "sizes", [{"people": 6}, {"people": 5, "dogs": 3}, {"guests": 2, "people": 3, "length": 40}]
)
def test_too_many_names_or_too_wide_rows_have_no_form(sizes: dict[str, int]) -> None:
    bounded = CLUB.at("small", sizes=sizes)

    assert write_canonical(bounded.frame, Words(Layout(bounded))) is None
