"""What a cluster promises its users at any moment of rest, and what of that is broken."""

from __future__ import annotations

from collections.abc import Iterator

from nomadspec.model.cluster.entities import AllocClient, AllocDesired, DeploymentStatus, NodeStatus
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_terminal
from nomadspec.model.cluster.entities.evaluation import is_terminal as is_eval_terminal
from nomadspec.model.cluster.resources.fit import judge_fit
from nomadspec.model.cluster.world import World


def list_broken(world: World) -> list[str]:
    """List the promises that are not kept."""
    return [*_list_oversubscribed(world), *_list_left_behind(world), *_list_unhealthy(world)]


def _list_oversubscribed(world: World) -> Iterator[str]:
    """No node is asked for more than it has."""
    for node in world.state.list_nodes():
        living = [a for a in world.state.list_allocs_of_node(node.id) if not is_client_terminal(a)]
        if living:
            fit = judge_fit(node, living)
            if not fit.fits:
                yield f"{node.id} is oversubscribed: {fit.dimension}"


def _list_left_behind(world: World) -> Iterator[str]:
    """Nothing stays wanted on a node that is down or gone, unless its job will be looked at again."""
    for alloc in world.state.list_allocs():
        if alloc.desired_status != AllocDesired.RUN or is_terminal(alloc):
            continue
        node = world.state.find_node(alloc.node_id)
        is_dead = node is None or node.status == NodeStatus.DOWN
        evals = world.state.list_evals_of_job(alloc.namespace, alloc.job_id)
        if is_dead and alloc.client_status != AllocClient.UNKNOWN and all(map(is_eval_terminal, evals)):
            yield f"{alloc.name} is left behind on {alloc.node_id}"


def _list_unhealthy(world: World) -> Iterator[str]:
    """A deployment that was successful had as many healthy allocations as it wanted."""
    for deployment in world.state.list_deployments():
        if deployment.status != DeploymentStatus.SUCCESSFUL:
            continue
        for name, group in deployment.task_groups.items():
            if group is not None and group.healthy_allocs < group.desired_total:
                yield f"{deployment.id} is successful with {group.healthy_allocs} healthy of {name}"
