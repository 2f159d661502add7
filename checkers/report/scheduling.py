"""What a scheduler did with an evaluation, and why: as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.escaping import escape_line, shorten_ids
from nomadspec.checkers.report.candidates import Survey, summarise_searches
from nomadspec.checkers.report.table import join_names, render_facts, render_paragraph, render_table
from nomadspec.checkers.report.titles import find_titles, render_titles
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Allocation, Evaluation, Plan
from nomadspec.model.cluster.scheduler.annotations import describe_updates
from nomadspec.model.cluster.scheduler.outcome import Outcome
from nomadspec.model.cluster.scheduler.reasons import (
    Dropped,
    Exhausted,
    Filtered,
    Reasons,
    Scored,
    Selection,
    Visit,
)
from nomadspec.model.errors import EXIT_HOLDS, EXIT_VIOLATED
from nomadspec.model.specification.catalogue import list_titles

BUCKET_COLUMNS: Final = ("allocation", "group", "bucket", "rule", "why")
JUDGEMENT_COLUMNS: Final = ("allocation", "stage", "verdict", "rule", "why")
_LACKS_JOB: Final = "not in the input, so it counts as purged; fetch it: nomad operator api"


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One call of a scheduler and its outcome."""

    evaluation: Evaluation
    scheduler: str
    outcome: Outcome
    survey: Survey | None = None
    """The nodes that the job may not use, where reasons were asked for."""
    lacks_job: bool = False
    """Whether the input has no such job, as after a purge."""
    node_names: Mapping[str, str] = field(default_factory=dict)
    """What operators call the nodes, by ID."""

    @property
    def exit_code(self) -> int:
        """Whether the call came to its end."""
        return EXIT_HOLDS if self.outcome.error is None else EXIT_VIOLATED

    def render(self) -> str:
        """Write it for people."""
        return "\n".join(self._list_lines())

    def data(self) -> dict[str, Any]:
        """Write it as an object: docs/reference/json/schedule.json says what its fields mean."""
        outcome = self.outcome
        data: dict[str, Any] = {
            "evaluation": self.evaluation.id,
            "scheduler": self.scheduler,
            "lacks_job": self.lacks_job,
            "plans": [write_plan(plan) for plan in outcome.plans],
            "created_evals": [write(each) for each in outcome.created_evals],
            "updated_evals": [write(each) for each in outcome.updated_evals],
            "reblocked_evals": [write(each) for each in outcome.reblocked_evals],
            "error": outcome.error,
        }
        if outcome.reasons is not None:
            data["reasons"] = msgspec.json.decode(msgspec.json.encode(outcome.reasons))
            data["titles"] = find_titles(self.list_rules())
        if self.survey is not None:
            data["survey"] = self.survey.data()
        return data

    def _list_lines(self) -> Iterator[str]:
        asked, outcome = self.evaluation, self.outcome
        yield render_paragraph(
            escape_line(
                f"Evaluation {asked.id} of job {asked.namespace}/{asked.job_id} "
                f"({asked.triggered_by}) by the {self.scheduler} scheduler"
            )
        )
        if facts := self.list_facts():
            yield f"\n{render_facts([(name, escape_line(fact)) for name, fact in facts])}"
        if not outcome.plans:
            yield "\nNo plan is submitted."
        for number, plan in enumerate(outcome.plans, start=1):
            yield _begin(f"Plan {number}")
            changes = _escape_cells(self.list_changes(plan))
            yield render_table(("what", "allocation", "name", "node", "remark"), changes)
        yield from _list_evals(outcome)
        if outcome.error is not None:
            yield _begin(f"The call ends with an error: {outcome.error}")
        if outcome.reasons is not None:
            yield from self._list_reasons(outcome.reasons)
        if self.survey is not None and self.survey.left_out:
            yield "\nNodes that the scheduler does not consider"
            rows = [(one.node_id, one.name, one.rule, one.why) for one in self.survey.left_out]
            yield render_table(("node", "name", "rule", "why"), _escape_cells(rows))
        titles = render_titles(self.list_rules(), indent=2)
        if titles:
            yield "\nRules"
            yield titles

    def _list_reasons(self, reasons: Reasons) -> Iterator[str]:
        if reasons.buckets:
            yield "\nExisting allocations, as the reconciler sorted them"
            yield render_table(BUCKET_COLUMNS, _escape_cells(list_buckets(reasons)))
        if reasons.judgements:
            yield "\nWhat later stages decided"
            yield render_table(JUDGEMENT_COLUMNS, _escape_cells(list_judgements(reasons)))
        for selection in reasons.selections:
            yield _begin(f"Search for {selection.alloc_name} ({self.describe_end(selection)})")
            visits = [describe_visit(visit) for visit in selection.visits]
            found = [(str(at), self.name_node(node), *rest) for at, (node, *rest) in enumerate(visits, 1)]
            if found:
                yield render_table((">nr", "node", "verdict", "rule", "why"), _escape_cells(found))

    def name_node(self, node_id: str) -> str:
        """Write a node as its ID and, where it has another, its name."""
        name = self.node_names.get(node_id, node_id)
        return node_id if name == node_id else f"{node_id} {name}".strip()

    def list_changes(self, plan: Plan) -> Iterator[tuple[str, str, str, str, str]]:
        """List what a plan asks for: what, which allocation, its name, its node, and a remark."""
        for what, alloc_id, name, node_id, remark in list_changes(plan):
            yield what, alloc_id, name, self.name_node(node_id), remark

    def describe_end(self, selection: Selection) -> str:
        """Say how a search ended."""
        how = "in-place update on its own node, " if selection.is_trial else ""
        how += "with preemption, " if selection.may_preempt else ""
        return f"{how}takes {self.name_node(selection.chosen)}" if selection.chosen else f"{how}finds no node"

    @property
    def ending(self) -> str:
        """The status in which the evaluation ends, in one word."""
        outcome, own = self.outcome, self.evaluation.id
        if outcome.error is not None:
            return "error"
        if any(each.id == own for each in outcome.reblocked_evals):
            return "blocked"
        return next((each.status for each in outcome.updated_evals if each.id == own), "processed")

    @property
    def _job_path(self) -> str:
        """Where the HTTP API has the job."""
        path = f"/v1/job/{quote(self.evaluation.job_id, safe='')}"
        namespace = self.evaluation.namespace
        return path if namespace in ("", "default") else f"'{path}?namespace={quote(namespace)}'"

    def list_facts(self) -> list[tuple[str, str]]:
        """Name a missing job, and, where reasons were asked for, tell what came of it and why."""
        outcome = self.outcome
        absent = [("job", f"{_LACKS_JOB} {self._job_path}")] if self.lacks_job else []
        if outcome.reasons is None:
            return absent
        queued = {
            group: number
            for one in outcome.updated_evals
            for group, number in one.queued_allocations.items()
            if number
        }
        ends = [one.status for one in outcome.updated_evals]
        ends += ["stays blocked" for _ in outcome.reblocked_evals[:1]]
        waits = ", ".join(f"{group} {number}" for group, number in queued.items())
        ending = outcome.error or join_names(ends) or "nothing written back"
        facts = [("outcome", f"{ending}; still queued: {waits}" if waits else ending), *absent]
        facts += [("nodes", self.survey.describe())] if self.survey is not None else []
        return [*facts, *summarise_searches(outcome.reasons.selections)]

    def list_rules(self) -> list[str]:
        """List the rules that are named, in the order of the specification's chapters."""
        named = _find_rules(self.outcome.reasons) if self.outcome.reasons is not None else set()
        named |= {one.rule for one in self.survey.left_out} if self.survey is not None else set()
        return [spec_id for spec_id in list_titles() if spec_id in named]


