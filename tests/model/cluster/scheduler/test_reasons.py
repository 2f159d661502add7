"""Reasons are collected search by search, and only when they are wanted."""

from nomadspec.model.cluster.scheduler.reasons import Bucketed, Filtered, ReasonLog, Scored, Stage
from tests.model.cluster.scheduler.made import make_alloc

BUCKET = Bucketed(alloc_id="a", group="web", bucket="lost", rule="REC-34")
FILTERED = Filtered(node_id="n1", rule="FEAS-26", text="missing drivers")
SCORED = Scored(node_id="n2", scores={"binpack": 0.5}, norm_score=0.5)


def test_visits_belong_to_the_search_that_ends_next() -> None:
    log = ReasonLog(is_on=True)
    log.note_bucket(BUCKET)
    log.note_visit(FILTERED)
    log.end_selection("web", "j.web[0]", "")
    log.note_visit(SCORED)
    log.end_selection("web", "j.web[1]", "n2", may_preempt=True)

    reasons = log.build()

    assert reasons is not None
    assert reasons.buckets == (BUCKET,)
    assert [selection.visits for selection in reasons.selections] == [(FILTERED,), (SCORED,)]
    assert [selection.chosen for selection in reasons.selections] == ["", "n2"]
    assert [selection.may_preempt for selection in reasons.selections] == [False, True]


def test_a_judgement_says_what_was_looked_at() -> None:
    log = ReasonLog(is_on=True)
    log.is_trial = True
    log.note_judgement(make_alloc("a"), Stage.EXCESS, "stop", "REC-74", "any will do", count=2)
    log.end_selection("web", "j.web[0]", "")

    reasons = log.build()

    assert reasons is not None
    (judged,) = reasons.judgements
    assert (judged.alloc_id, judged.group, judged.stage) == ("a", "web", "excess")
    assert (judged.why, judged.operands) == ("any will do", {"count": 2})
    assert [selection.is_trial for selection in reasons.selections] == [True]


def test_nothing_is_collected_when_nobody_asks() -> None:
    log = ReasonLog(is_on=False)
    log.note_bucket(BUCKET)
    log.note_judgement(make_alloc("a"), Stage.EXCESS, "stop", "REC-74")
    log.note_visit(FILTERED)
    log.end_selection("web", "j.web[0]", "")

    assert log.build() is None
