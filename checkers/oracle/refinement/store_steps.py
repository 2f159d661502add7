"""The log entries of a store, each with the kernel's steps that it must be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from nomadspec.checkers.oracle.refinement.scene import Outside
from nomadspec.checkers.oracle.refinement.store_sight import JobKey, Staged, look_at_node
from nomadspec.model.cluster.entities import Allocation, AllocClient, Evaluation
from nomadspec.model.cluster.entities.allocation import is_client_terminal, is_server_terminal, is_terminal
from nomadspec.model.cluster.entities.job import BATCH_TYPES
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store import requests as asked
from nomadspec.model.kernel import clients, collection, jobs, nodes
from nomadspec.model.kernel.applier import apply_plan
from nomadspec.model.kernel.broker import cancel_cancelable, make_record
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import OPEN_EVAL, AllocPhase, EvalRecord, Kind, Stage, TriggeredBy
from nomadspec.model.kernel.worker import reject_trigger, write_outcome
from nomadspec.model.language.domain import Id
from nomadspec.model.lifecycle.allocation import SAID_BY_SERVERS


@dataclass(frozen=True, slots=True)
class Entry:
    """A log entry, with the store before it and after it."""

    request: Any
    before: State
    after: State


Act = Callable[[Entry, Staged], bool]
"""Takes the kernel's steps on a stage; False where the kernel does not allow them."""


def _make(s: Kernel, t: Kernel, job: Id, record: EvalRecord) -> None:
    make_record(s, t, job, record, TriggeredBy.EVENT, 0)


def _key(entity: Evaluation | Allocation) -> JobKey:
    return entity.namespace, entity.job_id


def _make_new(entry: Entry, staged: Staged, evals: Iterable[Evaluation]) -> bool:
    """Make the evaluations that an entry carries along and that are new."""
    return all(
        _make_eval(entry, staged, evaluation)
        for evaluation in evals
        if entry.before.find_eval(evaluation.id) is None
    )


def _make_eval(entry: Entry, staged: Staged, evaluation: Evaluation) -> bool:
    stored = entry.after.find_eval(evaluation.id)
    if stored is None:
        return True
    job, number = staged.cast.eval(_key(stored), stored.id)
    staged.scene.put("made", number, job)
    return staged.scene.run(_make, job, EvalRecord[stored.status.upper()])


def _run_on_job(staged: Staged, key: JobKey, rule: Callable[..., object], *arguments: int) -> bool:
    """Run a rule that makes an evaluation of a job, and let that be one of the entry's or nobody's."""
    job = staged.cast.job(key)
    staged.scene.put("made", staged.spare, job)
    for budget in ("stopped", "purged", "returned", "updated", "external_triggers_made"):
        staged.scene.put(budget, 0)
    return staged.scene.run(rule, job, *arguments)


def register(entry: Entry, staged: Staged) -> bool:
    """A job is registered: it is new, comes back, has a new version, or is merely evaluated."""
    request: asked.JobRegister = entry.request
    if request.job is None or request.deployment is not None:
        raise Outside("a registration with a deployment")
    key = (request.job.namespace, request.job.id)
    old, new = entry.before.jobs.get(key), entry.after.jobs.get(key)
    if new is None:
        raise Outside("a registration that leaves no job")
    if new.stop and (old is None or old.stop):
        raise Outside("a registration of a job that is stopped")
    if new.stop:
        is_done = _run_on_job(staged, key, jobs.stop_job)
    elif old is None or old.stop:
        is_done = _run_on_job(staged, key, jobs.register_again)
    elif old.version != new.version:
        is_done = _run_on_job(staged, key, jobs.update_job)
    else:
        is_done = _run_on_job(staged, key, jobs.evaluate_job, jobs.ExternalTrigger.REGISTERED_UNCHANGED)
    return is_done and _make_new(entry, staged, [request.eval] if request.eval else [])


def deregister(entry: Entry, staged: Staged) -> bool:
    """A job is stopped or purged."""
    request: asked.JobDeregister = entry.request
    key = (request.namespace or "default", request.job_id)
    is_done = _stop(entry, staged, key, is_purge=request.purge, purge=jobs.purge_job)
    return is_done and _make_new(entry, staged, [request.eval] if request.eval else [])


def deregister_batch(entry: Entry, staged: Staged) -> bool:
    """Jobs are stopped, or purged by the collector."""
    request: asked.JobBatchDeregister = entry.request
    for one in request.jobs:
        if not _stop(entry, staged, (one.namespace, one.id), is_purge=one.purge, purge=_reap):
            return False
    return _make_new(entry, staged, request.evals)


