from typing import Any

import pytest

from nomadspec.invariants.kernel.applier import node_becomes_ineligible_when_rejected_too_often
from nomadspec.invariants.kernel.disconnects import unknown_allocations_are_settled
from nomadspec.invariants.kernel.harm import (
    system_job_lacking_an_alloc_has_open_eval,
    unwanted_alloc_has_open_eval,
    unwanted_allocs_are_stopped_or_updated,
)
from nomadspec.invariants.kernel.nodes import (
    a_drain_waits_for_a_client,
    a_drained_node_has_a_system_alloc_beside_another,
    a_drained_node_has_an_allocation,
    a_lost_node_has_an_allocation,
    a_lost_node_has_an_unknown_allocation,
    alloc_migrates_only_on_request,
    an_alloc_is_marked_to_migrate,
    an_evaluation_is_owed_without_a_leader,
    an_initializing_node_has_an_unknown_alloc,
    disconnected_nodes_become_ready_or_down,
    drain_ends_on_an_emptied_ineligible_node,
    drains_end,
    mark_to_migrate_stays_while_its_alloc_is_there,
    no_live_alloc_on_down_node,
    node_begins_to_drain_or_becomes_eligible_alone,
    node_goes_down_and_comes_back_alone,
    node_waits_for_its_unknown_allocs,
    system_allocs_are_drained_last,
)
from nomadspec.model.kernel.broker import end_wait
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.nodes import (
    drain_alloc,
    drain_node,
    end_drain,
    expire_disconnected_node,
    lose_handler,
    lose_node,
    mark_ineligible,
    migrate_alloc,
    miss_heartbeat,
    ready_node,
    recover_node,
    write_node_eval,
)
from nomadspec.model.kernel.statuses import EvalRecord, InBroker
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.kernel.worker import ack
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.specification.quirks import UNSEEN_LOSS
from tests.invariants.kernel.deviations import (
    ALONE,
    Deviation,
    Matrix,
    also,
    find_witness,
    loosen,
    reword,
    spoil,
    unfair,
)

SILENT = {**ALONE, "nodes": 2, "evals": 4, "disconnects": 1}


LOST = {**ALONE, "nodes": 2, "evals": 3, "node_changes": 1}


SILENT_NODES = {**ALONE, "nodes": 2, "evals": 5, "allocations": 3, "disconnects": 1}


def owe_nobody(s: Any, t: Any, _node: Id) -> None:
    t.owed = s.owed


def set_all(**columns: bool) -> Any:
    """Let an event of one node be one of all nodes."""

    def set_them(s: Any, t: Any, _node: Id) -> None:
        for column, value in columns.items():
            for node in s.nodes:
                getattr(t, column)[node] = value

    return set_them


def be_eligible(_s: Any, t: Any, node: Id) -> None:
    t.eligible[node] = True


def mark_all(s: Any, t: Any, *_asked: Id) -> None:
    """Mark all that runs, wherever it does."""
    for job in s.jobs:
        for i in s.allocs:
            t.when(s.occupies[job, i] != NONE).migrate[job, i] = True


def make_no_evaluation(s: Any, t: Any, job: Id, _alloc: Id) -> None:
    t.eval_record[job, s.made[job]] = EvalRecord.ABSENT
    t.in_broker[job, s.made[job]] = InBroker.OUT
    t.made[job] = s.made[job]


def make_no_evaluation_at_all(s: Any, t: Any, _node: Id) -> None:
    make_no_evaluation(s, t, 0, 0)


def end_where_nothing_takes_capacity(s: Any, t: Any, node: Id) -> None:
    t.require(s.leading, s.draining[node], count_taken(s, node) == 0)
    t.draining[node] = False


