"""Worlds that lack a goal are those of which the interpreter says so."""

import pytest

from nomadspec.checkers.native.goal import Goal
from nomadspec.checkers.native.words import Words
from nomadspec.checkers.native.worlds import StoredWorlds
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.question import ask_property
from nomadspec.model.language.model import Model
from nomadspec.model.language.term import Term
from tests.checkers.native.models import CURIOUS, SHELF
from tests.checkers.native.test_program import list_worlds


@pytest.mark.parametrize(("model", "name"), [(CURIOUS, "question_7"), (SHELF, "is_never_full")])
def test_missing_goals_are_listed(model: Model, name: str) -> None:
    bounded = model.at("wide" if model is SHELF else None)
    layout = Layout(bounded)
    worlds = list_worlds(bounded, 2500)
    goal = ask_property(bounded, layout, model.find_property(name))
    words = Words(layout)
    assert isinstance(goal.value, Term)
    asked = range(0, len(worlds), 3)

    stored = StoredWorlds(words, worlds)

    found = Goal(words, bounded.frame.intervals, goal.value).list_missing(stored.memory.address, asked)

    expected = [number for number in asked if not goal.ask(worlds[number])]
    assert expected == found.tolist()
    assert 0 < len(expected) < len(asked) or model is SHELF
