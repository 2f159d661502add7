from typing import Any

import pytest

from nomadspec.invariants.kernel.clients import (
    a_follow_up_is_canceled,
    a_job_is_registered_anew_after_its_work,
    alloc_version_was_registered,
    an_allocation_and_its_replacement_run,
    an_allocation_completes,
    an_allocation_fails,
    freed_capacity_is_noted_by_evals_in_progress,
    live_alloc_keeps_its_node,
    new_capacity_unblocks_evals,
    reported_alloc_has_ended,
    terminal_alloc_stays_terminal,
    work_is_done_before_its_plan_is_applied,
)
from nomadspec.invariants.kernel.harm import (
    missing_alloc_has_open_eval,
    unwanted_allocs_are_stopped_or_updated,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.broker import make_pending
from nomadspec.model.kernel.clients import complete_alloc, fail_alloc
from nomadspec.model.kernel.disconnects import reconnect_alloc
from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.nodes import (
    mark_eligible,
)
from nomadspec.model.kernel.statuses import (
    EvalRecord,
    InBroker,
)
from nomadspec.model.kernel.worker import ack
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, spoil

SILENT = {**ALONE, "nodes": 2, "evals": 4, "allocations": 3, "disconnects": 1}


def make_no_evaluation(s: Any, t: Any, job: Id, _alloc: Id, _node: Id) -> None:
    t.eval_record[job, s.made[job]] = EvalRecord.ABSENT
    t.in_broker[job, s.made[job]] = InBroker.OUT
    t.made[job] = s.made[job]


def make_one(s: Any, t: Any, job: Id, _alloc: Id, _node: Id) -> None:
    make_pending(s, t, JobId(job))


PAIR = {**ALONE, "nodes": 2}


def keep_blocked(s: Any, t: Any, _job: Id, _alloc: Id, _node: Id) -> None:
    t.blocked_in = s.blocked_in


MATRIX = Matrix(
    {
        "a plan writes over what a client has reported": Deviation(
            (terminal_alloc_stays_terminal,), "X-05", sizes={**SILENT, "nodes": 1, "reports": 1}
        ),
        "an allocation comes back unnoticed": Deviation(
            (unwanted_allocs_are_stopped_or_updated,),
            changed=also(reconnect_alloc, make_no_evaluation),
            sizes={**SILENT, "evals": 6},
            is_long=True,
        ),
        "what failed is not reported": Deviation(
            (reported_alloc_has_ended,),
            changed=spoil(fail_alloc, "is_reported", False, "job", "alloc"),
            sizes={**ALONE, "reports": 1},
        ),
        "work that is done makes an evaluation": Deviation(
            (reported_alloc_has_ended,),
            changed=also(complete_alloc, make_one),
            sizes={**ALONE, "evals": 3, "kinds": 1, "reports": 1},
        ),
        "a failure makes no evaluation": Deviation(
            (missing_alloc_has_open_eval,),
            changed=also(fail_alloc, make_no_evaluation),
            sizes={**ALONE, "reports": 1},
        ),
        "a plan gives a version to what is not there": Deviation(
            (alloc_version_was_registered,),
            changed=spoil(apply_plan, "alloc_version", 1, "job", 1),
            sizes={**ALONE, "updates": 1},
        ),
        "an allocation wanders with an ack": Deviation(
            (live_alloc_keeps_its_node,), changed=spoil(ack, "occupies", 1, "job", 0), sizes=PAIR
        ),
        "a failed allocation wakes no other job": Deviation(
            (new_capacity_unblocks_evals,),
            changed=also(fail_alloc, keep_blocked),
            sizes={**ALONE, "jobs": 2, "reports": 1},
        ),
        "who plans misses an unblock": Deviation(
            (freed_capacity_is_noted_by_evals_in_progress,),
            changed=spoil(mark_eligible, "unseen_unblock", False, 0),
            sizes={**ALONE, "evals": 3, "node_changes": 2},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (an_allocation_and_its_replacement_run, SILENT),
        (a_follow_up_is_canceled, SILENT),
        (an_allocation_fails, {"reports": 1}),
        (an_allocation_completes, {"reports": 1, "kinds": 1}),
        (a_job_is_registered_anew_after_its_work, {"reports": 1, "kinds": 1, "updates": 1}),
        (work_is_done_before_its_plan_is_applied, {**SILENT, "evals": 3, "reports": 1, "kinds": 1}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