MATRIX = Matrix(
    {
        "a lost node owes nobody an evaluation": Deviation(
            (no_live_alloc_on_down_node,), changed=also(lose_node, owe_nobody), sizes=LOST
        ),
        "a disconnected node owes nobody an evaluation": Deviation(
            (no_live_alloc_on_down_node,), changed=also(miss_heartbeat, owe_nobody), sizes=SILENT
        ),
        "a system job is owed nothing for a node that is ready": Deviation(
            (system_job_lacking_an_alloc_has_open_eval,),
            changed=also(recover_node, owe_nobody),
            sizes={**ALONE, "evals": 3, "kinds": 2, "node_changes": 2},
        ),
        "a lost node makes all nodes ineligible": Deviation(
            (node_goes_down_and_comes_back_alone, node_becomes_ineligible_when_rejected_too_often),
            changed=also(lose_node, set_all(eligible=False)),
            sizes=LOST,
        ),
        "a lost node takes all nodes down": Deviation(
            (node_goes_down_and_comes_back_alone,),
            changed=also(lose_node, set_all(node_up=False)),
            sizes=LOST,
        ),
        "a node that comes back is eligible, whatever an operator said": Deviation(
            (node_goes_down_and_comes_back_alone,),
            changed=also(recover_node, be_eligible),
            sizes={**LOST, "node_changes": 3},
        ),
        "a node that is made ineligible is down": Deviation(
            (node_goes_down_and_comes_back_alone,),
            changed=also(mark_ineligible, set_all(node_up=False)),
            sizes=LOST,
        ),
        "a drain drains all nodes": Deviation(
            (node_begins_to_drain_or_becomes_eligible_alone,),
            changed=also(drain_node, set_all(draining=True)),
            sizes={**ALONE, "nodes": 2, "migrations": 1},
        ),
        "a drain marks at once what is on other nodes": Deviation(
            (alloc_migrates_only_on_request,),
            changed=also(drain_node, mark_all),
            sizes={**ALONE, "nodes": 2, "migrations": 1},
        ),
        "an operator who stops an allocation stops all": Deviation(
            (alloc_migrates_only_on_request,),
            changed=also(migrate_alloc, mark_all),
            sizes={**ALONE, "jobs": 2, "cap": 2, "evals": 2, "migrations": 1},
        ),
        "a node is given up at once": Deviation(
            (node_waits_for_its_unknown_allocs,), changed=loosen(expire_disconnected_node, 2), sizes=SILENT
        ),
        "a drain ends before the node is empty": Deviation(
            (drain_ends_on_an_emptied_ineligible_node,),
            changed=loosen(end_drain, 2),
            sizes={**ALONE, "migrations": 1},
        ),
        "a drain ends while a client has yet to end something": Deviation(
            (drain_ends_on_an_emptied_ineligible_node,),
            changed=reword(end_drain, end_where_nothing_takes_capacity),
            sizes={**ALONE, "nodes": 2, "evals": 3, "migrations": 1},
        ),
        "a drain ends and leaves a system job alone": Deviation(
            (drain_ends_on_an_emptied_ineligible_node,),
            changed=spoil(end_drain, "migrate", False, 0, 0),
            sizes={**ALONE, "kinds": 2, "migrations": 1},
        ),
        "a drain tells nobody that a system job is to go": Deviation(
            (unwanted_allocs_are_stopped_or_updated,),
            changed=also(end_drain, make_no_evaluation_at_all),
            sizes={**ALONE, "kinds": 2, "evals": 3, "migrations": 1},
        ),
        "a drain marks a system job first": Deviation(
            (system_allocs_are_drained_last,),
            changed=loosen(drain_alloc, 2),
            sizes={**ALONE, "jobs": 2, "cap": 2, "kinds": 2, "migrations": 1, "allocations": 1, "endings": 0},
        ),
        "a drain waits for a report that need not come": Deviation(
            (drains_end,),
            changed=unfair(report_end),
            sizes={**ALONE, "nodes": 2, "evals": 3, "allocations": 3, "migrations": 1},
        ),
        "a drain marks what is on another node": Deviation(
            (alloc_migrates_only_on_request,),
            changed=loosen(drain_alloc, 1),
            sizes={**ALONE, "evals": 3, "migrations": 1},
        ),
        "a mark is gone with an ack": Deviation(
            (mark_to_migrate_stays_while_its_alloc_is_there,),
            changed=spoil(ack, "migrate", False, "job", 0),
            sizes={**ALONE, "evals": 3, "migrations": 1},
        ),
        "an operator stops an allocation and nobody looks": Deviation(
            (unwanted_allocs_are_stopped_or_updated,),
            changed=also(migrate_alloc, make_no_evaluation),
            sizes={**ALONE, "evals": 3, "migrations": 1},
        ),
        "a handler gives up": Deviation(
            (unwanted_alloc_has_open_eval,),
            changed=loosen(lose_handler, 0),
            sizes={**ALONE, "node_changes": 1, "elections": 1},
        ),
        "a handler without a leader gives up": Deviation(
            (no_live_alloc_on_down_node,), "X-20", sizes={**LOST, "elections": 1}, is_long=True
        ),
        "a handler need not write what it owes": Deviation(
            (no_live_alloc_on_down_node,),
            changed=unfair(write_node_eval),
            sizes=LOST,
        ),
        "a follow-up need not fall due": Deviation(
            (unknown_allocations_are_settled,),
            changed=unfair(end_wait),
            sizes=SILENT_NODES,
            is_long=True,
        ),
        "a drain need not mark what is there": Deviation(
            (drains_end,),
            changed=unfair(drain_alloc),
            sizes={**ALONE, "nodes": 2, "evals": 3, "migrations": 1},
        ),
        "a starting node need not become ready": Deviation(
            (disconnected_nodes_become_ready_or_down,),
            changed=unfair(ready_node),
            sizes={**ALONE, "evals": 4, "disconnects": 1, "initializations": 1},
        ),
        "an entry places where nobody looks any more": Deviation(
            (no_live_alloc_on_down_node,),
            UNSEEN_LOSS.id,
            sizes={**LOST, "depth": 1, "allocations": 3},
            is_long=True,
        ),
        "a drain need not end": Deviation(
            (drains_end,), changed=unfair(end_drain), sizes={**ALONE, "nodes": 2, "evals": 3, "migrations": 1}
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (an_initializing_node_has_an_unknown_alloc, {"disconnects": 1, "initializations": 1, "evals": 3}),
        (an_alloc_is_marked_to_migrate, {"migrations": 1}),
        (a_drained_node_has_an_allocation, {"migrations": 1}),
        (a_drain_waits_for_a_client, {"nodes": 2, "migrations": 1}),
        (
            a_drained_node_has_a_system_alloc_beside_another,
            {"jobs": 2, "cap": 2, "kinds": 2, "migrations": 1},
        ),
        (a_lost_node_has_an_allocation, {"node_changes": 1}),
        (an_evaluation_is_owed_without_a_leader, {"node_changes": 1, "elections": 1}),
        (a_lost_node_has_an_unknown_allocation, {"disconnects": 1, "evals": 3}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
