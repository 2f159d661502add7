"""The canonical form by tables; tests/.../test_canonical.py compares its orbits with all permutations."""

from math import factorial

from nomadspec.checkers.explore.symmetry.geometry import Geometry
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.explore.symmetry.tables import Tables, list_renamings
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model
from tests.checkers.explore.models import CLUB, Club


def test_every_permutation_is_listed_once() -> None:
    bounded = CLUB.at("people")
    renamings = list_renamings(bounded.frame, [Club.people, Club.dogs])

    listed = {(renaming[Club.people], renaming[Club.dogs]) for renaming in renamings}

    assert factorial(3) * factorial(2) == len(renamings) == len(listed)
    assert ((0, 1, 2), (0, 1)) in listed


def test_no_renaming_changes_the_representative() -> None:
    bounded = find_model("core").at("flip", profile="nomad-2.0")
    frame, layout = bounded.frame, Layout(bounded)
    tables = Tables(frame, layout, find_sorts(frame))
    geometry, stepper = Geometry(frame), Stepper(bounded, layout)
    packed = stepper.initial[0]

    for number in range(30):
        successors = stepper.successors(packed)
        packed = successors[number * 7 % len(successors)][1] if successors else stepper.initial[0]
        expected = tables.canonical(packed)
        for renaming in list_renamings(frame, find_sorts(frame).all):
            twin = layout.pack(geometry.rename(layout.unpack(packed), renaming))
            assert expected == tables.canonical(twin)
        assert expected == tables.canonical(expected)
