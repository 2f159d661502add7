"""The canonical form by colours; tests/.../test_canonical.py compares its orbits with all permutations."""

from itertools import islice

from nomadspec.checkers.explore.symmetry.candidates import Candidates
from nomadspec.checkers.explore.symmetry.geometry import Geometry, Renaming
from nomadspec.checkers.explore.symmetry.sorts import find_sorts
from nomadspec.checkers.pycode.stepper import Stepper
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.models import CLUB, Club


def list_some_worlds(bounded: BoundedModel, layout: Layout, most: int) -> list[int]:
    stepper = Stepper(bounded, layout)
    found = dict.fromkeys(stepper.initial)
    for packed in (queue := list(found)):
        for _, after in islice(stepper.successors(packed), 0, None, 5):
            if after not in found and len(found) < most:
                found[after] = None
                queue.append(after)
    return queue


def rotate(count: int, by: int) -> tuple[int, ...]:
    return tuple((member + by) % count for member in range(count))


def test_no_renaming_of_many_ids_changes_the_representative() -> None:
    bounded = CLUB.at("people", sizes={"people": 6, "guests": 2, "most": 3})
    frame, layout = bounded.frame, Layout(bounded)
    candidates, geometry = Candidates(frame, layout, find_sorts(frame)), Geometry(frame)

    for packed in list_some_worlds(bounded, layout, 60):
        expected = candidates.canonical(packed)
        for by in (1, 2, 5):
            names: Renaming = {
                Club.people: rotate(6, by)[::-1],
                Club.dogs: rotate(2, by),
                Club.guests: rotate(2, by),
            }
            twin = layout.pack(geometry.rename(layout.unpack(packed), names))
            assert expected == candidates.canonical(twin)
        assert expected == candidates.canonical(expected)


def test_twins_are_not_permuted() -> None:
    bounded = CLUB.at("people", sizes={"people": 12, "most": 1})
    layout = Layout(bounded)
    candidates = Candidates(bounded.frame, layout, find_sorts(bounded.frame))
    cells = list(bounded.initial[0])
    cells[bounded.frame.placed["mentor"].base] = 4

    # twelve factorial would take hours
    representative = layout.unpack(candidates.canonical(layout.pack(tuple(cells))))

    assert 1 == sum(a != b for a, b in zip(bounded.initial[0], representative, strict=True))
    assert bounded.initial[0] == layout.unpack(candidates.canonical(layout.pack(bounded.initial[0])))
