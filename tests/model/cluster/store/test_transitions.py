"""The entry that asks allocations to move: ALLOC-15."""

from nomadspec.model.cluster.entities import DesiredTransition
from nomadspec.model.cluster.store.handed_to_leader import Enqueue
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition
from tests.model.cluster.store.made import KEY, do, make_alloc, make_eval, need, register, with_rows


def test_known_allocs_are_asked_and_the_evaluations_are_written() -> None:
    request = AllocUpdateDesiredTransition(
        allocs={"a1": DesiredTransition(migrate=True), "gone": DesiredTransition(), "a2": None},
        evals=(make_eval(status="complete"), make_eval(id="e2")),
    )
    state = with_rows(register(), (make_alloc(), make_alloc(id="a2")))
    applied = do(state, request)

    assert need(applied.state.find_alloc("a1")).desired_transition.migrate
    assert 0 == need(applied.state.find_alloc("a2")).modify_index
    assert {"e1", "e2"} == set(applied.state.evals)
    assert Enqueue in [type(thing) for thing in applied.handed]


def test_the_status_of_the_job_does_not_follow() -> None:
    """JOB-32."""
    request = AllocUpdateDesiredTransition(evals=(make_eval(status="complete"),))

    assert "pending" == need(do(register(), request).state.find_job(*KEY)).status


def test_an_empty_request_moves_the_index_of_allocs() -> None:
    assert 10 == do(register(), AllocUpdateDesiredTransition()).state.index_of("allocs")
