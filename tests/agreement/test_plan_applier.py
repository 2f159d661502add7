"""The kernel's applier agrees with the recorded one: each plan of a scope is given to both.

Both get the same plan and the same state, or, where entries are in flight, go on with a snapshot of their
own. After each step the same is stored, the same shown in the snapshot, which is as new, the same left of a
plan that was judged, and its worker answered alike. The component limits how many nodes it makes ineligible
within a time; the kernel does not, so time enough goes by here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.components import plan_pipeline, plan_queue
from nomadspec.model.cluster.components.plan_applier import (
    evaluate_plan,
    is_result_no_op,
    join_verdicts,
    leave_rest,
    list_nodes,
)
from nomadspec.model.cluster.components.plan_commit import (
    Commit,
    answer_commit,
    build_entry,
    leave_out_dropped,
)
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.components.plan_pipeline import Applier, OptimisticError
from nomadspec.model.cluster.components.plan_queue import PlanQueue, QueuedPlan
from nomadspec.model.cluster.components.plan_rejections import Rejections, note_rejections
from nomadspec.model.cluster.components.two_queue_cache import put
from nomadspec.model.cluster.entities import Allocation, Plan, PlanResult
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.store.entries import Applied, Entry, apply
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import SnapshotIndex, Stage
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import SILENT_DROP, VOID_EFFECTS
from tests.agreement.evaluations import read_arguments
from tests.agreement.objects import (
    name_alloc,
    name_node,
    name_placement,
    rename,
    show_eligible,
    show_state,
    show_view,
    write_plan,
    write_state,
)
from tests.agreement.subject import Choice, Subject, Translate
from tests.agreement.walking import KERNEL, Edge, in_depth

STEPS = 500
Nodes = dict[tuple[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A plan that the recorded applier has let through, all or part of it."""

    plan: Plan
    result: PlanResult


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker is told of its plan."""

    is_error: bool = False
    is_whole: bool = False
    has_progress: bool = False


@dataclass(frozen=True, slots=True)
class Mirror:
    """The recorded applier, the index of the log, and what it is known by."""

    profile: Profile
    applier: Applier
    rejections: Rejections
    queue: PlanQueue
    index: int = 100
    in_hand: Any = NONE
    """The worker whose plan is judged and not dispatched yet."""
    log: tuple[Any, ...] = ()
    """The entries that are in flight, in order."""
    unseen: tuple[Any, ...] = ()
    """The entries that have ended, and whose end the applier has still to see."""
    noticed: tuple[int, ...] = ()
    """The indexes of the entries whose end it has seen since the last plan; 0 is a failed one."""
    ended: dict[Any, int] = field(default_factory=dict)
    """By entry, the index at which it was committed."""
    judged: dict[Any, Judged] = field(default_factory=dict)
    """By worker, the plan that was judged last."""
    earlier: dict[Any, PlanResult] = field(default_factory=dict)
    """By worker, the verdict on its plan, of which what is left is judged anew."""
    in_flight: dict[Any, tuple[Any, ApplyPlanResults, PlanResult]] = field(default_factory=dict)
    """By entry, its worker, what it asks of the store, and what is left of its plan."""
    planned: dict[Any, int] = field(default_factory=dict)
    """By worker, the index of its first snapshot of the delivery."""
    proposed: dict[Any, Nodes] = field(default_factory=dict)
    """By worker, where the scheduler saw each allocation."""
    nodes: Nodes = field(default_factory=dict)
    """Where each allocation was last seen."""
    answers: dict[Any, Answer] = field(default_factory=dict)
    """Who was answered in the last step."""
    stored: State | None = None
    """What the last step has stored, where it was a plan."""


def begin(world: Kernel, profile: Profile) -> Mirror:
    threshold = int(world.rejection_threshold)
    rejections = Rejections(is_enabled=threshold > 0, threshold=threshold)
    applier = Applier(depth=int(world.depth))
    return Mirror(profile, applier, rejections, plan_queue.enable(PlanQueue()))


def refuse(mirror: Mirror, result: PlanResult) -> tuple[Mirror, PlanResult]:
    """Count what was rejected; time enough has gone by for every node that is to be made ineligible."""
    rested = with_fields(mirror.rejections, credit_ns=10**18)
    rejections, named = note_rejections(rested, result.rejected_nodes, 0)
    return replace(mirror, rejections=rejections), with_fields(result, ineligible_nodes=named)


def list_order(told: dict[str, Any], plan: Plan) -> list[str]:
    """List the nodes of a plan in the order of their verdicts: first the one for which it is refused."""
    first = name_node(told["node"]) if "node" in told else ""
    return sorted(list_nodes(plan), key=lambda node: node != first)


def settle(mirror: Mirror) -> Applier:
    """Let the applier take note of the ends that it has seen, all at once as it does before a plan."""
    return (
        plan_pipeline.collect(mirror.applier, mirror.noticed, profile=mirror.profile)
        if mirror.noticed
        else mirror.applier
    )


def judge(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Judge a plan by a new copy of the state, or by the one at hand."""
    worker = told["worker"]
    plan = find_plan(before, mirror, worker)
    state = write_state(before, mirror.index, mirror.nodes)
    earlier = mirror.earlier.get(worker)
    left = leave_rest(plan, earlier) if earlier else plan
    mirror = replace(
        mirror,
        queue=plan_queue.dequeue(mirror.queue, find_queued(mirror, worker)),
        earlier={who: result for who, result in mirror.earlier.items() if who != worker},
    )
    applier = plan_pipeline.refresh(settle(mirror), plan, state, profile=mirror.profile)
    mirror = replace(mirror, applier=applier, noticed=())
    try:
        result = evaluate_plan(get_snapshot(applier), left, list_order(told, left), profile=mirror.profile)
    except PlanError:
        return replace(mirror, answers={worker: Answer(is_error=True)})
    mirror, result = refuse(mirror, result)
    result = join_verdicts(earlier, result) if earlier else result
    judged = Judged(plan, result)
    if is_result_no_op(result):
        return replace(mirror, answers={worker: answer(judged.result)})
    if before.depth == 0:
        return commit(replace(mirror, applier=Applier()), worker, before, after, judged)
    return replace(mirror, judged=mirror.judged | {worker: judged}, in_hand=worker)


