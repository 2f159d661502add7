from typing import Any

import pytest

from nomadspec.invariants.kernel.nodes import (
    a_lost_node_has_an_allocation,
    a_lost_node_has_an_unknown_allocation,
    a_starting_node_has_an_unknown_allocation,
    an_allocation_is_to_move,
    an_allocation_is_unknown,
    an_evaluation_is_owed_without_a_leader,
    drained_nodes_are_closed,
    drained_nodes_are_left,
    drains_end,
    lost_nodes_are_left,
    nodes_have_one_status,
    starting_nodes_become_ready,
    unknown_allocations_are_settled,
    what_is_owed_is_written,
)
from nomadspec.model.domain import Id
from nomadspec.model.kernel.broker import end_wait
from nomadspec.model.kernel.nodes import (
    drain_alloc,
    drain_node,
    end_drain,
    hear_node,
    ready_node,
    write_node_eval,
)
from nomadspec.model.quirks import UNSEEN_LOSS
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, find_witness, unfair

LOST = {**ALONE, "nodes": 2, "evals": 3, "node_changes": 1}
SILENT = {**ALONE, "nodes": 2, "evals": 5, "spares": 3, "silences": 1}


def stay_silent(_s: Any, t: Any, node: Id) -> None:
    t.silent[node] = True


def stay_open(_s: Any, t: Any, node: Id) -> None:
    t.eligible[node] = True


MATRIX = Matrix(
    {
        "a node that is drained stays open": Deviation(
            (drained_nodes_are_closed,),
            changed=also(drain_node, stay_open),
            sizes={**ALONE, "moves": 1},
        ),
        "a handler without a leader gives up": Deviation(
            (lost_nodes_are_left,), "X-20", sizes={**LOST, "elections": 1}
        ),
        "a handler need not write what it owes": Deviation(
            (what_is_owed_is_written, lost_nodes_are_left), changed=unfair(write_node_eval), sizes=LOST
        ),
        "a follow-up need not fall due": Deviation(
            (unknown_allocations_are_settled,), changed=unfair(end_wait), sizes=SILENT
        ),
        "a node that is back stays disconnected": Deviation(
            (nodes_have_one_status,), changed=also(hear_node, stay_silent), sizes=SILENT
        ),
        "a drain need not mark what is there": Deviation(
            (drained_nodes_are_left,),
            changed=unfair(drain_alloc),
            sizes={**ALONE, "nodes": 2, "evals": 3, "moves": 1},
        ),
        "a starting node need not become ready": Deviation(
            (starting_nodes_become_ready,),
            changed=unfair(ready_node),
            sizes={**ALONE, "evals": 4, "silences": 1, "boots": 1},
        ),
        "an entry places where nobody looks any more": Deviation(
            (lost_nodes_are_left,), UNSEEN_LOSS.id, sizes={**LOST, "depth": 1, "spares": 3}
        ),
        "a drain need not end": Deviation(
            (drains_end,), changed=unfair(end_drain), sizes={**ALONE, "nodes": 2, "evals": 3, "moves": 1}
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()


@pytest.mark.parametrize(
    ("prop", "sizes"),
    [
        (a_starting_node_has_an_unknown_allocation, {"silences": 1, "boots": 1, "evals": 3}),
        (an_allocation_is_to_move, {"moves": 1}),
        (a_lost_node_has_an_allocation, {"node_changes": 1}),
        (an_evaluation_is_owed_without_a_leader, {"node_changes": 1, "elections": 1}),
        (an_allocation_is_unknown, {"silences": 1, "evals": 3}),
        (a_lost_node_has_an_unknown_allocation, {"silences": 1, "evals": 3}),
    ],
)
def test_what_the_properties_are_about_happens(prop: Any, sizes: dict[str, int]) -> None:
    assert find_witness(prop, **{**ALONE, "evals": 2, **sizes}) is not None
