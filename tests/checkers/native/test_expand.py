"""The text of the successors: what neighbours share, and what can go wrong, is asked once."""

import re

from nomadspec.checkers.native.expand import Asked, Expander
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.native.models import BURST, CALM, JOSTLED, SHELF, SPILT


def write(bounded: BoundedModel, *, rest: bool | None = None) -> str:
    asked = Asked(steps={}, rest=rest, stuck=0, fault=1)
    return Expander(bounded, Words(Layout(bounded)), asked).text()


def count_faults(bounded: BoundedModel) -> int:
    return write(bounded).count("label %fault")


def test_only_steps_that_can_go_wrong_are_asked() -> None:
    calm = count_faults(CALM.at())

    assert calm == 1  # the clock, whose sum could leave its domain
    assert [calm + 1, calm + 1, calm + 4] == [count_faults(one.at()) for one in (SPILT, BURST, JOSTLED)]
    assert "br i1 true, label %fault" in write(BURST.at())


def test_stuck_worlds_are_asked_about_where_they_matter() -> None:
    for rest in (None, True):
        assert write(CALM.at()) == write(CALM.at(), rest=rest)
    assert 1 + write(CALM.at()).count("@note") == write(CALM.at(), rest=False).count("@note")


def test_neighbours_share_the_tests_of_their_guards() -> None:
    bounded = SHELF.at("word")
    shared = write(bounded)

    assert shared.count("br i1") < sum(len(traced.guard) for traced in bounded.traced) + 20


def test_nothing_is_moved_by_a_whole_word() -> None:
    for scope in ("word", "wide", "wider"):
        assert not re.search(r"(shl|lshr) i64 %v\d+, (6[4-9]|[7-9]\d|\d{3})\b", write(SHELF.at(scope)))
