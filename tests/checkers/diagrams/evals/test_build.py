"""Graphs of evaluations: the worked examples of Nomad's document on triggers, and what objects tell."""

import pytest

from nomadspec.checkers.diagrams.evals.build import build_dag
from nomadspec.checkers.diagrams.evals.folding import keep_evals
from nomadspec.checkers.diagrams.evals.queries import list_cycles
from nomadspec.checkers.diagrams.evals.records import EdgeKind, EvalDag, NodeKind
from nomadspec.checkers.diagrams.evals.sources import replay_recording
from nomadspec.checkers.oracle.limits import LIMITS
from nomadspec.model.cluster.entities import AllocDeploymentStatus, Deployment
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.diagrams.evals.told import (
    FLAPPING,
    LOST,
    ROLLED,
    build_of,
    list_edges,
    make_alloc,
    make_eval,
    play_text,
)
from tests.recorded import FOLDER


def build_of_recording(name: str) -> EvalDag:
    return build_dag(replay_recording(FOLDER / "traces" / name, NOMAD_2_0, LIMITS))


def test_a_lost_node_leads_to_an_evaluation_of_each_job_and_a_blocked_one() -> None:
    """TRIG-09: the first example of the document, without its rejected plans."""
    edges = list_edges(keep_evals(play_text(LOST)))

    assert [edge for edge in edges if "node-1" in edge[0] or "big" in edge[0]] == [
        ("big job-register", "caused", "big[0] healthy"),
        ("job big register", "caused", "big job-register"),
        ("big[0] healthy", "caused", "big deployment-watcher"),
        ("big node-update", "blocked", "big blocked queued-allocs"),
        ("big node-update", "previous", "big blocked queued-allocs"),
        ("node-1 misses heartbeat", "caused", "big node-update"),
        ("node-1 misses heartbeat", "caused", "web node-update"),
        ("node-1 misses heartbeat", "caused", "agent node-update"),
    ]


def test_each_step_of_an_update_waits_for_health() -> None:
    """The second example: what becomes healthy leads to the next evaluation, and that to what comes next."""
    edges = list_edges(keep_evals(play_text(ROLLED)))

    assert edges[-9:] == [
        ("web job-register", "caused", "web[0] healthy"),
        ("web job-register", "caused", "deployment promoted"),
        ("job web register", "caused", "web job-register"),
        ("web[0] healthy", "caused", "web deployment-watcher"),
        ("web deployment-watcher", "caused", "web[1] healthy"),
        ("deployment promoted", "caused", "web deployment-watcher"),
        ("web[1] healthy", "caused", "web deployment-watcher"),
        ("web deployment-watcher", "caused", "web[2] healthy"),
        ("web[2] healthy", "caused", "web deployment-watcher"),
    ]


def test_nodes_that_flap_lead_to_an_evaluation_of_each_job_each_time() -> None:
    """The third example: nodes times jobs times two, and one event of a node comes after another."""
    dag = keep_evals(play_text(FLAPPING))
    edges = list_edges(dag)

    assert 12 == sum(edge[0].startswith("node-") and edge[1] == "caused" for edge in edges)
    assert ("node-1 misses heartbeat", "then", "node-1 heartbeats") in edges


def test_a_plan_shows_what_it_placed_and_stopped() -> None:
    edges = list_edges(play_text(LOST))

    assert ("web job-register", "placed", "web[0] lost, stop") in edges
    assert ("web node-update", "stopped", "web[0] lost, stop") in edges
    assert ("web[0] lost, stop", "replaced", "web[0] running") in edges
    assert ("web node-update", "placed", "web[0] running") in edges


def test_an_evaluation_that_changes_nothing_is_a_no_op() -> None:
    no_ops = [" ".join(node.label) for node in play_text(LOST).nodes if node.is_no_op]

    assert no_ops == ["agent deployment-watcher", "big deployment-watcher", "web deployment-watcher"]


def test_the_same_scenario_gives_the_same_graph() -> None:
    assert play_text(ROLLED) == play_text(ROLLED)


