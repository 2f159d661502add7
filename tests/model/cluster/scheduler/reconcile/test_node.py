"""What has to be done on each node for each name."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    AllocState,
    DeploymentState,
    DesiredTransition,
    Job,
    Node,
)
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.feasibility.candidates import Candidates, find_candidates
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.reconcile.node import (
    NodeInput,
    NodeReconciled,
    is_outdated,
    list_required,
    reconcile_nodes,
)
from nomadspec.model.cluster.scheduler.reconcile.node_buckets import NodeBucket
from nomadspec.model.cluster.scheduler.tainted import find_tainted
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.scheduler.fleet import (
    make_deployment,
    make_fleet_group,
    make_fleet_job,
    make_hosts,
    make_old,
    make_resident,
    roll,
    see,
)
from tests.model.cluster.scheduler.made import NOW_NS, make_node

JOB = make_fleet_job()
ONCE = make_fleet_job(type="sysbatch")
TWO = make_fleet_job(make_fleet_group(count=2), make_fleet_group("db"))


def make_input(job: Job | None, *rows: Node | Allocation, **fields: Any) -> NodeInput:
    """Look at nodes and allocations, as the scheduler does."""
    snapshot = see(*rows)
    allocs = tuple(row for row in rows if isinstance(row, Allocation))
    usual: dict[str, Any] = {
        "profile": NOMAD_2_0,
        "job": job,
        "candidates": find_candidates(snapshot, job) if job and not job.stop else Candidates(),
        "tainted": find_tainted(snapshot, allocs),
        "allocs": allocs,
        "deployment": None,
        "now_ns": NOW_NS,
        "choices": ReplayedChoices(ids=["new"]),
        "reasons": ReasonLog(is_on=True),
    }
    return NodeInput(**usual | fields)


def reconcile(job: Job | None, *rows: Node | Allocation, **fields: Any) -> NodeReconciled:
    return reconcile_nodes(make_input(job, *rows, **fields))


def show(reconciled: NodeReconciled) -> dict[str, list[str]]:
    """Show, by bucket, on which nodes something has to be done for which index."""
    return {
        bucket.value: [f"{entry.alloc.node_id} {entry.name.removeprefix('j.')}" for entry in entries]
        for bucket, entries in reconciled.buckets.items()
        if entries
    }


def test_names_are_those_of_the_name_of_the_job() -> None:
    assert list(list_required(replace(TWO, name="other"))) == ["other.web[0]", "other.web[1]", "other.db[0]"]
    assert list_required(replace(TWO, stop=True)) == {}
    assert list_required(None) == {}


def test_every_name_is_placed_on_every_node_that_may_be_used() -> None:
    """NODE-03, NODE-23."""
    reconciled = reconcile(TWO, *make_hosts(1), make_node("n1", datacenter="dc9"))

    assert show(reconciled) == {"place": ["n0 db[0]", "n0 web[0]", "n0 web[1]"]}
    assert {entry.alloc.id for entry in reconciled.buckets[NodeBucket.PLACE]} == {""}


def test_nodes_and_names_are_visited_in_the_order_that_is_chosen() -> None:
    """NODE-03."""
    reconciled = reconcile(TWO, *make_hosts(2), choices=ReplayedChoices(is_descending=True))

    assert show(reconciled)["place"] == [
        "n1 web[1]",
        "n1 web[0]",
        "n1 db[0]",
        "n0 web[1]",
        "n0 web[0]",
        "n0 db[0]",
    ]


def test_a_live_allocation_keeps_others_of_its_name_away() -> None:
    """NODE-24: even if it has to go."""
    leaving = make_resident("n0", JOB, desired_transition=DesiredTransition(migrate=True))

    assert show(reconcile(JOB, *make_hosts(1), leaving)) == {"migrate": ["n0 web[0]"]}


def test_what_was_told_to_go_should_be_replaced_at_once() -> None:
    """05/S5: not where its node is out, and not if it runs once."""
    leave = DesiredTransition(migrate=True)
    leaving = make_resident("n0", JOB, desired_transition=leave)
    out = make_resident("n9", JOB, desired_transition=leave)
    reconciled = reconcile(JOB, *make_hosts(1), leaving, out, profile=INTENDED)
    once = reconcile(ONCE, *make_hosts(1), replace(leaving, job=ONCE), profile=INTENDED)

    assert show(reconciled) == {"place": ["n0 web[0]"], "migrate": ["n0 web[0]", "n9 web[0]"]}
    assert reconciled.buckets[NodeBucket.PLACE][0].alloc is leaving
    assert show(once) == {"migrate": ["n0 web[0]"]}


def test_two_of_one_name_are_sorted_each_on_its_own() -> None:
    """NODE-25."""
    twins = [make_resident("n0", make_old(JOB), alloc_id=alloc_id) for alloc_id in ("a", "b")]

    assert show(reconcile(JOB, *make_hosts(1), *twins)) == {"update": ["n0 web[0]"] * 2}


def test_the_last_one_that_ended_is_replaced() -> None:
    """NODE-27."""
    ended = [
        make_resident("n0", JOB, alloc_id=alloc_id, create_index=index, client_status="failed")
        for alloc_id, index in (("a", 5), ("b", 9), ("c", 7))
    ]
    (entry,) = reconcile(JOB, *make_hosts(1), *ended).buckets[NodeBucket.PLACE]

    assert entry.alloc.id == "b"


@pytest.mark.parametrize("node", [None, make_node("n0", status="down")], ids=["gone", "down"])
def test_a_node_with_nothing_but_the_ended_is_not_visited(node: Node | None) -> None:
    """NODE-03, NODE-04."""
    rows = [node] if node else []
    ended = make_resident("n0", JOB, client_status="failed")
    start = make_deployment(make_old(JOB))
    reconciled = reconcile(JOB, *rows, ended, deployment=start)

    assert show(reconciled) == {}
    assert (reconciled.deployment, reconciled.deployment_updates) == (start, ())


def test_a_newer_version_ends_the_deployment_without_a_node_only_as_intended() -> None:
    """X-54, NODE-04, SYSDEP-05."""
    start = make_deployment(make_old(JOB))

    shipped = reconcile(JOB, deployment=start)
    intended = reconcile(JOB, deployment=start, profile=INTENDED)

    assert () == shipped.deployment_updates
    assert ["cancelled"] == [each.status for each in intended.deployment_updates]


def test_what_runs_once_is_not_run_again() -> None:
    """NODE-20, NODE-26."""
    ended = make_resident("n0", ONCE, client_status="failed")

    assert show(reconcile(ONCE, *make_hosts(1), ended)) == {"ignore": ["n0 web[0]"]}


def test_it_is_run_again_when_its_job_has_changed() -> None:
    """NODE-20: never as a canary, and wherever the node may be."""
    job = make_fleet_job(make_fleet_group(update=roll(1, 100)), type="sysbatch")
    ended = make_resident("n0", make_old(job), client_status="lost")
    other = make_resident("n0", job, "web", alloc_id="live", name="j.gone[0]")
    reconciled = reconcile(job, make_node("n0", status="down"), ended, other)

    assert show(reconciled) == {"stop": ["n0 gone[0]"], "update": ["n0 web[0]"]}
    assert not reconciled.buckets[NodeBucket.UPDATE][0].is_canary


def test_nothing_is_placed_where_the_job_may_not_run() -> None:
    """NODE-21, NODE-22."""
    closed = make_node("n0", scheduling_eligibility="ineligible")
    db = make_resident("n0", TWO, "db")

    assert show(reconcile(TWO, closed, db)) == {"ignore": ["n0 db[0]"]}


def test_one_that_is_back_is_written_down_as_such() -> None:
    """NODE-09."""
    back = make_resident("n0", JOB, alloc_states=(AllocState(value="unknown", time_ns=5),))
    (entry,) = reconcile(JOB, *make_hosts(1), back).buckets[NodeBucket.RECONNECTING]

    assert entry.alloc.alloc_states[1:] == (AllocState(value="running", time_ns=NOW_NS),)


def test_a_stop_of_what_the_job_has_no_longer_names_its_group() -> None:
    """NODE-05, SYSTEM-36."""
    gone = make_resident("n0", JOB, "gone")
    (entry,) = reconcile(JOB, *make_hosts(1), gone).buckets[NodeBucket.STOP]

    assert entry.group.name == "gone"


def test_updates_of_a_group_that_tries_are_canaries() -> None:
    """NODE-16, NODE-17."""
    job = make_fleet_job(make_fleet_group(update=roll(1, 50)))
    rows = [make_resident(f"n{number}", make_old(job)) for number in range(2)]
    reconciled = reconcile(job, *make_hosts(2), *rows)

    assert [entry.is_canary for entry in reconciled.buckets[NodeBucket.UPDATE]] == [True, True]
    assert reconciled.deployment is not None
    assert reconciled.deployment.task_groups == {"web": DeploymentState()}


def test_seeing_one_that_stays_suppresses_a_first_deployment() -> None:
    """NODE-29, SYSDEP-08: the order of the visit does not matter."""
    job = make_fleet_job(make_fleet_group(update=roll(1)))
    for node_id in ("n0", "n1"):
        reconciled = reconcile(job, *make_hosts(2), make_resident(node_id, job))

        assert (reconciled.deployment, reconciled.deployment_updates) == (None, ())


def test_reasons_name_the_row() -> None:
    call = make_input(JOB, *make_hosts(2), make_resident("n0", JOB))
    reconcile_nodes(call)
    reasons = call.reasons.build()

    assert reasons is not None
    assert [(why.alloc_id, why.bucket, why.rule) for why in reasons.buckets] == [
        ("web-n0", "ignore", "NODE-18")
    ]


def test_what_runs_another_specification_is_outdated() -> None:
    """VERS-02."""
    alloc = make_resident("n0", JOB)

    assert not is_outdated(alloc, replace(JOB, version=7))
    assert is_outdated(alloc, replace(JOB, job_modify_index=99))
    assert not is_outdated(alloc, None)
