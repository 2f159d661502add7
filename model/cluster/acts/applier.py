"""What the plan applier does: judge a plan while earlier ones are committed, dispatch it, see its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from msgspec.structs import replace

from nomadspec.model.cluster.acts.commit import (
    LOST_ENTRY,
    answer_worker,
    commit_plan,
    fail_plan,
    fail_plans_on_top,
)
from nomadspec.model.cluster.acts.registry import Act, act
from nomadspec.model.cluster.components import plan_pipeline
from nomadspec.model.cluster.components.plan_applier import (
    evaluate_again,
    evaluate_plan,
    is_result_no_op,
    join_verdicts,
    leave_rest,
)
from nomadspec.model.cluster.components.plan_commit import Commit, Keyring, build_entry
from nomadspec.model.cluster.components.plan_error import PlanError
from nomadspec.model.cluster.components.plan_queue import QueuedPlan, dequeue, list_next
from nomadspec.model.cluster.components.plan_rejections import note_rejections
from nomadspec.model.cluster.entities import Plan, PlanResult
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.world import InFlight, Judged, Leader, World
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.specification.quirks import ERROR_AFTER_DISPATCH, OUTDATED_JUDGEMENT, PHANTOM_EFFECTS

_KEYRING: Final = Keyring("key", lambda _alloc, _task: "signed")


@act(
    "PLAN-21",
    "PLAN-31",
    "PLAN-37",
    "PLAN-43",
    actor="applier",
    refines="answer_error notice_completion evaluate reject_all_at_once_pipelined dispatch",
)
class JudgePlan(Act, frozen=True, kw_only=True):
    """The applier takes a plan, judges it, and dispatches what it let through if nothing is in its way."""

    position: int
    """Which of the plans that may be next: they tie in priority and time."""
    collected: int
    """How many of the ended entries it has learnt of."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Any plan that may be next, after any number of the ends that were reported."""
        leader, profile = world.leader, world.settings.profile
        if leader.judged is not None or not leader.plans.waiting:
            return
        least = len(leader.ended) if plan_pipeline.has_heeded_failure(leader.ended, profile) else 0
        for collected in range(len(leader.ended), least - 1, -1):
            applier = plan_pipeline.collect(leader.applier, leader.ended[:collected], profile=profile)
            for position, queued in enumerate(list_next(leader.plans)):
                if plan_pipeline.may_judge(applier, queued.plan, world.state, profile=profile):
                    yield cls(position=position, collected=collected)

    def take(self, world: World) -> World:
        """Answer what is rejected or empty at once; hold what is let through until it may be dispatched."""
        queued: QueuedPlan = list_next(world.leader.plans)[self.position]
        leader = replace(world.leader, plans=dequeue(world.leader.plans, queued))
        return _judge(replace(world, leader=leader), queued.plan, self.collected)


def _judge(world: World, plan: Plan, collected: int, earlier: PlanResult | None = None) -> World:
    """Judge a plan once so many ended entries were seen, and dispatch it if nothing is in its way.

    Of one that was judged before only what is left of it is judged anew: who was rejected counts once.
    """
    leader, profile = world.leader, world.settings.profile
    applier = plan_pipeline.collect(leader.applier, leader.ended[:collected], profile=profile)
    applier = plan_pipeline.refresh(applier, plan, world.state, profile=profile)
    leader = replace(leader, applier=applier, ended=leader.ended[collected:], judged=None)
    world = replace(world, leader=leader)
    try:
        left = plan if earlier is None else leave_rest(plan, earlier)
        result = evaluate_plan(_get_snapshot(leader), left, profile=profile)
    except PlanError as error:
        return answer_worker(world, plan, Answer(error=str(error)))
    world, result = _note_rejections(world, result)
    result = result if earlier is None else join_verdicts(earlier, result)
    if is_result_no_op(result):
        return answer_worker(world, plan, Answer(result=result))
    judged = Judged(plan=plan, result=result)
    world = replace(world, leader=replace(world.leader, judged=judged))
    return world if plan_pipeline.must_wait(applier) else _dispatch(world, judged)


@act("PLAN-31", "PLAN-36", actor="applier", refines="answer_error await_completion dispatch")
class DispatchPlan(Act, frozen=True, kw_only=True):
    """The applier, which waited for an earlier entry to end, sees its end and dispatches the next one."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible when an end was reported, and a plan is held back."""
        if world.leader.judged is not None and world.leader.ended:
            yield cls()

    def take(self, world: World) -> World:
        """Take note of one end, and go on if that is enough; judge anew after a failure that is minded."""
        leader = world.leader
        if leader.judged is None:
            raise ImpossibleError("No plan waits to be dispatched.")
        if plan_pipeline.has_heeded_failure(leader.ended, world.settings.profile):
            return _judge(world, leader.judged.plan, len(leader.ended), leader.judged.result)
        applier = plan_pipeline.wait(leader.applier, leader.ended[0])
        world = replace(world, leader=replace(leader, applier=applier, ended=leader.ended[1:]))
        return world if plan_pipeline.must_wait(applier) else _dispatch(world, leader.judged)


