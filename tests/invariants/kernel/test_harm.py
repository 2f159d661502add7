from typing import Any

from nomadspec.invariants.kernel.harm import (
    alloc_of_current_version_has_the_room_it_needs,
    live_alloc_of_stopped_job_has_open_eval,
    missing_alloc_has_open_eval,
    one_plan_of_a_job_is_with_the_applier,
    system_job_lacking_an_alloc_has_open_eval,
)
from nomadspec.model.kernel.jobs import stop_job
from nomadspec.model.kernel.nodes import recover_node
from nomadspec.model.kernel.pipeline import dispatch
from nomadspec.model.language.domain import Id
from nomadspec.model.specification.quirks import RELABELLED_PLACEMENT, SURVIVING_PLAN
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also

PIPELINE = {**ALONE, "evals": 2, "depth": 1}


def write_less(_s: Any, t: Any, _worker: Id, _job: Id, entry_id: Id) -> None:
    t.entry[entry_id].to = -1


def owe_nothing(_s: Any, t: Any, _node: Id) -> None:
    t.owed = False


def evaluate_nothing(_s: Any, t: Any, job: Id) -> None:
    t.record[job, 1] = 0


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
            (live_alloc_of_stopped_job_has_open_eval,),
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
