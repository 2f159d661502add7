"""What random walks found, in words."""

from click import unstyle

from nomadspec.checkers.report.simulating import Simulated, list_coverage
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model


def text_of(scope: str, walks: int | None = None) -> str:
    bounded = bind_as_usual(find_model("2pc"), scope)
    report = simulate(bounded, seed=3, walks=walks)
    return " ".join(
        unstyle(Simulated(report, bounded, "2pc", "nomadspec simulate --seed 3").render()).split()
    )


def test_nothing_found_proves_nothing() -> None:
    text = text_of("small", walks=5)

    assert "NOT-REFUTED sampled: no violation was found in" in text
    assert "of 5 walks, seed 3; other walks may find one" in text
    assert "not checked everyone_is_told:" in text
    assert "reproduce nomadspec simulate --seed 3" in text


def test_a_violation_is_told() -> None:
    text = text_of("hasty")

    assert "VIOLATED sampled: a violation was found in" in text
    assert "is violated after" in text
    assert "keep it nomadspec simulate --seed 3 --story-out story.json" in text


def test_lemmas_that_are_not_asked_are_counted() -> None:
    assert "not asked 5 lemmas, which quirks of the profile may break" in text_of("hasty")
    assert "not asked" not in text_of("small", walks=1)


def test_what_was_met_is_told_of_what_there_is() -> None:
    text = text_of("small", walks=1)

    assert "rules, " in text
    assert "premises missed " in text
    assert [] == list_coverage(())
