"""Acts are registered whole."""

import pytest

from nomadspec.model.cluster.acts.registry import Act, Timer, act, is_abstract, list_acts
from nomadspec.model.cluster.world import World
from nomadspec.model.errors import ModelError


def test_every_act_says_what_it_does() -> None:
    acts = list_acts()

    assert acts
    assert not [cls.__name__ for cls in acts if is_abstract(cls, "take")]
    assert not [cls.__name__ for cls in acts if is_abstract(cls, "list_due")]


def test_an_act_that_does_nothing_is_refused() -> None:
    with pytest.raises(ModelError, match=r"The act Idle does not say what take does: define it\."):

        @act("BROKER-22", actor="worker")
        class Idle(Act, frozen=True, kw_only=True):
            """It does nothing."""


def test_a_timer_that_is_never_due_is_refused() -> None:
    with pytest.raises(ModelError, match=r"The act Late does not say what list_due does: define it\."):

        @act("BROKER-22", actor="worker")
        class Late(Timer, frozen=True, kw_only=True):
            """It does something, nobody knows when."""

            def take(self, world: World) -> World:
                return world
