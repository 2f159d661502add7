"""The pages with tables: a verdict over everything, and a decision of a scheduler with its scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from click import unstyle

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.escaping import shorten_ids
from nomadspec.checkers.pages.page import Page, PageRow, PageTable
from nomadspec.checkers.report.candidates import Survey
from nomadspec.checkers.report.scheduling import (
    BUCKET_COLUMNS,
    JUDGEMENT_COLUMNS,
    describe_visit,
    list_buckets,
    list_judgements,
)
from nomadspec.checkers.report.titles import find_titles
from nomadspec.checkers.report.verification_summary import (
    KNOWN_HEADINGS,
    list_known_findings,
    list_not_looked_at,
    list_work,
)
from nomadspec.model.cluster.scheduler.reasons import Reasons, Scored, Selection

if TYPE_CHECKING:
    from nomadspec.checkers.report.scheduling import Scheduled
    from nomadspec.checkers.report.verification import Verification

_KINDS: Final = (
    ("explore", "Explored", "Every reachable world of these scopes."),
    ("known-bad", "Known-bad scopes", "They must fail: the checkers still find their violations."),
    ("prove", "Proved", "By the solver, for any size unless a scope is named."),
    ("sample", "Sampled", "Random runs; finding nothing proves nothing."),
    ("verify", "Not done", "Left when the run was interrupted."),
)
"""What the groups of cases begin with, and how the page calls them."""


def make_verification_page(found: Verification, outcomes: Outcomes) -> Page:
    """Show what ``verify`` found: what is wrong first, then what each engine did, case by case."""
    known = [PageRow(row) for row in list_known_findings(found)]
    looked = [PageRow((what, run)) for what, run in list_not_looked_at(found)]
    tables = [
        _list_cases("Wrong", "New, or different from what is published.", outcomes.wrong),
        PageTable("Known findings", KNOWN_HEADINGS, known, "In the described release."),
        *_list_kinds([case for case in outcomes.cases if case.outcome is not Outcome.SKIPPED]),
        PageTable("Not checked", ("what", "run"), looked),
        _list_cases(
            "Left out",
            "Published searches that need a larger effort.",
            [case for case in outcomes.cases if case.outcome is Outcome.SKIPPED],
        ),
    ]
    profiles = ", ".join(dict.fromkeys(name for one in found.holding for name in one.profiles))
    about = f"Under {profiles or 'no profile'}, effort {found.effort}, in {found.seconds:,.0f} s."
    return Page(
        title=outcomes.title,
        verdict=outcomes.verdict.value,
        about=about,
        text=outcomes.text,
        facts=list_work(found),
        tables=[table for table in tables if table.rows],
    )


def make_own_page(outcomes: Outcomes) -> Page:
    """Show what ``verify`` found of a user's own model."""
    rest = [case for case in outcomes.cases if case not in outcomes.wrong]
    tables = [_list_cases("Wrong", "", outcomes.wrong), *_list_kinds(rest)]
    about = f"In {outcomes.seconds:,.0f} s."
    shown = [table for table in tables if table.rows]
    return Page(outcomes.title, outcomes.verdict.value, about, outcomes.text, tables=shown)


def _list_kinds(cases: Sequence[Case]) -> Iterator[PageTable]:
    for kind, title, about in _KINDS:
        yield _list_cases(title, about, [case for case in cases if case.group.split(" ")[0] == kind])


def _list_cases(title: str, about: str, cases: Iterable[Case]) -> PageTable:
    rows = [
        PageRow(
            (case.group, case.name, case.outcome.value, _show_seconds(case), case.message),
            "" if case.outcome is Outcome.PASSED else case.outcome.value,
            f"{case.details}\n{case.reproduce}".strip(),
        )
        for case in cases
    ]
    return PageTable(title, ("where", "what", "result", "seconds", "why"), rows, about)


def _show_seconds(case: Case) -> str:
    return "" if case.outcome is Outcome.SKIPPED else f"{case.seconds:,.2f}"


def make_schedule_page(scheduled: Scheduled) -> Page:
    """Show one run of the scheduler: what it asks for, and of each search the nodes with their scores."""
    asked, outcome = scheduled.evaluation, scheduled.outcome
    tables = [
        PageTable(
            f"Plan {number}",
            ("what", "allocation", "name", "node", "remark"),
            _list_rows(scheduled.list_changes(plan)),
        )
        for number, plan in enumerate(outcome.plans, start=1)
    ]
    tables += _list_reasons(scheduled, outcome.reasons) if outcome.reasons is not None else []
    tables += [_list_left_out(scheduled.survey)] if scheduled.survey is not None else []
    rules = [PageRow(named) for named in find_titles(scheduled.list_rules()).items()]
    tables.append(PageTable("Rules", ("ID", "title"), rows=rules))
    return Page(
        title=f"Evaluation {asked.id}",
        verdict=scheduled.ending,
        about=f"Job {asked.namespace}/{asked.job_id}: {asked.triggered_by}, {scheduled.scheduler} scheduler.",
        text=unstyle(scheduled.render()),
        facts=scheduled.list_facts(),
        tables=[table for table in tables if table.rows],
    )


def _list_left_out(survey: Survey) -> PageTable:
    rows = _list_rows((one.node_id, one.name, one.reason, one.rule, one.why) for one in survey.left_out)
    return PageTable(
        "Nodes that the scheduler does not consider", ("node", "name", "reason", "rule", "why"), rows
    )


def _list_reasons(scheduled: Scheduled, reasons: Reasons) -> Iterator[PageTable]:
    for selection in reasons.selections:
        yield _show_search(scheduled, selection)
    yield PageTable("Existing allocations", BUCKET_COLUMNS, _list_rows(list_buckets(reasons)))
    yield PageTable("What later stages decided", JUDGEMENT_COLUMNS, _list_rows(list_judgements(reasons)))


def _list_rows(rows: Iterable[Sequence[str]]) -> list[PageRow]:
    """Make rows with the IDs of real objects as short as in the text."""
    return [PageRow([shorten_ids(cell) for cell in cells]) for cells in rows]


def _show_search(scheduled: Scheduled, selection: Selection) -> PageTable:
    """Show the nodes of a search in the order of their visits, with a column for each score."""
    names = list(
        dict.fromkeys(
            name for visit in selection.visits if isinstance(visit, Scored) for name in visit.scores
        )
    )
    rows = []
    for number, visit in enumerate(selection.visits, start=1):
        node, verdict, rule, why = describe_visit(visit)
        scores = [""] * len(names)
        if isinstance(visit, Scored):
            scores = [f"{visit.scores[name]:.4g}" if name in visit.scores else "" for name in names]
            why = "taken" if node == selection.chosen else ""
        kind = "" if isinstance(visit, Scored) else "skipped"
        rows.append(
            PageRow((str(number), shorten_ids(scheduled.name_node(node)), verdict, *scores, rule, why), kind)
        )
    columns = ("nr", "node", "verdict", *names, "rule", "why")
    bars = frozenset(range(2, 3 + len(names)))
    title = shorten_ids(f"Search for {selection.alloc_name}: {scheduled.describe_end(selection)}")
    return PageTable(title, columns, rows, bars=bars)
