"""Statements about what operators set up: the schedulers' configuration, node pools, namespaces."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from nomadspec.checkers.scenario.doing import do
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.language import Options
from nomadspec.checkers.scenario.lookups import find_job
from nomadspec.checkers.scenario.option_values import read_flag, read_word
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import (
    Configure,
    DeleteEvals,
    DeleteNamespace,
    DeletePool,
    WriteNamespace,
    WritePool,
)
from nomadspec.model.cluster.entities import PreemptionConfig, SchedulerConfiguration
from nomadspec.model.cluster.entities.configuration import NEW_CLUSTERS

PREEMPTION_SWITCHES: Final = {
    "preempt_service": "service_scheduler_enabled",
    "preempt_batch": "batch_scheduler_enabled",
    "preempt_system": "system_scheduler_enabled",
    "preempt_sysbatch": "sys_batch_scheduler_enabled",
}
"""Which scheduler may preempt, and the field that says so."""

SWITCHES: Final = {
    "algorithm": "binpack or spread",
    **dict.fromkeys(PREEMPTION_SWITCHES, "yes or no"),
    "reject_registration": "yes or no",
    "oversubscription": "yes or no",
    "pause_broker": "yes or no",
}


def _get_configuration(run: Run) -> SchedulerConfiguration:
    return run.world.state.configuration or NEW_CLUSTERS


@statement("configure", **SWITCHES)
def configure(run: Run, options: Options) -> None:
    """Change the configuration of the schedulers."""
    known = _get_configuration(run)
    before = known.preemption_config
    preemption = PreemptionConfig(
        **{
            flag: read_flag(options, name, usual=getattr(before, flag))
            for name, flag in PREEMPTION_SWITCHES.items()
        }
    )
    algorithm = read_word(options, "algorithm", ("binpack", "spread"), known.scheduler_algorithm)
    rejects = read_flag(options, "reject_registration", usual=known.reject_job_registration)
    oversubscribes = read_flag(options, "oversubscription", usual=known.memory_oversubscription_enabled)
    changed = replace(
        known,
        scheduler_algorithm=algorithm,
        preemption_config=preemption,
        reject_job_registration=rejects,
        memory_oversubscription_enabled=oversubscribes,
        pause_eval_broker=read_flag(options, "pause_broker", usual=known.pause_eval_broker),
    )
    do(run, Configure(configuration=changed))


@statement("pause broker")
def pause_broker(run: Run) -> None:
    """Switch the broker and the blocked evaluations off."""
    do(run, Configure(configuration=replace(_get_configuration(run), pause_eval_broker=True)))


@statement("resume broker")
def resume_broker(run: Run) -> None:
    """Switch the broker and the blocked evaluations on again."""
    do(run, Configure(configuration=replace(_get_configuration(run), pause_eval_broker=False)))


@statement("delete evals of NAME")
def delete_evals(run: Run, name: str) -> None:
    """Delete all evaluations of a job, for which the broker must be paused."""
    job = find_job(run, name)
    evals = run.world.state.list_evals_of_job(job.namespace, job.id)
    do(run, DeleteEvals(evals=tuple(entry.id for entry in evals)))


@statement("pool NAME")
def write_pool(run: Run, name: str) -> None:
    """Make a node pool."""
    do(run, WritePool(name=name))


@statement("delete pool NAME")
def delete_pool(run: Run, name: str) -> None:
    """Delete a node pool."""
    do(run, DeletePool(name=name))


@statement("namespace NAME")
def write_namespace(run: Run, name: str) -> None:
    """Make a namespace."""
    do(run, WriteNamespace(name=name))


@statement("delete namespace NAME")
def delete_namespace(run: Run, name: str) -> None:
    """Delete a namespace."""
    do(run, DeleteNamespace(name=name))
