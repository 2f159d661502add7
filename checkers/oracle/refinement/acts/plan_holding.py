"""Finds the kernel's steps that an act is for plans and allocations, among those that it declares.

A plan goes from its worker to the queue, through the applier and the log to the store, and clients report
what becomes of its allocations. The plans, entries and allocations of the world before an act are set on the
kernel's stage as they are; the declared texts are tried with their guards until the kernel shows what the
world after the act shows. Entries in flight come before what an act writes, whatever the act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from nomadspec.checkers.oracle.refinement.acts.holding import Held, list_declared
from nomadspec.checkers.oracle.refinement.acts.plan_sight import (
    PlanSight,
    Told,
    assign,
    get_job_key,
    list_submitted,
    list_unanswered,
    look,
)
from nomadspec.checkers.oracle.refinement.acts.plan_stage import PlanStage, put_on_stage, put_queue
from nomadspec.checkers.oracle.refinement.acts.unheld import UNHELD
from nomadspec.checkers.oracle.refinement.scene import Outside, Text
from nomadspec.checkers.oracle.refinement.store_sight import find_job_phase
from nomadspec.model.cluster.acts import JudgePlan, SubmitPlan
from nomadspec.model.cluster.acts.registry import Act
from nomadspec.model.cluster.components.plan_applier import list_nodes
from nomadspec.model.cluster.components.plan_queue import list_next
from nomadspec.model.cluster.entities import JobType, Plan
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.world import World
from nomadspec.model.kernel import clients, disconnects, jobs, leader, pipeline, worker
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, Stage
from nomadspec.model.language.domain import StatusEnum
from nomadspec.model.specification.quirks import (
    ERROR_AFTER_DISPATCH,
    FAILING_PURGE,
    OUTDATED_JUDGEMENT,
    PHANTOM_EFFECTS,
)

Arguments: TypeAlias = tuple[int, ...]
Candidates: TypeAlias = Callable[[PlanStage, PlanSight], Iterator[Arguments]]
"""Lists what a text may be tried with on the way to what is wanted."""

_MOST_STEPS: Final = 6
"""So many steps of the kernel an act is at most, or as many as allocations change in it."""
_MOST_TRIES: Final = 400
DEPLOYMENTS_ALONE: Final = "an entry that writes deployments alone, which the kernel has with placements"
TAKES_BACK: Final = (
    "as intended, the kernel's applier judges again what it had judged on top of a failed entry"
)
ENDS_WITH_ITS_JOB: Final = "as intended, the kernel's worker is done with a plan whose job is purged"
JUDGED_AGAIN: Final = "as intended, the cluster's applier judges the nodes of a plan again to dispatch it"
SHOWS_THE_UNWANTED: Final = (
    "as intended, the kernel's applier shows what is placed for a job that is stopped or gone"
)
WANTS_A_SUMMARY: Final = "an entry that is refused for a job summary, which the kernel does not keep"
UNDOES_A_PROMOTION: Final = "an entry that would undo a promotion and is refused: the kernel has no canaries"
_REFUSALS: Final = MappingProxyType(
    {"in the job summary": WANTS_A_SUMMARY, "promotion cannot be undone": UNDOES_A_PROMOTION}
)
"""By a part of the error that a worker is told, why the kernel has no words for it."""
COMPLETES_A_SERVICE: Final = "an allocation that ends well, and of no batch job"
ORPHANS_TAKE_NO_PLACE: Final = (
    "entries for which nobody waits take no place of the applier's, and do in the kernel"
)


def _list_at(*stages: Stage) -> Candidates:
    """List the workers at some stage, with their jobs."""

    def find(stage: PlanStage, _: PlanSight) -> Iterator[Arguments]:
        for at in range(len(stage.cast.tokens)):
            if Stage(stage.scene.get("stage", at)) in stages:
                yield at, stage.scene.get("job", at)

    return find


def _list_dispatches(stage: PlanStage, wanted: PlanSight) -> Iterator[Arguments]:
    for at, job in _list_at(Stage.JUDGED)(stage, wanted):
        yield from ((at, job, entry) for entry in _list_entries(stage))


def _list_rejections(stage: PlanStage, wanted: PlanSight) -> Iterator[Arguments]:
    for at, job in _list_at(Stage.SUBMITTED)(stage, wanted):
        yield from ((at, job, node) for node in range(len(stage.cast.nodes)))


def _list_entries(stage: PlanStage) -> range:
    return range(stage.scene.count("entry_status"))


def _list_ends(stage: PlanStage, _: PlanSight) -> Iterator[Arguments]:
    yield from ((entry,) for entry in _list_entries(stage))


def _list_commits(stage: PlanStage, _: PlanSight) -> Iterator[Arguments]:
    for entry in _list_entries(stage):
        yield entry, stage.scene.get("entry.job", entry)


def _list_ended(stage: PlanStage, wanted: PlanSight) -> Iterator[Arguments]:
    """List the allocations that are not yet as they shall be, with the nodes on which they take room."""
    seen = stage.see(wanted).allocs
    for alloc_id, one in wanted.allocs.items():
        if seen[alloc_id] != one and seen[alloc_id].node:
            job, number = stage.cast.at(alloc_id)
            yield job, number, stage.scene.get("occupies", job, number)


def _list_nothing(_stage: PlanStage, _wanted: PlanSight) -> Iterator[Arguments]:
    yield ()


def _list_jobs(stage: PlanStage, _: PlanSight) -> Iterator[Arguments]:
    yield from ((job,) for job in range(len(stage.cast.jobs)))


_TEXTS: Final[Mapping[str, tuple[Text, Candidates]]] = MappingProxyType(
    {
        "submit": (worker.submit, _list_at(Stage.PLANNED)),
        "notice_completion": (pipeline.notice_completion, _list_ends),
        "evaluate": (pipeline.evaluate, _list_at(Stage.SUBMITTED)),
        "reject_all_at_once_pipelined": (pipeline.reject_all_at_once_pipelined, _list_rejections),
        "await_completion": (pipeline.await_completion, _list_ends),
        "dispatch": (pipeline.dispatch, _list_dispatches),
        "commit": (pipeline.commit, _list_commits),
        "fail_first_entry": (pipeline.fail_first_entry, _list_ends),
        "fail_alloc": (clients.fail_alloc, _list_ended),
        "complete_alloc": (clients.complete_alloc, _list_ended),
        "reconnect_alloc": (disconnects.reconnect_alloc, _list_ended),
        "purge_job": (jobs.purge_job, _list_jobs),
        "lose_leader": (leader.lose_leader, _list_nothing),
        "gain_leader": (leader.gain_leader, _list_nothing),
    }
)


def list_plan_texts() -> frozenset[str]:
    """List the texts of the kernel that an act can declare for plans and allocations."""
    return frozenset(_TEXTS)


def hold_plans(before: World, act: Act, after: World) -> Held:
    """Hold what an act does to plans and allocations against the kernel."""
    name = type(act).__name__
    if name in UNHELD:
        return Held(outside=UNHELD[name])
    if not isinstance(act, SubmitPlan) and _is_the_same(before, after):
        return Held()
    try:
        return _hold(before, act, after)
    except Outside as answer:
        return Held(outside=answer.name)


def _is_the_same(before: World, after: World) -> bool:
    """True if an act touched nothing of what is seen."""
    return (
        before.state.allocs is after.state.allocs
        and before.leader.plans is after.leader.plans
        and before.leader.judged is after.leader.judged
        and before.leader.in_flight is after.leader.in_flight
        and before.leader.ended is after.leader.ended
        and before.leader.applier is after.leader.applier
        and before.is_led is after.is_led
        and (before.workers is after.workers or not list_unanswered(after))
    )


def _hold(before: World, act: Act, after: World) -> Held:
    cast = assign(before, act, after)
    sight, wanted = look(before, cast, before.state), look(after, cast, before.state)
    if sight == wanted:
        return Held()
    if max(len(one.in_flight) + len(one.ended) for one in (sight, wanted)) > before.settings.pipeline_depth:
        return Held(outside=ORPHANS_TAKE_NO_PLACE)
    judged = _find_judged(before, act)
    reason = _find_reason(before, judged, wanted) or _find_end(before, act, after)
    if reason := reason or (JUDGED_AGAIN if _is_judged_again(before, judged, after) else ""):
        return Held(outside=reason)
    stage = put_on_stage(before, cast, sight, judged)
    put_queue(stage, before, judged.eval_token if judged is not None else "")
    steps = _Search(stage, wanted, list_declared(before, act, after)).find()
    if steps is not None:
        return Held(steps=steps)
    if judged is not None and _places_for_an_unwanted_job(before, judged):
        return Held(outside=SHOWS_THE_UNWANTED)
    return Held(problem=f"{type(act).__name__}: {_describe(sight, wanted)}")


def _find_judged(before: World, act: Act) -> Plan | None:
    if not isinstance(act, JudgePlan):
        return None
    plan: Plan = list_next(before.leader.plans)[act.position].plan
    return plan


def _find_in_hand(before: World, judged: Plan | None) -> Plan | None:
    """Find the plan that the applier judges, or has judged and holds back."""
    held = before.leader.judged
    return judged or (held.plan if held is not None else None)


def _is_judged_again(before: World, judged: Plan | None, after: World) -> bool:
    """True if a node of the plan in hand is another one by now than the applier's snapshot shows."""
    plan, snapshot = _find_in_hand(before, judged), after.leader.applier.snapshot
    if plan is None or snapshot is None or before.settings.profile.has(OUTDATED_JUDGEMENT):
        return False
    return any(snapshot.find_node(node) is not after.state.find_node(node) for node in list_nodes(plan))


