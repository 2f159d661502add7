"""What the names in a scenario stand for: the job, the allocation, the deployment, the node."""

from __future__ import annotations

from collections.abc import Iterable

from nomadspec.checkers.scenario.language import WordError
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.entities import Allocation, Deployment, Job, Node
from nomadspec.model.cluster.entities.allocation import is_canary, is_client_terminal, is_server_terminal
from nomadspec.model.errors import suggest


def find_job(run: Run, name: str) -> Job:
    """Find a job by its ID, in any namespace."""
    found = [job for job in run.world.state.list_jobs() if job.id == name]
    if not found:
        raise WordError(name, f"there is no job {name!r}; {_suggest(name, list_job_names(run))}")
    return found[0]


def list_job_names(run: Run) -> list[str]:
    """List the IDs of the jobs."""
    return [job.id for job in run.world.state.list_jobs()]


def find_node(run: Run, name: str) -> Node:
    """Find a node by its ID."""
    node = run.world.state.find_node(name)
    if node is None:
        known = [each.id for each in run.world.state.list_nodes()]
        raise WordError(name, f"there is no node {name!r}; {_suggest(name, known)}")
    return node


def find_client(run: Run, name: str) -> str:
    """Find the client of a node by the node's ID: the servers may have forgotten the node."""
    return name if name in run.world.clients else find_node(run, name).id


def find_alloc(run: Run, name: str) -> Allocation:
    """Find an allocation by its name, such as ``web[0]``, or its ID: the youngest that is not over.

    One that the servers want counts before one that is to stop, and that before one whose tasks have ended.
    Where several bear the name, ``web[0]@node-1`` says which of them is meant; ``canary`` is any canary.
    """
    bare, _, node = name.partition("@")
    allocs = run.world.state.list_allocs()
    named = [alloc for alloc in allocs if _is_called(alloc, bare) and node in {"", alloc.node_id}]
    if not named:
        known = sorted({alloc.name.partition(".")[2] for alloc in allocs})
        raise WordError(name, f"there is no allocation {name!r}; {_suggest(name, known)}")
    return max(named, key=_rank)


def _rank(alloc: Allocation) -> tuple[bool, bool, int, str]:
    return not is_client_terminal(alloc), not is_server_terminal(alloc), alloc.create_index, alloc.id


def _is_called(alloc: Allocation, name: str) -> bool:
    if name == "canary":
        return is_canary(alloc)
    return name in {alloc.id, alloc.name, alloc.name.partition(".")[2]}


def find_deployment(run: Run, job: str | None = None) -> Deployment:
    """Find the latest deployment of a job, or of all."""
    found = [d for d in run.world.state.list_deployments() if job is None or d.job_id == job]
    if not found:
        raise WordError(job or "", "there is no deployment" + (f" of a job {job!r}" if job else ""))
    return max(found, key=lambda each: each.create_index)


def _suggest(name: str, known: Iterable[str]) -> str:
    names = list(known)
    return suggest(name, names).removesuffix(".") if names else "there is none yet"
