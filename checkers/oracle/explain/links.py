"""Judges what evaluations, allocations and deployments that belong to one decision say of one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.decisions import Decision
from nomadspec.checkers.oracle.explain.redelivered_calls import is_redelivered
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.model.cluster.entities import Allocation, EvalStatus, Evaluation
from nomadspec.model.specification.quirks import UNMADE_FOLLOW_UP


def compare_links(
    replay: Replay, decision: Decision, elections: Sequence[int], context: Context
) -> Iterator[Difference]:
    """Compare the links of a decision with what they should lead to, and its state with what it works on.

    A worker waits for a state that holds the evaluation before it asks a scheduler.

    Spec: EVAL-12, EVAL-13, GENERIC-41, GENERIC-43, GENERIC-44, PLAN-13, WORKER-05, WORKER-06, WORKER-08,
    X-62.
    """
    outcome = decision.outcome
    if not outcome.create_index <= outcome.snapshot_index < decision.index:
        model = f"from {outcome.create_index} on, before {decision.index}"
        yield Difference(f"{decision.path}.Evals.SnapshotIndex", outcome.snapshot_index, model, "WORKER-06")
    before = replay.find_state(decision.index - 1)
    made = {each.evaluation.id: each.evaluation for each in decision.made}
    stored = before.find_eval(outcome.id)
    known = {stored.blocked_eval, stored.next_eval} if stored else set()
    for name, link, status in (
        ("BlockedEval", outcome.blocked_eval, EvalStatus.BLOCKED),
        ("NextEval", outcome.next_eval, EvalStatus.PENDING),
    ):
        right = sorted(each.id for each in made.values() if each.status == status)
        if link and link not in right and link not in known:
            yield Difference(f"{decision.path}.Evals.{name}", link, right or ABSENT, "GENERIC-43")
    unmade = list(_compare_follow_ups(replay, decision, made))
    if unmade and outcome.wait_until_ns and context.profile.has(UNMADE_FOLLOW_UP):
        context.tell_defect(UNMADE_FOLLOW_UP, "follow-ups are noted that are not made")
    else:
        yield from unmade
    yield from _compare_deployment(replay, decision)
    if not is_redelivered(outcome, decision.index, elections):
        for each in decision.made:
            told = each.evaluation.snapshot_index
            if told not in {0, outcome.snapshot_index}:
                path = f"raft-log[{each.at}].Evals.SnapshotIndex"
                yield Difference(path, told, outcome.snapshot_index, "EVAL-12")


def _compare_follow_ups(
    replay: Replay, decision: Decision, made: dict[str, Evaluation]
) -> Iterator[Difference]:
    """Whoever waits for an evaluation waits for one that was made for it, or had it before."""
    for index, request in decision.plans:
        state = replay.find_state(index - 1)
        for name in ("allocs_stopped", "allocs_updated"):
            allocs: tuple[Allocation, ...] = getattr(request, name)
            for alloc in allocs:
                link, stored = alloc.followup_eval_id, state.find_alloc(alloc.id)
                had = stored.followup_eval_id if stored else ""
                if link and link not in made and link != had and state.find_eval(link) is None:
                    place = "AllocsStopped" if name == "allocs_stopped" else "AllocsUpdated"
                    path = f"raft-log[{index}].{place}[{alloc.id}].FollowupEvalID"
                    yield Difference(path, link, sorted(made) or ABSENT, "GENERIC-44")


def _compare_deployment(replay: Replay, decision: Decision) -> Iterator[Difference]:
    outcome = decision.outcome
    planned = {request.deployment.id for _, request in decision.plans if request.deployment is not None}
    seen = replay.find_state(outcome.snapshot_index), replay.find_state(decision.index - 1)
    found = (
        each for state in seen for each in state.list_deployments_of_job(outcome.namespace, outcome.job_id)
    )
    known = {"", *planned, *(deployment.id for deployment in found)}
    given = seen[1].find_eval(outcome.id)
    if outcome.deployment_id not in known and (given is None or given.deployment_id != outcome.deployment_id):
        yield Difference(
            f"{decision.path}.Evals.DeploymentID", outcome.deployment_id, sorted(known - {""}), "GENERIC-43"
        )