def _find_reason(before: World, judged: Plan | None, wanted: PlanSight) -> str:
    """Find why an act is not held against the kernel; empty where it is."""
    if judged is not None and _writes_deployments_alone(judged, wanted):
        return DEPLOYMENTS_ALONE
    if not before.settings.profile.has(PHANTOM_EFFECTS) and 0 in before.leader.ended:
        return TAKES_BACK
    completed = (one for one, now in wanted.allocs.items() if now.phase is AllocPhase.COMPLETE)
    return COMPLETES_A_SERVICE if any(_is_of_service(before, one) for one in completed) else ""


def _find_end(before: World, act: Act, after: World) -> str:
    """Find why the kernel has no words, or others, for what becomes of a plan; empty where it has its own."""
    answers = (one.answer for name, one in after.workers.items() if one is not before.workers[name])
    errors = [answer.error for answer in answers if answer is not None]
    if reason := next((why for part, why in _REFUSALS.items() if any(part in one for one in errors)), ""):
        return reason
    profile, state = before.settings.profile, before.state
    submitted = [get_job_key(plan) for _, plan in list_submitted(before, act)]
    if not profile.has(FAILING_PURGE) and any(state.find_job(*key) is None for key in submitted):
        return ENDS_WITH_ITS_JOB
    return ""


