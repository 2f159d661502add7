"""Which evaluations a report of a client creates: for failures that may be repeated, and for what is back."""

from collections.abc import Iterable, Sequence
from typing import Final

from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.components.node_evals import MakeId
from nomadspec.model.cluster.entities import Allocation, Evaluation, Job, Trigger
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.entities.job import find_group
from nomadspec.model.cluster.entities.node import is_unresponsive
from nomadspec.model.cluster.policy.reschedule import is_allowed, list_events
from nomadspec.model.cluster.store.state import State
from nomadspec.model.lifecycle.allocation import AllocClient

NO_ALLOCS: Final = "must update at least one allocation"
NO_NODE_ID: Final = "missing node ID"
NO_NODE: Final = "node {} not found"
WRONG_STATUS: Final = "node {} is {}, not ready"


def find_report_refusal(state: State, updates: Sequence[Allocation]) -> str:
    """Say why a batch of reports is refused, or nothing if it is taken: the node of the first one decides.

    Spec: ALLOC-11, 09/S13.
    """
    if not updates:
        return NO_ALLOCS
    node_id = updates[0].node_id
    if not node_id:
        return NO_NODE_ID
    node = state.find_node(node_id)
    if node is None:
        return NO_NODE.format(node_id)
    return WRONG_STATUS.format(node_id, node.status) if is_unresponsive(node) else ""


def make_client_evals(
    state: State, updates: Iterable[Allocation], make_id: MakeId, now_ns: int
) -> tuple[Evaluation, ...]:
    """Make the evaluations of a batch of reports: of each job the first one.

    Spec: ALLOC-12, TRIG-15, EVAL-10.
    """
    made: dict[tuple[str, str], Evaluation] = {}
    for update in updates:
        wanted = find_client_trigger(state, update, now_ns)
        if wanted is not None:
            job, trigger = wanted
            made.setdefault((job.namespace, job.id), make_eval(job, trigger, make_id(), now_ns))
    return tuple(made.values())


def find_client_trigger(state: State, update: Allocation, now_ns: int) -> tuple[Job, Trigger] | None:
    """Find what a report about one allocation is a reason for, and whose type and priority that takes.

    Spec: ALLOC-12, TRIG-07, TRIG-13, TRIG-14, RESCHED-24, REC-46.
    """
    stored = state.find_alloc(update.id)
    was_unknown = stored is not None and stored.client_status == AllocClient.UNKNOWN
    if stored is None or not (was_unknown or is_client_terminal(update)):
        return None
    job = state.find_job(stored.namespace, stored.job_id)
    if job is None:
        return (stored.job, Trigger.JOB_DEREGISTER) if stored.job else None
    may_fail = update.client_status == AllocClient.FAILED and not stored.followup_eval_id
    group = find_group(job, stored.task_group)
    if may_fail and group is None:
        return None
    if was_unknown:
        return job, Trigger.RECONNECT
    policy = group.reschedule_policy if group else None
    is_repeated = may_fail and is_allowed(policy, list_events(stored.reschedule_tracker), now_ns)
    return (job, Trigger.ALLOC_FAILURE) if is_repeated else None
