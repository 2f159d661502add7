"""What the hand-drawn diagrams and our tables disagree on."""

import pytest

from nomadspec.checkers.diagrams.differences import Verdict, list_comparisons, list_differences
from nomadspec.checkers.diagrams.upstream import DIAGRAMS, PHASES, STATUSES, DrawnDiagram
from nomadspec.model.lifecycle.evaluation import EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EvalPhase
from nomadspec.model.lifecycle.table import ABSENT
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0

EVERY = pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)


def list_numbers(diagram: DrawnDiagram, verdict: Verdict) -> list[int | None]:
    return [one.number for one in list_comparisons(diagram, NOMAD_2_0) if one.verdict is verdict]


def test_what_the_diagram_of_statuses_has_too_much() -> None:
    assert list_numbers(STATUSES, Verdict.THEIRS) == [2, 8, 12, 13]
    assert list_numbers(STATUSES, Verdict.BY_QUIRK) == [9]
    assert list_numbers(STATUSES, Verdict.OTHER_KIND) == []


def test_no_arrow_of_the_diagram_of_statuses_is_right_without_restriction() -> None:
    assert list_numbers(STATUSES, Verdict.AGREED) == []
    assert list_numbers(STATUSES, Verdict.RESTRICTED) == [1, 3, 4, 5, 6, 7, 10, 11, 14]


def test_what_the_diagram_with_quasi_statuses_has_too_much() -> None:
    assert list_numbers(PHASES, Verdict.THEIRS) == [4, 13, 17]
    assert list_numbers(PHASES, Verdict.BY_QUIRK) == [11, 12]
    assert list_numbers(PHASES, Verdict.OTHER_KIND) == [1, 18]


def test_what_the_diagram_with_quasi_statuses_has_right() -> None:
    assert list_numbers(PHASES, Verdict.AGREED) == [2, 3, 7, 14, 16, 19, 21, 22, 23]


def test_what_the_diagram_of_statuses_lacks() -> None:
    pairs = {(o.source, o.target) for o in list_comparisons(STATUSES, INTENDED) if o.verdict is Verdict.OURS}
    s = EvalStatus

    assert pairs == {
        (ABSENT, s.PENDING),
        (s.PENDING, s.PENDING),
        (s.PENDING, s.BLOCKED),
        (s.BLOCKED, s.PENDING),
        (s.BLOCKED, s.BLOCKED),
        (s.BLOCKED, s.FAILED),
    }


def test_the_rows_that_the_rules_add_to_the_second_diagram_are_found() -> None:
    ours = {(o.source, o.target) for o in list_comparisons(PHASES, NOMAD_2_0) if o.verdict is Verdict.OURS}
    p = EvalPhase

    assert ours >= {
        (p.PENDING, p.DELETED),
        (p.BLOCKED, p.DELETED),
        (p.DELAYED, p.CANCELED),
        (p.COMPLETE, p.CANCELED),
        (p.PENDING, p.CANCELED),
        (p.SCHEDULING, p.PENDING),
        (p.SCHEDULING, p.DELAYED),
    }


def test_what_only_a_quirk_does_is_only_in_theirs_as_intended() -> None:
    verdicts = {one.number: one.verdict for one in list_comparisons(PHASES, INTENDED)}

    assert (verdicts[11], verdicts[12]) == (Verdict.THEIRS, Verdict.THEIRS)


@EVERY
def test_every_difference_has_a_reason_and_rules(diagram: DrawnDiagram) -> None:
    assert [one for one in list_differences(diagram, NOMAD_2_0) if not (one.why and one.spec)] == []


@EVERY
def test_every_drawn_arrow_is_judged_once(diagram: DrawnDiagram) -> None:
    numbers = [one.number for one in list_comparisons(diagram, NOMAD_2_0) if one.number is not None]

    assert numbers == [arrow.number for arrow in diagram.arrows]


@EVERY
def test_an_arrow_without_restriction_agrees(diagram: DrawnDiagram) -> None:
    free = [arrow.number for arrow in diagram.arrows if not arrow.restriction]

    assert free == list_numbers(diagram, Verdict.AGREED)
