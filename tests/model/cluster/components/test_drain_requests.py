from itertools import count

from nomadspec.model.cluster.components.drain_requests import MOST_IDS, make_ends, make_marks, split_marks
from nomadspec.model.cluster.entities import DesiredTransition, Evaluation
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition, BatchNodeUpdateDrain
from tests.model.cluster.components.draining import make_alloc, make_job, make_node, make_state

WEB, CRUNCH = make_job(), make_job("crunch", "batch")


def test_each_job_gets_one_eval_and_batch_jobs_no_replacement() -> None:
    """DRAIN-10, TRIG-11."""
    state = make_state([make_node()], [make_alloc("a", WEB), make_alloc("b", WEB), make_alloc("c", CRUNCH)])
    ids = count()
    (request,) = make_marks(state, {"b", "a", "c", "gone"}, 7, lambda: f"e{next(ids)}")

    assert isinstance(request, AllocUpdateDesiredTransition)
    plain, batch = (
        DesiredTransition(migrate=True),
        DesiredTransition(migrate=True, migrate_disable_placement=True),
    )
    assert {"a": plain, "b": plain, "c": batch} == request.allocs
    assert [("crunch", "batch"), ("web", "service")] == [(each.job_id, each.type) for each in request.evals]
    assert {("node-drain", "pending", 7, 0)} == {
        (each.triggered_by, each.status, each.create_time_ns, each.job_modify_index) for each in request.evals
    }


def test_nobody_to_tell_is_no_entry() -> None:
    """DRAIN-10."""
    assert () == make_marks(make_state([], []), {"gone"}, 7, str)


def test_entries_name_so_many_objects_and_evals_come_when_all_allocs_are_named() -> None:
    """DRAIN-15."""
    many = {f"{at:05}": DesiredTransition(migrate=True) for at in range(MOST_IDS + 2)}
    evals = tuple(Evaluation(id=str(at)) for at in range(MOST_IDS))
    requests = [each for each in split_marks(many, evals) if isinstance(each, AllocUpdateDesiredTransition)]

    assert [(MOST_IDS, 0), (2, MOST_IDS - 2), (0, 2)] == [
        (len(each.allocs), len(each.evals)) for each in requests
    ]
    assert list(evals) == [each for request in requests for each in request.evals]


def test_ended_drains_leave_the_node_closed_and_say_whether_time_was_up() -> None:
    """DRAIN-12, DRAIN-13."""
    (late,) = make_ends(["n1"], 7_000_000_000, is_late=True)
    (request,) = make_ends(["n1"], 7_000_000_000, is_late=False)

    assert isinstance(late, BatchNodeUpdateDrain)
    assert isinstance(request, BatchNodeUpdateDrain)
    update, event = request.updates["n1"], request.node_events["n1"]
    assert update is not None
    assert (None, False, 7) == (update.drain_strategy, update.mark_eligible, request.updated_at_s)
    assert event is not None
    assert ("Node drain complete", {}) == (event.message, event.details)
    assert [{"deadline_reached": "true"}] == [each.details for each in late.node_events.values() if each]
    assert () == make_ends([], 7, is_late=False)
    assert 2 == len(make_ends([str(at) for at in range(MOST_IDS + 1)], 7, is_late=False))
