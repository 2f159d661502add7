"""How a plan gets from a worker into the plan queue, and what stops it on the way."""

from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.model.cluster.components.broker import pause_nack_timer, resume_nack_timer
from nomadspec.model.cluster.components.broker_state import Broker
from nomadspec.model.cluster.components.plan_queue import PlanQueue, enqueue
from nomadspec.model.cluster.entities import Allocation, NamespacedId, Plan
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import RELABELLED_PLACEMENT

NO_PLAN: Final = "cannot submit nil plan"
NO_JOB_INFO: Final = "cannot submit plan without job info"
NO_JOB: Final = 'job "{}" in namespace "{}" not found'


class Submission(msgspec.Struct, frozen=True):
    """The leader's memory after a plan was submitted, and why it was refused, if it was."""

    broker: Broker
    queue: PlanQueue
    error: str = ""


def normalize(plan: Plan, token: str, snapshot_index: int, profile: Profile) -> Plan:
    """Reduce a plan to what the leader cannot look up, and sign it with the delivery that made it.

    As intended the job stays in it, for the leader may know a later version by then.

    Spec: PLAN-10, PLAN-12, X-30.
    """
    job = plan.job
    info = NamespacedId(namespace=job.namespace, id=job.id) if job else plan.job_info
    stops = {node_id: tuple(map(_reduce_stop, allocs)) for node_id, allocs in plan.node_update.items()}
    evictions = {
        node_id: tuple(map(_reduce_eviction, allocs)) for node_id, allocs in plan.node_preemptions.items()
    }
    return replace(
        plan,
        eval_token=token,
        snapshot_index=snapshot_index,
        job=None if profile.has(RELABELLED_PLACEMENT) else job,
        job_info=info,
        node_update=stops,
        node_preemptions=evictions,
    )


def _reduce_stop(alloc: Allocation) -> Allocation:
    return Allocation(
        id=alloc.id,
        desired_description=alloc.desired_description,
        client_status=alloc.client_status,
        followup_eval_id=alloc.followup_eval_id,
        reschedule_tracker=alloc.reschedule_tracker,
    )


def _reduce_eviction(alloc: Allocation) -> Allocation:
    return Allocation(id=alloc.id, preempted_by_allocation=alloc.preempted_by_allocation)


def submit(state: State, broker: Broker, queue: PlanQueue, plan: Plan | None, now_ns: int) -> Submission:
    """Give a plan its job as it is now if it carries none, stop the clock of its delivery, and queue it.

    Spec: PLAN-13, PLAN-14, PLAN-15.
    """
    if plan is None:
        return Submission(broker, queue, NO_PLAN)
    plan, error = _attach_job(state, plan)
    if error:
        return Submission(broker, queue, error)
    paused = pause_nack_timer(broker, plan.eval_id, plan.eval_token)
    if paused.error:
        return Submission(paused.broker, queue, paused.error)
    queued, error = enqueue(queue, plan, now_ns)
    if error:
        return Submission(return_plan(paused.broker, plan, now_ns), queue, error)
    return Submission(paused.broker, queued)


def _attach_job(state: State, plan: Plan) -> tuple[Plan, str]:
    if plan.job_info is None:
        return plan, "" if plan.job is not None else NO_JOB_INFO
    job = state.find_job(plan.job_info.namespace, plan.job_info.id)
    if job is None:
        return plan, NO_JOB.format(plan.job_info.id, plan.job_info.namespace)
    return replace(plan, job=plan.job or job), ""


def return_plan(broker: Broker, plan: Plan, now_ns: int) -> Broker:
    """Start the clock of a delivery again when its plan is answered; whether it still is one does not matter.

    Spec: PLAN-13.
    """
    return resume_nack_timer(broker, plan.eval_id, plan.eval_token, now_ns).broker
