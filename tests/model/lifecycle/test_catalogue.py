"""What every lifecycle table promises."""

import re
from enum import StrEnum
from itertools import pairwise

import pytest

from nomadspec.model.cluster import entities
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.lifecycle.catalogue import LIFECYCLES, find_lifecycle
from nomadspec.model.lifecycle.table import ABSENT, Arrow, ArrowKind, Lifecycle, list_arrows, number_of
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0

EVERY = pytest.mark.parametrize("lifecycle", LIFECYCLES.values(), ids=LIFECYCLES)
RULE_ID = re.compile(r"[A-Z]+-\d+[a-z]?")
LONGEST_LABEL = 50


def test_the_catalogue_is_complete() -> None:
    assert list(LIFECYCLES) == [
        "evaluation",
        "evaluation-full",
        "evaluation-place",
        "allocation",
        "allocation-desired",
        "allocation-client",
        "deployment",
        "node",
        "job",
    ]


def test_a_lifecycle_is_found_by_its_name() -> None:
    assert find_lifecycle("node") is LIFECYCLES["node"]


def test_an_unknown_lifecycle_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean evaluation"):
        find_lifecycle("evalution")


@EVERY
def test_the_numbers_of_statuses_are_their_places(lifecycle: Lifecycle) -> None:
    for number, status in enumerate(lifecycle.list_statuses()):
        assert number == number_of(status)
        assert status.value in {number, status.name.lower()}


@EVERY
def test_records_show_the_statuses_of_the_tables(lifecycle: Lifecycle) -> None:
    statuses = lifecycle.statuses

    assert getattr(entities, statuses.__name__, statuses) is statuses
    assert hasattr(entities, statuses.__name__) == issubclass(statuses, StrEnum)


@EVERY
def test_arrows_join_statuses_of_the_lifecycle(lifecycle: Lifecycle) -> None:
    ends = {end for arrow in lifecycle.arrows for end in (arrow.source, arrow.target) if end is not None}

    assert {type(end) for end in ends} == {lifecycle.statuses}


@EVERY
def test_no_status_is_an_island(lifecycle: Lifecycle) -> None:
    assert set(lifecycle.list_statuses()) == {arrow.target for arrow in lifecycle.arrows} - {ABSENT}


@EVERY
def test_every_arrow_and_remark_names_rules(lifecycle: Lifecycle) -> None:
    named = [arrow.spec for arrow in lifecycle.arrows] + [remark.spec for remark in lifecycle.remarks]

    assert all(named)
    assert [rule for spec in named for rule in spec if not RULE_ID.fullmatch(rule)] == []


@EVERY
def test_causes_of_changes_are_short_enough_for_a_picture(lifecycle: Lifecycle) -> None:
    changes = [arrow for arrow in lifecycle.arrows if arrow.kind is ArrowKind.CHANGE]

    assert [arrow.cause for arrow in changes if len(arrow.cause) > LONGEST_LABEL] == []


@EVERY
def test_no_row_is_listed_twice(lifecycle: Lifecycle) -> None:
    rows = [(arrow.source, arrow.target, arrow.kind, arrow.cause, arrow.quirk) for arrow in lifecycle.arrows]

    assert len(set(rows)) == len(rows)


@EVERY
def test_initial_statuses_are_where_intended_creations_lead(lifecycle: Lifecycle) -> None:
    creations = [a for a in list_arrows(lifecycle, INTENDED) if a.kind is ArrowKind.CREATION]

    assert {arrow.target for arrow in creations} == set(lifecycle.initial)


@EVERY
def test_terminal_statuses_are_final_as_intended(lifecycle: Lifecycle) -> None:
    escapes = [arrow for arrow in list_arrows(lifecycle, INTENDED) if _leaves_terminal(lifecycle, arrow)]

    assert escapes == []


@EVERY
def test_the_happy_path_follows_arrows(lifecycle: Lifecycle) -> None:
    steps = {(arrow.source, arrow.target) for arrow in list_arrows(lifecycle, INTENDED)}
    happy = lifecycle.happy_path

    assert set(pairwise(happy)) <= steps


@EVERY
def test_quirks_of_the_tables_belong_to_the_release(lifecycle: Lifecycle) -> None:
    quirks = {arrow.quirk for arrow in lifecycle.arrows if arrow.quirk is not None}

    assert quirks <= NOMAD_2_0.quirks


def _leaves_terminal(lifecycle: Lifecycle, arrow: Arrow) -> bool:
    """Tell whether an object leaves a terminal status otherwise than by being deleted."""
    is_change = arrow.kind is ArrowKind.CHANGE and arrow.source in lifecycle.terminal
    return is_change and arrow.target is not ABSENT and arrow.target.name != "DELETED"
