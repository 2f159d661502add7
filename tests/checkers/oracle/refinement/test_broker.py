"""Recorded brokers against the kernel."""

import pytest

from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.model.cluster.components import broker as actions
from tests.checkers.oracle.refinement.following import follow

GAPS = {
    "dequeue: namespaces that share the ID of a job order their evaluations otherwise (02/S4)",
    "enqueue: with another date, the timer of one that was called off is forgotten",
}


def check(told: Refinement) -> None:
    assert not told.disagreed, "\n".join(told.disagreed)
    assert set(told.gaps) <= GAPS
    assert told.agreed.total() > 20 * told.outside.total()


def test_some_brokers_do_as_the_kernel_says() -> None:
    told = follow("broker/sequences", every=14)

    check(told)
    assert {"ack", "nack", "enqueue", "dequeue", "delay", "date", "cancelable", "set-enabled"} <= set(
        told.agreed
    )


@pytest.mark.deep
def test_all_brokers_do_as_the_kernel_says() -> None:
    told = follow("broker/sequences")

    check(told)
    assert set(told.gaps) == GAPS


def test_a_broker_that_delivers_two_evaluations_of_a_job_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "get_job_key", lambda entry: (entry.namespace, entry.id))

    assert follow("broker/sequences", every=40).disagreed
