"""The page of rules."""

import pytest

from nomadspec.checkers.reference.rules import (
    describe_argument,
    describe_fairness,
    describe_rules,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.domain import FLAG, NONE, Id, Map, opt
from nomadspec.model.language.logic import not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import Fairness, rule, strong, weak
from nomadspec.model.language.world import World, field
from nomadspec.model.small.core import Core, nack


def find_part(title: str) -> str:
    return describe_rules(find_model("core")).partition(f"### {title} ")[2].partition("\n### ")[0]


def test_a_rule_shows_what_tracing_found() -> None:
    part = find_part("Dequeue")

    assert "- **Asks** `place`, `stage`.\n- **Reads** `delivered`, `token`, `allocs`, `up`.\n" in part
    assert "- **Writes** `place`, `delivered`, `token`, `stage`, `job`, `held_token`," in part


def test_a_rule_shows_its_arguments() -> None:
    assert (
        "- **Arguments** `worker` (worker), `job` (job), `to` (for each placement: node or NONE).\n"
        in find_part("Schedule")
    )


def test_a_rule_shows_its_origin_and_no_text() -> None:
    part = find_part("Nack")

    assert (
        "- **Formalises** `Core!Nack` (A nack with a valid token makes the job ready again or failed); "
        in part
    )
    assert (
        "`BROKER-40` (A nacked evaluation is delayed, or is failed once it reaches the delivery limit).\n"
        in part
    )
    calls = "which calls `redeliver`, `holds_token`, `release`"
    assert f"- **File** `model/small/core.py`, line {nack.line}, {calls}." in part


def test_a_rule_shows_what_bounds_it_and_by_which_condition_it_counts() -> None:
    parts = describe_rules(find_model("kernel"))
    report = parts.partition("### ReportHealth ")[2].partition("\n### ")[0]
    failure = parts.partition("### FailAlloc ")[2].partition("\n### ")[0]

    assert "- **Makes** `deployment_changes_made` where `is_corrected` (True while the health of" in report
    assert "which calls `note_entry`, `is_corrected`." in report
    assert "- **Spends** `reported`.\n- **Makes** `made`.\n" in failure


def test_a_rule_that_the_first_scope_forbids_is_traced_in_another() -> None:
    assert "- **Asks** `flipped`.\n" in find_part("FlipNode")


def test_arguments_are_described() -> None:
    assert "worker" == describe_argument(Core.workers)
    assert "for each placement: node or NONE" == describe_argument(
        Map(Core.placements, opt(Core.nodes, NONE))
    )
    assert "flag" == describe_argument(FLAG)


@pytest.mark.parametrize(
    ("fairness", "expected"),
    [
        (None, "none, it may stay away for ever"),
        (weak(), "weak: happens at last where it stays possible"),
        (
            strong("worker"),
            "strong: happens at last where it is possible again and again, for each worker",
        ),
    ],
)
def test_fairness_is_described(fairness: Fairness | None, expected: str) -> None:
    @rule("X-01", fair=fairness, worker=Core.workers)
    def rest(s: World, t: World, worker: Id) -> None:
        """Nothing happens."""

    assert expected == describe_fairness(rest)


def test_a_rule_that_can_never_happen_shows_no_footprint() -> None:
    class Lamp(World):
        on = field(FLAG, init=False, about="the lamp is on")

    @rule("X-01")
    def never(s: Lamp, t: Lamp) -> None:
        """Nothing happens, ever."""
        t.require(s.on, not_(s.on))
        t.on = True

    text = describe_rules(Model("lamp", "a lamp", Lamp, (never,)))

    assert (
        "Nothing happens, ever.\n\n- **Formalises** `X-01` (The plan applier of the benchmark protocol"
        in text
    )
    assert "commits a plan without looking at capacity).\n- **Fairness:** none" in text
    assert "Asks" not in text
