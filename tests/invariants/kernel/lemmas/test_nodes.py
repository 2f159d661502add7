from typing import Any

from nomadspec.invariants.kernel.nodes import (
    drained_nodes_are_ineligible,
    nodes_have_one_status,
    stopped_allocs_are_known_by_node_until_they_end,
)
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.clients import report_end
from nomadspec.model.kernel.nodes import (
    drain_node,
    reconnect_node,
)
from nomadspec.model.language.domain import NONE, Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil


def stay_open(_s: Any, t: Any, node: Id) -> None:
    t.eligible[node] = True


SILENT = {**ALONE, "nodes": 2, "evals": 5, "allocations": 3, "disconnects": 1}


def stay_silent(_s: Any, t: Any, node: Id) -> None:
    t.disconnected[node] = True


MATRIX = Matrix(
    {
        "a node that is drained stays open": Deviation(
            (drained_nodes_are_ineligible,),
            changed=also(drain_node, stay_open),
            sizes={**ALONE, "migrations": 1},
        ),
        "it is forgotten where an allocation is stopped": Deviation(
            (stopped_allocs_are_known_by_node_until_they_end,),
            changed=spoil(apply_plan, "stopping_on", NONE, "job", 0),
            sizes={**ALONE, "evals": 3, "migrations": 1},
        ),
        "a stopped allocation is there though its client ended it": Deviation(
            (stopped_allocs_are_known_by_node_until_they_end,),
            changed=spoil(report_end, "stopping_on", 0, "job", "alloc"),
            sizes={**ALONE, "evals": 3, "migrations": 1},
        ),
        "a node that is back stays disconnected": Deviation(
            (nodes_have_one_status,),
            changed=also(reconnect_node, stay_silent),
            sizes=SILENT,
            is_long=True,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