def _is_of_service(before: World, alloc_id: str) -> bool:
    """True if an allocation lives that is of no batch job."""
    alloc = before.state.find_alloc(alloc_id)
    if alloc is None or is_terminal(alloc):
        return False
    job = before.state.find_job(alloc.namespace, alloc.job_id)
    return job is None or job.type != JobType.BATCH


def _places_for_an_unwanted_job(before: World, judged: Plan) -> bool:
    """True if a plan places for a job that is stopped or gone, as intended."""
    if before.settings.profile.has(ERROR_AFTER_DISPATCH) or not any(judged.node_allocation.values()):
        return False
    views = filter(None, (before.state, before.leader.applier.snapshot))
    phases = {find_job_phase(view.find_job(*get_job_key(judged))) for view in views}
    return phases != {JobPhase.WANTED}


def _writes_deployments_alone(judged: Plan, wanted: PlanSight) -> bool:
    """True if all that is left of a plan is about deployments, which the kernel has with placements."""
    left = wanted.plans.get(judged.eval_token, next((told for _, told in wanted.in_flight[-1:]), None))
    return left == Told() and bool(judged.deployment or judged.deployment_updates)


class _Search:
    """Tries declared texts on a stage until it shows what is wanted."""

    def __init__(self, stage: PlanStage, wanted: PlanSight, declared: tuple[str, ...]) -> None:
        self._stage = stage
        self._wanted = wanted
        self._declared = [name for name in declared if name in _TEXTS]
        self._tries = 0

    def find(self) -> tuple[str, ...] | None:
        """Find the steps; None where there are none."""
        changed = sum(
            self._stage.see(self._wanted).allocs[one] != now for one, now in self._wanted.allocs.items()
        )
        for depth in range(max(_MOST_STEPS, changed) + 1):
            if (found := self._go(depth)) is not None:
                return found
        return None

    def _go(self, depth: int) -> tuple[str, ...] | None:
        if self._stage.see(self._wanted) == self._wanted:
            return ()
        if not depth:
            return None
        scene = self._stage.scene
        for name in self._declared:
            text, candidates = _TEXTS[name]
            for arguments in list(candidates(self._stage, self._wanted)):
                kept, self._tries = scene.keep(), self._tries + 1
                if self._tries > _MOST_TRIES:
                    return None
                if scene.run(text, *arguments) and (rest := self._go(depth - 1)) is not None:
                    return name, *rest
                scene.go_back(kept)
        return None


def _describe(before: PlanSight, wanted: PlanSight) -> str:
    """Say what changed, as the kernel sees it."""
    parts = []
    for kind in before.__struct_fields__:
        old, new = getattr(before, kind), getattr(wanted, kind)
        if old == new:
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            changed = [one for one in {**old, **new} if old.get(one) != new.get(one)]
            parts += [
                f"{kind} {one} from {_spell(old.get(one))} to {_spell(new.get(one))}" for one in changed
            ]
        else:
            parts.append(f"{kind} from {_spell(old)} to {_spell(new)}")
    return "; ".join(parts) or "nothing that it declares"


def _spell(one: object) -> str:
    return one.label if isinstance(one, StatusEnum) else str(one)
