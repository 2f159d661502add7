"""The two statuses of an allocation."""

import pytest

from nomadspec.model.lifecycle.allocation import (
    ALLOCATION_CLIENT,
    ALLOCATION_DESIRED,
    AllocClient,
    AllocDesired,
)
from nomadspec.model.lifecycle.table import is_legal, list_legal_pairs
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile

C = AllocClient
D = AllocDesired


def test_as_intended_nothing_is_told_to_run_again() -> None:
    assert D.RUN not in {target for _, target in list_legal_pairs(ALLOCATION_DESIRED, INTENDED)}


def test_in_the_release_an_older_plan_revives_an_alloc() -> None:
    assert is_legal(ALLOCATION_DESIRED, D.STOP, D.RUN, find_profile("X-04"))


@pytest.mark.parametrize("final", [C.COMPLETE, C.FAILED])
def test_as_intended_a_final_report_stands(final: AllocClient) -> None:
    assert {status for status in C if is_legal(ALLOCATION_CLIENT, final, status, INTENDED)} == {final}


@pytest.mark.parametrize("final", [C.COMPLETE, C.FAILED])
def test_in_the_release_a_plan_overwrites_a_final_report(final: AllocClient) -> None:
    reached = {status for status in C if is_legal(ALLOCATION_CLIENT, final, status, NOMAD_2_0)}

    assert reached == {final, C.LOST, C.UNKNOWN}


def test_a_lost_alloc_may_come_back() -> None:
    reached = {status for status in C if is_legal(ALLOCATION_CLIENT, C.LOST, status, INTENDED)}

    assert reached == {C.LOST, C.PENDING, C.RUNNING, C.COMPLETE, C.FAILED}


def test_only_running_allocs_become_unknown_by_intent() -> None:
    sources = {status for status in C if is_legal(ALLOCATION_CLIENT, status, C.UNKNOWN, INTENDED)}

    assert sources == {C.RUNNING, C.UNKNOWN}
