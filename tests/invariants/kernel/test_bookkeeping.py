from typing import Any

from nomadspec.invariants.kernel.bookkeeping import (
    COUNTED,
    ended_entries_are_forgotten,
    entries_say_what_was_judged,
    outside_events_are_counted,
    plans_are_forgotten,
    servers_catch_up_with_everything,
    snapshots_are_used_once,
    snapshots_of_a_server_are_its_own,
    snapshots_show_the_whole_state,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import request_evaluation
from nomadspec.model.kernel.followers import catch_up
from nomadspec.model.kernel.pipeline import commit, dispatch
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.worker import begin, begin_behind, plan, submit
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil

PIPELINE = {**ALONE, "evals": 2, "depth": 1}
BEHIND = {**ALONE, "evals": 2, "lag": 1}


def count_nothing(s: Any, t: Any, _job: Id, _rank: Id) -> None:
    t.requested = s.requested


def see_no_node(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.seen_up[worker] = False


def see_no_node_of_a_server(_s: Any, t: Any, worker: Id, _job: Id, _follower: Id) -> None:
    t.seen_up[worker] = False


def miss_nodes(_s: Any, t: Any, follower: Id) -> None:
    t.old_up[follower] = False


def keep_snapshot(s: Any, t: Any, worker: Id, _job: Id, _to: Any) -> None:
    for node in s.nodes:
        t.seen_up[worker, node] = s.seen_up[worker, node]


def try_again_from_the_start(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.stage[worker] = 1


def keep_entry(s: Any, t: Any, flight: Id, _job: Id) -> None:
    t.flight_job[flight] = s.flight_job[flight]


def write_less(_s: Any, t: Any, _worker: Id, _job: Id, flight: Id) -> None:
    t.flight_to[flight] = -1


MATRIX = Matrix(
    {
        "an operator's wish is not counted": Deviation(
            (outside_events_are_counted,),
            changed=also(request_evaluation, count_nothing),
            sizes={**ALONE, "evals": 3, "requests": 1},
        ),
        "a snapshot shows no node": Deviation(
            (snapshots_show_the_whole_state,), changed=also(begin, see_no_node), sizes=ALONE
        ),
        "a snapshot of a server shows no node": Deviation(
            (snapshots_of_a_server_are_its_own,),
            changed=also(begin_behind, see_no_node_of_a_server),
            sizes=BEHIND,
        ),
        "a server misses nodes": Deviation(
            (servers_catch_up_with_everything,),
            changed=also(catch_up, miss_nodes),
            sizes=BEHIND,
        ),
        "a snapshot stays after the plan was made": Deviation(
            (snapshots_are_used_once,), changed=also(plan, keep_snapshot), sizes=ALONE
        ),
        "a worker begins again with its plan": Deviation(
            (plans_are_forgotten,), changed=also(submit, try_again_from_the_start), sizes=ALONE
        ),
        "an entry stays after its commit": Deviation(
            (ended_entries_are_forgotten,), changed=also(commit, keep_entry), sizes=PIPELINE
        ),
        "an entry says less than was judged": Deviation(
            (entries_say_what_was_judged,), changed=also(dispatch, write_less), sizes=PIPELINE
        ),
        "a server misses which versions go in place": Deviation(
            (servers_catch_up_with_everything,),
            changed=spoil(catch_up, "old_base", 0, "follower", 0, 0),
            sizes={**BEHIND, "updates": 1, "amends": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


def test_every_bound_of_the_environment_is_counted_but_for_those_that_rules_count_now_and_then() -> None:
    budgets = {field.name for field in Kernel.schema.fields if field.is_budget}

    assert {"made", "alloc_made", "rolled", "steered"} == budgets - {name for name, _ in COUNTED}
