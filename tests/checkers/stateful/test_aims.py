"""What a run may aim at, and that it gets there."""

import pytest
from hypothesis import Verbosity, settings
from hypothesis.stateful import run_state_machine_as_test

from nomadspec.checkers.requested_properties import find_asked
from nomadspec.checkers.stateful import machine_of
from nomadspec.checkers.stateful.aims import choose_nearest
from nomadspec.checkers.stateful.moves import Guide
from nomadspec.model.language.domain import upto
from nomadspec.model.language.logic import Value, implies
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, sometimes
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, size

HEIGHT = 20


class Stairs(World):
    """A staircase on which whoever slips is back at its foot."""

    height = size(HEIGHT, "how many steps there are")
    level = field(upto(height), init=0, about="how far up somebody is")


@rule("S-1")
def climb(s: Stairs, t: Stairs) -> None:
    """Take a step."""
    t.require(s.level < s.height)
    t.level = s.level + 1


@rule("S-2")
def slip(s: Stairs, t: Stairs) -> None:
    """Fall down to the foot."""
    t.require(s.level > 0)
    t.level = 0


@rule("S-3")
def ring(s: Stairs, t: Stairs) -> None:
    """Ring the bell at the top, and go down again."""
    t.require(s.level >= s.height)
    t.level = s.level - 1


@always("S-3", why="it says nothing before somebody is up")
def nobody_is_beyond(s: Stairs) -> Value:
    """Whoever is up is there exactly."""
    return implies(s.level >= s.height, s.level == s.height)


@sometimes("S-1", why="that is easy")
def somebody_climbs(s: Stairs) -> Value:
    """Somebody has left the foot."""
    return s.level > 0


STAIRS = Model("stairs", "a long way up", Stairs, (climb, slip, ring), (nobody_is_beyond, somebody_climbs))


def test_only_what_chance_seldom_meets_is_an_aim() -> None:
    bounded = STAIRS.at()

    assert ["premise of nobody_is_beyond", "Ring"] == [
        aim.name for aim in Guide(bounded, find_asked(bounded, None)).aims
    ]


def test_the_nearest_step_is_chosen() -> None:
    guide = Guide(STAIRS.at(), find_asked(STAIRS.at(), None))
    aim = guide.aims[0]
    second = guide.take(guide.take(guide.initial[0], 0), 0)

    assert 0 == choose_nearest(aim, [1, 0], second, guide._program)
    assert aim.far(second) < aim.far(guide.initial[0])
    assert "premise of nobody_is_beyond" == repr(aim)


@pytest.mark.deep
def test_aims_reach_what_chance_does_not() -> None:
    met = []
    for aims in (False, True):
        machine = machine_of(STAIRS.at(), aims=aims)
        # Hypothesis draws constants of all modules that are loaded: its runs depend on other tests.
        most = machine.effort.max_examples * (5 if aims else 1)
        quiet = settings(machine.effort, max_examples=most, verbosity=Verbosity.quiet)
        run_state_machine_as_test(machine, settings=quiet)
        machine.guide.begin_run(1)
        met.append((machine.guide.fired["Ring"] > 0, machine.guide.met["nobody_is_beyond"] > 0))

    assert [(False, False), (True, True)] == met


def test_a_run_without_an_aim_takes_what_the_number_means() -> None:
    guide = Guide(STAIRS.at(), find_asked(STAIRS.at(), None))
    middle = guide.take(guide.initial[0], 0)
    free = [guide.choose(number, [0, 1], middle).position for number in range(1, 60)]
    guide.set_aim(guide.aims[0])
    aimed = [guide.choose(number, [0, 1], middle).position for number in range(1, 60)]

    assert 20 < free.count(1) < 40
    assert aimed.count(1) < 10
