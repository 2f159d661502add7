"""What a job that is registered, stopped or scaled is written as, and the evaluation that comes with it."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.cluster.admission.spec_change import is_spec_changed
from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.entities import Evaluation, Job, JobType, Trigger
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic
from nomadspec.model.cluster.store.requests import EvalUpdate, JobDeregister, JobRegister, Request
from nomadspec.model.cluster.store.state import State

DEFAULT_PRIORITY: Final = 50


def never_runs(job: Job) -> bool:
    """True if only children of a job run: those of its launches or dispatches.

    Spec: JOB-24.
    """
    return is_periodic(job) or is_parameterized(job)


def make_registration_eval(job: Job, eval_id: str, now_ns: int, priority: int = 0) -> Evaluation | None:
    """Make the evaluation of a registration or dispatch, whose priority may be another than the job's.

    Spec: TRIG-03, TRIG-05a, JOB-05, JOB-10.
    """
    if never_runs(job):
        return None
    made = make_eval(job, Trigger.JOB_REGISTER, eval_id, now_ns)
    return replace(made, priority=priority if priority > 0 else job.priority)


def register_job(
    state: State, job: Job, eval_id: str, now_ns: int, *, eval_priority: int = 0
) -> Request | None:
    """Write an admitted job together with its evaluation, or the evaluation alone where nothing is new.

    Spec: JOB-08, TRIG-03, TRIG-04, OBJ-043.
    """
    made = make_registration_eval(job, eval_id, now_ns, eval_priority)
    if is_spec_changed(state.find_job(job.namespace, job.id), job):
        return JobRegister(job=job, eval=made, eval_priority=eval_priority)
    return EvalUpdate(evals=(made,)) if made else None


def make_deregistration_eval(
    stored: Job | None, eval_id: str, now_ns: int, priority: int = 0
) -> Evaluation | None:
    """Make the evaluation of a job that is stopped or purged, which is one of services whatever the job is.

    Spec: TRIG-06, JOB-05, 09/S3, 01/S8.
    """
    if stored is None or never_runs(stored):
        return None
    made = make_eval(stored, Trigger.JOB_DEREGISTER, eval_id, now_ns)
    own = stored.priority if stored.priority > 0 else DEFAULT_PRIORITY
    return replace(made, type=JobType.SERVICE.value, priority=priority if priority > 0 else own)


def deregister_job(state: State, asked: JobDeregister, eval_id: str, now_ns: int) -> JobDeregister | None:
    """Write that a job is stopped or purged; for a job that nobody knows nothing is written, nor said.

    Spec: JOB-12, JOB-13, JOB-14.
    """
    stored = state.find_job(asked.namespace, asked.job_id)
    if stored is None:
        return None
    made = make_deregistration_eval(stored, eval_id, now_ns, asked.eval_priority)
    return replace(asked, eval=made, submit_time_ns=now_ns)


def make_scaling_eval(job: Job, job_index: int, eval_id: str, now_ns: int) -> Evaluation | None:
    """Make the evaluation of a job that was scaled, in an entry after the job's.

    Spec: TRIG-22, JOB-22.
    """
    if never_runs(job):
        return None
    made = make_eval(job, Trigger.JOB_SCALING, eval_id, now_ns)
    return replace(made, job_modify_index=job_index)
