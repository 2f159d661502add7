"""Statuses of a low model in a high one with an enum of its own: their numbers mean something else there."""

from collections.abc import Callable
from enum import IntEnum

import pytest

from nomadspec.checkers.refine import refine
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import NamingError
from nomadspec.model.language.logic import ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.refinement import refines
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field


class Outcome(IntEnum):
    """What a manager has settled on."""

    OPEN = 0
    COMMITTED = 1
    ABORTED = 2


class Manager(IntEnum):
    """What a manager does."""

    WORKING = 0
    ABORTED = 1
    COMMITTED = 2


class High(World):
    outcome = field(Outcome, init=Outcome.OPEN, about="what was settled")


class Low(World):
    manager = field(Manager, init=Manager.WORKING, about="what the manager does")


@rule("High-1")
def commit(s: High, t: High) -> None:
    """It commits; nobody ever aborts."""
    t.require(s.outcome == Outcome.OPEN)
    t.outcome = Outcome.COMMITTED


@rule("Low-1")
def abort(s: Low, t: Low) -> None:
    """It aborts, which the high model does not allow."""
    t.require(s.manager == Manager.WORKING)
    t.manager = Manager.ABORTED


HIGH = Model("high", "a commit", High, (commit,))
LOW = Model("low", "a manager", Low, (abort,))


def copy_number(s: Low, t: High) -> None:
    t.outcome = s.manager


def copy_member(s: Low, t: High) -> None:
    t.outcome = ite(s.manager == Manager.ABORTED, Manager.ABORTED, Outcome.OPEN)


def write_member(s: Low, t: High) -> None:
    t.outcome = Outcome.OPEN
    t.when(s.manager == Manager.ABORTED).outcome = Manager.ABORTED


def say_each(s: Low, t: High) -> None:
    t.outcome = ite(s.manager == Manager.ABORTED, Outcome.ABORTED, Outcome.OPEN)


@pytest.mark.parametrize("text", [copy_number, copy_member, write_member])
def test_a_status_of_the_other_enum_is_refused(text: Callable[..., object]) -> None:
    """An abort had the number of a commit, so that the refinement held."""
    with pytest.raises(NamingError, match=r"Mapping \w+ \(.*\): outcome, which is .* two enums are mixed up"):
        refine(LOW.at(), refines(HIGH)(text))


def test_a_mapping_that_says_each_status_finds_what_is_wrong() -> None:
    assert refine(LOW.at(), refines(HIGH)(say_each)).verdict is Verdict.VIOLATED
