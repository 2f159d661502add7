"""Short ways to write evals and to look at queues, for the tests of broker and blocked evals."""

from typing import Any

from nomadspec.model.cluster.components.broker import dequeue, enable, enqueue
from nomadspec.model.cluster.components.broker_state import Broker, BrokerSettings
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.specification.profiles import NOMAD_2_0

S = 1_000_000_000
"""Nanoseconds of a second."""


def ev(name: str, job: str = "j", **fields: Any) -> Evaluation:
    fields = {"type": "service", "namespace": "default", "priority": 50, **fields}
    return Evaluation(id=name, job_id=job, **fields)


def start(**settings: Any) -> Broker:
    return enable(Broker(settings=BrokerSettings(**{"profile": NOMAD_2_0, **settings})))


def give(broker: Broker, *entries: Evaluation, now_ns: int = 0) -> Broker:
    for entry in entries:
        broker = enqueue(broker, entry, now_ns)
    return broker


def take(broker: Broker, name: str = "t", queue: str = "service", now_ns: int = 0) -> Broker:
    return dequeue(broker, queue, name, now_ns)[0]


def list_ready(broker: Broker, queue: str = "service") -> list[str]:
    return [entry.id for entry in broker.queues[queue].ready] if queue in broker.queues else []


def list_behind(broker: Broker, job: str = "j") -> list[str]:
    return [entry.id for entry in broker.pending.get(("default", job), ())]
