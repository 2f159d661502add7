"""What a search is asked to do."""

import pytest

from nomadspec.checkers.explore.task import make_task
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.explore.models import DIAL, is_low, stops


def test_everything_is_asked_by_default() -> None:
    task = make_task(DIAL.at(), None, "none", stops_at_first=True)

    assert DIAL.properties == task.properties
    assert (*(prop.name for prop in DIAL.properties), DEADLOCK) == task.asked


def test_properties_are_given_or_named_and_asked_once() -> None:
    task = make_task(DIAL.at(), [is_low, "stops", "is_low"], "none", stops_at_first=True)

    assert (is_low, stops) == task.properties
    assert not task.asks_deadlock
    assert (stops,) == task.list_properties(Kind.EVENTUALLY)


def test_steps_are_kept_only_where_they_are_needed() -> None:
    bounded = DIAL.at()

    assert make_task(bounded, None, "none", stops_at_first=True).keeps_edges
    assert not make_task(bounded, ["is_low"], "none", stops_at_first=True).keeps_edges
    assert not make_task(bounded, None, "symmetry", stops_at_first=True).keeps_edges


def test_a_lemma_decides_nothing() -> None:
    task = make_task(DIAL.at(), None, "none", stops_at_first=True)

    assert [True, False, True] == [task.is_decisive(name) for name in ("is_low", "is_never_turned", DEADLOCK)]


def test_unknown_properties_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean is_low"):
        make_task(DIAL.at(), ["is_lov"], "none", stops_at_first=True)
