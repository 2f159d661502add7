from typing import Any

from nomadspec.invariants.kernel.harm import (
    alloc_of_current_version_has_the_room_it_needs,
    missing_alloc_has_open_eval,
    one_plan_of_a_job_is_with_the_applier,
    system_job_lacking_an_alloc_has_open_eval,
    unwanted_alloc_has_open_eval,
    will_be_looked_at,
)
from nomadspec.model.kernel.jobs import stop_job
from nomadspec.model.kernel.nodes import recover_node
from nomadspec.model.kernel.pipeline import dispatch
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import JobPhase
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, exists, for_all, not_
from nomadspec.model.language.property import sometimes
from nomadspec.model.specification.quirks import RELABELLED_PLACEMENT, SURVIVING_PLAN
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness

PIPELINE = {**ALONE, "evals": 2, "depth": 1}


def write_less(_s: Any, t: Any, _worker: Id, _job: Id, entry_id: Id) -> None:
    t.entry[entry_id].to = -1


def owe_nothing(_s: Any, t: Any, _node: Id) -> None:
    t.owed = False


def evaluate_nothing(_s: Any, t: Any, job: Id) -> None:
    t.eval_record[job, 1] = 0
    t.made[job] = 1


MATRIX = Matrix(
    {
        "an entry says less than was judged": Deviation(
            (missing_alloc_has_open_eval,), changed=also(dispatch, write_less), sizes=PIPELINE
        ),
        "a node comes back unnoticed": Deviation(
            (system_job_lacking_an_alloc_has_open_eval,),
            changed=also(recover_node, owe_nothing),
            sizes={**ALONE, "evals": 3, "kinds": 2, "node_changes": 2},
        ),
        "a stop makes no evaluation": Deviation(
            (unwanted_alloc_has_open_eval,),
            changed=also(stop_job, evaluate_nothing),
            sizes={**ALONE, "evals": 2, "stops": 1},
        ),
        "a plan takes the version of its job": Deviation(
            (alloc_of_current_version_has_the_room_it_needs,),
            RELABELLED_PLACEMENT.id,
            sizes={**ALONE, "evals": 2, "cap": 2, "updates": 1, "in_place_updates": 1, "extra_ask": 1},
        ),
        "a plan outlives a pause": Deviation(
            (one_plan_of_a_job_is_with_the_applier,),
            SURVIVING_PLAN.id,
            sizes={**ALONE, "workers": 2, "pauses": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@sometimes("EVAL-39", "BROKER-36", why="what an evaluation that must fail makes cancelable is done by nobody")
def a_missing_alloc_has_no_eval(s: Kernel) -> Value:
    """A wanted job lacks an allocation, and none of its evaluations is open."""
    return exists(
        all_of(
            s.job_phase[j] == JobPhase.WANTED,
            not_(will_be_looked_at(s, j)),
            for_all(s.occupies[j, i] == NONE for i in s.allocs),
        )
        for j in s.jobs
    )


def test_an_eval_that_no_scheduler_handles_makes_one_cancelable_that_is_needed() -> None:
    sizes = {**ALONE, "evals": 3, "reports": 1}

    story = find_witness(a_missing_alloc_has_no_eval, **sizes, unhandled_triggers=1)

    assert story is not None
    assert ["CancelCancelable(job1, eval2)", "RejectTrigger(worker1, job1, eval3)"] == [
        *map(str, story.steps[-2:])
    ]
    assert find_witness(a_missing_alloc_has_no_eval, **sizes) is None
