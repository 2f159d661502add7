"""What every new evaluation has, whoever makes it."""

from nomadspec.model.cluster.entities import EvalStatus, Evaluation, Job, Trigger


def make_eval(job: Job, trigger: Trigger, eval_id: str, now_ns: int) -> Evaluation:
    """Make a pending evaluation of a job; whatever else it has is up to its maker.

    Spec: TRIG-02, EVAL-10, 09/S4.
    """
    return Evaluation(
        id=eval_id,
        namespace=job.namespace,
        priority=job.priority,
        type=job.type,
        triggered_by=trigger.value,
        job_id=job.id,
        status=EvalStatus.PENDING.value,
        create_time_ns=now_ns,
        modify_time_ns=now_ns,
    )
