"""Judges which evaluations came with registrations, launches and stops of jobs in a recorded cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.plain import write_plain
from nomadspec.model.cluster.components.registration import (
    make_deregistration_eval,
    make_registration_eval,
    make_scaling_eval,
)
from nomadspec.model.cluster.entities import Evaluation, Trigger
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import JobDeregister, JobRegister

LAUNCHED: Final = "/periodic-"
"""What the ID of a job has that a launch made."""


def compare_registration(request: JobRegister, path: str) -> Iterator[Difference]:
    """Compare the evaluation of a registration, dispatch or launch; what is scaled gets it an entry later.

    Spec: TRIG-03, TRIG-05a, TRIG-08, JOB-22, JOB-24.
    """
    job, recorded = request.job, request.eval
    if job is None or (recorded is None and request.enforce_index):
        return
    model = make_registration_eval(job, "", 0, request.eval_priority)
    if model is not None and job.parent_id and LAUNCHED in job.id:
        model = replace(model, triggered_by=Trigger.PERIODIC_JOB.value)
    yield from _compare(recorded, [model], path, "TRIG-03")


def compare_deregistration(
    request: JobDeregister, recent: Sequence[State], path: str
) -> Iterator[Difference]:
    """Compare the evaluation of a job that is stopped with those that recent states give.

    Spec: TRIG-06.
    """
    jobs = [state.find_job(request.namespace, request.job_id) for state in recent]
    models = [make_deregistration_eval(job, "", 0, request.eval_priority) for job in jobs]
    yield from _compare(request.eval, models, path, "TRIG-06")


def compare_scaling(recorded: Evaluation, recent: Sequence[State], path: str) -> Iterator[Difference]:
    """Compare the evaluation of a job that was scaled.

    Spec: TRIG-22.
    """
    jobs = [
        job for state in recent if (job := state.find_job(recorded.namespace, recorded.job_id)) is not None
    ]
    models = [make_scaling_eval(job, job.modify_index, "", 0) for job in jobs]
    yield from _compare(recorded, models, path, "TRIG-22")


def _compare(
    recorded: Evaluation | None, models: Iterable[Evaluation | None], path: str, rule: str
) -> Iterator[Difference]:
    shown = [_strip(model) for model in models]
    if _strip(recorded) not in shown:
        yield Difference(f"{path}.Eval", _strip(recorded), shown[0] if shown else None, rule)


def _strip(evaluation: Evaluation | None) -> Any:  # noqa: ANN401 -- what JSON can hold
    """Write an evaluation without what is chosen freely, and the index that the entry itself gives."""
    if evaluation is None:
        return None
    return write_plain(replace(evaluation, id="", create_time_ns=0, modify_time_ns=0))
