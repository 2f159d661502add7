from typing import Any

from nomadspec.invariants.kernel.stale_servers import snapshot_is_the_state_of_one_server
from nomadspec.model.kernel.worker import begin
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil


def see_no_node(_s: Any, t: Any, worker: Id, _job: Id) -> None:
    t.seen[worker].node_up = False


MATRIX = Matrix(
    {
        "a snapshot shows no node": Deviation(
            (snapshot_is_the_state_of_one_server,), changed=also(begin, see_no_node), sizes=ALONE
        ),
        **{
            f"a snapshot has not the {column} of the job": Deviation(
                (snapshot_is_the_state_of_one_server,),
                changed=spoil(begin, f"seen.{column}", none, "worker", *alloc),
                sizes={**ALONE, "evals": 3, **sizes},
            )
            for column, none, alloc, sizes in (
                ("job_phase", 0, (), {}),
                ("job_version", 0, (), {"updates": 1}),
                ("job_base", 0, (), {"updates": 2, "in_place_updates": 1}),
                ("job_ask", 0, (), {"updates": 1, "in_place_updates": 1, "extra_ask": 1}),
                ("alloc_version", 0, (0,), {"evals": 4, "updates": 2}),
                ("migrate", False, (0,), {"migrations": 1}),
            )
        },
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
