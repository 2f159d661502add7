from itertools import count

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.components.node_evals import (
    is_terminal_everywhere,
    is_woken_by_registration,
    is_woken_by_status,
    make_node_evals,
)
from nomadspec.model.cluster.entities import Evaluation, Node, NodeDeviceResource, NodeResources
from nomadspec.model.cluster.store import State
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.components.draining import make_alloc, make_job, make_node, make_state

NODE = make_node(drain=None, node_pool="default", datacenter="dc1")
WEB, CRUNCH, SCAN = make_job(), make_job("crunch", "batch"), make_job("scan", "sysbatch")
AGENT = make_job("agent", "system", node_pool="default", datacenters=("dc*",))


def make_evals(
    state: State, node: Node = NODE, profile: Profile = NOMAD_2_0
) -> tuple[Evaluation, ...] | None:
    ids = count()
    return make_node_evals(state, node, 9, lambda: f"e{next(ids)}", 7, profile=profile)


def list_jobs(state: State, node: Node = NODE, profile: Profile = NOMAD_2_0) -> list[str] | None:
    evals = make_evals(state, node, profile)
    return None if evals is None else [each.job_id for each in evals]


@pytest.mark.parametrize(
    ("changes", "is_woken"),
    [
        ({}, False),
        ({"datacenter": "dc2"}, True),
        ({"name": "other"}, True),
        ({"node_class": "big"}, True),
        ({"attributes": {"os.name": "x"}}, True),
        ({"meta": {"a": "b"}}, True),
        ({"drivers": {"exec": None}}, True),
        ({"host_volumes": {"data": None}}, True),
        ({"node_resources": NodeResources(devices=(NodeDeviceResource(name="gpu"),))}, True),
        ({"node_resources": NodeResources()}, False),
        ({"node_pool": "gpu"}, False),
        ({"status": "down"}, True),
        ({"status": "initializing"}, False),
    ],
)
def test_a_registration_wakes_jobs_where_the_node_is_down_or_became_another(
    changes: dict[str, object], is_woken: bool
) -> None:
    """NODEST-06."""
    assert is_woken == is_woken_by_registration(NODE, replace(NODE, **changes))


def test_a_new_node_wakes_jobs_unless_it_is_not_ready_yet() -> None:
    """NODEST-06."""
    woken = [
        is_woken_by_registration(None, replace(NODE, status=each))
        for each in ("ready", "disconnected", "down")
    ]

    assert [True, True, True] == woken
    assert not is_woken_by_registration(None, replace(NODE, status="initializing"))


@pytest.mark.parametrize(
    ("before", "after", "is_woken"),
    [
        ("initializing", "ready", True),
        ("down", "ready", True),
        ("disconnected", "ready", True),
        ("disconnected", "initializing", True),
        ("ready", "disconnected", True),
        ("disconnected", "disconnected", False),
        ("ready", "down", True),
        ("down", "down", True),
        ("ready", "initializing", False),
        ("down", "initializing", False),
        ("ready", "ready", False),
    ],
)
def test_a_status_wakes_jobs_where_places_come_or_go(before: str, after: str, is_woken: bool) -> None:
    """NODEST-12, NODEST-13."""
    assert is_woken == is_woken_by_status(before, after)


def test_where_no_job_could_care_nothing_is_written_and_where_none_does_an_empty_list() -> None:
    """TRIG-09."""
    elsewhere = replace(AGENT, node_pool="gpu")

    assert list_jobs(make_state([NODE], [])) is None
    assert [] == list_jobs(make_state([NODE], [make_alloc("a", SCAN)]))
    assert [] == list_jobs(State.of(nodes=[NODE], jobs=[elsewhere]))


@pytest.mark.parametrize(
    ("client", "status", "cares"),
    [
        ("running", "down", True),
        ("running", "disconnected", True),
        ("running", "ready", False),
        ("complete", "down", False),
    ],
)
def test_as_intended_a_sysbatch_job_cares_for_a_lost_node(client: str, status: str, cares: bool) -> None:
    """TRIG-29, X-66: of the release no event of a node wakes it."""
    node, alloc = replace(NODE, status=status), make_alloc("a", SCAN, client=client)
    state = make_state([node], [alloc])

    assert [] == list_jobs(state, node)
    assert (["scan"] if cares else []) == list_jobs(state, node, INTENDED)
    assert (["scan"] if client == "running" else []) == list_jobs(make_state([], [alloc]), node, INTENDED)


def test_services_care_until_both_sides_are_done_and_batch_jobs_until_the_client_is() -> None:
    """TRIG-29."""
    for job, desired, client, cares in [
        (WEB, "run", "complete", True),
        (WEB, "stop", "running", True),
        (WEB, "evict", "complete", False),
        (CRUNCH, "stop", "running", True),
        (CRUNCH, "run", "complete", False),
        (CRUNCH, "run", "unknown", True),
    ]:
        alloc = make_alloc("a", job, client=client, desired_status=desired)
        assert ([job.id] if cares else []) == list_jobs(make_state([NODE], [alloc])), (
            job.id,
            desired,
            client,
        )
    assert is_terminal_everywhere(make_alloc("a", WEB, client="lost", desired_status="stop"))


def test_an_alloc_that_is_passed_over_leaves_its_job_to_the_others_and_each_job_is_woken_once() -> None:
    """TRIG-29."""
    done = make_alloc("a", WEB, client="complete", desired_status="stop")
    state = make_state([NODE], [done, make_alloc("b", WEB), make_alloc("c", WEB)])

    assert ["web"] == list_jobs(state)


def test_system_jobs_are_woken_by_nodes_of_their_pool_and_datacenters() -> None:
    """TRIG-29."""
    jobs = [AGENT, replace(AGENT, id="stopped", stop=True), replace(AGENT, id="far", datacenters=("dc2",))]
    state = State.of(nodes=[NODE], jobs=jobs)

    assert ["agent"] == list_jobs(state)
    assert ["agent"] == list_jobs(State.of(jobs=[replace(AGENT, node_pool="all")]))
    assert [] == list_jobs(state, replace(NODE, node_pool="gpu"))


def test_evals_name_the_node_and_take_type_and_priority_from_the_embedded_job() -> None:
    """TRIG-09."""
    then, present = replace(WEB, priority=70), replace(WEB, priority=10)
    state = State.of(nodes=[NODE], jobs=[present], allocs=[make_alloc("a", then)])
    (made,) = make_evals(state) or ()

    assert ("node-update", "n1", 9, 70) == (
        made.triggered_by,
        made.node_id,
        made.node_modify_index,
        made.priority,
    )
    assert ("e0", "service", "pending", 7) == (made.id, made.type, made.status, made.create_time_ns)