def test_objects_alone_tell_what_made_them() -> None:
    health = AllocDeploymentStatus(healthy=True, modify_index=9)
    dag = build_of(
        make_eval("e1", 5, job_modify_index=5),
        make_eval("e2", 10, triggered_by="deployment-watcher", deployment_id="d"),
        allocs=(make_alloc("a", 6, "e1", deployment_id="d", deployment_status=health),),
        deployments=(
            Deployment(id="d", namespace="default", job_id="web", status="running", create_index=6),
        ),
    )

    assert {
        ("job web register", "caused", "web job-register"),
        ("web job-register", "placed", "web[0] running"),
        ("web job-register", "caused", "deployment version 0 running"),
        ("web[0] running", "caused", "web[0] healthy"),
        ("web[0] healthy", "caused", "web deployment-watcher"),
    } == set(list_edges(dag))


def test_an_update_in_place_does_not_place() -> None:
    dag = build_of(make_eval("e1", 5), make_eval("e2", 9), allocs=(make_alloc("a", 6, "e2"),))

    assert [] == list(dag.edges)


def test_a_preemption_is_told_by_who_preempted() -> None:
    dag = build_of(
        make_eval("strong", 5, job_id="db"),
        make_eval("again", 6, triggered_by="preemption"),
        allocs=(
            make_alloc("victim", 3, "gone", preempted_by_allocation="by"),
            make_alloc("by", 6, "strong", job_id="db", name="db.db[0]"),
        ),
    )

    assert {
        ("db job-register", "placed", "db[0] running"),
        ("db job-register", "caused", "web preemption"),
        ("db[0] running", "preempted", "web[0] running"),
    } == set(list_edges(dag))


def test_links_to_what_is_not_there_are_left_out() -> None:
    dag = build_of(make_eval("e", 5, previous_eval="gone", next_eval="never", blocked_eval="none"))

    assert (1, 0) == (len(dag.nodes), len(dag.edges))


@pytest.mark.parametrize(
    "name", ["preemption", "service_fail_followup", "canary_manual", "drain_two", "disconnect_early_return"]
)
def test_all_in_a_recording_has_a_cause_and_no_chain_is_a_circle(name: str) -> None:
    dag = build_of_recording(name)
    caused = {edge.target for edge in dag.causal_edges}

    assert [] == [node.id for node in dag.nodes if node.kind != NodeKind.EVENT and node.id not in caused]
    assert [] == list_cycles(dag)


def test_a_recording_shows_followups_and_preemptions() -> None:
    assert EdgeKind.PREEMPTED in {edge.kind for edge in build_of_recording("preemption").edges}
    assert EdgeKind.RESCHEDULED in {edge.kind for edge in build_of_recording("service_fail_followup").edges}


DRAINED = """\
cluster 2 nodes cpu 4000
node other joins class old
register web count 2 class old migrate 1
wait 1m
register web count 2 migrate 1
wait 1m
node-1 misses heartbeats
wait 1m
drain node-3 deadline 1h
wait 5m
"""
"""A drain moves allocations one at a time; another node that is lost beside it has its own events."""


def test_a_drain_is_what_asks_allocations_to_move() -> None:
    edges = list_edges(keep_evals(play_text(DRAINED.replace("other", "node-3"))))
    drained = [edge for edge in edges if edge[0] == "node-3 drains"]

    assert drained
    assert {"caused"} == {kind for _, kind, _ in drained}
    assert all("is asked to move" in target for _, _, target in drained)


def test_what_an_operator_stops_elsewhere_is_asked_by_no_drain() -> None:
    text = """\
cluster 2 nodes cpu 4000
register web count 2
wait 1m
drain node-1 deadline 1h
wait 5m
stop alloc web[0]
wait 1m
"""
    dag = play_text(text)
    asked = {node.id for node in dag.nodes if "is asked to move" in node.label}
    by_drain = {edge.target for edge in dag.edges if edge.source.endswith("drains")}

    assert asked > by_drain
