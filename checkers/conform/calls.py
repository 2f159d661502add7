"""Calls of schedulers as questions: how plans are answered is told without naming what is in them.

The n-th plan gets the n-th of ``plan_answers``, and each further one is taken whole: ``{"take": "all"}``,
``{"take": "nothing", "refresh_index": 7, "state_after": {...}}`` or ``{"error": "..."}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from nomadspec.checkers.conform.noted_choices import NotedChoices
from nomadspec.checkers.conform.question_and_answer import Json, MalformedError
from nomadspec.checkers.oracle.context import Document
from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, read_row, read_vector
from nomadspec.checkers.oracle.families.scheduler_replay import Replay, Server, Unanswered, find_refusal
from nomadspec.checkers.oracle.families.scheduler_showing import EVALS, list_evals, show_plan
from nomadspec.checkers.oracle.relation.canonical import BY_NODE
from nomadspec.checkers.oracle.shape import Whole
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Evaluation, Plan
from nomadspec.model.cluster.scheduler.outcome import Answer
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.specification.profiles import Profile

SCHEDULER: Final = "scheduler"
FORMAT: Final = "scheduler-vector/1"

_ASKED: Final = ("scheduler", "now_ns", "jobs", "state", "eval")
_ANSWERED: Final = frozenset({"plans", *EVALS, "error"})
_WHOLE: Final[Mapping[str, Json]] = {"take": "all"}
_MOST_PLANS: Final = 20
"""No call hands over as many."""


class PlanAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one plan is answered."""

    take: str = "all"
    refresh_index: Whole = 0
    state_after: dict[str, Any] | None = None
    error: str | None = None


def take_call_question(document: Document) -> dict[str, Json] | None:
    """Take the question out of a recorded call; None where its answers depend on what was chosen."""
    told: list[dict[str, Json]] = []
    for entry in _list(_map(document.get("outcome")).get("plans")):
        answered = _describe_answer(_map(entry))
        if answered is None:
            return None
        told.append(answered)
    return {**{name: document.get(name) for name in _ASKED}, "plan_answers": told}


def take_call_answer(document: Document) -> dict[str, Json]:
    """Take the answer out of a recorded call."""
    outcome = _map(document.get("outcome"))
    plans = [_map(entry).get("plan") for entry in _list(outcome.get("plans"))]
    return {"plans": plans, **{name: outcome.get(name) for name in (*EVALS, "error")}}


def _describe_answer(entry: Document) -> dict[str, Json] | None:
    """Describe how a plan was answered, if that can be said without naming its allocations."""
    if entry.get("error") is not None:
        return {"error": entry["error"]}
    result, plan, after = _map(entry.get("result")), _map(entry.get("plan")), entry.get("state_after")
    taken = {name: _count(result.get(name)) for name in BY_NODE}
    planned = {name: _count(plan.get(name)) for name in BY_NODE}
    has_deployment = bool(result.get("Deployment")) == bool(plan.get("Deployment"))
    updates = result.get("DeploymentUpdates") or 0
    if not result:
        return None
    if taken == planned and has_deployment and updates == len(_list(plan.get("DeploymentUpdates"))):
        return None if after is not None or result.get("RefreshIndex") else dict(_WHOLE)
    if any(taken.values()) or result.get("Deployment") or updates or after is None:
        return None
    return {"take": "nothing", "refresh_index": result.get("RefreshIndex", 0), "state_after": after}


def _count(by_node: Json) -> int:
    return sum(len(_list(items)) for items in _map(by_node).values())


