"""Entries about nodes."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import DrainMetadata, DrainStrategy, Node, NodeEvent
from nomadspec.model.cluster.store import Applied, State
from nomadspec.model.cluster.store.handed_to_leader import Unblock, UnblockNode
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    BatchNodeUpdateDrain,
    DrainUpdate,
    NodeBatchDeregister,
    NodeDeregister,
    NodeRegister,
    NodeUpdateDrain,
    NodeUpdateEligibility,
    NodeUpdateStatus,
    UpsertNodeEvents,
)
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.store.made import do, need

NODE = Node(
    id="n1",
    node_pool="default",
    status="ready",
    scheduling_eligibility="eligible",
    computed_class="big",
    modify_index=3,
    create_index=3,
)
S_NS = 1_000_000_000


def begin(**fields: object) -> State:
    return State.of(nodes=[replace(NODE, **fields)], node_pools=make_initial_state().list_node_pools())


def read_node(applied: Applied, node_id: str = "n1") -> Node:
    return need(applied.state.find_node(node_id))


# --- registration ---


def test_a_new_node_begins_its_events() -> None:
    node = read_node(do(begin(), NodeRegister(node=Node(id="new", status_updated_at_s=5))), "new")

    assert (10, 10, "default", "eligible") == (
        node.create_index,
        node.modify_index,
        node.node_pool,
        node.scheduling_eligibility,
    )
    assert (NodeEvent(message="Node registered", subsystem="Cluster", timestamp_ns=5 * S_NS),) == node.events


def test_a_known_node_keeps_what_servers_decided() -> None:
    """OBJ-163."""
    drain = DrainStrategy(deadline_ns=4)
    kept = {
        "events": (NodeEvent(message="old"),),
        "drain_strategy": drain,
        "last_drain": DrainMetadata(status="draining"),
        "scheduling_eligibility": "ineligible",
        "last_missed_heartbeat_index": 6,
        "last_alloc_update_index": 7,
    }
    request = NodeRegister(node=Node(id="n1", name="new", status="ready", last_alloc_update_index=8))
    node = read_node(do(begin(**kept), request))

    assert (3, 10, "new", 6, 8) == (
        node.create_index,
        node.modify_index,
        node.name,
        node.last_missed_heartbeat_index,
        node.last_alloc_update_index,
    )
    assert (kept["events"], drain, "ineligible") == (
        node.events,
        node.drain_strategy,
        node.scheduling_eligibility,
    )


@pytest.mark.parametrize(("status", "missed"), [("down", 10), ("disconnected", 10), ("initializing", 0)])
def test_a_registration_as_unresponsive_is_a_missed_heartbeat(status: str, missed: int) -> None:
    """OBJ-159."""
    node = read_node(do(begin(), NodeRegister(node=Node(id="n1", status=status))))

    assert missed == node.last_missed_heartbeat_index


def test_a_node_that_was_down_says_that_it_is_back() -> None:
    """OBJ-165."""
    node = read_node(do(begin(status="down"), NodeRegister(node=Node(id="n1", status="ready"))))

    assert ["Node re-registered"] == [event.message for event in node.events]


def test_the_status_is_that_of_the_request_but_not_as_intended() -> None:
    """X-06."""
    request = NodeRegister(node=Node(id="n1", status="initializing"))

    assert "initializing" == read_node(do(begin(), request)).status
    assert "ready" == read_node(do(begin(), request, profile=INTENDED)).status


def test_a_missing_pool_is_made_if_that_is_asked() -> None:
    """NODEST-02."""
    node = Node(id="n1", node_pool="new")
    made = do(begin(), NodeRegister(node=node, create_node_pool=True)).state

    assert 10 == need(made.find_node_pool("new")).create_index
    assert 1 == made.index_of("node_pools")
    assert do(begin(), NodeRegister(node=node)).state.find_node_pool("new") is None


def test_a_ready_node_frees_capacity_of_its_class() -> None:
    """FSM-03."""
    assert (Unblock("big", 10),) == do(begin(), NodeRegister(node=NODE)).handed
    assert () == do(begin(), NodeRegister(node=replace(NODE, status="initializing"))).handed


def test_an_event_may_come_along() -> None:
    request = NodeRegister(node=NODE, node_event=NodeEvent(message="x"))

    assert ["x"] == [event.message for event in read_node(do(begin(), request)).events]


# --- status ---


@pytest.mark.parametrize(
    ("before", "asked", "missed"),
    [
        ("ready", "down", 10),
        ("initializing", "disconnected", 10),
        ("down", "disconnected", 4),
        ("down", "ready", 0),
        ("disconnected", "initializing", 4),
        ("ready", "ready", 4),
    ],
)
def test_when_a_heartbeat_counts_as_missed(before: str, asked: str, missed: int) -> None:
    """NODEST-11."""
    state = begin(status=before, last_missed_heartbeat_index=4)
    request = NodeUpdateStatus(
        node_id="n1", status=asked, updated_at_s=6, node_event=NodeEvent(message="why")
    )
    node = read_node(do(state, request))

    assert (asked, missed, 6, 10) == (
        node.status,
        node.last_missed_heartbeat_index,
        node.status_updated_at_s,
        node.modify_index,
    )
    assert ["why"] == [event.message for event in node.events]


def test_a_ready_status_frees_capacity_of_the_class_and_the_node() -> None:
    """NODEST-14."""
    handed = do(begin(status="down"), NodeUpdateStatus(node_id="n1", status="ready")).handed

    assert (Unblock("big", 10), UnblockNode("n1", 10)) == handed


def test_a_new_signing_key_is_kept() -> None:
    state = begin(identity_signing_key_id="old")
    kept = do(state, NodeUpdateStatus(node_id="n1", status="ready"))
    renewed = do(state, NodeUpdateStatus(node_id="n1", status="ready", identity_signing_key_id="new"))

    assert ("old", "new") == (
        read_node(kept).identity_signing_key_id,
        read_node(renewed).identity_signing_key_id,
    )


# --- drains and eligibility ---


def drain(state: State, strategy: DrainStrategy | None = None, **fields: object) -> Applied:
    return do(
        state, replace(NodeUpdateDrain(node_id="n1", drain_strategy=strategy, updated_at_s=6), **fields)
    )


def test_a_drain_closes_the_node_and_is_remembered() -> None:
    """OBJ-158, OBJ-164."""
    strategy = DrainStrategy(deadline_ns=4)
    node = read_node(drain(begin(), strategy, mark_eligible=True, meta={"why": "x"}, updated_by="me"))

    assert ("ineligible", strategy, 6) == (
        node.scheduling_eligibility,
        node.drain_strategy,
        node.status_updated_at_s,
    )
    assert (
        DrainMetadata(
            started_at_ns=6 * S_NS,
            updated_at_ns=6 * S_NS,
            status="draining",
            accessor_id="me",
            meta={"why": "x"},
        )
        == node.last_drain
    )


DRAINING = {
    "drain_strategy": DrainStrategy(),
    "scheduling_eligibility": "ineligible",
    "last_drain": DrainMetadata(started_at_ns=S_NS, status="draining", accessor_id="me", meta={"why": "x"}),
}


def test_a_new_strategy_keeps_when_the_drain_began_and_who_asked() -> None:
    """OBJ-158."""
    last = need(read_node(drain(begin(**DRAINING), DrainStrategy(deadline_ns=1))).last_drain)

    assert (S_NS, 6 * S_NS, "draining", "me", {"why": "x"}) == (
        last.started_at_ns,
        last.updated_at_ns,
        last.status,
        last.accessor_id,
        last.meta,
    )


@pytest.mark.parametrize(("mark", "eligibility"), [(True, "eligible"), (False, "ineligible")])
def test_a_drain_that_an_operator_removes_is_canceled(mark: bool, eligibility: str) -> None:
    applied = drain(begin(**DRAINING), mark_eligible=mark)
    node = read_node(applied)

    assert ("canceled", eligibility, None) == (
        need(node.last_drain).status,
        node.scheduling_eligibility,
        node.drain_strategy,
    )
    assert mark == bool(applied.handed)


def test_removing_no_drain_remembers_nothing() -> None:
    assert read_node(drain(begin())).last_drain is None


def test_a_drain_that_is_done_is_complete() -> None:
    """DRAIN-12."""
    request = BatchNodeUpdateDrain(
        updates={"n1": DrainUpdate(mark_eligible=True), "n2": None},
        node_events={"n1": NodeEvent(message="Node drain complete")},
        updated_at_s=6,
    )
    applied = do(begin(**DRAINING), request)
    node = read_node(applied)

    assert ("complete", "eligible") == (need(node.last_drain).status, node.scheduling_eligibility)
    assert (Unblock("big", 10), UnblockNode("n1", 10)) == applied.handed
    assert ["Node drain complete"] == [event.message for event in node.events]


def test_a_batch_is_refused_as_a_whole() -> None:
    state = begin(**DRAINING)
    applied = do(state, BatchNodeUpdateDrain(updates={"n1": DrainUpdate(), "gone": DrainUpdate()}))

    assert ("node not found", state) == (applied.error, applied.state)


def test_opening_a_closed_node_frees_capacity() -> None:
    """NODEST-18."""
    request = NodeUpdateEligibility(node_id="n1", eligibility="eligible", updated_at_s=6)

    assert 2 == len(do(begin(scheduling_eligibility="ineligible"), request).handed)
    assert () == do(begin(), request).handed


def test_a_draining_node_cannot_be_opened() -> None:
    """OBJ-164."""
    request = NodeUpdateEligibility(node_id="n1", eligibility="eligible")

    assert "eligible while it is draining" in need(do(begin(**DRAINING), request).error)
    closed = replace(request, eligibility="ineligible")
    assert do(begin(**DRAINING), closed).error is None


# --- events and removal ---


def test_events_of_clients_do_not_move_the_index_of_the_node() -> None:
    """OBJ-418."""
    events = (NodeEvent(message="a"), NodeEvent(message="b"))
    node = read_node(do(begin(), UpsertNodeEvents(node_events={"n1": events})))

    assert (["a", "b"], 3) == ([event.message for event in node.events], node.modify_index)


@pytest.mark.parametrize(
    "request_",
    [
        NodeUpdateStatus(node_id="gone"),
        NodeUpdateDrain(node_id="gone"),
        NodeUpdateEligibility(node_id="gone"),
        UpsertNodeEvents(node_events={"gone": (NodeEvent(),)}),
    ],
)
def test_a_node_that_is_not_there(request_: NodeUpdateStatus) -> None:
    assert "node not found" == do(begin(), request_).error


def test_one_missing_node_keeps_the_whole_batch_in_silence() -> None:
    """GC-64, 10/S2."""
    state = begin()
    kept = do(state, NodeBatchDeregister(node_ids=("n1", "gone")))

    assert (None, state) == (kept.error, kept.state)
    assert 0 == len(do(state, NodeBatchDeregister(node_ids=("n1",))).state.nodes)
    assert 0 == len(do(state, NodeDeregister(node_id="n1")).state.nodes)
    assert 3 == do(state, NodeBatchDeregister()).state.index_of("nodes")
