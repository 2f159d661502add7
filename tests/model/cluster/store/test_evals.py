"""Entries about evaluations."""

from nomadspec.model.cluster.entities import AllocMetric, SchedulerConfiguration
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.handed_to_leader import Enqueue, Untrack
from nomadspec.model.cluster.store.requests import EvalDelete, EvalUpdate
from tests.model.cluster.store.made import (
    KEY,
    do,
    make_alloc,
    make_eval,
    need,
    register,
    update_evals,
    with_rows,
)


def test_a_write_replaces_all_but_the_index_of_the_creation() -> None:
    """EVAL-33."""
    state = update_evals(register(), make_eval(status_description="old"), index=5).state
    after = update_evals(state, make_eval(create_index=99), index=6).state.evals["e1"]

    assert (5, 6, "") == (after.create_index, after.modify_index, after.status_description)


def test_a_complete_one_cancels_the_blocked_ones_of_its_job() -> None:
    """EVAL-35, TRIG-28."""
    blocked = make_eval(id="b", status="blocked")
    other = make_eval(id="c", status="blocked", job_id="other")
    state = with_rows(register(), evals=(blocked, other))
    after = update_evals(state, make_eval(status="complete", modify_time_ns=8)).state

    assert ("canceled", 'evaluation "e1" successful', 10, 8) == (
        after.evals["b"].status,
        after.evals["b"].status_description,
        after.evals["b"].modify_index,
        after.evals["b"].modify_time_ns,
    )
    assert "blocked" == after.evals["c"].status


def test_one_that_could_not_place_all_cancels_nothing() -> None:
    state = with_rows(register(), evals=(make_eval(id="b", status="blocked"),))
    after = update_evals(state, make_eval(status="complete", failed_tg_allocs={"g": AllocMetric()})).state

    assert "blocked" == after.evals["b"].status


def test_a_blocked_one_that_completes_ends_complete() -> None:
    state = with_rows(register(), evals=(make_eval(status="blocked"),))

    assert "complete" == update_evals(state, make_eval(status="complete")).state.evals["e1"].status


def test_the_status_of_the_job_follows() -> None:
    """JOB-32."""
    assert "dead" == need(update_evals(register(), make_eval(status="complete")).state.find_job(*KEY)).status


def test_all_are_handed_over_in_order() -> None:
    """FSM-02."""
    handed = update_evals(register(), make_eval(), make_eval(id="e2", status="complete")).handed

    assert [Enqueue, Untrack] == [type(thing) for thing in handed]


def test_an_entry_without_evaluations_moves_no_index() -> None:
    """TRIG-09."""
    assert 0 == do(register(), EvalUpdate()).state.index_of("evals")


def delete(state: State, **fields: object) -> State:
    return do(state, EvalDelete(**fields)).state  # type: ignore[arg-type]  # named by each test


def test_deletion_skips_what_is_missing_and_moves_only_what_it_deletes_from() -> None:
    """GC-91."""
    state = with_rows(register(), (make_alloc(),), (make_eval(),))
    after = delete(state, evals=("e1", "missing"), allocs=("missing",))

    assert (0, 1) == (len(after.evals), len(after.allocs))
    assert (10, 0) == (after.index_of("evals"), after.index_of("allocs"))
    assert 10 == delete(state, allocs=("a1",)).index_of("allocs")


def test_links_to_what_was_deleted_stay() -> None:
    """EVAL-27, OBJ-017: links and references dangle."""
    linked = make_eval(id="e2", previous_eval="e1", next_eval="e1", blocked_eval="e1")
    state = with_rows(register(), (make_alloc(eval_id="e1"),), (make_eval(), linked))
    after = delete(state, evals=("e1",))

    assert linked == need(after.find_eval("e2"))
    assert "e1" == need(after.find_alloc("a1")).eval_id


def test_a_job_without_evaluations_left_is_dead() -> None:
    """GC-91, OBJ-051."""
    state = with_rows(register(), evals=(make_eval(),))

    assert "dead" == need(delete(state, evals=("e1",)).find_job(*KEY)).status


def test_an_operator_has_to_pause_the_broker_first() -> None:
    """EVAL-47."""
    state = with_rows(register(), evals=(make_eval(),))
    request = EvalDelete(evals=("e1",), user_initiated=True)

    assert "must be paused" in need(do(state, request).error)
    paused = State.of(configuration=SchedulerConfiguration(pause_eval_broker=True), evals=[make_eval()])
    assert 0 == len(do(paused, request).state.evals)
