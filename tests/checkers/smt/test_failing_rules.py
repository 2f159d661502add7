"""Proofs of models whose rules raise something: that no world leads there is a promise, and has a story."""

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.smt import prove
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import Value, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import RULES_DO_NOT_FAIL
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.story import replay
from nomadspec.model.language.world import World, field, index
from tests.checkers.failing import STRUCK


def test_a_rule_that_raises_something_breaks_a_promise_with_a_story() -> None:
    struck = STRUCK.at()
    report = prove(struck)
    (promise,) = [one for one in report.proofs if one.property == RULES_DO_NOT_FAIL]

    assert Verdict.VIOLATED is report.verdict
    assert ProofResult.COUNTEREXAMPLE is promise.result
    assert promise.story is not None
    assert judge(promise.story, replay(promise.story, struck)).is_true
    searched = explore(struck).findings[0].story
    assert searched is not None
    assert len(searched.steps) == len(promise.story.steps)
    assert any("raises IndexError" in note for note in report.notes)


class Lamps(World):
    """Lamps in a row, of which the last one has no next."""

    lamps = index("lamp", 3, "in a row")
    lit = field(lamps, FLAG, init=False, about="it is on")
    number = field(upto(3), init=0, about="how many were lit")


NEXT = {0: 1, 1: 2}


@rule("L-1", lamp=Lamps.lamps)
def light_next(s: Lamps, t: Lamps, lamp: Id) -> None:
    """The next lamp is lit, while there is one."""
    t.require(s.number == lamp, s.number < 2)
    t.lit[NEXT[lamp]] = True
    t.number = s.number + 1


@rule("L-1", lamp=Lamps.lamps)
def light_another(s: Lamps, t: Lamps, lamp: Id) -> None:
    """The next lamp is lit, unless the last one is; no lamp has been lit twice, but nothing says so."""
    t.require(s.number == lamp, not_(s.lit[2]))
    t.lit[NEXT[lamp]] = True
    t.number = s.number + 1


@always("L-2", why="it is lit from the left")
def first_stays_dark(s: Lamps) -> Value:
    """Nothing lights the first lamp."""
    return not_(s.lit[0])


@pytest.mark.parametrize(
    ("text", "verdict", "result"),
    [
        (light_next, Verdict.HOLDS, ProofResult.PROVED_BOUNDED),
        (light_another, Verdict.INCONCLUSIVE, ProofResult.NOT_INDUCTIVE),
    ],
)
def test_where_a_rule_would_raise_something_is_shown_not_to_be_reached_or_not(
    text: Rule, verdict: Verdict, result: ProofResult
) -> None:
    row = Model("row", "lamps in a row", Lamps, (text,), (first_stays_dark,)).at()
    report = prove(row)

    assert verdict is report.verdict
    assert result is next(one.result for one in report.proofs if one.property == RULES_DO_NOT_FAIL)
    assert Verdict.HOLDS is explore(row, properties=["first_stays_dark"]).verdict
