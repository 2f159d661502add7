from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from nomadspec.model.cluster.components import broker as actions
from nomadspec.model.cluster.components.broker import Reply
from nomadspec.model.cluster.components.broker_clock import elapse
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings, list_candidate_queues
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.components.evals import S, ev, give, list_behind, list_ready, start, take


def test_a_disabled_broker_takes_nothing() -> None:
    """BROKER-01."""
    assert Broker(settings=BrokerSettings(profile=NOMAD_2_0)) == give(
        Broker(settings=BrokerSettings(profile=NOMAD_2_0)), ev("a")
    )


def test_an_eval_that_is_known_is_ignored() -> None:
    """BROKER-02."""
    broker = give(start(), ev("a"))

    assert broker == give(broker, ev("a", priority=99))


def test_a_token_keeps_an_eval_for_the_time_after_the_ack() -> None:
    """BROKER-03, BROKER-36: it starts anew, behind the one that became ready first."""
    broker = take(give(start(), ev("a"), ev("b")))
    broker = actions.enqueue(broker, ev("a", modify_index=7), 0, "t")
    after = actions.ack(broker, "a", "t", 0).broker

    assert ["b"] == list_ready(after)
    assert ["a"] == list_behind(after)
    assert {"a": 0, "b": 0} == dict(after.known.items())


def test_another_token_keeps_nothing() -> None:
    """BROKER-03."""
    broker = take(give(start(), ev("a")))

    assert broker == actions.enqueue(broker, ev("a"), 0, "other")


def test_a_delay_goes_before_a_date() -> None:
    """BROKER-04."""
    broker = give(start(), ev("a", wait_ns=5, wait_until_ns=3))

    assert ["a"] == list(broker.waits.keys())
    assert () == broker.delayed


def test_what_waits_does_not_occupy_its_job() -> None:
    """BROKER-05."""
    broker = give(start(), ev("a", wait_ns=5), ev("b"))

    assert ["b"] == list_ready(broker)
    assert 1 == broker.waiting_count


def test_the_slot_is_kept_through_nacks() -> None:
    """BROKER-07."""
    broker = actions.nack(take(give(start(), ev("a"))), "a", "t", 0).broker
    broker = give(broker, ev("b"))

    assert [] == list_ready(broker)
    assert ["b"] == list_behind(broker)


def test_namespaces_do_not_block_one_another() -> None:
    """BROKER-07."""
    broker = give(start(), ev("a"), ev("b", namespace="other"))

    assert {"a", "b"} == set(list_ready(broker))


def test_an_ack_makes_the_others_of_the_job_cancelable() -> None:
    """BROKER-36, TRIG-27: one goes on, all others may be canceled, and stay known."""
    evals = [ev(name, modify_index=index) for name, index in [("b", 2), ("c", 4), ("d", 3)]]
    broker = take(give(start(), ev("a"), *evals))
    after, taken = actions.take_cancelable(actions.ack(broker, "a", "t", 0).broker, 9)

    assert ["c"] == list_ready(after)
    assert {"b", "d"} == {entry.id for entry in taken}
    assert {"b", "c", "d"} == set(after.known.keys())


def test_what_is_pending_is_kept_by_its_priority_or_its_age() -> None:
    """02/S2."""
    for profile, kept in [({}, "urgent"), ({"profile": INTENDED}, "new")]:
        broker = take(give(start(**profile), ev("a"), ev("urgent", priority=90), ev("new", modify_index=5)))

        assert [kept] == list_ready(actions.ack(broker, "a", "t", 0).broker)


def test_errors_of_ack_and_nack_consume_what_was_kept() -> None:
    """BROKER-35, BROKER-40."""
    broker = take(give(start(), ev("a")))
    broker = actions.enqueue(broker, ev("a"), 0, "t")
    late = actions.pause_nack_timer(broker, "a", "t").broker

    for end in (actions.ack, actions.nack):
        assert "Evaluation ID not found" == end(broker, "x", "t", 0).error
        assert "Token does not match for Evaluation ID" == end(broker, "a", "u", 0).error
        assert not end(broker, "x", "t", 0).broker.requeue
    assert "Evaluation ID Ack'd after Nack timer expiration" == actions.ack(late, "a", "t", 0).error


def test_the_timer_of_a_delivery() -> None:
    """BROKER-30, BROKER-31, 02/S9: a reset that says that it is too late sets the timer all the same."""
    broker = take(give(start(), ev("a")))
    paused = actions.pause_nack_timer(broker, "a", "t").broker
    reset = actions.reset_nack_timer(paused, "a", "t", 5 * S)

    assert None is paused.unack["a"].nack_at_ns
    assert actions.TIMED_OUT == actions.pause_nack_timer(paused, "a", "t").error
    assert actions.TIMED_OUT == reset.error
    assert 65 * S == reset.broker.unack["a"].nack_at_ns
    assert 61 * S == actions.resume_nack_timer(paused, "a", "t", S).broker.unack["a"].nack_at_ns
    assert actions.OTHER_TOKEN == actions.resume_nack_timer(paused, "a", "u", 0).error
    assert actions.NOT_OUTSTANDING == actions.reset_nack_timer(paused, "b", "t", 0).error


