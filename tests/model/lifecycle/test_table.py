"""The questions that a lifecycle table answers."""

import pickle
from dataclasses import replace
from enum import IntEnum

import pytest

from nomadspec.model.errors import ModelError
from nomadspec.model.lifecycle.table import (
    ABSENT,
    ArrowKind,
    Lifecycle,
    change,
    creation,
    is_legal,
    label_of,
    list_arrows,
    list_legal_pairs,
    number_of,
    numbers,
    remark,
    spell_ended,
)
from nomadspec.model.specification.profiles import INTENDED, Profile
from nomadspec.model.specification.quirks import REUSED_TOKEN


class Door(IntEnum):
    OPEN = 0
    SHUT = 1
    LOCKED_UP = 2


DOOR = Lifecycle(
    name="door",
    title="Door",
    statuses=Door,
    initial=(Door.SHUT,),
    origin="carpenter",
    arrows=(
        creation(ABSENT, Door.SHUT, "hung", "DOOR-01"),
        creation(Door.OPEN, Door.SHUT, "copied", "DOOR-02"),
        change(Door.SHUT, Door.OPEN, "pulled", "DOOR-03 DOOR-04"),
        change(Door.SHUT, Door.OPEN, "pushed", "DOOR-05"),
        change(Door.OPEN, Door.OPEN, "pulled again", "DOOR-03"),
        change(Door.OPEN, Door.LOCKED_UP, "slammed", "DOOR-06", REUSED_TOKEN),
        change(Door.OPEN, ABSENT, "unhung", "DOOR-07"),
    ),
    remarks=(remark("Doors creak.", "DOOR-08"),),
)
SLAMMING = Profile("slamming", frozenset({REUSED_TOKEN}))


def test_rows_split_their_ids_and_triggers() -> None:
    arrow = creation(Door.OPEN, Door.SHUT, "copied", "DOOR-01 DOOR-02", "ring knock")

    assert (arrow.spec, arrow.triggers) == (("DOOR-01", "DOOR-02"), ("ring", "knock"))
    assert arrow.kind is ArrowKind.CREATION


def test_what_is_listed_is_legal() -> None:
    assert is_legal(DOOR, Door.SHUT, Door.OPEN, INTENDED)


def test_what_is_not_listed_is_illegal() -> None:
    assert not is_legal(DOOR, Door.SHUT, Door.LOCKED_UP, SLAMMING)


def test_an_arrow_with_a_quirk_is_legal_only_under_profiles_that_have_it() -> None:
    assert is_legal(DOOR, Door.OPEN, Door.LOCKED_UP, SLAMMING)
    assert not is_legal(DOOR, Door.OPEN, Door.LOCKED_UP, INTENDED)


def test_keeping_a_status_is_legal() -> None:
    assert is_legal(DOOR, Door.LOCKED_UP, Door.LOCKED_UP, INTENDED)


def test_an_object_begins_where_a_creation_leads() -> None:
    assert is_legal(DOOR, ABSENT, Door.SHUT, INTENDED)
    assert not is_legal(DOOR, ABSENT, Door.OPEN, INTENDED)


def test_making_another_object_does_not_change_the_maker() -> None:
    assert not is_legal(DOOR, Door.OPEN, Door.SHUT, INTENDED)


def test_an_object_disappears_only_where_the_table_says_so() -> None:
    assert is_legal(DOOR, Door.OPEN, ABSENT, INTENDED)
    assert not is_legal(DOOR, Door.SHUT, ABSENT, INTENDED)


def test_pairs_are_the_true_changes_in_order_and_once() -> None:
    assert list_legal_pairs(DOOR, INTENDED) == ((Door.SHUT, Door.OPEN),)
    assert list_legal_pairs(DOOR, SLAMMING) == ((Door.OPEN, Door.LOCKED_UP), (Door.SHUT, Door.OPEN))


def test_arrows_are_listed_in_the_order_of_the_table() -> None:
    causes = [arrow.cause for arrow in list_arrows(DOOR, INTENDED)]

    assert causes == ["hung", "copied", "pulled", "pushed", "pulled again", "unhung"]


def test_labels_are_words() -> None:
    assert [label_of(status) for status in (Door.LOCKED_UP, ABSENT)] == ["locked up", "absent"]
    assert label_of(ABSENT, "gone") == "gone"


@numbers(DOOR)
class Seen(IntEnum):
    """A door that someone has looked for."""


def test_a_table_fills_an_enum_in_its_order_behind_what_does_not_exist() -> None:
    assert [("ABSENT", 0), ("OPEN", 1), ("SHUT", 2), ("LOCKED_UP", 3)] == [(e.name, e.value) for e in Seen]
    assert [1, 2, 3] == [1 + number_of(status) for status in DOOR.list_statuses()]
    assert Seen.SHUT is pickle.loads(pickle.dumps(Seen.SHUT))  # noqa: S301 -- one's own
    assert "A door that someone has looked for." == Seen.__doc__


def test_what_no_table_lists_is_no_member_for_type_checkers_either() -> None:
    with pytest.raises(AttributeError, match="BROKEN"):
        assert Seen.BROKEN  # type: ignore[attr-defined] # mypy, too, has to see it


def test_an_enum_with_members_of_its_own_is_not_filled() -> None:
    class Mixed(IntEnum):
        SHUT = 0

    with pytest.raises(
        ModelError, match=r"Mixed has members; the table gives it ABSENT, OPEN, SHUT, LOCKED_UP"
    ):
        numbers(DOOR)(Mixed)


def test_what_a_table_leaves_out_is_not_listed() -> None:
    assert (Door.OPEN, Door.SHUT) == replace(DOOR, left_out=(Door.LOCKED_UP,)).list_statuses()


def test_nothing_is_left_to_do_in_terminal_and_resting_statuses() -> None:
    door = replace(DOOR, terminal=(Door.SHUT,), resting=(Door.LOCKED_UP,))

    assert frozenset({"1", "2"}) == spell_ended(door)
