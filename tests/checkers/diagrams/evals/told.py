"""Scenarios and objects from which tests build graphs of evaluations."""

from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.diagrams.evals.build import build_dag
from nomadspec.checkers.diagrams.evals.records import EvalDag
from nomadspec.checkers.diagrams.evals.tellers import ToldRun, tell_objects
from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.model.cluster.entities import Allocation, Deployment, Evaluation
from nomadspec.model.specification.profiles import NOMAD_2_0

LOST = """\
cluster 1 nodes cpu 4000
node other joins class small cpu 1000
register agent type system
register big cpu 3000
register web cpu 500
wait 1m
node-1 misses heartbeats
wait 1m
"""
"""A node with a system job and two services is lost, and one of the services fits nowhere any more."""

ROLLED = """\
cluster 4 nodes cpu 4000
register web count 3 min_healthy 1s
wait 1m
register web count 3 canary 1 auto_promote yes image v2
wait 5m
"""
"""A service is updated by way of a canary."""

FLAPPING = """\
cluster 2 nodes cpu 4000
register one type system
register two type system
register three type system
wait 1m
node-1 misses heartbeats
wait 1m
node-1 returns
wait 1m
node-2 misses heartbeats
wait 1m
node-2 returns
wait 1m
"""
"""Two nodes are lost and come back one after the other."""


def play_text(text: str, title: str = "played") -> EvalDag:
    """Play a scenario and build its graph."""
    run = ToldRun(NOMAD_2_0)
    play_lines(parse_lines(text, title), NOMAD_2_0, run=run)
    return build_dag(run.teller.tell(title))


def build_of(
    *evals: Evaluation, allocs: tuple[Allocation, ...] = (), deployments: tuple[Deployment, ...] = ()
) -> EvalDag:
    """Build the graph of objects as the API shows them."""
    return build_dag(tell_objects("objects", evals, allocs, deployments))


def make_eval(eval_id: str, index: int, **fields: Any) -> Evaluation:
    """Make an evaluation of the job web that is complete."""
    usual = Evaluation(
        id=eval_id,
        create_index=index,
        namespace="default",
        job_id="web",
        triggered_by="job-register",
        status="complete",
    )
    return replace(usual, **fields)


def make_alloc(alloc_id: str, index: int, by: str, **fields: Any) -> Allocation:
    """Make an allocation of the job web that runs."""
    usual = Allocation(
        id=alloc_id,
        create_index=index,
        eval_id=by,
        namespace="default",
        job_id="web",
        name="web.web[0]",
        client_status="running",
        desired_status="run",
    )
    return replace(usual, **fields)


def list_edges(dag: EvalDag) -> list[tuple[str, str, str]]:
    """List the edges with the labels of their ends in place of IDs."""
    labels = {node.id: " ".join(node.label) for node in dag.nodes}
    return [(labels[edge.source], edge.kind.value, labels[edge.target]) for edge in dag.edges]
