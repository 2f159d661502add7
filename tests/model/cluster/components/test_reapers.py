from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.components.reapers import (
    CANCEL_BATCH,
    FOLLOW_UP_WAIT_NS,
    cancel_cancelable,
    cancel_duplicates,
    compute_modify_time_ns,
    fail_undeliverable,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.components.deploying import make_job
from tests.model.cluster.components.evals import S, ev

STATE = State.of(jobs=[make_job()])


def test_the_time_of_a_write_is_after_the_creation() -> None:
    """EVAL-32."""
    assert [7, 6, 6] == [compute_modify_time_ns(ev("a", create_time_ns=5), now) for now in (7, 5, 2)]


def test_what_cannot_be_delivered_fails_and_is_followed_up() -> None:
    """LEADER-21, LEADER-22, LEADER-23."""
    entry = ev("a", priority=70, job_modify_index=4)
    failed, follow_up = fail_undeliverable(STATE, entry, 3, 9, "b", 61 * S)

    assert ("failed", "evaluation reached delivery limit (3)", "b") == (
        failed.status,
        failed.status_description,
        failed.next_eval,
    )
    assert ("failed-follow-up", "a", 61 * S, 70, 4) == (
        follow_up.triggered_by,
        follow_up.previous_eval,
        follow_up.wait_ns,
        follow_up.priority,
        follow_up.job_modify_index,
    )
    assert 61 * S in FOLLOW_UP_WAIT_NS
    assert 360 * S not in FOLLOW_UP_WAIT_NS


def test_nothing_follows_for_a_job_that_is_gone_or_for_the_core() -> None:
    """LEADER-22, LEADER-24."""
    (failed,) = fail_undeliverable(STATE, ev("a", "gone"), 3, 9, "b", 0)

    assert "" == failed.next_eval
    assert () == fail_undeliverable(STATE, ev("a", type="_core"), 3, 9, "b", 0)


def test_what_gave_way_is_canceled() -> None:
    """LEADER-30, LEADER-40, TRIG-27, 02/S13."""
    (duplicate,) = cancel_duplicates([ev("a", status="blocked")], 9)
    broker = Broker(
        cancelable=(ev("a", type="_core"),) * (CANCEL_BATCH + 1), settings=BrokerSettings(profile=NOMAD_2_0)
    )
    left, canceled = cancel_cancelable(broker, 9)

    assert ("canceled", 'existing blocked evaluation exists for job "j"', 9) == (
        duplicate.status,
        duplicate.status_description,
        duplicate.modify_time_ns,
    )
    assert ("canceled", "canceled after more recent eval was processed") == (
        canceled[0].status,
        canceled[0].status_description,
    )
    assert (1, 728) == (len(left.cancelable), len(canceled))