def _reap(s: Kernel, t: Kernel, job: Id) -> None:
    jobs.delete_job(s, t, job)


def _stop(entry: Entry, staged: Staged, key: JobKey, *, is_purge: bool, purge: Callable[..., object]) -> bool:
    old, new = entry.before.jobs.get(key), entry.after.jobs.get(key)
    if old is None:
        return True  # only the evaluation is written
    if is_purge and new is None:
        return _run_on_job(staged, key, purge)
    if new is not None and new.stop and not old.stop:
        return _run_on_job(staged, key, jobs.stop_job)
    return True


def write_evals(entry: Entry, staged: Staged) -> bool:
    """Evaluations are made, or come to their end."""
    request: asked.EvalUpdate = entry.request
    return all(_write_eval(entry, staged, evaluation) for evaluation in request.evals)


def _write_eval(entry: Entry, staged: Staged, evaluation: Evaluation) -> bool:
    at = staged.cast.eval(_key(evaluation), evaluation.id)
    target = EvalRecord[evaluation.status.upper()]
    if entry.before.find_eval(evaluation.id) is None:
        if target is EvalRecord.COMPLETE and not evaluation.failed_tg_allocs:
            raise Outside("an evaluation that is made complete")
        return _make_eval(entry, staged, evaluation)
    if target in OPEN_EVAL:
        if staged.scene.get("eval_record", *at) != target:
            raise Outside("an evaluation that comes back")
        return True
    if target is EvalRecord.CANCELED:
        is_cancelable = True
        staged.scene.put("cancelable", is_cancelable, *at)
        return staged.scene.run(cancel_cancelable, *at)
    return _end(staged, at, target, is_short=bool(evaluation.failed_tg_allocs))


def _end(staged: Staged, at: tuple[int, int], target: EvalRecord, *, is_short: bool) -> bool:
    """Let a worker write the end of its delivery."""
    scene, is_valid = staged.scene, True
    scene.put("job", at[0], 0)
    scene.put("number", at[1], 0)
    scene.put("holds", is_valid, 0)
    if target is EvalRecord.FAILED:
        scene.put("stage", Stage.TAKEN, 0)
        scene.put("triggered_by", TriggeredBy.UNHANDLED_TRIGGER, *at)
        return scene.run(reject_trigger, 0, *at)
    scene.put("stage", Stage.DECIDED, 0)
    scene.put("is_short", is_short, 0)
    scene.put("made_blocked", is_short, 0)
    return scene.run(write_outcome, 0, *at)


def delete_evals(entry: Entry, staged: Staged) -> bool:
    """Evaluations and allocations are deleted: what has ended by the collector, the rest by an operator."""
    request: asked.EvalDelete = entry.request
    for name in request.evals:
        evaluation = entry.before.find_eval(name)
        if evaluation is not None and not _collect(staged, staged.cast.eval(_key(evaluation), name)):
            return False
    for name in request.allocs:
        alloc = entry.before.find_alloc(name)
        if alloc is not None and not _collect_alloc(staged, staged.cast.alloc(_key(alloc), name)):
            return False
    return True


def _collect(staged: Staged, at: tuple[int, int]) -> bool:
    staged.scene.put("gc_deletions_made", 0)
    if staged.scene.run(collection.gc_eval, *at):
        return True
    is_paused = True
    staged.scene.put("paused", is_paused)
    return staged.scene.run(collection.delete_eval, *at)


def _collect_alloc(staged: Staged, at: tuple[int, int]) -> bool:
    staged.scene.put("gc_deletions_made", 0)
    if not staged.scene.allows(collection.gc_alloc, *at):
        raise Outside("an allocation that is deleted and may still be needed")
    return staged.scene.run(collection.gc_alloc, *at)


def report(entry: Entry, staged: Staged) -> bool:
    """Clients report; only an end is anything to the kernel."""
    request: asked.AllocClientUpdate = entry.request
    for told in request.alloc:
        old, new = entry.before.find_alloc(told.id), entry.after.find_alloc(told.id)
        if old is not None and new is not None and not _report(entry, staged, old, new):
            return False
    return _make_new(entry, staged, request.evals)


