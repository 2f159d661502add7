"""Faults in the functions that claims are about."""

from dataclasses import replace

import pytest

from nomadspec.checkers.smt.resources.faults import (
    FAULTS,
    SURVIVED,
    Fault,
    judge_fault,
    judge_faults,
    put_in,
)
from nomadspec.invariants.cluster.resources.claims import CLAIMS, find_claim
from nomadspec.model.cluster.resources.fit import find_shortage
from nomadspec.model.cluster.resources.port_index import is_port
from nomadspec.model.errors import ImpossibleError

QUICK = {"disk_is_never_oversubscribed", "allocs_are_never_too_many", "in_place_update_never_oversubscribes"}


def test_each_claim_can_fail() -> None:
    assert {claim.name for claim in CLAIMS} == {fault.breaks for fault in FAULTS}


@pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS if fault.breaks in QUICK], ids=lambda one: one.name
)
def test_quick_faults_are_noticed(fault: Fault) -> None:
    assert judge_fault(find_claim(fault.breaks), fault).result != SURVIVED


@pytest.mark.deep
@pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS if fault.breaks not in QUICK], ids=lambda one: one.name
)
def test_faults_are_noticed(fault: Fault) -> None:
    assert judge_fault(find_claim(fault.breaks), fault).result != SURVIVED


def test_a_fault_lasts_as_long_as_it_is_asked_to() -> None:
    fault = next(fault for fault in FAULTS if fault.function is is_port)
    with put_in(fault):
        assert is_port(65536)

    assert not is_port(65536)


def test_a_fault_that_changes_nothing_survives() -> None:
    fault = Fault("allocs_are_never_too_many", find_shortage, "capacity.disk_mb < used.disk_mb", "False")

    assert SURVIVED == judge_fault(find_claim("allocs_are_never_too_many"), fault).result


def test_a_text_that_is_not_there_is_an_error() -> None:
    with (
        pytest.raises(ImpossibleError, match="should stand in find_shortage exactly once"),
        put_in(replace(FAULTS[0], old="nowhere")),
    ):
        pass


def test_all_faults_of_a_claim_are_tried() -> None:
    rows = judge_faults(find_claim("disk_is_never_oversubscribed"))

    assert [fault.name for fault in FAULTS if fault.breaks == "disk_is_never_oversubscribed"] == [
        row.rule for row in rows
    ]
