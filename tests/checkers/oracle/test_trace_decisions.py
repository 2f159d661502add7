import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store.requests import AllocClientUpdate, EvalUpdate, NodeUpdateStatus
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import Change, list_places_of_difference, replay_recorded


def is_of_a_node(request: object) -> bool:
    """Pick the evaluations of an event of a node."""
    return isinstance(request, EvalUpdate) and any(
        each.triggered_by == "node-update" for each in request.evals
    )


def is_a_report_of_failure(request: object) -> bool:
    """Pick a report of a client that made an evaluation."""
    return isinstance(request, AllocClientUpdate) and bool(request.evals)


def is_a_report_of_nothing_new(request: object) -> bool:
    """Pick a report of a client that made none."""
    return isinstance(request, AllocClientUpdate) and not request.evals


@pytest.mark.parametrize("name", ["node_down_during_update", "service_fail_followup", "disconnect_restart"])
def test_recorded_decisions_are_right(name: str) -> None:
    """TRIG-29, ALLOC-12."""
    assert [] == list(compare_decisions(replay_recorded(name), NOMAD_2_0))


def with_evals(change: Change) -> Change:
    """Change the evaluations of a request."""
    return lambda request: replace(request, evals=change(request.evals))


@pytest.mark.parametrize(
    "change",
    [
        lambda evals: evals[1:] + evals[:1] + (replace(evals[0], job_id="other"),),
        lambda evals: (replace(evals[0], priority=evals[0].priority + 1), *evals[1:]),
        lambda evals: (replace(evals[0], type="sysbatch"), *evals[1:]),
        lambda evals: (replace(evals[0], node_id="nobody"), *evals[1:]),
        lambda evals: (*evals, evals[0]),
    ],
    ids=["another job", "priority", "type", "another node", "twice"],
)
def test_other_evals_of_a_node_are_rejected(change: Change) -> None:
    """TRIG-29."""
    assert ["Evals"] == list_places_of_difference("node_down_during_update", is_of_a_node, with_evals(change))


@pytest.mark.parametrize(
    "change",
    [
        lambda _: (),
        lambda evals: (replace(evals[0], triggered_by="reconnect"),),
        lambda evals: (replace(evals[0], priority=99),),
        lambda evals: (*evals, evals[0]),
    ],
    ids=["none", "trigger", "priority", "twice"],
)
def test_other_evals_of_a_client_are_rejected(change: Change) -> None:
    """ALLOC-12."""
    places = list_places_of_difference("service_fail_followup", is_a_report_of_failure, with_evals(change))

    assert ["Evals"] == places


def test_an_eval_without_reason_is_rejected() -> None:
    """ALLOC-12."""
    extra = Evaluation(namespace="default", job_id="x", type="service", triggered_by="alloc-failure")
    change = with_evals(lambda _: (extra,))

    assert ["Evals"] == list_places_of_difference("service_fail_followup", is_a_report_of_nothing_new, change)


@pytest.mark.parametrize("status", ["down", "initializing", "odd"])
def test_another_status_of_a_node_is_rejected(status: str) -> None:
    """NODEST-08, NODEST-09."""
    places = list_places_of_difference(
        "disconnect_restart",
        lambda request: isinstance(request, NodeUpdateStatus) and request.status == "disconnected",
        lambda request: replace(request, status=status),
    )

    assert ["Status"] == places
