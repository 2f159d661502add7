from typing import Any

from nomadspec.invariants.kernel.lemmas.applier import no_node_is_oversubscribed_without_a_pipeline
from nomadspec.model.kernel.applier import apply_plan, make_alloc
from nomadspec.model.kernel.plan_queue import is_next, take_plan
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.language.domain import NONE, Id
from tests.invariants.kernel.deviations import (
    Deviation,
    Matrix,
    reword,
)


def place_blindly(s: Any, t: Any, worker: Id, job: Id) -> None:
    t.require(is_next(s, worker), s.job[worker] == job, s.alloc_made[job] < s.spares)
    take_plan(s, t, worker)
    placed = t.when(s.plan[worker].to[0] != NONE)
    make_alloc(s, placed, job, s.alloc_made[job], s.plan[worker].to[0], s.plan[worker])
    t.alloc_made[job] = s.alloc_made[job] + 1
    t.stage[worker] = Stage.DECIDED


MATRIX = Matrix(
    {
        "the applier of one step looks at nothing": Deviation(
            (no_node_is_oversubscribed_without_a_pipeline,),
            changed=reword(apply_plan, place_blindly),
            profile="intended",
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
