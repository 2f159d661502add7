"""Plans are shown with numbers in the place of jobs."""

from nomadspec.checkers.oracle.families.scheduler_reading import Jobs
from nomadspec.checkers.oracle.families.scheduler_showing import find_number, list_evals, show_plan
from nomadspec.model.cluster.entities import Plan
from nomadspec.model.cluster.scheduler.outcome import Outcome
from tests.model.cluster.scheduler.made import make_alloc, make_eval, make_job

JOBS = Jobs([make_job(version=0), make_job(version=1), make_job(version=1)])


def test_a_job_is_the_first_document_that_equals_it() -> None:
    assert find_number(make_job(version=1), JOBS) == 1
    assert find_number(None, JOBS) is None
    assert find_number(make_job(version=9), JOBS) == -1


def test_a_plan_keeps_nodes_without_anything() -> None:
    plan = Plan(job=make_job(), node_update={"n": ()}, node_allocation={"n": (make_alloc(job=make_job()),)})

    shown = show_plan(plan, JOBS)

    assert shown["JobRef"] == 0
    assert shown["NodeUpdate"] == {"n": []}
    assert shown["NodeAllocation"]["n"][0]["JobRef"] == 0


def test_evaluations_are_listed_by_how_they_were_written() -> None:
    outcome = Outcome(updated_evals=(make_eval(),))

    assert list_evals(outcome) == {"created_evals": [], "updated_evals": [make_eval()], "reblocked_evals": []}
