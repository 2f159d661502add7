from typing import Any

from nomadspec.invariants.kernel.lemmas.collection import only_operators_delete_outstanding_evals
from nomadspec.model.kernel.statuses import Record
from nomadspec.model.kernel.worker import begin
from nomadspec.model.language.domain import Id
from tests.invariants.kernel.deviations import ALONE, Deviation, Matrix, also


def delete_records(_s: Any, t: Any, _worker: Id, _job: Id) -> None:
    t.record = Record.ABSENT


MATRIX = Matrix(
    {
        "a record vanishes while a worker looks at its evaluation": Deviation(
            (only_operators_delete_outstanding_evals,), changed=also(begin, delete_records), sizes=ALONE
        ),
    }
)

test_a_deviation_breaks_a_property_that_holds_without_it = MATRIX.make_test()
