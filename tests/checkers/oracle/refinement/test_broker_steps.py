"""The kernel's steps for each operation of a broker."""

from collections.abc import Callable

import pytest

from nomadspec.checkers.oracle.refinement import broker_steps as steps
from nomadspec.checkers.oracle.refinement.broker_sight import assign, list_entries, look, put_on_stage
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.model.cluster.components import broker as actions
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.refinement.test_broker_sight import FIRST, LATER, SECOND, broker_with, eval_of

DELIVERED = actions.dequeue(broker_with(FIRST, SECOND), "service", "T1", 0)[0]


def agrees(before: Broker, after: Broker, act: steps.Act) -> bool:
    staged = put_on_stage(before, assign([*list_entries(before), *list_entries(after)]), NOMAD_2_0)
    return act(staged) and staged.see() == look(after)


@pytest.mark.parametrize(
    ("before", "do", "act"),
    [
        (broker_with(FIRST), lambda b: actions.enqueue(b, SECOND, 0), lambda b: steps.enqueue(b, SECOND, "")),
        (broker_with(), lambda b: actions.enqueue(b, LATER, 0), lambda b: steps.enqueue(b, LATER, "")),
        (DELIVERED, lambda b: actions.enqueue(b, FIRST, 0, "T1"), lambda b: steps.enqueue(b, FIRST, "T1")),
        (
            DELIVERED,
            lambda b: actions.ack(b, "e1", "T1", 0).broker,
            lambda b: steps.answer_ack(b, "e1", "T1"),
        ),
        (
            DELIVERED,
            lambda b: actions.ack(b, "e1", "no", 0).broker,
            lambda b: steps.answer_ack(b, "e1", "no"),
        ),
        (
            DELIVERED,
            lambda b: actions.nack(b, "e1", "T1", 0).broker,
            lambda b: steps.answer_nack(b, "e1", "T1"),
        ),
        (DELIVERED, actions.disable, lambda b: steps.switch(b, is_on=False)),
        (DELIVERED, actions.enable, lambda b: steps.switch(b, is_on=True)),
    ],
)
def test_the_kernel_does_the_same(
    before: Broker, do: Callable[[Broker], Broker], act: Callable[[Broker], steps.Act]
) -> None:
    assert agrees(before, do(before), act(before))


def test_a_step_that_is_another_is_noticed() -> None:
    after = actions.ack(DELIVERED, "e1", "T1", 0).broker

    assert not agrees(DELIVERED, after, steps.answer_nack(DELIVERED, "e1", "T1"))
    assert not agrees(DELIVERED, DELIVERED, steps.dequeue(DELIVERED, "e2", ["service"]))


def test_nothing_to_deliver_must_be_nothing_to_the_kernel_too() -> None:
    ready = broker_with(FIRST)

    assert not agrees(ready, ready, steps.dequeue(ready, "", ["service"]))
    assert agrees(ready, ready, steps.dequeue(ready, "", ["batch"]))


def test_an_ack_while_the_clock_rests_has_no_words() -> None:
    paused = actions.pause_nack_timer(DELIVERED, "e1", "T1").broker

    with pytest.raises(Outside, match="stands still"):
        agrees(paused, paused, steps.answer_ack(paused, "e1", "T1"))


def test_a_delivery_at_the_limit_is_reaped() -> None:
    spent = actions.enable(Broker(settings=BrokerSettings(delivery_limit=1, profile=NOMAD_2_0)))
    once = actions.dequeue(actions.enqueue(spent, FIRST, 0), "service", "T1", 0)[0]
    failed = actions.nack(once, "e1", "T1", 0).broker
    taken = actions.dequeue(failed, "_failed", "T2", 0)[0]

    assert agrees(failed, taken, steps.dequeue(failed, "e1", ["_failed"]))
    assert agrees(taken, actions.ack(taken, "e1", "T2", 0).broker, steps.answer_ack(taken, "e1", "T2"))
    with pytest.raises(Outside, match="reached the delivery limit"):
        agrees(taken, taken, steps.expire(taken, "e1"))


def test_the_delay_grows_with_the_deliveries() -> None:
    broker = broker_with(eval_of("e"))

    assert [1, 20, 40] == [steps.compute_delay_ns(broker, number) // 10**9 for number in (1, 2, 3)]


def test_calling_off_what_is_not_next_has_no_words() -> None:
    broker = broker_with(eval_of("e1", wait_until_ns=5), eval_of("e2", wait_until_ns=9))

    assert agrees(broker, actions.drop_waiting(broker, "e1"), steps.drop_waiting(broker, "e1"))
    with pytest.raises(Outside, match="not the next"):
        agrees(broker, actions.drop_waiting(broker, "e2"), steps.drop_waiting(broker, "e2"))