def _report(entry: Entry, staged: Staged, old: Allocation, new: Allocation) -> bool:
    job, at = staged.cast.alloc(_key(old), old.id)
    staged.scene.put("reported", 0)
    staged.scene.put("made", staged.spare, job)
    if is_server_terminal(old):
        is_news = is_client_terminal(new) and staged.scene.get("alloc_phase", job, at) == AllocPhase.STOPPED
        is_told = bool(staged.scene.get("is_reported", job, at))
        if old.client_status == AllocClient.LOST and new.client_status != AllocClient.LOST:
            raise Outside("an allocation that was lost, and tells how it ended")
        if new.client_status == AllocClient.LOST:
            raise Outside("an allocation that its client calls lost")
        return staged.scene.run(clients.report_end, job, at) if is_news and not is_told else True
    if new.client_status == old.client_status or not (is_terminal(new) or is_terminal(old)):
        if (
            AllocClient.UNKNOWN in {old.client_status, new.client_status}
            and new.client_status != old.client_status
        ):
            raise Outside("an allocation that becomes unknown, or reconnects")
        return True
    if is_terminal(old):
        raise Outside("an allocation that lives again, or ends otherwise")
    return _end_alloc(entry, staged, old, new)


def _end_alloc(entry: Entry, staged: Staged, old: Allocation, new: Allocation) -> bool:
    job, at = staged.cast.alloc(_key(old), old.id)
    node = staged.cast.node(old.node_id)
    seen = look_at_node(entry.before.find_node(old.node_id))
    if not (seen.is_up or seen.is_initializing):
        raise Outside("a report from a node that is down or disconnected")
    if new.client_status == AllocClient.FAILED:
        return staged.scene.run(clients.fail_alloc, job, at, node)
    owner = entry.before.jobs.get(_key(old))
    kind = owner.type if owner is not None else ""
    if new.client_status != AllocClient.COMPLETE or kind not in BATCH_TYPES:
        raise Outside("an allocation that ends without a failure, and of no batch job")
    staged.scene.put("kind", Kind.BATCH, job)
    return staged.scene.run(clients.complete_alloc, job, at, node)


def mark(entry: Entry, staged: Staged) -> bool:
    """Allocations are asked to move; what the kernel sees is their evaluations."""
    request: asked.AllocUpdateDesiredTransition = entry.request
    return _make_new(entry, staged, request.evals)


def change_nodes(entry: Entry, staged: Staged) -> bool:
    """Nodes go down, are disconnected, come back, change their eligibility or are drained."""
    for name in staged.cast.nodes:
        if entry.after.find_node(name) is None or entry.before.find_node(name) is None:
            if entry.after.find_node(name) is not entry.before.find_node(name):
                raise Outside("a node that is new, or is removed")
            continue
        for rule in _list_node_rules(entry, name):
            staged.scene.put("node_changed", 0)
            staged.scene.put("migrations_made", 0)
            if not staged.scene.allows(rule, staged.cast.node(name)):
                raise Outside(f"{getattr(rule, 'name', 'a change')} where the kernel's actors would not")
            staged.scene.run(rule, staged.cast.node(name))
    return True


def _list_node_rules(entry: Entry, name: str) -> Iterator[Callable[..., object]]:
    old, new = (look_at_node(state.find_node(name)) for state in (entry.before, entry.after))
    status = (
        (old.is_up, old.is_disconnected, old.is_initializing),
        (new.is_up, new.is_disconnected, new.is_initializing),
    )
    if status[0] != status[1]:
        rules = _STATUS_RULES.get((_spell(status[0]), _spell(status[1])))
        if rules is None:
            raise Outside(f"a node that goes from {_spell(status[0])} to {_spell(status[1])}")
        yield from rules
    if new.is_draining and not old.is_draining:
        yield nodes.drain_node
    elif old.is_draining and not new.is_draining:
        yield nodes.end_drain
    if old.is_eligible and not new.is_eligible and not new.is_draining:
        yield nodes.mark_ineligible
    elif new.is_eligible and not old.is_eligible:
        yield nodes.mark_eligible


def _spell(status: tuple[bool, bool, bool]) -> str:
    return next((name for name, is_so in zip(_STATUSES, status, strict=True) if is_so), "down")


_STATUSES: Final = ("ready", "disconnected", "initializing")
_STATUS_RULES: Final[Mapping[tuple[str, str], tuple[Callable[..., object], ...]]] = {
    ("ready", "down"): (nodes.lose_node,),
    ("initializing", "down"): (nodes.lose_node,),
    ("ready", "disconnected"): (nodes.miss_heartbeat,),
    ("disconnected", "initializing"): (nodes.reconnect_node,),
    ("disconnected", "ready"): (nodes.reconnect_node, nodes.ready_node),
    ("disconnected", "down"): (nodes.expire_disconnected_node,),
    ("down", "ready"): (nodes.recover_node,),
    ("initializing", "ready"): (nodes.ready_node,),
}
"""From which status to which, and the rules that do it, one after the other."""


