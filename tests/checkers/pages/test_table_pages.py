"""The pages of verdicts and decisions: tables by subject, with scores as bars."""

from msgspec.structs import replace

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.pages.table_pages import make_schedule_page, make_verification_page
from nomadspec.checkers.report.candidates import LeftOut, Survey
from nomadspec.checkers.report.scheduling import Scheduled
from nomadspec.checkers.report.verification import Verification
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.cluster.entities import EvalStatus
from nomadspec.model.cluster.scheduler.outcome import Outcome as Decided
from nomadspec.model.cluster.scheduler.reasons import Exhausted, Reasons, Scored, Selection
from tests.model.cluster.scheduler.made import make_eval

VISITS = (
    Scored(node_id="n1", scores={"binpack": 0.75, "node-affinity": -0.5}, norm_score=0.125),
    Exhausted(node_id="n2", rule="RANK-30", dimension="memory", asked=64, free=32),
)
SEARCH = Selection(group="web", alloc_name="j.web[0]", visits=VISITS, chosen="n1")
SURVEY = Survey(3, [LeftOut("n3", "three", "down", "its status is down", "FEAS-06")])


def test_a_search_is_a_table_with_a_column_for_each_score() -> None:
    outcome = Decided(reasons=Reasons(selections=(SEARCH,)))
    page = make_schedule_page(Scheduled(make_eval(), "service", outcome, SURVEY))
    search, left_out, rules = page.tables

    assert ("nr", "node", "verdict", "binpack", "node-affinity", "rule", "why") == tuple(search.columns)
    assert [
        ("1", "n1", "0.125", "0.75", "-0.5", "RANK-71", "taken"),
        ("2", "n2", "exhausted", "", "", "RANK-30", "memory: 64 asked, 32 free"),
    ] == [tuple(row.cells) for row in search.rows]
    assert {2, 3, 4} == search.bars
    assert [("n3", "three", "down", "FEAS-06", "its status is down")] == [
        tuple(row.cells) for row in left_out.rows
    ]
    assert ["FEAS-06", "RANK-30", "RANK-71"] == [row.cells[0] for row in rules.rows]
    assert ("nodes", "2 of 3 nodes are candidates; 1 down") in page.facts


def test_the_badge_of_a_decision_is_the_status_of_its_evaluation() -> None:
    asked = make_eval()
    ends = [
        (Decided(updated_evals=(replace(asked, status=EvalStatus.FAILED),)), "failed"),
        (Decided(reblocked_evals=(asked,)), "blocked"),
        (Decided(error="no such job"), "error"),
        (Decided(), "processed"),
    ]

    assert [word for _, word in ends] == [
        make_schedule_page(Scheduled(asked, "service", outcome, SURVEY)).verdict for outcome, _ in ends
    ]


def test_what_is_wrong_comes_first_and_what_was_skipped_last() -> None:
    cases = [
        Case("explore m", "small", Outcome.PASSED, "7 worlds", seconds=1.5),
        Case(
            "prove m, intended",
            "it_holds",
            Outcome.FAILED,
            "violated",
            "1  Step()",
            reproduce="nomadspec prove",
        ),
        Case("explore m", "full", Outcome.SKIPPED, "needs effort ci"),
    ]
    outcomes = Outcomes("nomadspec verify", Verdict.VIOLATED, 2.0, cases)
    page = make_verification_page(Verification("fast", seconds=2.0), outcomes)

    assert ["Wrong", "Explored", "Proved", "Left out"] == [table.title for table in page.tables]
    assert ("failed", "1  Step()\nnomadspec prove") == (
        page.tables[0].rows[0].outcome,
        page.tables[0].rows[0].details,
    )
    assert ("explore m", "full", "skipped", "", "needs effort ci") == tuple(page.tables[-1].rows[0].cells)
