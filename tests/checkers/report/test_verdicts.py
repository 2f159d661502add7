"""What every report says in the same words."""

from click import unstyle

from nomadspec.checkers.report.verdicts import (
    about_data,
    bound_facts,
    budget_data,
    budget_facts,
    describe_about,
    describe_result,
    describe_stop,
    find_story,
    finding_data,
    render_findings,
    tell_story,
    word_of,
)
from nomadspec.checkers.verdict import Budget, Finding, Scoped, Verdict
from nomadspec.model.language.property import Kind
from tests.checkers.shop import hasty

ABOUT = Scoped("shop", "usual", {"patience": 2}, "intended")
NEVER = Finding("all_commit", Kind.SOMETIMES, None)


def shown(finding_kind: Kind | None = Kind.ALWAYS) -> Finding:
    return Finding("managers_agree", finding_kind, hasty()[0])


def test_a_verdict_is_a_word() -> None:
    assert ["HOLDS", "VIOLATED", "INCONCLUSIVE", "NOT-REFUTED"] == [unstyle(word_of(v)) for v in Verdict]


def test_what_it_was_about_is_named_as_it_was_asked_for() -> None:
    assert "my.py:SHOP, scope usual (patience=2), profile intended" == describe_about(ABOUT, "my.py:SHOP")
    assert "my.py:SHOP" == about_data(ABOUT, "my.py:SHOP")["model"]


def test_a_reason_to_stop_has_words() -> None:
    assert "it was interrupted" == describe_stop("interrupt")
    assert "the moon" == describe_stop("the moon")


def test_bounds_and_silent_rules_are_named() -> None:
    facts = bound_facts({"A": 0, "B": 3}, [Budget("flips", 2, 1)])

    assert [("never fired", "A (of 2 rules)"), ("bound not reached", "flips 1 of 2")] == facts
    assert [("not fired yet", "A (of 1 rule)")] == bound_facts({"A": 0}, [], is_stopped=True)
    assert [] == bound_facts({"A": 1}, [])
    many = {f"R{number}": 0 for number in range(30)}
    assert [("never fired", "30 of 30 rules (--verbose lists them)")] == bound_facts(many, [], in_full=False)
    assert "R29" in bound_facts(many, [])[0][1]


def test_bounds_are_told_by_how_far_they_were_used() -> None:
    budgets = [Budget("flips", 2, 2), Budget("crashes", 3, 1), Budget("drains", 0, 0), Budget("stops", 0, 0)]

    assert [
        ("bound reached", "flips 2 (larger bounds might show more)"),
        ("bound not reached", "crashes 1 of 3"),
        ("switched off", "drains, stops (bounds of 0)"),
    ] == budget_facts(budgets)


def test_a_bound_is_data() -> None:
    budget = Budget("flips", 2, 2)

    assert [{"name": "flips", "limit": 2, "used": 2, "is_touched": True}] == budget_data([budget])


def test_findings_are_data_with_their_story() -> None:
    found, never = finding_data([shown(), NEVER], hasty()[1], "2pc")

    assert ("always", 5) == (found["kind"], found["steps"])
    assert ("sometimes", None, None) == (never["kind"], never["steps"], never["story"])


def test_a_deadlock_is_a_kind_of_its_own() -> None:
    assert "deadlock" == finding_data([shown(None)], hasty()[1], "2pc")[0]["kind"]


def test_the_first_story_is_told_in_full_and_the_others_are_named() -> None:
    parts = [unstyle(part) for part in render_findings([NEVER, shown(), shown()], hasty()[1])]

    assert parts[0].startswith("all_commit is never reached\n  sometimes, because")
    assert "    5  ObeyCommit(rm1)" in parts[1]
    assert parts[2] == "\n".join(parts[1].splitlines()[:2])


def test_a_told_story_ends_with_its_witnesses() -> None:
    assert unstyle(tell_story(*hasty())).endswith(
        "  end  managers_agree does not hold in the last world. Witnesses: (rm2 rm1)."
    )


def test_a_result_says_what_was_searched() -> None:
    assert "not refuted so far" == describe_result(Kind.ALWAYS, is_complete=False)
    assert "comes true on every fair path" == describe_result(Kind.EVENTUALLY, is_complete=True)


def test_the_first_story_is_found() -> None:
    assert hasty()[0] is find_story([NEVER, shown()])
    assert find_story([NEVER]) is None