def test_three_nacks_end_in_the_queue_of_failures() -> None:
    """BROKER-40, BROKER-41, BROKER-42."""
    broker, now_ns = give(start(), ev("a")), 0
    waited: list[int] = []
    for token in "123":
        broker = actions.nack(take(broker, token, now_ns=now_ns), "a", token, now_ns).broker
        waited.extend(waiting.due_ns - now_ns for waiting in broker.waits.values())
        now_ns += 60 * S
        broker = elapse(broker, now_ns)

    assert [1 * S, 20 * S] == waited
    assert ["a"] == list_ready(broker, "_failed")
    again = actions.nack(take(broker, "4", "_failed"), "a", "4", 0).broker
    assert ["a"] == list_ready(again, "_failed")


def test_deliveries_of_failures_are_booked_oddly() -> None:
    """BROKER-53: a nack is booked on the type of the eval, an ack on the queue of failures."""
    broker = actions.nack(take(give(start(delivery_limit=1), ev("a"))), "a", "t", 0).broker
    broker = take(broker, "u", "_failed")

    nacked = actions.nack(broker, "a", "u", 0).broker
    assert [-1, 1] == [nacked.queues[name].unacked for name in ("service", "_failed")]
    acked = actions.ack(broker, "a", "u", 0).broker
    assert [0, 0] == [acked.queues[name].unacked for name in ("service", "_failed")]


def test_the_delay_of_a_nack_stays_in_the_eval_with_the_quirk() -> None:
    """02/S7."""
    for profile, leaked_ns in [({}, S), ({"profile": INTENDED}, 0)]:
        broker = actions.nack(take(give(start(**profile), ev("a"))), "a", "t", 0).broker

        assert leaked_ns == broker.waits["a"].eval.wait_ns


def test_calling_off_counts_down_what_never_waited() -> None:
    """BROKER-50."""
    broker = actions.drop_waiting(give(start(), ev("a")), "a")

    assert -1 == broker.waiting_count
    assert not broker.known
    assert broker == actions.drop_waiting(broker, "a")


def test_switching_off_forgets_all_but_what_dead_tokens_keep() -> None:
    """BROKER-52."""
    broker = take(give(start(), ev("a"), ev("b"), ev("c", "k", wait_ns=4)))
    broker = actions.disable(actions.enqueue(broker, ev("a"), 0, "t"))

    assert Broker(requeue=broker.requeue, settings=BrokerSettings(profile=NOMAD_2_0)) == broker
    assert ["t"] == list(broker.requeue.keys())


NAMES = [f"e{number}" for number in range(6)]


class BrokerMachine(RuleBasedStateMachine):
    """Anything that may be done with a broker: the invariants of chapter 02 hold all along."""

    def __init__(self) -> None:
        super().__init__()
        self.broker = start(delivery_limit=2)
        self.now_ns = 0
        self.tokens = 0

    @rule(name=st.sampled_from(NAMES), job=st.sampled_from("jk"), wait_s=st.sampled_from([0, 0, 3]))
    def enqueue(self, name: str, job: str, wait_s: int) -> None:
        """Hand over an eval."""
        self.keep(give(self.broker, ev(name, job, wait_ns=wait_s * S), now_ns=self.now_ns))

    @rule(queue=st.sampled_from(["service", "_failed"]))
    def dequeue(self, queue: str) -> None:
        """Ask for work."""
        for name in list_candidate_queues(self.broker, [queue]):
            self.tokens += 1
            self.keep(take(self.broker, f"t{self.tokens}", name, self.now_ns))

    @rule(end=st.sampled_from([actions.ack, actions.nack]), name=st.sampled_from(NAMES))
    def end_delivery(self, end: Callable[..., Reply], name: str) -> None:
        """End a delivery well or badly."""
        token = actions.find_token(self.broker, name) or "none"
        self.keep(end(self.broker, name, token, self.now_ns).broker)

    @rule(passed_s=st.sampled_from([1, 20, 70]))
    def wait(self, passed_s: int) -> None:
        """Let time pass."""
        self.now_ns += passed_s * S
        self.keep(elapse(self.broker, self.now_ns))

    def keep(self, broker: Broker) -> None:
        """Go on with a broker that is still in order."""
        assert_partition(broker)
        assert_one_out(broker)
        self.broker = broker


def assert_partition(broker: Broker) -> None:
    """Each known eval is in one place; what is cancelable is one more place."""
    queues = [entry.id for queue in broker.queues.values() for entry in queue.ready]
    behind = [entry.id for heap in broker.pending.values() for entry in heap]
    cancelable = [entry.id for entry in broker.cancelable]
    places = [*queues, *behind, *cancelable, *broker.unack.keys(), *broker.waits.keys()]

    assert sorted(broker.known.keys()) == sorted(places)


def assert_one_out(broker: Broker) -> None:
    """At most one eval of a job is ready or delivered, and its job is taken by it."""
    out = [entry for queue in broker.queues.values() for entry in queue.ready]
    out += [delivery.eval for delivery in broker.unack.values()]

    assert len({entry.job_id for entry in out}) == len(out)
    assert all(broker.slots[entry.namespace, entry.job_id] == entry.id for entry in out)


def test_whatever_is_done_the_broker_keeps_order() -> None:
    """Invariants 1 and 2 of chapter 02."""
    run_state_machine_as_test(BrokerMachine, settings=settings(max_examples=30, stateful_step_count=30))
