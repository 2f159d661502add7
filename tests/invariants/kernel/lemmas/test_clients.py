from typing import Any

from nomadspec.invariants.kernel.clients import (
    allocations_are_numbered,
    deleted_allocations_leave_nothing,
    end_of_a_running_alloc_is_not_reported,
    only_batch_jobs_have_complete_allocs,
    only_unknown_allocs_have_a_deadline,
    terminal_alloc_stays_terminal,
    terminal_allocs_take_no_capacity,
)
from nomadspec.invariants.kernel.harm import alloc_of_current_version_has_the_room_it_needs
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.jobs import purge_job
from nomadspec.model.kernel.statuses import AllocPhase
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil


def live_again(_s: Any, t: Any, job: Id, alloc: Id) -> None:
    t.alloc_phase[job, alloc] = AllocPhase.RUNNING


def give_no_number(s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.alloc_made[job] = s.alloc_made[job]


SILENT = {**ALONE, "nodes": 2, "evals": 4, "allocations": 3, "disconnects": 1}


def grow_elsewhere(_s: Any, t: Any, _worker: Id, job: Id) -> None:
    t.extra_at[job, 0, 0] = 1


MATRIX = Matrix(
    {
        "what has ended lives again": Deviation(
            (terminal_allocs_take_no_capacity, terminal_alloc_stays_terminal),
            changed=also(report_end, live_again),
            sizes={**ALONE, "stops": 1},
        ),
        "a number is not noted": Deviation(
            (allocations_are_numbered,), changed=also(apply_plan, give_no_number), sizes=ALONE
        ),
        "an allocation grows on another node": Deviation(
            (alloc_of_current_version_has_the_room_it_needs,),
            changed=also(apply_plan, grow_elsewhere),
            sizes={**ALONE, "nodes": 2, "cap": 2, "updates": 1, "in_place_updates": 1, "extra_ask": 1},
        ),
        "a purge leaves a version behind": Deviation(
            (deleted_allocations_leave_nothing,),
            changed=spoil(purge_job, "alloc_version", 1, "job", 0),
            sizes={**ALONE, "purges": 1, "updates": 1},
        ),
        "what is placed is late": Deviation(
            (only_unknown_allocs_have_a_deadline,),
            changed=spoil(apply_plan, "is_late", True, "job", 0),
            sizes={**ALONE, "disconnects": 1},
        ),
        "an end is reported that was never made": Deviation(
            (end_of_a_running_alloc_is_not_reported,),
            changed=spoil(apply_plan, "is_reported", True, "job", 0),
            sizes=ALONE,
        ),
        "a service is complete": Deviation(
            (only_batch_jobs_have_complete_allocs,),
            changed=spoil(apply_plan, "alloc_phase", AllocPhase.COMPLETE, "job", 0),
            sizes=ALONE,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
