from typing import Any

from nomadspec.invariants.kernel.stale_servers import (
    stale_servers_show_the_job,
    usable_stale_server_shows_past_allocs,
)
from nomadspec.invariants.kernel.worker import snapshot_shows_work_of_earlier_evals
from nomadspec.model.kernel.jobs import update_job
from nomadspec.model.kernel.stale_servers import catch_up
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also, spoil

BEHIND = {**ALONE, "stale_server_count": 1, "deliveries": 1, "attempts": 1}


def keep_readable(_s: Any, t: Any, job: Id) -> None:
    t.stale_usable[0, job] = True


MATRIX = Matrix(
    {
        "a server that is behind does not apply that batch work is done": Deviation(
            (usable_stale_server_shows_past_allocs, snapshot_shows_work_of_earlier_evals),
            changed=spoil(catch_up, "stale.disconnect_phase", 0, "server", 0),
            sizes={**BEHIND, "kinds": 1, "reports": 1, "evals": 2, "external_triggers": 1},
        ),
        "a server behind is read though the job has changed": Deviation(
            (stale_servers_show_the_job,),
            changed=also(update_job, keep_readable),
            sizes={**ALONE, "updates": 1, "stale_server_count": 1},
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test(every=3)
