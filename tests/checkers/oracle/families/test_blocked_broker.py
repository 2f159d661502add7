from typing import Any

from nomadspec.checkers.oracle.families.blocked_broker import Event, explain
from nomadspec.model.cluster.components.blocked_state import Held
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.profiles import NOMAD_2_0


def ev(name: str, index: int = 1, **fields: Any) -> Evaluation:
    return Evaluation(id=name, type="service", job_id="j", priority=50, modify_index=index, **fields)


def hand(entry: Evaluation, token: str = "", seen: Evaluation | None = None) -> Event:
    return Event(handed=(Held(entry, token),), seen=seen)


def tell(*enqueued: list[str], **requeue: str) -> list[dict[str, Any]]:
    return [{"enqueued": names, "broker_requeue": requeue} for names in enqueued]


def test_an_eval_is_newly_known_once_until_the_broker_is_drained() -> None:
    events = [hand(ev("b01")), hand(ev("b01")), Event(is_drain=True), hand(ev("b01"))]
    told = tell(["b01"], [], [], ["b01"])

    explanation = explain(events, told, NOMAD_2_0)

    assert told == explanation.answers
    assert () == explanation.offers


def test_what_is_outstanding_is_remembered_for_its_ack() -> None:
    held = Held(ev("b01"), "T1")
    events = [Event(seen=held.eval, token=held.token, handed=(held,))]

    assert tell([], T1="b01") == explain(events, tell([], T1="b01"), NOMAD_2_0).answers


def test_an_offer_that_was_left_out_makes_what_was_pending_cancelable() -> None:
    first, second, last = ev("b01", 1), ev("b02", 2), ev("b04", 9)
    events = [
        hand(first, seen=first),
        hand(second, seen=second),
        Event(is_drain=True),
        hand(second),
        Event(seen=last),
    ]
    told = tell(["b01"], ["b02"], [], [], [])

    explanation = explain(events, told, NOMAD_2_0)

    assert told == explanation.answers
    assert ["b03"] == [offer.eval.id for offer in explanation.offers]


def test_without_a_missing_number_nothing_was_left_out() -> None:
    first, second = ev("b01", 1), ev("b02", 2)
    events = [hand(first, seen=first), hand(second, seen=second), Event(is_drain=True), hand(second)]

    explanation = explain(events, tell(["b01"], ["b02"], [], []), NOMAD_2_0)

    assert ["b02"] == explanation.answers[3]["enqueued"]
    assert () == explanation.offers


def test_an_eval_that_came_up_as_an_offered_one_was_offered() -> None:
    events = [hand(ev("b01", status="pending"), seen=ev("b01", status="pending"))]

    assert tell([]) == explain(events, tell([]), NOMAD_2_0).answers
    assert tell(["b01"]) == explain(events, tell(["b01"]), NOMAD_2_0).answers
