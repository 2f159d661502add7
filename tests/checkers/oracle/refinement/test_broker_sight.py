"""A broker as the kernel sees it."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.broker_sight import (
    Sighting,
    assign,
    list_entries,
    look,
    put_on_stage,
)
from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.model.cluster.components.broker import dequeue, enable, enqueue, nack
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.kernel.statuses import InBroker
from nomadspec.model.specification.profiles import NOMAD_2_0


def eval_of(
    name: str, job: str = "j", index: int = 1, wait_ns: int = 0, wait_until_ns: int = 0
) -> Evaluation:
    return Evaluation(
        id=name,
        job_id=job,
        type="service",
        modify_index=index,
        create_index=index,
        wait_ns=wait_ns,
        wait_until_ns=wait_until_ns,
    )


def broker_with(*entries: Evaluation) -> Broker:
    broker = enable(Broker(settings=BrokerSettings(profile=NOMAD_2_0)))
    for entry in entries:
        broker = enqueue(broker, entry, 0)
    return broker


FIRST, SECOND, LATER = eval_of("e1"), eval_of("e2", index=2), eval_of("e3", wait_ns=5)


def test_each_evaluation_is_seen_in_its_place() -> None:
    delivered, _ = dequeue(broker_with(FIRST, SECOND, LATER), "service", "T1", 0)

    assert {
        "e1": Sighting(place=InBroker.UNACKED, delivered=1, is_held=True),
        "e2": Sighting(place=InBroker.PENDING_BEHIND_JOB),
        "e3": Sighting(place=InBroker.WAITING),
    } == look(delivered)


def test_a_delay_after_a_nack_is_not_the_wait_of_a_new_one() -> None:
    delivered, _ = dequeue(broker_with(FIRST), "service", "T1", 0)

    assert {"e1": Sighting(place=InBroker.NACKED, delivered=1)} == look(nack(delivered, "e1", "T1", 0).broker)


def test_cancelable_evaluations_are_on_the_list_to_cancel() -> None:
    assert {"e1": Sighting(is_cancelable=True)} == look(
        Broker(cancelable=(FIRST,), settings=BrokerSettings(profile=NOMAD_2_0))
    )
    with pytest.raises(Outside, match="in two places"):
        look(replace(broker_with(FIRST), cancelable=(FIRST,)))


def test_evaluations_are_numbered_in_the_order_of_their_writing() -> None:
    cast = assign([SECOND, eval_of("e0"), FIRST, eval_of("x", "other")], winners=["e0"])

    assert [(0, 0), (0, 1), (0, 2), (1, 0)] == [cast.at(name) for name in ("e1", "e0", "e2", "x")]
    with pytest.raises(Outside, match="two jobs"):
        assign([FIRST, eval_of("e1", "other")])


def test_a_broker_on_stage_is_seen_as_it_is() -> None:
    broker, _ = dequeue(broker_with(FIRST, SECOND, LATER, eval_of("x", "other")), "service", "T1", 0)

    staged = put_on_stage(broker, assign(list_entries(broker)), NOMAD_2_0)

    assert look(broker) == staged.see()