@act(
    "PLAN-31",
    "PLAN-34",
    "PLAN-70",
    actor="log",
    refines="make_pending answer_error commit",
)
class CommitPlan(Act, frozen=True, kw_only=True):
    """The log commits the entry of the plan that was dispatched first, and its worker is answered."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while an entry is in flight."""
        if world.leader.in_flight:
            yield cls()

    def take(self, world: World) -> World:
        """Commit it."""
        return commit_plan(world)


@act("PLAN-34", "PLAN-98", actor="log", external=True, refines="answer_error fail_first_entry")
class FailPlan(Act, frozen=True, kw_only=True):
    """The entry of the plan that was dispatched first is never committed; its worker is told so."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """Possible while an entry is in flight."""
        if world.leader.in_flight:
            yield cls()

    def take(self, world: World) -> World:
        """Drop it, and what was judged on top of it where that is minded."""
        world = fail_plan(world, LOST_ENTRY)
        return world if world.settings.profile.has(PHANTOM_EFFECTS) else fail_plans_on_top(world)


def _get_snapshot(leader: Leader) -> State:
    if leader.applier.snapshot is None:
        raise ImpossibleError("The applier judges without a state.")
    return leader.applier.snapshot


def _note_rejections(world: World, result: PlanResult) -> tuple[World, PlanResult]:
    noted, named = note_rejections(world.rejections, result.rejected_nodes, world.now_ns)
    return replace(world, rejections=noted), replace(result, ineligible_nodes=named)


def _dispatch(world: World, judged: Judged) -> World:
    """Hand the entry to the log, and show its effect in the applier's copy.

    Spec: PLAN-31, PLAN-33, PLAN-60.
    """
    plan, leader = judged.plan, replace(world.leader, judged=None)
    snapshot = _get_snapshot(leader)
    world = replace(world, leader=leader)
    try:
        world, judged = _judge_again(world, judged)
        if is_result_no_op(judged.result):
            return answer_worker(world, plan, Answer(result=judged.result))
        ids, world = _make_eval_ids(world, judged.result)
        commit = Commit(world.now_ns, ids, _KEYRING)
        request = build_entry(snapshot, world.state, plan, judged.result, commit)
    except PlanError as error:
        return answer_worker(world, plan, Answer(error=str(error)))
    try:
        applier = plan_pipeline.dispatch(
            leader.applier, request, world.state.latest_index, profile=world.settings.profile
        )
    except plan_pipeline.OptimisticError as error:
        if not world.settings.profile.has(ERROR_AFTER_DISPATCH):
            return answer_worker(world, plan, Answer(error=str(error)))
        lost = InFlight(plan=plan, result=judged.result, request=request, is_lost=True)
        world = replace(world, leader=replace(leader, in_flight=(*leader.in_flight, lost)))
        return answer_worker(world, plan, Answer(error=str(error)))
    shown = _as_in_copy(judged.result, applier)
    flying = InFlight(plan=plan, result=shown, request=request)
    leader = replace(leader, applier=applier, in_flight=(*leader.in_flight, flying))
    return replace(world, leader=leader)


def _judge_again(world: World, judged: Judged) -> tuple[World, Judged]:
    """Judge a plan once more before it is dispatched, where that is done."""
    if world.settings.profile.has(OUTDATED_JUDGEMENT):
        return world, judged
    earlier = judged.result
    result = evaluate_again(
        _get_snapshot(world.leader), world.state, judged.plan, earlier, profile=world.settings.profile
    )
    rejected = tuple(node for node in result.rejected_nodes if node not in earlier.rejected_nodes)
    world, noted = _note_rejections(world, replace(result, rejected_nodes=rejected))
    named = (*earlier.ineligible_nodes, *noted.ineligible_nodes)
    return world, replace(judged, result=replace(result, ineligible_nodes=named))


def _make_eval_ids(world: World, result: PlanResult) -> tuple[tuple[str, ...], World]:
    """Make an ID for each job that may be preempted."""
    evicted = {
        (each.namespace, each.job_id) for allocs in result.node_preemptions.values() for each in allocs
    }
    first = world.made + 1
    world = replace(world, made=world.made + len(evicted))
    return tuple(f"eval-{number:05d}" for number in range(first, world.made + 1)), world


def _as_in_copy(result: PlanResult, applier: plan_pipeline.Applier) -> PlanResult:
    """Show the placements of a result as the applier's copy has them, with the indexes that it guessed.

    Spec: PLAN-33.
    """
    if applier.snapshot is None:
        return result
    allocs = applier.snapshot.allocs
    placed = {
        node_id: tuple(allocs.get(alloc.id, alloc) for alloc in placed)
        for node_id, placed in result.node_allocation.items()
    }
    return replace(result, node_allocation=placed)
