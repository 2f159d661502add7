"""Statements about jobs: what operators register, stop, scale, revert, dispatch."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.scenario.doing import do
from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.language import Options
from nomadspec.checkers.scenario.lookups import find_job
from nomadspec.checkers.scenario.objects import JOB_OPTIONS, build_job, read_job
from nomadspec.checkers.scenario.option_values import read_amount, read_flag
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import (
    DeregisterJob,
    DispatchJob,
    EvaluateJob,
    ForcePeriodic,
    MarkStable,
    PlanJob,
    RegisterJob,
    RevertJob,
    ScaleJob,
    TagVersion,
)
from nomadspec.model.cluster.admission.dispatch import Dispatch

REGISTER_OPTIONS: Final = {
    **JOB_OPTIONS,
    "eval_priority": "a priority of the evaluation alone",
    "check_index": "the index that the stored job must have",
    "preserve_counts": "yes or no: whether counts stay as they are stored",
}
DISPATCH_OPTIONS: Final = {
    "meta": "a key and its value: key=value",
    "token": "a word",
    "priority": "a priority",
}


@statement("register file PATH")
def register_file(run: Run, path: str) -> None:
    """Register a job from a file beside the scenario, as Nomad's HTTP API shows it."""
    do(run, RegisterJob(job=read_job(run.folder / path)))


@statement("register NAME", **REGISTER_OPTIONS)
def register(run: Run, name: str, options: Options) -> None:
    """Register a job of one group: as new, or as a further version."""
    index = read_amount(options, "check_index", 0) if "check_index" in options else None
    do(
        run,
        RegisterJob(
            job=build_job(name, options),
            eval_priority=read_amount(options, "eval_priority", 0),
            enforced_index=index,
            preserve_counts=read_flag(options, "preserve_counts"),
        ),
    )


@statement("plan file PATH")
def plan_file(run: Run, path: str) -> None:
    """Ask what a registration from a file would change."""
    do(run, PlanJob(job=read_job(run.folder / path)))


@statement("plan NAME", **JOB_OPTIONS)
def plan(run: Run, name: str, options: Options) -> None:
    """Ask what a registration would change, without one."""
    do(run, PlanJob(job=build_job(name, options)))


@statement("stop NAME")
def stop(run: Run, name: str) -> None:
    """Stop a job."""
    job = find_job(run, name)
    do(run, DeregisterJob(job_id=job.id, namespace=job.namespace))


@statement("purge NAME")
def purge(run: Run, name: str) -> None:
    """Stop a job and forget it."""
    job = find_job(run, name)
    do(run, DeregisterJob(job_id=job.id, namespace=job.namespace, purge=True))


@statement("scale NAME to COUNT")
def scale(run: Run, name: str, count: int) -> None:
    """Change the count of a job's first group."""
    job = find_job(run, name)
    group = job.task_groups[0].name
    do(run, ScaleJob(job_id=job.id, namespace=job.namespace, group=group, count=count))


@statement("revert NAME to NUMBER")
def revert(run: Run, name: str, version: int) -> None:
    """Register a kept version of a job again."""
    job = find_job(run, name)
    do(run, RevertJob(job_id=job.id, namespace=job.namespace, version=version))


@statement("evaluate NAME")
def evaluate(run: Run, name: str) -> None:
    """Have a job looked at again."""
    job = find_job(run, name)
    do(run, EvaluateJob(job_id=job.id, namespace=job.namespace))


@statement("force evaluate NAME")
def evaluate_by_force(run: Run, name: str) -> None:
    """Have a job looked at again, and what failed for good placed again."""
    job = find_job(run, name)
    do(run, EvaluateJob(job_id=job.id, namespace=job.namespace, is_forced=True))


@statement("launch NAME")
def launch(run: Run, name: str) -> None:
    """Launch a periodic job now."""
    job = find_job(run, name)
    do(run, ForcePeriodic(job_id=job.id, namespace=job.namespace))


@statement("dispatch NAME", **DISPATCH_OPTIONS)
def dispatch(run: Run, name: str, options: Options) -> None:
    """Run a parameterized job once; a second request with the same token runs nothing."""
    key, mark, value = options.get("meta", "").partition("=")
    asked = Dispatch(
        meta={key: value} if mark else {},
        idempotency_token=options.get("token", ""),
        priority=read_amount(options, "priority", 0),
    )
    job = find_job(run, name)
    do(run, DispatchJob(job_id=job.id, namespace=job.namespace, dispatch=asked))


@statement("tag NAME NUMBER as TAG")
def tag(run: Run, name: str, version: int, word: str) -> None:
    """Give a version of a job a name, so that it is kept."""
    job = find_job(run, name)
    do(run, TagVersion(job_id=job.id, namespace=job.namespace, version=version, name=word))


@statement("untag NAME TAG")
def untag(run: Run, name: str, word: str) -> None:
    """Take the name of a version away."""
    job = find_job(run, name)
    do(run, TagVersion(job_id=job.id, namespace=job.namespace, name=word, is_removal=True))


@statement("stable NAME NUMBER")
def mark_stable(run: Run, name: str, version: int) -> None:
    """Call a version of a job stable."""
    job = find_job(run, name)
    do(run, MarkStable(job_id=job.id, namespace=job.namespace, version=version, stable=True))


@statement("unstable NAME NUMBER")
def mark_unstable(run: Run, name: str, version: int) -> None:
    """Call a version of a job not stable."""
    job = find_job(run, name)
    do(run, MarkStable(job_id=job.id, namespace=job.namespace, version=version, stable=False))
