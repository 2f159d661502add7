"""What a violation says."""

import pytest

from nomadspec.checkers.stateful.violation import ViolationError
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import EXIT_VIOLATED, ImpossibleError, NomadSpecError
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.shop import instances_of
from tests.checkers.simulate.models import STARTS

HASTY = """\
managers_agree does not hold: no manager may undo what another has done
witnesses: rm2, rm1
2pc, scope hasty, profile X-03:
  1 Prepare(rm1)
  2 CountPrepared(rm1)
  3 DecideCommit()
  4 ChooseAbort(rm2)
  5 ObeyCommit(rm1)"""

STUCK = """\
deadlock: nothing can happen in the last world, and it is not at rest
starts, scope default, profile nomad-2.0:
    Begin(lamp2)
  1 Light(lamp1)
  2 Light(lamp3)"""


def test_it_shows_the_property_the_witnesses_and_the_story() -> None:
    bounded = find_model("2pc").at("hasty")
    steps = ("Prepare rm1", "CountPrepared rm1", "DecideCommit", "ChooseAbort rm2", "ObeyCommit rm1")
    error = ViolationError(bounded, "managers_agree", bounded.initial[0], instances_of(bounded, steps))

    assert HASTY == str(error)
    assert "managers_agree" == error.story.property


def test_it_names_the_start_and_what_is_stuck() -> None:
    bounded = STARTS.at()
    steps = instances_of(bounded, ("Light lamp1", "Light lamp3"))

    assert STUCK == str(ViolationError(bounded, DEADLOCK, bounded.initial[1], steps))


def test_it_is_one_of_ours_and_a_failed_assertion() -> None:
    assert issubclass(ViolationError, NomadSpecError)
    assert issubclass(ViolationError, AssertionError)
    assert EXIT_VIOLATED == ViolationError.exit_code


def test_it_is_not_told_where_it_does_not_replay() -> None:
    bounded = find_model("2pc").at("hasty")
    error = ViolationError(bounded, "managers_agree", bounded.initial[0], ())

    with pytest.raises(ImpossibleError, match="does not replay"):
        str(error)