def find_plan(world: Kernel, mirror: Mirror, worker: Any) -> Plan:
    """Find the whole plan of a worker, of which the kernel keeps no more than what is left."""
    if worker in mirror.earlier:
        return mirror.judged[worker].plan
    return write_plan(world, worker, mirror.planned[worker], mirror.proposed[worker])


def enqueue(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Put a plan that is taken into the queue, under the name of its worker."""
    worker = told["worker"]
    job = before.job[worker]
    if after.stage[worker] != Stage.SUBMITTED:
        return mirror
    priority = int(before.eval_priority[job, before.number[worker]])
    since_ns = 1 + max((each.since_ns for each in mirror.queue.waiting), default=0)
    queue, error = plan_queue.enqueue(mirror.queue, Plan(eval_id=str(worker), priority=priority), since_ns)
    assert not error
    return replace(mirror, queue=queue)


def find_queued(mirror: Mirror, worker: Any) -> QueuedPlan:
    (found,) = [each for each in mirror.queue.waiting if each.plan.eval_id == str(worker)]
    return found


def answer(result: PlanResult) -> Answer:
    return Answer(is_whole=not result.refresh_index, has_progress=not is_no_op(result))


def answer_applied(mirror: Mirror, result: PlanResult, applied: Applied) -> Answer:
    """Answer a plan whose entry has come out of the log; as intended, with what the store made of it."""
    try:
        result = answer_commit(result, mirror.index + 1, applied.error, profile=mirror.profile)
    except PlanError:
        return Answer(is_error=True)
    return answer(result if mirror.profile.has(SILENT_DROP) else leave_out_dropped(result, applied.state))


def get_snapshot(applier: Applier) -> State:
    assert applier.snapshot is not None
    return applier.snapshot


def number(judged: Judged, job: Any, numbers: dict[str, Any]) -> PlanResult:
    """Give what is placed the numbers that the kernel gives it."""

    def change(alloc: Allocation) -> Allocation:
        return with_fields(alloc, id=name_alloc(job, numbers[alloc.id])) if alloc.id in numbers else alloc

    return with_fields(judged.result, node_allocation=rename(judged.result.node_allocation, change))


def commit(mirror: Mirror, worker: Any, before: Kernel, after: Kernel, judged: Judged) -> Mirror:
    """Write a plan in the step in which it was judged; placements get the next numbers in their order."""
    job, made = before.job[worker], before.alloc_made[before.job[worker]]
    placed = {each.id for allocs in judged.result.node_allocation.values() for each in allocs}
    slots = [name_placement(k) for k in before.placements if name_placement(k) in placed]
    result = number(judged, job, {slot: made + place for place, slot in enumerate(slots)})
    state = write_state(before, mirror.index, mirror.nodes)
    applied = store(mirror, state, build(state, state, judged.plan, result), before, after)
    answers = {worker: answer_applied(mirror, result, applied)}
    return replace(mirror, index=mirror.index + 1, answers=answers, stored=applied.state)


def build(snapshot: State, state: State, plan: Plan, result: PlanResult) -> ApplyPlanResults:
    return build_entry(snapshot, state, plan, result, Commit(now_ns=1, eval_ids=("follow-up",)))


def store(mirror: Mirror, state: State, request: ApplyPlanResults, before: Kernel, after: Kernel) -> Applied:
    """Apply the entry of a plan; for whom it preempts, as many evaluations are made as in the kernel."""
    applied = apply(state, Entry(mirror.index + 1, request), now_ns=1, profile=mirror.profile)
    made = sum(after.made[job] - before.made[job] for job in before.jobs)
    assert made == len(request.preemption_evals) * (applied.error is None)
    return applied


def dispatch(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Hand an entry to the log; where the snapshot cannot show it, its worker is told of an error."""
    worker, job, entry_id = told["worker"], told["job"], told["entry_id"]
    assert not plan_pipeline.must_wait(mirror.applier)
    judged, state = mirror.judged[worker], write_state(before, mirror.index, mirror.nodes)
    numbers = {name_placement(k): after.entry[entry_id].alloc[k] for k in before.placements}
    result = number(judged, job, numbers)
    request = build(get_snapshot(mirror.applier), state, judged.plan, result)
    in_flight = mirror.in_flight | {entry_id: (worker, request, result)}
    mirror = replace(mirror, in_flight=in_flight, in_hand=NONE, log=(*mirror.log, entry_id))
    try:
        applier = plan_pipeline.dispatch(mirror.applier, request, mirror.index, profile=mirror.profile)
    except OptimisticError:
        lost = in_flight | {entry_id: (NONE, request, result)}
        return replace(mirror, in_flight=lost, answers={worker: Answer(is_error=True)})
    return replace(mirror, applier=applier)


def commit_entry(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Apply an entry; what the store refuses is answered like what it took."""
    entry_id = told["entry_id"]
    worker, request, result = mirror.in_flight[entry_id]
    state = write_state(before, mirror.index, mirror.nodes)
    applied = store(mirror, state, request, before, after)
    index = mirror.index + (applied.error is None)
    is_void = applied.error is not None and not mirror.profile.has(VOID_EFFECTS)
    return replace(
        end_entry(mirror, entry_id, is_led=bool(before.leading)),
        index=index,
        ended=mirror.ended | {entry_id: 0 if is_void else mirror.index + 1},
        answers={} if worker == NONE else {worker: answer_applied(mirror, result, applied)},
        stored=applied.state,
    )


def end_entry(mirror: Mirror, entry_id: Any, *, is_led: bool) -> Mirror:
    """Take an entry out of the log, and report its end to the applier that waits for it."""
    is_counted = is_led and mirror.in_flight[entry_id][0] != NONE
    unseen = (*mirror.unseen, entry_id) if is_counted else mirror.unseen
    return replace(mirror, log=tuple(each for each in mirror.log if each != entry_id), unseen=unseen)


def fail_entry(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    worker, _, _ = mirror.in_flight[told["entry_id"]]
    answers = {} if worker == NONE else {worker: Answer(is_error=True)}
    ended = mirror.ended | {told["entry_id"]: 0}
    return replace(
        end_entry(mirror, told["entry_id"], is_led=bool(before.leading)), ended=ended, answers=answers
    )


def notice(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    noticed = (*mirror.noticed, mirror.ended[told["entry_id"]])
    return replace(mirror, noticed=noticed, unseen=mirror.unseen[1:])


def wait(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    assert plan_pipeline.must_wait(mirror.applier)
    applier = plan_pipeline.wait(mirror.applier, mirror.ended[told["entry_id"]])
    return replace(mirror, applier=applier, unseen=mirror.unseen[1:])


def judge_again(told: dict[str, Any], before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """See a failure with a plan in hand that was judged on top of it: what is left of it is judged anew."""
    earlier = mirror.earlier | {told["worker"]: mirror.judged[told["worker"]].result}
    seen = replace(notice(told, before, after, mirror), in_hand=NONE, earlier=earlier)
    return enqueue(told, before, after, seen)


def lose_leader(_t: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Forget the applier's memory; what is in flight is answered to nobody."""
    in_flight = {entry: (NONE, *rest) for entry, (_, *rest) in mirror.in_flight.items()}
    queue, _ = plan_queue.disable(mirror.queue)
    lost = replace(mirror, in_flight=in_flight, noticed=(), unseen=(), in_hand=NONE, queue=queue, earlier={})
    return replace(lost, applier=Applier(depth=int(before.depth)))


def gain_leader(_t: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    return replace(mirror, queue=plan_queue.enable(mirror.queue))


def forget_rejections(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    histories = put(mirror.rejections.histories, name_node(told["node"]), ())
    return replace(mirror, rejections=with_fields(mirror.rejections, histories=histories))


def take_snapshot(told: dict[str, Any], _b: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    return replace(mirror, planned=mirror.planned | {told["worker"]: mirror.index})


def propose(told: dict[str, Any], before: Kernel, _a: Kernel, mirror: Mirror) -> Mirror:
    """Note where the scheduler has seen what its plan may preempt."""
    seen = before.seen[told["worker"]]
    nodes = {(job, i): seen.occupies[job, i] for job in before.jobs for i in before.allocs}
    return replace(mirror, proposed=mirror.proposed | {told["worker"]: nodes})


FOLLOWERS: dict[str, Callable[[dict[str, Any], Kernel, Kernel, Mirror], Mirror]] = {
    "Begin": take_snapshot,
    "Plan": propose,
    "PlanPreemption": propose,
    "PlanPreemptions": propose,
    "ApplyPlan": judge,
    "RejectAllAtOnce": judge,
    "Evaluate": judge,
    "RejectAllAtOncePipelined": judge,
    "Dispatch": dispatch,
    "Commit": commit_entry,
    "FailFirstEntry": fail_entry,
    "FailDependentEntry": fail_entry,
    "LoseEntry": fail_entry,
    "JudgeAgain": judge_again,
    "NoticeCompletion": notice,
    "AwaitCompletion": wait,
    "Submit": enqueue,
    "LoseLeader": lose_leader,
    "GainLeader": gain_leader,
    "ForgetPlanRejections": forget_rejections,
}
"""What a step is for the applier."""

SILENT = {
    "Dequeue",
    "ExpireDelivery",
    "EndNackDelay",
    "EndWait",
    "TrackBlocked",
    "LoseDuplicate",
    "LoseCancelable",
    "RetryFailedPlans",
    "FailOnError",
    "Refresh",
    "MissRefresh",
    "Ack",
    "Nack",
    "FindJobEligibleForGc",
    "SkipGcJob",
    "LoseHandler",
}
"""Rules that write no entry."""
UNDER_TOKEN = {"RejectTrigger", "Block", "BlockAt", "UseUpAttempts", "WriteOutcome"}
"""Rules that write an entry where the token of the delivery is valid."""


def writes_entry(rule: str, told: dict[str, Any], before: Kernel, after: Kernel) -> bool:
    """True where a step of anybody but the applier writes an entry."""
    if rule in UNDER_TOKEN:
        is_reblocked = any(
            after.arriving[job, n] and not before.arriving[job, n]
            for job in before.jobs
            for n in before.eval_numbers
        )
        is_whole = after.stage[told["worker"]] != Stage.FAILING
        return bool(
            before.holds[told["worker"]] and is_whole and not (rule == "WriteOutcome" and is_reblocked)
        )
    return rule not in SILENT


def follow(instance: Instance, before: Kernel, after: Kernel, mirror: Mirror) -> Mirror:
    """Give the applier what a step of the kernel gives to it, and let the log move on with any other."""
    told, rule = read_arguments(instance), instance.rule.name
    mirror = replace(mirror, answers={}, stored=None)
    if rule in FOLLOWERS:
        mirror = FOLLOWERS[rule](told, before, after, mirror)
    elif writes_entry(rule, told, before, after):
        mirror = replace(mirror, index=mirror.index + 1)
    seen = {(job, i): after.occupies[job, i] for job in after.jobs for i in after.allocs}
    return replace(mirror, nodes=mirror.nodes | {at: node for at, node in seen.items() if node != NONE})


def check_answers(edge: Edge[Mirror]) -> None:
    """Compare what workers are told: an error, or whether all was taken, or whether that was progress."""
    for worker, told in edge.now.answers.items():
        tries = 0 if told.has_progress else edge.before.tries[worker] + 1
        stages = {Stage.REJECTED, Stage.EXHAUSTED}
        if told.is_error or told.is_whole:
            stages, tries = {Stage.FAILING if told.is_error else Stage.DECIDED}, edge.before.tries[worker]
        assert edge.after.stage[worker] in stages
        assert edge.after.tries[worker] == tries


def check_judged(edge: Edge[Mirror]) -> None:
    """Compare what is left of a plan that was judged and waits to be dispatched."""
    for worker in edge.after.workers:
        if edge.after.stage[worker] != Stage.JUDGED:
            continue
        plan = write_plan(edge.after, worker, 0, edge.now.proposed[worker] | edge.now.nodes)
        judged = edge.now.judged[worker].result
        assert list_ids(plan.node_allocation) == list_ids(judged.node_allocation)
        assert list_ids(plan.node_update) == list_ids(judged.node_update)
        assert list_ids(plan.node_preemptions) == list_ids(judged.node_preemptions)
        assert bool(judged.refresh_index) == edge.after.is_partial[worker]
        marked = {name_node(n) for n in edge.after.nodes if edge.after.plan[worker].marks[n]}
        assert marked == set(judged.ineligible_nodes)


def list_ids(by_node: Any) -> set[tuple[str, str]]:
    return {(node, alloc.id) for node, allocs in by_node.items() for alloc in allocs}


def check_snapshot(edge: Edge[Mirror]) -> None:
    """Compare the applier's own snapshot: whether there is one, what it shows, and how new it is."""
    if edge.after.depth == 0:
        return
    applier = settle(edge.now)
    assert (applier.snapshot is not None) == edge.after.has_snap
    if applier.snapshot is None:
        return
    lead = max(-1, min(1, applier.snapshot.latest_index - edge.now.index))
    assert {-1: SnapshotIndex.BEHIND, 0: SnapshotIndex.EVEN, 1: SnapshotIndex.AHEAD}[
        lead
    ] == edge.after.snapshot.index
    assert show_view(edge.after.snapshot, edge.after) == show_state(applier.snapshot, edge.after)
    eligible = {name_node(n): bool(edge.after.snapshot.eligible[n]) for n in edge.after.nodes}
    assert eligible == show_eligible(applier.snapshot)


def check_edge(edge: Edge[Mirror]) -> None:
    """Compare kernel and component after a step."""
    check_answers(edge)
    check_judged(edge)
    check_snapshot(edge)
    if edge.now.stored is not None:
        assert show_view(edge.after, edge.after) == show_state(edge.now.stored, edge.after)
        eligible = {name_node(n): bool(edge.after.eligible[n]) for n in edge.after.nodes}
        assert eligible == show_eligible(edge.now.stored)


def list_allowed(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List what the applier does next, and what may become of the first entry in the log.

    After a failure that it heeds it does at once what are several steps in the kernel: all that is in flight
    fails, it sees every end, and judges the plan in hand anew.
    """
    yield from (("forget", node) for node, times in mirror.rejections.histories.values.items() if times)
    ended = [mirror.ended[entry] for entry in mirror.unseen]
    is_failing = plan_pipeline.has_heeded_failure(ended, mirror.profile)
    ends = ["fail on top"] if is_failing else ["commit"]
    ends.append("fail" if world.leading else "lose with its leader")
    yield from ((end, entry) for entry in mirror.log[:1] for end in ends)
    next_end = () if is_failing and ended[0] == 0 and mirror.log else mirror.unseen[:1]
    if mirror.in_hand == NONE:
        yield from () if is_failing else list_judgements(world, mirror)
        yield from (("see", entry) for entry in next_end)
    elif is_failing and ended[0] == 0:
        yield from (("judge again", mirror.in_hand, entry) for entry in next_end)
    elif is_failing or plan_pipeline.must_wait(mirror.applier):
        yield from (("wait", entry) for entry in next_end)
    else:
        yield "dispatch", mirror.in_hand


def list_judgements(world: Kernel, mirror: Mirror) -> Iterator[Choice]:
    """List the plans of which one may be judged now, each with the node for which all of it is refused."""
    applier = settle(mirror)
    state = write_state(world, mirror.index, mirror.nodes)
    for queued in plan_queue.list_next(mirror.queue) if mirror.queue.waiting else ():
        (worker,) = [each for each in world.workers if str(each) == queued.plan.eval_id]
        plan = find_plan(world, mirror, worker)
        plan = leave_rest(plan, mirror.earlier[worker]) if worker in mirror.earlier else plan
        if not plan_pipeline.may_judge(applier, plan, state, profile=mirror.profile):
            continue
        view = get_snapshot(plan_pipeline.refresh(applier, plan, state, profile=mirror.profile))
        for first in (plan.all_at_once and list_nodes(plan)) or ("",):
            order = sorted(list_nodes(plan), key=lambda node: node != first)
            result = evaluate_plan(view, plan, order, profile=mirror.profile)
            yield "judge", worker, next(iter(result.rejected_nodes), "") if plan.all_at_once else ""


def name_judgement(_world: Kernel, told: dict[str, Any]) -> Choice:
    return "judge", told["worker"], name_node(told["node"]) if "node" in told else ""


def name_entry(word: str) -> Translate:
    return lambda _world, told: (word, told["entry_id"])


APPLIER = Subject(
    begin=begin,
    follow=follow,
    check=lambda _bounded, edge: check_edge(edge),
    rules={
        "ApplyPlan": name_judgement,
        "RejectAllAtOnce": name_judgement,
        "Evaluate": name_judgement,
        "RejectAllAtOncePipelined": name_judgement,
        "Dispatch": lambda _world, told: ("dispatch", told["worker"]),
        "NoticeCompletion": name_entry("see"),
        "AwaitCompletion": name_entry("wait"),
        "JudgeAgain": lambda _world, told: ("judge again", told["worker"], told["entry_id"]),
        "Commit": name_entry("commit"),
        "FailDependentEntry": name_entry("fail on top"),
        "FailFirstEntry": name_entry("fail"),
        "LoseEntry": name_entry("lose with its leader"),
        "ForgetPlanRejections": lambda _world, told: ("forget", name_node(told["node"])),
    },
    list_allowed=list_allowed,
)


@pytest.mark.parametrize("profile", ["nomad-2.0", "intended"])
@pytest.mark.parametrize(
    ("scope", "sizes", "fired"),
    [
        in_depth("partial", {}, {"ApplyPlan", "LoseNode"}),
        in_depth("preemption", {}, {"ApplyPlan", "PlanPreemption"}),
        ("revival", {}, {"ApplyPlan", "PlanPreemption", "UpdateJobInPlace"}),
        ("all-at-once", {}, {"RejectAllAtOnce", "ForgetPlanRejections"}),
        in_depth("pipeline", {}, {"Evaluate", "Dispatch", "Commit", "NoticeCompletion"}),
        in_depth("failed-entry", {}, {"FailFirstEntry", "NoticeCompletion"}),
        ("stale-snapshot", {}, {"FailFirstEntry", "UpdateJob"}),
        in_depth("two-entries", {}, {"FailFirstEntry", "Commit"}),
        ("reference", {}, {"LoseLeader", "GainLeader", "Dispatch"}),
        in_depth("deployment", {"node_changes": 1, "stops": 1}, {"ApplyPlan", "StopJob", "LoseNode"}),
        in_depth("deployment-system", {"depth": 1, "node_changes": 1}, {"Evaluate", "Commit", "PurgeJob"}),
        in_depth("deployment", {"all_at_once": 1, "node_changes": 1}, {"RejectAllAtOnce", "UpdateJob"}),
        ("void-entry", {}, {"Commit", "FailAlloc", "StopJob"}),
        in_depth("preempted-entry", {}, {"PlanPreemption", "Commit"}),
        in_depth("in-place-entry", {}, {"UpdateJobInPlace", "Commit"}),
        in_depth("plan-rejections", {}, {"Evaluate", "ForgetPlanRejections"}),
        ("plan-rejections", {"failed_entries": 3}, {"Evaluate", "FailFirstEntry"}),
        ("all-at-once-entry", {}, {"RejectAllAtOncePipelined"}),
        in_depth("stopped-entry", {}, {"StopJob", "Commit"}),
        in_depth("two-preempted", {}, {"ApplyPlan", "PlanPreemptions"}),
        ("two-preempted-entry", {"evals": 3}, {"PlanPreemptions", "Commit"}),
        ("unknown-plan", {}, {"MakeFollowUp", "ApplyPlan", "ReconnectNode"}),
        in_depth(
            "unknown-entry", {"disconnects": 2, "evals": 6}, {"MakeFollowUp", "Commit", "ReconnectNode"}
        ),
    ],
)
def test_the_kernel_commits_and_answers_what_the_recorded_applier_does(
    scope: str, sizes: dict[str, int], fired: set[str], profile: str, length: int
) -> None:
    bounded = KERNEL.at(scope, sizes=sizes, profile=profile)

    assert fired <= APPLIER.compare(bounded, STEPS * length)
