"""Coverage: what was met of what there is."""

import pytest

from nomadspec.checkers.coverage import ARROWS, GOALS, PREMISES, RULES, Coverage
from nomadspec.checkers.pycode.checks import CodeChecks
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.invariants.catalogue import find_model


@pytest.mark.deep
def test_what_is_met_is_counted_once() -> None:
    bounded = find_model("kernel").at("contention", profile="nomad-2.0")
    layout = Layout(bounded)
    checks = CodeChecks(bounded, layout, bounded.model.properties)
    coverage, program = Coverage(bounded, layout, checks), Program(bounded, layout)
    packed = program.initial[0]
    position = next(
        at for at in program.list_possible(packed) if bounded.instances[at].rule.name == "Dequeue"
    )
    before = coverage.share
    for _ in range(2):
        coverage.follow(packed, position, program.compute_after(packed, position))

    assert [(RULES, 1), (ARROWS, 1), (PREMISES, 0), (GOALS, 0)] == [
        (each.kind, each.met) for each in coverage.report()
    ]
    assert "Dequeue" not in coverage.report()[0].missed
    assert 2 == coverage.news
    assert 0 == before < coverage.share


def test_what_is_unknown_is_not_met() -> None:
    bounded = find_model("core").at(profile="nomad-2.0")
    layout = Layout(bounded)
    coverage = Coverage(bounded, layout, CodeChecks(bounded, layout, ()))
    coverage.meet(PREMISES, "nobody_asked")

    assert 0 == coverage.news
    assert [(RULES, 6)] == [(each.kind, each.total) for each in coverage.report()]


def test_a_walk_meets_premises_and_goals() -> None:
    bounded = find_model("core").at(profile="nomad-2.0")
    layout, told = Layout(bounded), list[str]()

    def tell(name: str) -> bool:
        told.append(name)
        return True

    checks = CodeChecks(bounded, layout, bounded.model.properties, tell)
    program = Program(bounded, layout)
    packed = program.initial[0]
    checks.ask_world(packed)
    for _ in range(4):
        position = program.list_possible(packed)[0]
        after = program.compute_after(packed, position)
        checks.ask_step(packed, position, after)
        packed = after
        checks.ask_world(packed, position)

    assert {"busy_workers_have_a_job", "held_tokens_were_given"} <= set(told) <= set(checks.premises.names)
    assert len(told) == len(set(told))
    assert ("a_plan_is_rejected", "a_node_is_full", "a_job_is_delivered_twice", "an_evaluation_fails") == (
        checks.list_goals()
    )