def _map(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def put_call_together(name: str, question: Document, answer: Json) -> dict[str, Json]:
    """Make a recorded call of a question and an answer, if that is one."""
    if not isinstance(answer, Mapping):
        raise MalformedError("", "an answer is an object")
    unknown = sorted(set(answer) - _ANSWERED)
    if unknown:
        raise MalformedError(unknown[0], "this is no member of an answer")
    plans = [] if answer.get("plans") is None else answer["plans"]
    if not isinstance(plans, list) or not all(isinstance(plan, Mapping) for plan in plans):
        raise MalformedError("plans", "plans are a list of objects")
    if len(plans) > _MOST_PLANS:
        raise MalformedError("plans", f"no call hands over more than {_MOST_PLANS} plans")
    outcome = {
        "plans": [_answer_recorded(plan, at, told, question) for at, (plan, told) in _pair(plans, question)],
        **{each: [] if answer.get(each) is None else answer[each] for each in EVALS},
        "error": answer.get("error"),
    }
    asked = {each: question.get(each) for each in _ASKED}
    return {"format": FORMAT, "id": name, **asked, "choices": {}, "outcome": outcome}


def _pair(plans: Sequence[Json], question: Document) -> Iterator[tuple[int, tuple[Json, PlanAnswer]]]:
    told = list_plan_answers(question)
    for at, plan in enumerate(plans):
        yield at, (plan, told[at] if at < len(told) else PlanAnswer())


def list_plan_answers(question: Document) -> list[PlanAnswer]:
    """List how the plans of a call are answered."""
    return [msgspec.convert(each, PlanAnswer) for each in _list(question.get("plan_answers"))]


def _answer_recorded(plan: Document, at: int, told: PlanAnswer, question: Document) -> dict[str, Json]:
    """Write down a plan with its answer, as recordings do."""
    if told.error is not None:
        return {"plan": plan, "result": None, "error": told.error, "state_after": None}
    index = _find_index(question) + 1 + at
    result: dict[str, Json] = {"AllocIndex": index, "RefreshIndex": told.refresh_index}
    if told.take == "all":
        by_node = {name: _list_ids(plan.get(name), f"plans[{at}].{name}") for name in BY_NODE}
        known = {_map(alloc).get("ID") for alloc in _list(_map(question.get("state")).get("allocs"))}
        placed = [each for ids in by_node["NodeAllocation"].values() for each in ids]
        result |= {
            **by_node,
            "Deployment": bool(plan.get("Deployment")),
            "DeploymentUpdates": len(_list(plan.get("DeploymentUpdates"))),
            "NewAllocs": sorted(each for each in placed if each not in known),
        }
    return {"plan": plan, "result": result, "error": None, "state_after": told.state_after}


def _find_index(question: Document) -> int:
    index = _map(question.get("state")).get("index")
    return index if isinstance(index, int) else 0


def _list_ids(by_node: Json, at: str) -> dict[str, list[str]]:
    """List the IDs of what a plan holds, node by node."""
    found: dict[str, list[str]] = {}
    for node, allocs in _map(by_node).items():
        ids = [_map(alloc).get("ID") for alloc in _list(allocs)]
        found[node] = [each for each in ids if isinstance(each, str) and each]
        if len(found[node]) < len(ids):
            raise MalformedError(f"{at}.{node}", "each allocation of a plan has an ID")
    return found


def answer_call(question: Document, profile: Profile) -> dict[str, Json]:
    """Answer a call as the model does."""
    return make_call(question, NotedChoices(0), profile)


def make_call(question: Document, choices: NotedChoices, profile: Profile) -> dict[str, Json]:
    """Make a call under some choices, and give what comes of it."""
    vector = read_vector(put_call_together("the question", question, {}))
    jobs = Jobs.of(vector)
    tables = Tables.of(vector, jobs)
    answering = _Answering(question, jobs, tables)
    plans = answering.handed
    try:
        outcome = schedule(
            tables.build(),
            read_row(Evaluation, vector.eval, "eval"),
            vector.now_ns,
            choices,
            Server(answering.submit, tables.rows["evals"].get),
            scheduler=vector.scheduler,
            profile=profile,
        )
    except Unanswered:
        return {"plans": [show_plan(each, jobs) for each in plans], "error": None}
    rows = {name: [write(each) for each in found] for name, found in list_evals(outcome).items()}
    return {"plans": [show_plan(each, jobs) for each in plans], **rows, "error": outcome.error}


@dataclass(slots=True)
class _Answering:
    """Answers the plans of a call as its question says."""

    question: Document
    jobs: Jobs
    tables: Tables
    handed: list[Plan] = field(default_factory=list)

    def submit(self, plan: Plan) -> Answer:
        """Answer the next plan."""
        at = len(self.handed)
        if at >= len(list_plan_answers(self.question)):
            refusal = find_refusal(plan, self.tables.rows["evals"])
            if refusal:
                return Answer(error=refusal)
        self.handed.append(plan)
        shown = {"plans": [show_plan(each, self.jobs) for each in self.handed]}
        recorded = read_vector(put_call_together("the question", self.question, shown))
        entry = (recorded.outcome.plans or [])[at]
        return Replay([entry], [plan], self.tables).submit(plan)
