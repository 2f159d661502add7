from typing import Any

import pytest

from nomadspec.invariants.kernel.allocations import (
    a_follow_up_is_called_off,
    a_job_is_registered_anew_after_its_work,
    allocations_are_numbered,
    an_allocation_and_its_replacement_run,
    an_allocation_completes,
    an_allocation_fails,
    more_room_is_taken_on_the_same_node,
    only_ends_are_reported,
    only_what_is_not_over_takes_room,
    reports_spare_what_has_ended,
    shared_follow_ups_are_kept,
    surplus_is_stopped,
    what_has_ended_waits_for_no_follow_up,
    what_is_over_stays_over,
    work_is_done_before_its_plan_is_applied,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.clients import fail_alloc, report_end
from nomadspec.model.kernel.disconnects import reconnect_alloc
from nomadspec.model.kernel.state import AllocPhase, Place, Record
from nomadspec.model.quirks import SHARED_FOLLOW_UP
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, loosen, spoil

SILENT = {**ALONE, "nodes": 2, "evals": 4, "spares": 3, "silences": 1}


def live_again(_s: Any, t: Any, job: Id, alloc: Id) -> None:
    t.alloc_phase[job, alloc] = AllocPhase.LIVE


def give_no_number(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.alloc_made[job] = s.alloc_made[job]


def make_no_evaluation(s: Any, t: Any, job: Id, _alloc: Id, _node: Id) -> None:
    t.record[job, s.made[job]] = Record.ABSENT
    t.place[job, s.made[job]] = Place.OUT


def grow_elsewhere(_s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.extra_at[job, 0, 0] = 1


MATRIX = Matrix(
    {
        "what has ended lives again": Deviation(
            (only_what_is_not_over_takes_room, what_is_over_stays_over),
            changed=also(report_end, live_again),
            sizes={**ALONE, "stops": 1},
        ),
        "a number is not noted": Deviation(
            (allocations_are_numbered,), changed=also(apply_plan, give_no_number), sizes=ALONE
        ),
        "a plan writes over what a client has reported": Deviation(
            (what_is_over_stays_over,), "X-05", sizes={**SILENT, "nodes": 1, "reports": 1}
        ),
        "a report calls off what has ended": Deviation((reports_spare_what_has_ended,), "X-07", sizes=SILENT),
        "an allocation comes back unnoticed": Deviation(
            (surplus_is_stopped,),
            changed=also(reconnect_alloc, make_no_evaluation),
            sizes={**SILENT, "evals": 6},
        ),
        "a shared follow-up goes with the first": Deviation(
            (shared_follow_ups_are_kept,),
            SHARED_FOLLOW_UP.id,
            sizes={**ALONE, "count": 2, "cap": 2, "evals": 5, "silences": 1},
        ),
        "what has failed keeps its deadline": Deviation(
            (what_has_ended_waits_for_no_follow_up,),
            changed=spoil(
                fail_alloc, "deadline", lambda s, job, alloc, _: s.deadline[job, alloc], "job", "alloc"
            ),
            sizes={**SILENT, "reports": 1, "boots": 1},
        ),
        "what failed is not reported": Deviation(
            (only_ends_are_reported,),
            changed=spoil(fail_alloc, "is_reported", False, "job", "alloc"),
            sizes={**ALONE, "reports": 1},
        ),
        "ends are reported by clients that report none": Deviation(
            (only_ends_are_reported,),
            changed=loosen(report_end, 1),
            sizes={**ALONE, "endings": 0, "stops": 1},
        ),
        "an allocation grows on another node": Deviation(
            (more_room_is_taken_on_the_same_node,),
            changed=also(apply_plan, grow_elsewhere),
            sizes={**ALONE, "nodes": 2, "growth": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (an_allocation_and_its_replacement_run, SILENT),
        (a_follow_up_is_called_off, SILENT),
        (an_allocation_fails, {"reports": 1}),
        (an_allocation_completes, {"reports": 1, "kinds": 1}),
        (a_job_is_registered_anew_after_its_work, {"reports": 1, "kinds": 1, "updates": 1}),
        (work_is_done_before_its_plan_is_applied, {**SILENT, "evals": 3, "reports": 1, "kinds": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
