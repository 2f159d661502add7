"""Statements about nodes: heartbeats, drains, eligibility."""

from __future__ import annotations

from msgspec.structs import replace

from nomadspec.checkers.scenario.doing import do, do_possible
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.language import Options
from nomadspec.checkers.scenario.lookups import find_alloc, find_client, find_node
from nomadspec.checkers.scenario.option_values import read_duration, read_flag
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import (
    DrainNode,
    EndDrain,
    EvaluateNode,
    FindServers,
    LoseServers,
    PurgeNode,
    RegisterNode,
    SetEligibility,
)
from nomadspec.model.cluster.constraints.computed_class import compute_class


@statement("NODE misses heartbeats")
def miss_heartbeats(run: Run, node: str) -> None:
    """A client does not reach the servers any more; its heartbeat is missed within the minute."""
    do_possible(run, LoseServers(node=find_client(run, node)))


@statement("node of ALLOC misses heartbeats")
def miss_heartbeats_of(run: Run, alloc: str) -> None:
    """The client that runs an allocation does not reach the servers any more."""
    do_possible(run, LoseServers(node=find_alloc(run, alloc).node_id))


@statement("every node returns")
def come_back_all(run: Run) -> None:
    """All clients that were out of reach reach the servers again."""
    for one in list(FindServers.choices(run.world)):
        run.take(one)
    run.settle()


@statement("NODE returns")
def come_back(run: Run, node: str) -> None:
    """A client that was out of reach reaches the servers again."""
    do_possible(run, FindServers(node=find_client(run, node)))


@statement("NODE changes ATTRIBUTE to VALUE")
def change_fingerprint(run: Run, name: str, attribute: str, value: str) -> None:
    """A client finds another attribute of its node, and registers it again."""
    node = find_node(run, name)
    changed = replace(node, attributes={**node.attributes, attribute: value})
    do(run, RegisterNode(node=replace(changed, computed_class=compute_class(changed))))


@statement("drain NODE now")
def drain_at_once(run: Run, node: str) -> None:
    """Empty a node at once, whatever that means for the jobs."""
    do(run, DrainNode(node=node, deadline_ns=-1))


@statement("drain NODE", deadline="a duration", ignore_system="yes or no")
def drain(run: Run, node: str, options: Options) -> None:
    """Empty a node as the jobs allow, until a deadline if there is one."""
    deadline_ns = read_duration(options, "deadline", "0s")
    ignores = read_flag(options, "ignore_system")
    do(run, DrainNode(node=node, deadline_ns=deadline_ns, ignores_system_jobs=ignores))


@statement("stop draining NODE", eligible="yes or no")
def end_drain(run: Run, node: str, options: Options) -> None:
    """Do not empty a node any more, and open it again if that is said."""
    do(run, EndDrain(node=node, marks_eligible=read_flag(options, "eligible")))


@statement("NODE ineligible")
def close(run: Run, node: str) -> None:
    """Close a node for placements."""
    do(run, SetEligibility(node=node, eligible=False))


@statement("NODE eligible")
def mark_eligible(run: Run, node: str) -> None:
    """Open a node for placements."""
    do(run, SetEligibility(node=node, eligible=True))


@statement("purge node NODE")
def purge_node(run: Run, node: str) -> None:
    """Have the servers forget a node."""
    do(run, PurgeNode(node=node))


@statement("evaluate node NODE")
def evaluate_node(run: Run, node: str) -> None:
    """Have all jobs looked at again that may care about a node."""
    do(run, EvaluateNode(node=node))
