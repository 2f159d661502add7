from typing import Any

from nomadspec.invariants.kernel.disconnects import (
    alloc_reconnects_only_on_a_heartbeating_node,
    follow_up_is_called_off_only_with_its_last_alloc,
    follow_up_is_made_for_an_alloc,
    unknown_alloc_has_a_follow_up,
    unknown_alloc_has_time_until_its_follow_up,
    unknown_allocations_are_settled,
    workers_see_disconnected_allocs,
)
from nomadspec.invariants.kernel.scheduler import settled_alloc_is_stopped_only_as_surplus
from nomadspec.invariants.kernel.worker import snapshot_shows_work_of_earlier_evals
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.disconnects import make_follow_up, mark_unknown, reconnect_alloc, run_out_of_time
from nomadspec.model.kernel.statuses import AllocPhase, DisconnectPhase, Stage
from nomadspec.model.kernel.worker import begin, begin_stale, plan
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.specification.quirks import SHARED_FOLLOW_UP, UNMADE_FOLLOW_UP
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, loosen, spoil, unfair

BEHIND = {**ALONE, "stale_server_count": 1, "deliveries": 1, "attempts": 1}


SILENT = {**ALONE, "evals": 4, "disconnects": 1}


SILENT_ENDINGS = {**ALONE, "nodes": 2, "evals": 4, "disconnects": 1}


WRITTEN = {**SILENT, "in_place_updates": 1, "plan_statuses": 1, "deliveries": 1, "attempts": 1}


def stop_what_runs(s: Any, t: Any, worker: Id, job: Id, _to: Any) -> None:
    t.plan[worker].stops[0] = s.seen[worker].occupies[job, 0]
    t.stage[worker] = Stage.PLANNED


def see_nothing_in_reach(s: Any, t: Any, worker: Id, job: Id) -> None:
    runs = t.when(s.alloc_phase[job, 0] == AllocPhase.RUNNING)
    runs.seen[worker].disconnect_phase[0] = DisconnectPhase.NEWLY_DISCONNECTED


MATRIX = Matrix(
    {
        "a worker makes a follow-up for nothing": Deviation(
            (follow_up_is_made_for_an_alloc,), changed=loosen(make_follow_up, 3), sizes=WRITTEN
        ),
        "a shared follow-up goes with the first": Deviation(
            (follow_up_is_called_off_only_with_its_last_alloc,),
            SHARED_FOLLOW_UP.id,
            sizes={**ALONE, "count": 2, "cap": 2, "evals": 5, "disconnects": 1},
            is_long=True,
        ),
        "a server that is behind forgets which batch work is done": Deviation(
            (snapshot_shows_work_of_earlier_evals,),
            changed=spoil(begin_stale, "seen.disconnect_phase", 0, "worker"),
            sizes={**BEHIND, "kinds": 1, "reports": 1, "evals": 2, "external_triggers": 1},
        ),
        "a server that is behind forgets whose node is disconnected": Deviation(
            (workers_see_disconnected_allocs,),
            changed=spoil(begin_stale, "seen.disconnect_phase", 0, "worker"),
            sizes={**BEHIND, "disconnects": 1, "evals": 3, "allocations": 1, "endings": 0},
        ),
        "a worker takes what runs on a ready node for disconnected": Deviation(
            (workers_see_disconnected_allocs,),
            changed=also(begin, see_nothing_in_reach),
            sizes={**SILENT, "evals": 2, "external_triggers": 1},
        ),
        "a plan stops what it sees on a disconnected node": Deviation(
            (settled_alloc_is_stopped_only_as_surplus,),
            changed=also(plan, stop_what_runs),
            sizes={**SILENT, "external_triggers": 1},
        ),
        "time does not run out where no follow-up falls due": Deviation(
            (unknown_allocations_are_settled,),
            changed=unfair(run_out_of_time),
            sizes={**SILENT, "pauses": 1},
            is_long=True,
        ),
        "who is back still has a deadline": Deviation(
            (alloc_reconnects_only_on_a_heartbeating_node,),
            changed=spoil(reconnect_alloc, "follow_up", 0, "job", "alloc"),
            sizes=SILENT_ENDINGS,
        ),
        "time runs out before the follow-up": Deviation(
            (unknown_alloc_has_time_until_its_follow_up,),
            changed=loosen(run_out_of_time, 2),
            sizes=SILENT_ENDINGS,
        ),
        "a plan loses the follow-up of what it calls unknown": Deviation(
            (unknown_alloc_has_a_follow_up,),
            changed=spoil(apply_plan, "follow_up", NONE, "job", 0),
            sizes={**WRITTEN, "nodes": 1},
        ),
        "a follow-up that finds something out of reach makes no other one": Deviation(
            (unknown_alloc_has_a_follow_up,),
            UNMADE_FOLLOW_UP.id,
            sizes={**WRITTEN, "nodes": 2, "evals": 5, "disconnects": 2, "endings": 0},
            is_long=True,
        ),
        "an unknown allocation has no time": Deviation(
            (unknown_alloc_has_time_until_its_follow_up,),
            changed=spoil(mark_unknown, "is_late", True, "job", "alloc"),
            sizes={**ALONE, "evals": 4, "disconnects": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
