"""Reports say what was found and how far it holds."""

from dataclasses import replace

from nomadspec.checkers.explore.checkpoint_schedule import Kept
from nomadspec.checkers.explore.liveness import Endless
from nomadspec.checkers.explore.report import find_budgets, make_report
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.verdict import ExploreReport, Finding, Verdict
from nomadspec.model.language.fingerprint import digest, format_digest
from nomadspec.model.language.property import Kind
from nomadspec.model.language.scope import Scope
from tests.checkers.explore.models import CLUB, DIAL, GRID


def report_on(task: Task, worlds: int, stopped_by: str | None = None) -> ExploreReport:
    search = Search(task)
    search.expand(worlds, 10_000)
    return make_report(task, search.explored, Endless(), stopped_by, Kept())


def test_a_complete_search_without_findings_holds() -> None:
    task = make_task(GRID.at(), None, "symmetry", stops_at_first=True)

    report = report_on(task, 1000)

    assert (Verdict.HOLDS, None) == (report.verdict, report.stopped_by)
    about = report.about
    assert ("grid", "default", {"rows": 3, "columns": 2}) == (about.model, about.scope, about.sizes)
    assert "nomad-2.0" == about.profile


def test_a_search_that_was_stopped_is_inconclusive() -> None:
    report = report_on(make_task(GRID.at(), None, "none", stops_at_first=True), 2, "time")

    assert (Verdict.INCONCLUSIVE, "time") == (report.verdict, report.stopped_by)
    assert 7 < report.distinct < 64
    assert 3 == report.depth
    assert not report.is_exhaustive


def test_a_violation_counts_even_where_the_search_was_stopped() -> None:
    task = make_task(DIAL.at(), ["is_low"], "none", stops_at_first=False)

    assert Verdict.VIOLATED is report_on(task, 1, "states").verdict


def test_what_is_missed_counts_only_in_a_complete_search() -> None:
    task = make_task(DIAL.at(), ["is_past_its_top"], "none", stops_at_first=True)
    missed = Finding("is_past_its_top", Kind.SOMETIMES, None)

    assert (missed,) == report_on(task, 1000).findings
    assert () == report_on(task, 1, "time").findings
    assert {"is_past_its_top": None} == report_on(task, 1, "time").reached


def test_what_another_scope_promises_is_named_and_counts_for_nothing() -> None:
    elsewhere = (Scope("higher", "one more notch", {"top": 3}),)
    kept = tuple(
        replace(prop, scopes=("higher",)) if prop.name == "is_past_its_top" else prop
        for prop in DIAL.properties
    )
    model = replace(DIAL, properties=kept, scopes=(*DIAL.scopes, *elsewhere))

    report = report_on(make_task(model.at(), None, "none", stops_at_first=False), 1000)

    assert {"is_past_its_top": "promised in the scope higher"} == report.elsewhere
    assert "is_past_its_top" not in {*report.reached, *report.checked}


def test_the_digest_is_that_of_the_stored_worlds() -> None:
    task = make_task(CLUB.at("small"), [], "symmetry", stops_at_first=True)
    search = Search(task)
    search.expand(1000, 1000)

    expected = format_digest(digest(search.explored.worlds, task.layout.byte_count))

    assert expected == make_report(task, search.explored, Endless(), None, Kept()).digest


def test_a_budget_is_used_as_far_as_its_fullest_cell() -> None:
    task = make_task(CLUB.at("small"), [], "none", stops_at_first=True)
    cells = list(task.bounded.initial[0])
    none = find_budgets(task, Explored(None, [], [task.layout.pack(tuple(cells))]))
    cells[task.bounded.frame.placed["meetings"].base] = 1
    full = find_budgets(task, Explored(None, [], [task.layout.pack(tuple(cells)), 0]))

    assert [("meetings", 1, 0), ("meetings", 1, 1)] == [
        (budget.name, budget.limit, budget.used) for budget in (*none, *full)
    ]
    assert [False, True] == [budget.is_touched for budget in (*none, *full)]
