from nomadspec.model.cluster.components.blocked import unblock
from nomadspec.model.cluster.components.broker import NOT_OUTSTANDING, OTHER_TOKEN, ack
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.components.deliveries import (
    KNOWN,
    OTHER_STATUS,
    UNKNOWN,
    compute_wait_index,
    create_eval,
    has_stale_summary,
    reblock_eval,
    sign,
    update_eval,
)
from nomadspec.model.cluster.components.leader_memory import Memory, process_next, set_enabled
from nomadspec.model.cluster.entities import JobSummary, TaskGroupSummary
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.components.evals import S, ev, give, list_ready, take

ENTRY = ev("a", status="blocked", snapshot_index=4)
STATE = State.of(evals=[ENTRY, ev("done", modify_index=8)])


def hold() -> Memory:
    on = set_enabled(
        Memory(broker=Broker(settings=BrokerSettings(profile=NOMAD_2_0))), State.of(), 0, is_enabled=True
    )
    return Memory(broker=take(give(on.broker, ENTRY)), blocked_evals=on.blocked_evals)


def test_a_worker_waits_for_all_that_was_written_of_the_evals_of_a_job() -> None:
    """WORKER-05."""
    assert 8 == compute_wait_index(STATE, ENTRY)
    assert 9 == compute_wait_index(STATE, ev("a", modify_index=9))
    assert 3 == compute_wait_index(State.of(), ev("a", modify_index=3))


def test_an_eval_is_signed_with_what_its_worker_saw() -> None:
    """EVAL-32."""
    signed = sign(ENTRY, 5, 7)

    assert (5, 7) == (signed.snapshot_index, signed.modify_time_ns)


def test_only_who_holds_the_delivery_writes() -> None:
    """EVAL-12, EVAL-32: and the time of the delivery begins anew."""
    further = ev("b", previous_eval="a")
    answers = [
        update_eval(hold(), ENTRY, "t", 5 * S),
        create_eval(hold(), STATE, further, "t", 5 * S),
    ]

    assert [ENTRY, further] == [answer.written for answer in answers]
    assert [65 * S] * 2 == [answer.memory.broker.unack["a"].nack_at_ns for answer in answers]
    assert OTHER_TOKEN == update_eval(hold(), ENTRY, "u", 0).error
    assert NOT_OUTSTANDING == create_eval(hold(), STATE, ev("b", previous_eval="x"), "t", 0).error
    assert KNOWN == create_eval(hold(), STATE, ev("done", previous_eval="a"), "t", 0).error


def test_a_blocked_eval_goes_back_to_blocked_evals_and_nothing_is_written() -> None:
    """EVAL-36, WORKER-30."""
    answer = reblock_eval(hold(), STATE, ENTRY, "t", 0)

    assert (None, "") == (answer.written, answer.error)
    assert ["a"] == list(process_next(answer.memory, 0).blocked_evals.captured.keys())
    assert UNKNOWN == reblock_eval(hold(), State.of(), ENTRY, "t", 0).error
    pending = State.of(evals=[ev("a", status="pending")])
    assert OTHER_STATUS == reblock_eval(hold(), pending, ENTRY, "t", 0).error


def test_what_became_free_before_the_ack_brings_the_eval_back() -> None:
    """WORKER-32."""
    memory = reblock_eval(hold(), STATE, ENTRY, "t", 0).memory
    missed = Memory(broker=memory.broker, blocked_evals=unblock(memory.blocked_evals, "c", 5, 0))
    after = process_next(missed, 0)

    assert ["t"] == list(after.broker.requeue.keys())
    assert ["a"] == list_ready(ack(after.broker, "a", "t", 0).broker)


def test_a_summary_that_counts_otherwise_is_mended_first() -> None:
    """WORKER-30, WORKER-31."""
    summary = JobSummary(namespace="default", job_id="j", summary={"g": TaskGroupSummary(queued=2)})
    state = State.of(job_summaries=[summary])

    assert not has_stale_summary(state, ENTRY)
    assert not has_stale_summary(state, ev("a", queued_allocations={"g": 2, "other": 5}))
    assert has_stale_summary(state, ev("a", queued_allocations={"g": 1}))
    assert not has_stale_summary(State.of(), ev("a", queued_allocations={"g": 1}))
