"""Rules that recordings contradict."""

import pytest

from nomadspec.checkers.oracle.deviations import DEVIATIONS, Deviation
from nomadspec.checkers.oracle.registry import TRACE, list_kinds
from nomadspec.checkers.reference.ids import list_ids
from tests.tidy.source import ROOT


@pytest.mark.parametrize("one", DEVIATIONS, ids=lambda one: one.rule)
def test_a_deviation_leads_to_its_rule_its_recordings_and_its_module(one: Deviation) -> None:
    assert one.rule in list_ids(ROOT)
    assert one.recordings in {*list_kinds(), TRACE.family}
    assert (ROOT / one.place).is_file()
    assert one.said
    assert one.recorded


def test_no_deviation_is_told_twice() -> None:
    assert len(DEVIATIONS) == len({(one.rule, one.said) for one in DEVIATIONS})
