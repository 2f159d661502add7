"""What was seen is drawn beside what is allowed."""

import pytest

from nomadspec.checkers.diagrams.explored import (
    AFTER_PLAN,
    EXPLORABLE,
    ONLY_BY,
    SEEN,
    TRIGGERS,
    UNSEEN,
    build_explored_graph,
    choose_arrows,
    describe_ends,
    find_witnesses,
    has_ends,
)
from nomadspec.checkers.diagrams.graph import list_edges
from nomadspec.checkers.diagrams.render import render_graph
from nomadspec.checkers.diagrams.sightings import Sighting
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.language.domain import NONE
from nomadspec.model.lifecycle.evaluation import EVALUATION, EvalStatus
from nomadspec.model.lifecycle.evaluation_full import EVALUATION_FULL, EvalPhase
from nomadspec.model.lifecycle.table import Arrow, ArrowKind, list_arrows, number_of
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.diagrams.seen import seen_in

ARROWS = list_arrows(EVALUATION, NOMAD_2_0)

_PENDING, _BLOCKED, _, _FAILED, _CANCELED = map(number_of, EvalStatus)


def seen(kind: ArrowKind, source: int, target: int, rule: str) -> Sighting:
    return Sighting("evaluation", kind, source, target, rule)


def causes(arrows: tuple[Arrow, ...]) -> list[str]:
    return [arrow.cause for arrow in arrows]


def test_a_trigger_tells_arrows_apart() -> None:
    made = seen(ArrowKind.CREATION, NONE, _PENDING, "WriteNodeEval")

    assert ["a node changes, comes or goes"] == causes(choose_arrows(ARROWS, made, frozenset({"EVAL-10"})))


@pytest.mark.parametrize(
    ("rule", "spec", "cause"),
    [
        ("CancelDuplicate", {"LEADER-30", "EVAL-45"}, "another is blocked"),
        ("WriteOutcome", {"EVAL-35"}, "a sibling placed all"),
        ("CancelCancelable", {"LEADER-40", "EVAL-45"}, "cancelable in the broker"),
    ],
)
def test_shared_ids_tell_arrows_apart(rule: str, spec: set[str], cause: str) -> None:
    canceled = seen(ArrowKind.CHANGE, _BLOCKED, _CANCELED, rule)

    assert [cause] == causes(choose_arrows(ARROWS, canceled, frozenset(spec)))


@pytest.mark.parametrize(
    ("rule", "cause"),
    [
        ("ApplyPlan whole", "answered: all committed"),
        ("ApplyPlan partly", "answered: only partly committed, or error"),
    ],
)
def test_what_became_of_a_plan_tells_arrows_apart(rule: str, cause: str) -> None:
    answered = Sighting("evaluation-full", ArrowKind.CHANGE, EvalPhase.APPLYING, EvalPhase.SCHEDULING, rule)
    arrows = list_arrows(EVALUATION_FULL, NOMAD_2_0)

    assert [cause] == causes(choose_arrows(arrows, answered, frozenset({"PLAN-45"})))


def test_which_quirk_it_was_is_not_guessed() -> None:
    woken = seen(ArrowKind.CHANGE, _CANCELED, _FAILED, "UseUpAttempts")

    assert () == choose_arrows(ARROWS, woken, frozenset())
    assert has_ends(ARROWS, woken)


def test_what_is_in_no_table_is_strange() -> None:
    back = seen(ArrowKind.CHANGE, _CANCELED, _PENDING, "Undo")

    assert not has_ends(ARROWS, back)
    assert ("canceled", "pending") == describe_ends(EVALUATION, back)


def test_every_cause_and_rule_that_is_named_is_there() -> None:
    known = {arrow.cause for lifecycle in EXPLORABLE.values() for arrow in lifecycle.arrows}
    rules = {rule.name for rule in KERNEL.rules}

    assert ONLY_BY.keys() | AFTER_PLAN.keys() <= known
    named = {rule.partition(" ")[0] for rule in TRIGGERS}
    assert named | set().union(*ONLY_BY.values()) <= rules


def test_counts_are_those_of_the_sightings() -> None:
    found = find_witnesses(EVALUATION, NOMAD_2_0, [seen_in("delivery-limit")])
    at_limit = next(arrow for arrow in ARROWS if arrow.cause == "deliveries used up")

    assert 0 < found.count(at_limit)
    assert [] == found.strange


def test_what_was_not_seen_is_grey() -> None:
    found = find_witnesses(EVALUATION_FULL, NOMAD_2_0, [seen_in("delivery-limit")])
    graph = build_explored_graph(found, ["delivery-limit"])
    styles = {(edge.source, edge.target): edge.style for edge in list_edges(graph)}

    assert SEEN == styles["pending", "scheduling"]
    assert UNSEEN == styles["complete", "deleted"]
    assert "as explored in delivery-limit" in graph.title
    assert b"dequeued \xc3\x97" in render_graph(graph, "mermaid")
