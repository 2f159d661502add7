from typing import Any

from nomadspec.invariants.kernel.stale_servers import snapshot_is_the_state_of_one_server
from nomadspec.model.kernel.worker import begin
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also


def see_no_node(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.seen[worker].node_up = False


MATRIX = Matrix(
    {
        "a snapshot shows no node": Deviation(
            (snapshot_is_the_state_of_one_server,), changed=also(begin, see_no_node), sizes=ALONE
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
