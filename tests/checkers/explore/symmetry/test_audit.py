"""Ids that are declared interchangeable and are not."""

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.symmetry.audit import Audit
from nomadspec.checkers.explore.task import make_task
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ModelError
from tests.checkers.explore.models import BIASED, CLUB, LOPSIDED


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_rule_that_names_an_id_is_found(engine: str) -> None:
    with pytest.raises(ModelError, match=r"columns .* the rule MarkFirst .* index"):
        explore(LOPSIDED.at(), reduction="symmetry", engine=engine)


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_a_property_that_names_an_id_is_found(engine: str) -> None:
    with pytest.raises(ModelError, match=r"rows .* the property first_row_is_clear .* row1 and row2"):
        explore(BIASED.at(), reduction="symmetry", engine=engine)


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
    bounded = find_model("2pc").at("small", sizes={"rms": 14})
    audit = Audit(make_task(bounded, None, "symmetry", stops_at_first=True))
    (world,) = make_task(bounded, None, "symmetry", stops_at_first=True).stepper.initial

    looked_at = [{member for _, member, _ in audit._list_twins(world)} for _ in range(12)]

    assert [13] * 8 + [4] * 4 == [len(members) for members in looked_at]
    assert set(range(13)) == set().union(*looked_at[8:])