def _begin(text: str) -> str:
    """Begin a part with a line that stands apart."""
    return "\n" + shorten_ids(escape_line(text))


def _escape_cells(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [tuple(shorten_ids(escape_line(cell)) for cell in row) for row in rows]


def write_plan(plan: Plan) -> dict[str, Any]:
    """Write a plan without the documents of its jobs, which it names."""
    by_node = {
        name: {node: tuple(replace(alloc, job=None) for alloc in allocs) for node, allocs in lists.items()}
        for name, lists in (
            ("node_update", plan.node_update),
            ("node_allocation", plan.node_allocation),
            ("node_preemptions", plan.node_preemptions),
        )
    }
    return write(replace(plan, job=None, **by_node))


def list_changes(plan: Plan) -> Iterator[tuple[str, str, str, str, str]]:
    """List what a plan asks for: what, which allocation, its name, its node, and a remark."""
    for node_id, allocs in plan.node_update.items():
        for alloc in allocs:
            yield "stop", alloc.id, alloc.name, node_id, alloc.desired_description
    for node_id, allocs in plan.node_preemptions.items():
        for alloc in allocs:
            yield "evict", alloc.id, alloc.name, node_id, alloc.desired_description
    for node_id, allocs in plan.node_allocation.items():
        for alloc in allocs:
            yield "update" if alloc.create_index else "place", alloc.id, alloc.name, node_id, _remark(alloc)
    if plan.deployment is not None:
        deployment = plan.deployment
        yield "deployment", deployment.id, "", "", f"{deployment.status}: {deployment.status_description}"
    for update in plan.deployment_updates:
        yield "deployment", update.deployment_id, "", "", f"{update.status}: {update.status_description}"


def _remark(alloc: Allocation) -> str:
    parts = [alloc.client_status]
    if alloc.previous_allocation and not alloc.create_index:
        parts.append(f"instead of {alloc.previous_allocation}")
    if alloc.deployment_status is not None and alloc.deployment_status.canary:
        parts.append("canary")
    return ", ".join(parts)


def _list_evals(outcome: Outcome) -> Iterator[str]:
    for evaluation in outcome.created_evals:
        yield _begin(f"Makes evaluation {evaluation.id}: {evaluation.status}, {evaluation.triggered_by}")
    for evaluation in outcome.reblocked_evals:
        yield _begin(f"Blocks evaluation {evaluation.id} again")
    for evaluation in outcome.updated_evals:
        yield _begin(f"The evaluation ends {evaluation.status}{_clause(evaluation.status_description)}")
        annotations = evaluation.plan_annotations
        for group, desired in annotations.desired_tg_updates.items() if annotations else ():
            updates = ", ".join(f"{name} {count}" for name, count in describe_updates(desired).items())
            yield escape_line(f"  {group}: {updates or 'nothing to do'}")
        waiting = {group: count for group, count in evaluation.queued_allocations.items() if count}
        queued = ", ".join(f"{group} {count}" for group, count in waiting.items())
        if queued:
            yield escape_line(f"  still queued: {queued}")
        for group, metrics in evaluation.failed_tg_allocs.items():
            yield escape_line(
                f"  {group} could not be placed: {metrics.nodes_evaluated} nodes evaluated, "
                f"{metrics.nodes_filtered} filtered, {metrics.nodes_exhausted} exhausted"
            )


def _clause(description: str) -> str:
    return f": {description}" if description else ""


def list_buckets(reasons: Reasons) -> list[tuple[str, ...]]:
    """List how the reconciler sorted each allocation, once though every attempt sorts it again."""
    return _list_once(
        (each.alloc_id, each.group, each.bucket, each.rule, explain(each.why, each.operands))
        for each in reasons.buckets
    )


def list_judgements(reasons: Reasons) -> list[tuple[str, ...]]:
    """List what later stages made of each allocation, once though every attempt asks them again."""
    return _list_once(
        (each.alloc_id, each.stage, each.verdict, each.rule, explain(each.why, each.operands))
        for each in reasons.judgements
    )


def _list_once(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(rows))


def _find_rules(reasons: Reasons) -> set[str]:
    named = {one.rule for one in reasons.buckets} | {one.rule for one in reasons.judgements}
    return named | {describe_visit(visit)[2] for one in reasons.selections for visit in one.visits}


def describe_visit(visit: Visit) -> tuple[str, str, str, str]:
    """Write what a search made of a node: the node, the verdict, the rule, and why."""
    match visit:
        case Filtered():
            return visit.node_id, "filtered", visit.rule, explain(visit.text, visit.operands)
        case Exhausted():
            amounts = "" if visit.asked is None else f": {visit.asked:g} asked, {visit.free:g} free"
            return visit.node_id, "exhausted", visit.rule, f"{visit.dimension}{amounts}"
        case Scored():
            scores = ", ".join(f"{name} {score:.6g}" for name, score in visit.scores.items())
            return visit.node_id, f"{visit.norm_score:.6g}", "RANK-71", scores
        case Dropped():
            return visit.node_id, "dropped", visit.rule, ""


def explain(text: str, operands: Mapping[str, object]) -> str:
    """Put what was compared behind a text, or alone where there is none."""
    compared = ", ".join(f"{name} {_show(value)}" for name, value in operands.items())
    return f"{text} ({compared})" if text and compared else text or compared


def _show(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else repr(str(value) if isinstance(value, str) else value)
