from typing import Any

from nomadspec.invariants.kernel.events import (
    changes_are_evaluated,
    events_of_nodes_are_owed_evaluations,
    jobs_change_as_they_are_registered,
    nodes_are_closed_and_opened_as_asked,
    nodes_change_as_they_are_heard,
    what_has_to_move_is_marked,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.jobs import register_again, stop_job, update_job
from nomadspec.model.kernel.nodes import close_node, lose_node, move_alloc, recover_node
from nomadspec.model.kernel.state import Cause, JobPhase
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, loosen

CHANGING = {**ALONE, "evals": 3, "node_changes": 2}


def stay_down(s: Any, t: Any, node: Id) -> None:
    t.node_up[node] = s.node_up[node]


def stay_open(s: Any, t: Any, node: Id) -> None:
    t.eligible[node] = s.eligible[node]


def owe_nothing(s: Any, t: Any, _node: Id) -> None:
    for job in s.jobs:
        t.owed[job] = s.owed[job]


def stay_wanted(_s: Any, t: Any, job: Id) -> None:
    t.job_phase[job] = JobPhase.WANTED


def give_another_reason(s: Any, t: Any, job: Id) -> None:
    t.cause[job, s.made[job]] = Cause.FOLLOW_UP


def leave_unmarked(s: Any, t: Any, job: Id, alloc: Id) -> None:
    t.leaving[job, alloc] = s.leaving[job, alloc]


MATRIX = Matrix(
    {
        "a node that recovers stays down": Deviation(
            (nodes_change_as_they_are_heard,),
            changed=also(recover_node, stay_down),
            sizes=CHANGING,
        ),
        "a node that is closed stays open": Deviation(
            (nodes_are_closed_and_opened_as_asked,),
            changed=also(close_node, stay_open),
            sizes=CHANGING,
        ),
        "a node that is lost concerns nobody": Deviation(
            (events_of_nodes_are_owed_evaluations,),
            changed=also(lose_node, owe_nothing),
            sizes=CHANGING,
        ),
        "a job that is stopped stays wanted": Deviation(
            (jobs_change_as_they_are_registered,),
            changed=also(stop_job, stay_wanted),
            sizes={**ALONE, "evals": 2, "stops": 1},
        ),
        "a job that is wanted is registered again": Deviation(
            (jobs_change_as_they_are_registered,),
            changed=loosen(register_again, 3),
            sizes={**ALONE, "evals": 2, "returns": 1},
        ),
        "an update makes an evaluation for another reason": Deviation(
            (changes_are_evaluated,),
            changed=also(update_job, give_another_reason),
            sizes={**ALONE, "evals": 2, "updates": 1},
        ),
        "an allocation that has to move is not marked": Deviation(
            (what_has_to_move_is_marked,),
            changed=also(move_alloc, leave_unmarked),
            sizes={**ALONE, "evals": 2, "moves": 1},
        ),
        "an allocation is marked twice": Deviation(
            (what_has_to_move_is_marked,),
            changed=loosen(move_alloc, 4),
            sizes={**ALONE, "evals": 3, "moves": 2},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
