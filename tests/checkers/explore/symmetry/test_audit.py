"""Ids that are declared interchangeable and are not."""

import re
from typing import Any

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.symmetry.audit import Audit
from nomadspec.checkers.explore.task import make_task
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ModelError
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value, any_of, exists, for_all, iff, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, eventually, step
from tests.checkers.explore.models import BIASED, CLUB, LOPSIDED, Grid, mark

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers", "whole_second_look")

_PLACE = r"\(.*models.py:\d+\)"


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_rule_that_names_an_id_is_found(engine: str) -> None:
    with pytest.raises(ModelError, match=rf"columns .* the rule MarkFirst {_PLACE} treats .* index"):
        explore(LOPSIDED.at(), reduction="symmetry", engine=engine)


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_property_that_names_an_id_is_found(engine: str) -> None:
    said = rf"rows .* the property first_row_is_clear {_PLACE} treats row1 and row2"
    with pytest.raises(ModelError, match=said):
        explore(BIASED.at(), reduction="symmetry", engine=engine)


@step("S-1", why="it names a row, which it may not")
def first_row_stays(s: Grid, n: Grid) -> Value:
    """The first row stays as it is."""
    return for_all(iff(s.is_marked[0, column], n.is_marked[0, column]) for column in s.columns)


@eventually("S-1", why="it names a row where it must not", row=Grid.rows)
def later_rows_fill(s: Grid, row: Id) -> Value:
    """A row is marked at last, unless it is the first one."""
    return any_of(row == 0, exists(s.is_marked[row, column] for column in s.columns))


@eventually("S-1", why="it starts where it may not", given=lambda s: s.is_marked[1, 1])
def is_clear_again(s: Grid) -> Value:
    """All squares are clear at last."""
    return for_all(not_(s.is_marked[row, column]) for row in s.rows for column in s.columns)


@eventually("S-1", why="all rows are alike to it", row=Grid.rows)
def rows_are_alike(s: Grid, row: Id) -> Value:
    """A row is clear at last."""
    return for_all(not_(s.is_marked[row, column]) for column in s.columns)


def rests_with_a_row(s: Grid) -> Value:
    """True while it may rest while the first square is marked."""
    return s.is_marked[0, 0]


def _find_complaint(*properties: Property, **more: Any) -> str:
    """Look at the worlds with at most two marks, and say what is not symmetric."""
    model = Model("grid", "squares", Grid, (mark,), properties, **more)
    task = make_task(model.at(), None, "symmetry", stops_at_first=True)
    audit = Audit(task)
    for packed in task.stepper.initial:
        for _, after in task.stepper.successors(packed):
            for _, later in task.stepper.successors(after):
                try:
                    audit.check(later)
                except ModelError as complaint:
                    return str(complaint)
    return ""


@pytest.mark.parametrize(
    ("prop", "said"),
    [
        (first_row_stays, r"the property first_row_stays \("),
        (later_rows_fill, r"the property later_rows_fill \("),
        (is_clear_again, r"the premise of the property is_clear_again \("),
    ],
)
def test_properties_of_steps_and_of_paths_are_looked_at(prop: Property, said: str) -> None:
    assert re.search(rf"interchangeable, but {said}.*test_audit.py:\d+\) treats", _find_complaint(prop))


def test_where_a_model_may_rest_is_looked_at() -> None:
    assert "but what is_at_rest says treats" in _find_complaint(is_at_rest=rests_with_a_row)


def test_what_treats_all_cases_alike_is_let_be() -> None:
    assert _find_complaint(rows_are_alike) == ""


def test_without_reduction_names_do_no_harm() -> None:
    assert 64 == explore(LOPSIDED.at()).distinct


def test_a_symmetric_model_passes_everywhere() -> None:
    task = make_task(CLUB.at("small"), None, "symmetry", stops_at_first=True)
    audit = Audit(task)
    found = dict.fromkeys(task.stepper.initial)

    for packed in (queue := list(found)):
        audit.check(packed)
        for _, after in task.stepper.successors(packed):
            if after not in found:
                found[after] = None
                queue.append(after)

    assert 299 == len(found)


def test_the_first_worlds_and_then_a_sample_are_looked_at() -> None:
    audit = Audit(make_task(CLUB.at("small"), None, "symmetry", stops_at_first=True))

    assert all(audit.is_due(number) for number in range(64))
    assert [1024, 2048] == [number for number in range(64, 3000) if audit.is_due(number)]


def test_of_many_exchanges_each_has_its_turn() -> None:
    bounded = find_model("2pc").at("small", sizes={"rms": 14}, profile="nomad-2.0")
    audit = Audit(make_task(bounded, None, "symmetry", stops_at_first=True))
    (world,) = make_task(bounded, None, "symmetry", stops_at_first=True).stepper.initial

    looked_at = [{member for _, member, _ in audit._list_twins(world)} for _ in range(12)]

    assert [13] * 8 + [4] * 4 == [len(members) for members in looked_at]
    assert set(range(13)) == set().union(*looked_at[8:])
