from nomadspec.model.cluster.components.broker import drop_waiting, pause_nack_timer
from nomadspec.model.cluster.components.broker_clock import elapse, list_alarms
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.components.evals import S, ev, give, list_ready, start, take


def test_a_delay_ends_to_the_nanosecond() -> None:
    """BROKER-04."""
    broker = give(start(), ev("a", wait_ns=5 * S), now_ns=2 * S)

    assert broker == elapse(broker, 7 * S - 1)
    assert ["a"] == list_ready(elapse(broker, 7 * S))
    assert 0 == elapse(broker, 7 * S).waiting_count


def test_a_delivery_that_is_not_answered_comes_back() -> None:
    """BROKER-32: by a nack, whose delay counts from then."""
    broker = elapse(take(give(start(), ev("a"))), 60 * S)

    assert not broker.unack
    assert 61 * S == broker.waits["a"].due_ns


def test_a_paused_timer_never_fires() -> None:
    """BROKER-31."""
    broker = pause_nack_timer(take(give(start(), ev("a"))), "a", "t").broker

    assert [] == list(list_alarms(broker))


def test_dates_come_in_their_order_and_a_past_one_at_once() -> None:
    """BROKER-04, BROKER-10."""
    broker = give(
        start(),
        ev("late", "j1", wait_until_ns=9 * S),
        ev("soon", "j2", wait_until_ns=4 * S),
        ev("past", "j3", wait_until_ns=1 * S),
        now_ns=2 * S,
    )

    assert ["past"] == list_ready(elapse(broker, 2 * S))
    assert ["past", "soon"] == sorted(list_ready(elapse(broker, 8 * S)))
    assert 0 == elapse(broker, 9 * S).waiting_count


def test_what_was_called_off_while_the_watcher_slept_on_it_fires_with_the_quirk() -> None:
    """02/S5: and the count of what waits goes down twice."""
    for profile, expected in [({}, (["a"], -1)), ({"profile": INTENDED}, ([], 0))]:
        broker = drop_waiting(give(start(**profile), ev("a", wait_until_ns=4 * S)), "a")
        broker = elapse(broker, 4 * S)

        assert expected == (list_ready(broker), broker.waiting_count)
        assert "a" not in broker.known


def test_another_date_makes_the_watcher_look_again() -> None:
    """02/S5, BROKER-10."""
    broker = drop_waiting(give(start(), ev("a", wait_until_ns=4 * S)), "a")
    broker = elapse(give(broker, ev("b", "k", wait_until_ns=6 * S)), 5 * S)

    assert [] == list_ready(broker)
    assert ["b"] == list_ready(elapse(broker, 6 * S))