def commit(entry: Entry, staged: Staged) -> bool:
    """The result of a plan is committed: what it places, updates, stops and preempts."""
    request: asked.ApplyPlanResults = entry.request
    touched = [*request.allocs_stopped, *request.allocs_updated]
    stored = [entry.after.find_alloc(alloc.id) for alloc in touched]
    keys = {_key(alloc) for alloc in stored if alloc is not None}
    _refuse_other_ends(entry)
    if any(alloc is not None and entry.before.find_node(alloc.node_id) is None for alloc in stored):
        raise Outside("a plan for a node that is not there")
    if len(keys) > 1 or len(request.allocs_preempted) > len(keys):
        raise Outside("a plan that touches several jobs, or drives several allocations out")
    if any(node.is_eligible and not look_at_node(entry.after.find_node(name)).is_eligible
           for name in request.ineligible_nodes
           for node in [look_at_node(entry.before.find_node(name))]):  # fmt: skip
        raise Outside("a plan that makes nodes ineligible")
    for key in keys:
        _put_plan(entry, staged, key)
        if not staged.scene.run(apply_plan, 0, staged.cast.job(key)):
            return False
        staged.put_nodes(entry.before)  # the verdict on them was given before
    return _make_new(entry, staged, [*request.evals, *request.preemption_evals])


def _refuse_other_ends(entry: Entry) -> None:
    """A plan of the kernel stops what lives, and says nothing of its client."""
    request: asked.ApplyPlanResults = entry.request
    for told in request.allocs_stopped:
        old = entry.before.find_alloc(told.id)
        if old is not None and is_terminal(old):
            raise Outside("a plan that stops what has ended")
        if told.client_status in SAID_BY_SERVERS:
            raise Outside("a plan that writes an allocation as ended or unknown")


def _put_plan(entry: Entry, staged: Staged, key: JobKey) -> None:
    """Put the plan before the applier, on nodes that have room for everything."""
    request: asked.ApplyPlanResults = entry.request
    scene, job, is_so = staged.scene, staged.cast.job(key), True
    scene.put("job", job, 0)
    scene.put("stage", Stage.SUBMITTED, 0)
    scene.put("plans", 1, 0)
    scene.fill("node_up", is_so)
    scene.fill("eligible", is_so)
    for alloc in filter(None, (entry.before.find_alloc(told.id) for told in request.allocs_stopped)):
        scene.put("plan.stops", staged.cast.node(alloc.node_id), 0, staged.cast.alloc(key, alloc.id)[1])
    new = [alloc for alloc in request.allocs_updated if entry.before.find_alloc(alloc.id) is None]
    for alloc in request.allocs_updated:
        if is_terminal(alloc) or alloc.client_status == AllocClient.UNKNOWN:
            raise Outside("a plan that writes an allocation as ended or unknown")
        if alloc not in new:
            scene.put("plan.keeps", staged.cast.node(alloc.node_id), 0, staged.cast.alloc(key, alloc.id)[1])
    names = staged.cast.allocs[key]
    kept = sorted((alloc for alloc in new if alloc.id in names), key=lambda one: names.index(one.id))
    dropped = [alloc for alloc in new if alloc.id not in names]
    for slot, alloc in enumerate([*kept, *dropped]):
        scene.put("plan.to", staged.cast.node(alloc.node_id), 0, slot)
    if kept:
        scene.put("alloc_made", names.index(kept[0].id), job)
    for alloc in request.allocs_preempted:
        _put_preempted_alloc(entry, staged, alloc)


def _put_preempted_alloc(entry: Entry, staged: Staged, alloc: Allocation) -> None:
    stored = entry.before.find_alloc(alloc.id)
    if stored is None:
        raise Outside("a plan that preempts what is not stored")
    job, at = staged.cast.alloc(_key(stored), stored.id)
    staged.scene.put("plan.preempted", True, 0, job, at)  # noqa: FBT003 -- the value of a flag
    staged.scene.put("made", staged.spare, job)


ACTS: Final[Mapping[type, Act]] = {
    asked.JobRegister: register,
    asked.JobDeregister: deregister,
    asked.JobBatchDeregister: deregister_batch,
    asked.EvalUpdate: write_evals,
    asked.EvalDelete: delete_evals,
    asked.AllocClientUpdate: report,
    asked.AllocUpdateDesiredTransition: mark,
    asked.ApplyPlanResults: commit,
    asked.NodeRegister: change_nodes,
    asked.NodeUpdateStatus: change_nodes,
    asked.NodeUpdateDrain: change_nodes,
    asked.BatchNodeUpdateDrain: change_nodes,
    asked.NodeUpdateEligibility: change_nodes,
    asked.NodeDeregister: change_nodes,
    asked.NodeBatchDeregister: change_nodes,
}
"""What the kernel does for each type of entry; the others change nothing that it sees, or have no words."""
