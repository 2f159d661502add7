"""Renamed worlds are the same worlds with other names."""

import pytest

from nomadspec.checkers.explore.symmetry.geometry import Geometry
from nomadspec.checkers.explore.symmetry.tables import list_renamings
from tests.checkers.explore.models import CLUB, Club
from tests.checkers.explore.symmetry.orbits import list_worlds, rename


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("scope", ["small", "dogs"])
def test_cells_move_and_values_are_renamed(scope: str, every: int) -> None:
    bounded = CLUB.at(scope)
    geometry = Geometry(bounded.frame)
    schema = bounded.frame.schema
    sets = [ids for ids in schema.sets if ids.is_symmetric]
    worlds = list(list_worlds(bounded))[::every]

    for renaming in list_renamings(bounded.frame, sets):
        labels = {
            ids.name_of(old): ids.name_of(new)
            for ids, names in renaming.items()
            for old, new in enumerate(names)
        }
        labels |= {Club.lines.name_of(member): Club.lines.name_of(member) for member in range(2)}
        for cells in worlds:
            renamed = bounded.describe(geometry.rename(cells, renaming))
            assert rename(bounded.describe(cells), labels) == tuple(sorted(renamed.items()))


def test_a_row_has_the_cells_of_one_id_in_the_same_order() -> None:
    bounded = CLUB.at("small")
    geometry = Geometry(bounded.frame)
    rows = [geometry.list_row(Club.guests, member) for member in range(2)]

    named = [[bounded.frame.cell_names[place.position] for place in row] for row in rows]

    assert "letter[guest1]" == named[0][0]
    assert {"line[guest1]", "walks[guest1, dog2]", "text[guest1, line1]"} < set(named[0])
    assert [name.replace("guest1", "guest2") for name in named[0]] == named[1]


def test_what_belongs_to_no_row() -> None:
    bounded = CLUB.at("small")
    geometry = Geometry(bounded.frame)

    outside = {place.placed.field.name for place in geometry.list_outside((Club.guests,))}

    assert {"knows", "mentor", "owner", "leader", "meetings"} == outside
    assert bounded.frame.cell_count == len(geometry.list_outside(()))
