"""Statements about allocations: what their tasks do, and what operators ask of them."""

from __future__ import annotations

from nomadspec.checkers.scenario.doing import do, do_possible
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.lookups import find_alloc, find_job
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import EndTasks, RestartAlloc, RestartTasks, StopAlloc
from nomadspec.model.cluster.entities import Allocation, AllocClient


def _fail(run: Run, alloc: Allocation) -> None:
    again = RestartTasks(node=alloc.node_id, alloc=alloc.id)
    while again in list(RestartTasks.choices(run.world)):
        run.take(again)
    do_possible(run, EndTasks(node=alloc.node_id, alloc=alloc.id, failed=True))


@statement("every alloc of NAME fails")
def fail_all(run: Run, name: str) -> None:
    """The tasks of all allocations of a job that run fail for good."""
    for alloc in _list_running(run, name):
        _fail(run, alloc)


@statement("every alloc of NAME completes")
def complete_all(run: Run, name: str) -> None:
    """The tasks of all allocations of a job that run end well."""
    for alloc in _list_running(run, name):
        do_possible(run, EndTasks(node=alloc.node_id, alloc=alloc.id, failed=False))


def _list_running(run: Run, name: str) -> list[Allocation]:
    job = find_job(run, name)
    allocs = run.world.state.list_allocs_of_job(job.namespace, job.id)
    return [alloc for alloc in allocs if alloc.client_status == AllocClient.RUNNING]


@statement("ALLOC fails")
def fail_alloc(run: Run, name: str) -> None:
    """The tasks of an allocation fail until they may not be started again where they are."""
    _fail(run, find_alloc(run, name))


@statement("ALLOC restarts")
def restart_tasks(run: Run, name: str) -> None:
    """The tasks of an allocation fail once, and are started again where they are."""
    alloc = find_alloc(run, name)
    do_possible(run, RestartTasks(node=alloc.node_id, alloc=alloc.id))


@statement("ALLOC completes")
def complete_alloc(run: Run, name: str) -> None:
    """The tasks of an allocation end well."""
    alloc = find_alloc(run, name)
    do_possible(run, EndTasks(node=alloc.node_id, alloc=alloc.id, failed=False))


@statement("stop alloc ALLOC")
def stop_alloc(run: Run, name: str) -> None:
    """Have an allocation stopped where it is, and placed again."""
    do(run, StopAlloc(alloc=find_alloc(run, name).id))


@statement("restart alloc ALLOC")
def restart_alloc(run: Run, name: str) -> None:
    """Have the tasks of an allocation started again where they are."""
    do(run, RestartAlloc(alloc=find_alloc(run, name).id))
