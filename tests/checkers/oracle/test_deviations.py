"""Rules that recordings contradict."""

from functools import cache

import pytest

from nomadspec.checkers.oracle.deviations import DEVIATIONS, OBSERVATIONS, Deviation
from nomadspec.checkers.oracle.registry import TRACE, list_kinds
from nomadspec.model.specification.catalogue import list_ids
from tests.recorded import list_traces, read_recordings
from tests.tidy.source import ROOT


@pytest.mark.parametrize("one", DEVIATIONS, ids=lambda one: one.rule)
def test_a_deviation_leads_to_its_rule_its_recordings_and_its_module(one: Deviation) -> None:
    assert one.rule in list_ids()
    assert one.recordings in {*list_kinds(), TRACE.family}
    assert (ROOT / one.place).is_file()
    assert one.said
    assert one.recorded


def test_no_deviation_is_told_twice() -> None:
    assert len(DEVIATIONS) == len({(one.rule, one.said) for one in DEVIATIONS})


@pytest.mark.parametrize("one", [one for one in DEVIATIONS if one.example], ids=lambda one: one.rule)
def test_the_example_of_a_deviation_is_among_the_recordings(one: Deviation) -> None:
    names = {example.split()[0] for example in one.example.split(", ")}

    assert names <= _list_names(one.recordings)


def test_observations_are_of_kinds_of_recordings_that_there_are() -> None:
    assert {one.recordings for one in OBSERVATIONS} <= set(list_kinds())


@cache
def _list_names(recordings: str) -> set[str]:
    if recordings == TRACE.family:
        return {folder.name for folder in list_traces()}
    return {str(document["id"]) for document in read_recordings(recordings)}
