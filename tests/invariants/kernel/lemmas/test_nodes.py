from typing import Any

from nomadspec.invariants.kernel.nodes import drained_nodes_are_ineligible, nodes_have_one_status
from nomadspec.model.kernel.nodes import (
    drain_node,
    reconnect_node,
)
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also


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
        "a node that is back stays disconnected": Deviation(
            (nodes_have_one_status,),
            changed=also(reconnect_node, stay_silent),
            sizes=SILENT,
            is_long=True,
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
