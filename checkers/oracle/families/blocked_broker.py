"""The broker behind a recorded tracker, and what was offered to it without being recorded.

Whoever recorded the sequences numbered the evals, offered some of them to the broker so that a worker might
block them again, and left out those that did not come out at once. Such an offer shows only later: the broker
knows an eval that it would not know otherwise, or has called one cancelable. Where the broker is recorded to
know an eval too many, an offer is allowed whose number is missing at that place, or whose eval came up later
with the status of an offered one. Nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.shape import Whole
from nomadspec.model.cluster.components.blocked_state import Held
from nomadspec.model.cluster.components.broker import ack, dequeue, enable, enqueue, enqueue_all
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings, Delivery, get_job_key
from nomadspec.model.cluster.entities import EvalStatus, Evaluation
from nomadspec.model.specification.profiles import Profile

_NUMBERED: Final = re.compile(r"b(\d+)")
_DRAIN: Final = "drain"


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What one operation means to the broker."""

    seen: Evaluation | None = None
    """The eval that the operation brings up."""
    token: str = ""
    """Set when the eval is outstanding under it."""
    handed: tuple[Held, ...] = ()
    is_drain: bool = False


class Offer(msgspec.Struct, frozen=True):
    """An eval that was offered just before an operation, which was not recorded."""

    position: Whole
    eval: Evaluation


class Explanation(msgspec.Struct, frozen=True):
    """What the broker answers, and the offers without which it would not."""

    answers: list[dict[str, Any]]
    offers: tuple[Offer, ...] = ()


class Gap(msgspec.Struct, frozen=True):
    """A number that was given away without being recorded in its turn: where that can have been."""

    first: Whole
    last: Whole
    offered: Evaluation | None
    """The eval itself, if it came up later as one that had been offered."""
    modify_index: Whole


def explain(events: Sequence[Event], recorded: Sequence[Mapping[str, Any]], profile: Profile) -> Explanation:
    """Find the answers of the broker, with as few unrecorded offers as the recording needs."""
    best = Explanation(_answer(events, (), profile))
    at = _find_extra_answer(best.answers, recorded)
    while at is not None:
        better = next((found for found in _list_better(events, recorded, best, at, profile)), None)
        if better is None:
            return best
        best = better
        at = _find_extra_answer(best.answers, recorded)
    return best


def _list_better(
    events: Sequence[Event],
    recorded: Sequence[Mapping[str, Any]],
    known: Explanation,
    at: int,
    profile: Profile,
) -> Iterator[Explanation]:
    """List the explanations with one more offer under which the broker agrees for longer."""
    surplus = set(known.answers[at]["enqueued"]) - set(recorded[at]["enqueued"])
    handed = [held.eval for held in events[at].handed if held.eval.id in surplus]
    for number, gap in _find_gaps(events).items():
        for offer in _list_offers(number, gap, handed, at):
            offers = (*known.offers, offer)
            answers = _answer(events, offers, profile)
            later = _find_extra_answer(answers, recorded)
            if later is None or later > at:
                yield Explanation(answers, offers)


def _list_offers(number: int, gap: Gap, handed: Sequence[Evaluation], at: int) -> Iterator[Offer]:
    strangers = (replace(entry, id=f"b{number:02}", modify_index=gap.modify_index) for entry in handed)
    for entry in (gap.offered,) if gap.offered else strangers:
        for position in range(gap.first, min(gap.last, at) + 1):
            yield Offer(position, entry)


def _find_gaps(events: Sequence[Event]) -> dict[int, Gap]:
    """Find the numbers that were left out, or whose evals came up later as offered ones."""
    seen: dict[int, tuple[int, Evaluation]] = {}
    for position, event in enumerate(events):
        if event.seen and (number := _NUMBERED.fullmatch(event.seen.id)):
            seen.setdefault(int(number[1]), (position, event.seen))
    gaps = {number: _make_gap(number, seen, len(events)) for number in range(1, max(seen, default=0) + 1)}
    return {number: gap for number, gap in gaps.items() if number not in seen or gap.offered}


def _make_gap(number: int, seen: Mapping[int, tuple[int, Evaluation]], end: int) -> Gap:
    later = [place for other, place in seen.items() if other > number]
    last = min((position for position, _ in later), default=end)
    first = max((at for other, (at, _) in seen.items() if other < number and at < last), default=-1) + 1
    entry = seen[number][1] if number in seen else None
    is_offered = entry is not None and entry.status == EvalStatus.PENDING
    newest = min((entry.modify_index for _, entry in later), default=1) - 1
    return Gap(first, last, entry if is_offered else None, newest)


def _find_extra_answer(
    answers: Sequence[Mapping[str, Any]], recorded: Sequence[Mapping[str, Any]]
) -> int | None:
    """Find the first operation after which the broker is recorded to know an eval already."""
    for position, (answer, told) in enumerate(zip(answers, recorded, strict=True)):
        if answer != {name: told.get(name) for name in answer}:
            return position if _is_part(told.get("enqueued"), answer["enqueued"]) else None
    return None


def _is_part(told: object, names: Sequence[str]) -> bool:
    return isinstance(told, list) and len(told) < len(names) and all(name in names for name in told)


def _answer(events: Sequence[Event], offers: Sequence[Offer], profile: Profile) -> list[dict[str, Any]]:
    """Let the broker go through everything; no time limit ends a delivery."""
    broker = enable(Broker(settings=BrokerSettings(profile=profile)))
    answers = []
    for position, event in enumerate(events):
        for offer in offers:
            if offer.position == position:
                broker = enqueue(broker, offer.eval, 0)
        if event.token and event.seen:
            broker = _deliver(broker, event.seen, event.token)
        known = set(broker.known.keys())
        if event.is_drain:
            broker = _drain(broker)
        broker = enqueue_all(broker, ((held.eval, held.token) for held in event.handed), 0)
        requeue = {token: entry.id for token, entry in broker.requeue.items()}
        enqueued = sorted(set(broker.known.keys()) - known)
        answers.append({"enqueued": enqueued, "broker_requeue": requeue})
    return answers


def _deliver(broker: Broker, entry: Evaluation, token: str) -> Broker:
    """Make an eval outstanding under a token, as the recording says that it is."""
    delivery = Delivery(eval=entry, token=token, nack_at_ns=None)
    return replace(
        broker,
        known=broker.known.insert(entry.id, broker.known.get(entry.id, 0) + 1),
        slots=broker.slots.insert(get_job_key(entry), entry.id),
        unack=broker.unack.insert(entry.id, delivery),
    )


def _drain(broker: Broker) -> Broker:
    """Deliver and ack everything that is ready, and what becomes ready by that."""
    while names := sorted(name for name, queue in broker.queues.items() if queue.ready):
        broker, entry = dequeue(broker, names[0], _DRAIN, 0)
        broker = ack(broker, entry.id, _DRAIN, 0).broker
    return broker
