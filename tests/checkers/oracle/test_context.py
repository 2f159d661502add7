"""The surroundings of a recording."""

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.model.errors import ImpossibleError, InputError
from nomadspec.model.specification.profiles import NOMAD_2_0


def test_recordings_are_judged_by_the_release_they_come_from() -> None:
    assert Context(NOMAD_2_0).profile is NOMAD_2_0


def test_a_neighbour_that_nobody_can_read_is_missed_by_name() -> None:
    with pytest.raises(InputError, match=r"bases\.ndjson"):
        Context(NOMAD_2_0).read_sibling("bases")


def test_remarks_are_kept_in_order_and_rows_are_counted() -> None:
    context = Context(NOMAD_2_0)
    for remark in ("b", "a"):
        context.note(remark)
        context.forgive("wall-clock")

    assert (["b", "a"], {"wall-clock": 2}) == (context.notes, context.forgiven)


def test_nothing_is_forgiven_without_a_row() -> None:
    with pytest.raises(ImpossibleError, match="'mercy'"):
        Context(NOMAD_2_0).forgive("mercy")
