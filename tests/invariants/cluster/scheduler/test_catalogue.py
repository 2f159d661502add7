"""The catalogue of properties of decisions."""

from nomadspec.invariants.cluster.scheduler import PROPERTIES
from tests.invariants.cluster.scheduler.made import make_decision


def test_nothing_is_wrong_with_a_decision_that_changes_nothing() -> None:
    assert 27 == len(PROPERTIES)
    assert [] == [problem for each in PROPERTIES.values() for problem in each(make_decision(job_id="gone"))]
