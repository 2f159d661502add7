"""Colours tell ids apart by what is said of them, never by their names."""

import pytest

from nomadspec.checkers.explore.symmetry.colours import Colours, Refiner
from nomadspec.checkers.explore.symmetry.geometry import Geometry, Renaming
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.explore.symmetry.tables import list_renamings
from nomadspec.model.language.bounded import BoundedModel, Cells
from tests.checkers.explore.models import CLUB, Club
from tests.checkers.explore.symmetry.orbits import list_worlds


def make_refiner(bounded: BoundedModel) -> Refiner:
    return Refiner(bounded.frame, Geometry(bounded.frame), find_sorts(bounded.frame).all)


def change(bounded: BoundedModel, **labels: object) -> Cells:
    cells = list(bounded.initial[0])
    for name, label in labels.items():
        position = bounded.frame.cell_names.index(name)
        cells[position] = bounded.frame.intervals[position].parse(label)
    return tuple(cells)


def rename_colours(colours: Colours, renaming: Renaming) -> Colours:
    renamed = {}
    for ids, names in renaming.items():
        renamed[ids] = [0] * len(names)
        for old, new in enumerate(names):
            renamed[ids][new] = colours[ids][old]
    return renamed


def test_in_a_blank_world_all_ids_of_a_sort_look_alike() -> None:
    bounded = CLUB.at("people")

    colours = make_refiner(bounded).refine(bounded.initial[0])

    assert [1] * 2 == [len(set(colours[ids])) for ids in (Club.people, Club.dogs)]
    assert not set(colours[Club.people]) & set(colours[Club.dogs])


def test_a_value_tells_its_id_from_the_others() -> None:
    bounded = CLUB.at("people")

    people = make_refiner(bounded).refine(change(bounded, mentor="person2"))[Club.people]

    assert people[0] == people[2] != people[1]


def test_a_relation_tells_through_others() -> None:
    bounded = CLUB.at("people")
    told = {"mentor": "person1", "knows[person1, person2]": True}

    people = make_refiner(bounded).refine(change(bounded, **told))[Club.people]

    assert 3 == len(set(people))


def test_a_pair_of_the_same_id_differs_from_a_pair_of_two() -> None:
    bounded = CLUB.at("people")
    of_one = {"knows[person1, person1]": True, "knows[person2, person3]": True}

    people = make_refiner(bounded).refine(change(bounded, **of_one))[Club.people]

    assert 3 == len(set(people))


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.deep)])
def test_renamed_worlds_have_renamed_colours(every: int) -> None:
    bounded = CLUB.at("small")
    geometry, refiner = Geometry(bounded.frame), make_refiner(bounded)
    worlds = list(list_worlds(bounded))[::every]

    for renaming in list_renamings(bounded.frame, find_sorts(bounded.frame).all):
        for cells in worlds:
            expected = rename_colours(refiner.refine(cells), renaming)
            assert expected == refiner.refine(geometry.rename(cells, renaming))
