import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.heartbeats import (
    compute_expiry_ns,
    compute_first_expiries_ns,
    compute_heartbeat_status,
    compute_missed_status,
    compute_shortest_ttl_ns,
    is_asked_again,
    is_worth_an_entry,
)
from nomadspec.model.cluster.entities import AllocState, DisconnectStrategy, TaskGroup
from nomadspec.model.cluster.entities.scalar import NS_PER_S as S
from nomadspec.model.cluster.store import State
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile
from tests.model.cluster.components.draining import make_alloc, make_job, make_node, make_state

PATIENT = make_job(task_groups=(TaskGroup(name="g", disconnect=DisconnectStrategy(lost_after_ns=60 * S)),))
READY = make_node(drain=None, node_pool="default")
NEW = replace(READY, status="initializing")
LOST_FROM_SIGHT = AllocState(field=0, value="unknown", time_ns=10 * S)


def test_many_nodes_come_less_often() -> None:
    """NODEST-07."""
    assert 10 * S == compute_shortest_ttl_ns(500)
    assert 20 * S == compute_shortest_ttl_ns(1000)
    assert 25 * S == compute_expiry_ns(5 * S, 10 * S)


def test_a_new_leader_is_patient_with_all_nodes_that_are_not_down() -> None:
    """NODEST-07."""
    nodes = [READY, replace(READY, id="n2", status="down"), replace(READY, id="n3", status="disconnected")]

    assert is_asked_again("disconnected")
    assert {"n1": 307 * S, "n3": 307 * S} == compute_first_expiries_ns(nodes, 7 * S)


@pytest.mark.parametrize(
    ("status", "fields", "missed"),
    [
        ("ready", {}, "disconnected"),
        ("disconnected", {}, "disconnected"),
        ("initializing", {}, "down"),
        ("down", {}, "down"),
        ("ready", {"client_status": "failed"}, "disconnected"),
        ("ready", {"desired_status": "stop"}, "down"),
        ("ready", {"job": make_job()}, "down"),
        ("disconnected", {"client_status": "unknown", "alloc_states": (LOST_FROM_SIGHT,)}, "disconnected"),
    ],
)
def test_a_node_is_out_of_reach_as_long_as_something_may_wait_for_it(
    status: str, fields: dict[str, object], missed: str
) -> None:
    """NODEST-08."""
    node = replace(READY, status=status)
    alloc = replace(make_alloc("a", PATIENT), **fields)

    assert missed == compute_missed_status(make_state([node], [alloc]), node, 69 * S)


def test_what_waited_for_too_long_waits_no_more() -> None:
    """NODEST-08."""
    alloc = replace(make_alloc("a", PATIENT, client="unknown"), alloc_states=(LOST_FROM_SIGHT,))

    assert "down" == compute_missed_status(make_state([READY], [alloc]), READY, 70 * S)
    assert "down" == compute_missed_status(make_state([READY], []), READY, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [("initializing", "ready"), ("ready", "ready"), ("down", "ready"), ("disconnected", "initializing")],
)
def test_a_heartbeat_makes_a_node_ready_by_and_by(before: str, after: str) -> None:
    """NODEST-09."""
    assert after == compute_heartbeat_status(
        make_state([READY], []), replace(READY, status=before), profile=NOMAD_2_0
    )


def test_a_node_that_comes_back_tells_of_its_allocs_before_it_is_ready() -> None:
    """NODEST-09, NODEST-20."""
    state = make_state([NEW], [make_alloc("a", PATIENT)])
    missed = replace(NEW, last_missed_heartbeat_index=7, last_alloc_update_index=7)

    mended = find_profile("nomad-2.0 -X-63")
    assert "ready" == compute_heartbeat_status(state, missed, profile=mended)
    assert "initializing" == compute_heartbeat_status(state, missed, profile=NOMAD_2_0)
    assert "ready" == compute_heartbeat_status(
        state, replace(missed, last_alloc_update_index=8), profile=NOMAD_2_0
    )
    assert "ready" == compute_heartbeat_status(make_state([NEW], []), missed, profile=NOMAD_2_0)


def test_a_node_of_an_unknown_pool_waits_for_it() -> None:
    """NODEST-09, NODEST-21."""
    assert "initializing" == compute_heartbeat_status(
        State(), replace(NEW, node_pool="gpu"), profile=NOMAD_2_0
    )
    assert "ready" == compute_heartbeat_status(State(), NEW, profile=NOMAD_2_0)


def test_steady_heartbeats_are_not_written() -> None:
    """NODEST-10."""
    assert not is_worth_an_entry(READY, "ready", has_event=False)
    assert is_worth_an_entry(READY, "ready", has_event=True)
    assert is_worth_an_entry(READY, "down", has_event=False)
    assert is_worth_an_entry(READY, "ready", has_event=False, key_id="k")
    assert not is_worth_an_entry(
        replace(READY, identity_signing_key_id="k"), "ready", has_event=False, key_id="k"
    )
