"""Statements about deployments, each of the latest one of a job."""

from __future__ import annotations

from nomadspec.checkers.scenario.doing import do
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.lookups import find_alloc, find_deployment
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import CallDeployment, SetHealth


def _call(run: Run, job: str, verb: str, groups: tuple[str, ...] = ()) -> None:
    do(run, CallDeployment(deployment=find_deployment(run, job).id, verb=verb, groups=groups))


@statement("promote NAME")
def promote(run: Run, job: str) -> None:
    """Promote the canaries of a job: what they run is what all shall run."""
    _call(run, job, "promote")


@statement("promote NAME group GROUP")
def promote_group(run: Run, job: str, group: str) -> None:
    """Promote the canaries of one group."""
    _call(run, job, "promote", (group,))


@statement("pause deployment NAME")
def pause(run: Run, job: str) -> None:
    """Pause the deployment of a job."""
    _call(run, job, "pause")


@statement("resume deployment NAME")
def resume(run: Run, job: str) -> None:
    """Let the deployment of a job go on."""
    _call(run, job, "resume")


@statement("fail deployment NAME")
def fail(run: Run, job: str) -> None:
    """Fail the deployment of a job."""
    _call(run, job, "fail")


@statement("unblock deployment NAME")
def unblock(run: Run, job: str) -> None:
    """Unblock the deployment of a job, which does nothing in one region."""
    _call(run, job, "unblock")


@statement("set ALLOC healthy")
def set_healthy(run: Run, name: str) -> None:
    """Say of an allocation that it is healthy."""
    alloc = find_alloc(run, name)
    do(run, SetHealth(deployment=alloc.deployment_id, healthy=(alloc.id,)))


@statement("set ALLOC unhealthy")
def set_unhealthy(run: Run, name: str) -> None:
    """Say of an allocation that it is not healthy."""
    alloc = find_alloc(run, name)
    do(run, SetHealth(deployment=alloc.deployment_id, unhealthy=(alloc.id,)))
