"""Where an evaluation stands, told from the cells that say so."""

from functools import cache

import pytest

from nomadspec.invariants.kernel.phases import phase_of, place_of, status_of
from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import BlockedIn, EvalRecord, InBroker, Stage
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import NONE
from nomadspec.model.lifecycle.evaluation import EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EvalPhase
from nomadspec.model.lifecycle.evaluation_place import EvalPlace
from nomadspec.model.lifecycle.table import number_of


@cache
def bounded() -> BoundedModel:
    """Bound the kernel once there is a test that wants it."""
    return KERNEL.at("delivery-limit", profile="nomad-2.0")


def world(**values: int) -> Kernel:
    """Show the initial world with other values in some cells; ``record`` stands for that of the first one."""
    names = {
        **{name: f"{name}[job1, eval1]" for name in ("eval_record", "in_broker", "blocked_in", "cancelable")},
        **{name: f"{name}[worker1]" for name in ("stage", "job", "number", "holds")},
    }
    cells = list(bounded().initial[0])
    for name, value in values.items():
        cells[bounded().frame.cell_names.index(names[name])] = value
    shown = bounded().world(tuple(cells))
    assert isinstance(shown, Kernel)
    return shown


def test_what_was_not_made_has_no_status() -> None:
    nothing = tuple(reading(world(), JobId(0), EvalNumber(1)) for reading in (status_of, place_of, phase_of))

    assert (NONE, NONE, NONE) == nothing


@pytest.mark.parametrize(
    ("values", "status", "place", "phase"),
    [
        ({}, number_of(EvalStatus.PENDING), EvalPlace.READY, EvalPhase.PENDING),
        ({"in_broker": InBroker.NACKED}, number_of(EvalStatus.PENDING), EvalPlace.DELAYED, EvalPhase.DELAYED),
        (
            {"in_broker": InBroker.OUT, "eval_record": EvalRecord.BLOCKED, "blocked_in": BlockedIn.CAPTURED},
            number_of(EvalStatus.BLOCKED),
            EvalPlace.BLOCKED_CAPTURED,
            EvalPhase.BLOCKED,
        ),
        (
            {"in_broker": InBroker.OUT, "cancelable": True},
            number_of(EvalStatus.PENDING),
            EvalPlace.CANCELABLE,
            EvalPhase.PENDING,
        ),
        (
            {"in_broker": InBroker.OUT, "eval_record": EvalRecord.ABSENT},
            NONE,
            EvalPlace.NOWHERE,
            EvalPhase.DELETED,
        ),
        (
            {"in_broker": InBroker.WAITING, "eval_record": EvalRecord.CANCELED},
            number_of(EvalStatus.CANCELED),
            EvalPlace.DELAYED,
            EvalPhase.CANCELED,
        ),
    ],
)
def test_what_nobody_works_on_stands_by_record_and_place(
    values: dict[str, int], status: int, place: int, phase: int
) -> None:
    shown = world(**values)

    assert (status, place, phase) == (
        status_of(shown, JobId(0), EvalNumber(0)),
        place_of(shown, JobId(0), EvalNumber(0)),
        phase_of(shown, JobId(0), EvalNumber(0)),
    )


@pytest.mark.parametrize(
    ("stage", "holds", "phase"),
    [
        (Stage.PLANNING, True, EvalPhase.SCHEDULING),
        (Stage.SUBMITTED, True, EvalPhase.APPLYING),
        (Stage.ACKING, True, EvalPhase.PENDING),
        (Stage.PLANNING, False, EvalPhase.PENDING),
    ],
)
def test_a_worker_with_a_valid_token_hides_the_record(stage: Stage, *, holds: bool, phase: EvalPhase) -> None:
    shown = world(in_broker=InBroker.UNACKED, stage=stage, job=0, number=0, holds=holds)

    assert phase == phase_of(shown, JobId(0), EvalNumber(0))
    assert EvalPlace.UNACKED == place_of(shown, JobId(0), EvalNumber(0))
