"""An evaluation that is blocked is worked on only after something unblocked it."""

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.unblock_reasons import Openings
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.entities import Evaluation, Node
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    BatchNodeUpdateDrain,
    DrainUpdate,
    NamespaceUpsert,
    NodeRegister,
    NodeUpdateEligibility,
    Outside,
)
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.lying.forgotten import FORGOTTEN
from tests.checkers.oracle.lying.telling import is_named

NODE = Node(id="n", status="ready", computed_class="a", scheduling_eligibility="ineligible")
SET_UP = TypedEntry("NodeRegister", Entry(5, NodeRegister(node=NODE)))
BLOCKED = Evaluation(id="e", type="service", status="blocked", snapshot_index=6)


def replay(*entries: TypedEntry) -> Replay:
    return replay_log((SET_UP, *entries), NOMAD_2_0, read_run_clock)


def open_up(kind: str, request: object) -> Openings:
    """Let an entry follow the registration of a node."""
    openings, before = Openings(), make_initial_state()
    for step in replay(TypedEntry(kind, Entry(7, request))).steps:  # type: ignore[arg-type]  # any request
        openings.add(step, before)
        before = step.applied.state
    return openings


def test_work_on_an_evaluation_that_nothing_unblocked_is_named() -> None:
    """BLOCKED-40."""
    lie = next(FORGOTTEN["blocked: worked on though nothing unblocked it"].tell("blocked_eligibility"))
    found = [each for each in compare_acts(lie.replay, Context(NOMAD_2_0)) if each.rule == "BLOCKED-40"]

    assert is_named(lie, found)


ELIGIBLE = NodeUpdateEligibility(node_id="n", eligibility="eligible")


@pytest.mark.parametrize(
    ("told", "is_unblocked"),
    [
        ({"class_eligibility": {"a": True}}, True),
        ({"class_eligibility": {"a": False}}, False),
        ({"class_eligibility": {"b": False}}, True),
        ({"escaped_computed_class": True}, True),
        ({"class_eligibility": {"a": False}, "node_id": "n", "type": "system"}, True),
        ({"class_eligibility": {"a": False}, "triggered_by": "max-plan-attempts"}, True),
        ({"snapshot_index": 7}, False),
    ],
)
def test_an_evaluation_is_unblocked_by_room_on_nodes_that_it_waits_for(
    told: dict[str, object], is_unblocked: bool
) -> None:
    """BLOCKED-10, BLOCKED-30, BLOCKED-40, BLOCKED-44."""
    entry = Evaluation(**{"snapshot_index": 6, "status": "blocked", "type": "service", **told})  # type: ignore[arg-type]  # fields of it

    assert open_up("NodeUpdateEligibility", ELIGIBLE).has_unblocked(entry) is is_unblocked


@pytest.mark.parametrize(
    ("kind", "request_", "is_unblocked"),
    [
        ("NodeRegister", NodeRegister(node=NODE), True),
        ("NodeRegister", NodeRegister(node=Node(id="n", status="initializing")), False),
        ("BatchNodeUpdateDrain", BatchNodeUpdateDrain(updates={"n": DrainUpdate(mark_eligible=True)}), True),
        ("NamespaceUpsert", NamespaceUpsert(), True),
        ("CSIVolumeRegister", Outside(), True),
        ("LogNoop", Outside(), False),
        ("ServiceRegistrationUpsert", Outside(), False),
    ],
)
def test_some_entries_unblock_and_others_do_not(kind: str, request_: object, is_unblocked: bool) -> None:
    """BLOCKED-31, FSM-03, LEADER-02."""
    assert open_up(kind, request_).has_unblocked(BLOCKED) is is_unblocked
