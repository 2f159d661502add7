"""The user's own model of the how-to page: every engine takes it, and every mistake in it would be found."""

from dataclasses import replace
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.smt import prove
from nomadspec.checkers.stateful import run
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE
from tests.tidy.source import ROOT

DRAIN = load_model(f"{ROOT}/docs/how-to/examples/drain.py:DRAIN")


def test_it_is_explored() -> None:
    report = explore(DRAIN.at("small"))

    assert (Verdict.HOLDS, 205, 616, 7) == (report.verdict, report.distinct, report.generated, report.depth)
    assert () == report.silent_rules


def test_it_is_explored_up_to_names() -> None:
    report = explore(DRAIN.at("small"), reduction="symmetry")

    assert (Verdict.HOLDS, 7) == (report.verdict, report.depth)
    assert report.distinct < 205


def test_it_is_proved_for_any_number() -> None:
    proofs = prove(DRAIN.at("small")).proofs

    names = {"nothing_is_on_a_gone_node", "gone_nodes_drain", "domains_are_kept"}
    assert {*names, COUNTERS_FIT_THE_SCOPE} == {proof.property for proof in proofs}
    assert {ProofResult.PROVED_UNBOUNDED} == {
        proof.result for proof in proofs if proof.property != COUNTERS_FIT_THE_SCOPE
    }


def test_its_lemma_is_needed() -> None:
    properties = tuple(prop for prop in DRAIN.properties if not prop.is_lemma)

    proof, promise, _ = prove(replace(DRAIN, properties=properties).at("small")).proofs

    assert ProofResult.NOT_INDUCTIVE == proof.result
    assert ProofResult.PROVED_UNBOUNDED == promise.result


def test_it_is_walked() -> None:
    report = simulate(DRAIN.at("large"), seed=1, walks=5, max_steps=50)

    assert (Verdict.NOT_REFUTED, True) == (report.verdict, report.reached["a_node_is_gone"])


def test_it_is_searched_by_hypothesis() -> None:
    report = run(DRAIN.at("small"))

    assert (Verdict.NOT_REFUTED, ()) == (report.verdict, report.findings)


def remove_at_once(s: Value, t: Value, node: Value) -> None:
    t.require(s.draining[node])
    t.gone[node] = True


def place_anywhere(s: Value, t: Value, alloc: Value, node: Value) -> None:
    t.require(s.draining[node])
    t.place[alloc] = node


@pytest.mark.parametrize(
    ("name", "change", "broken"),
    [
        ("Remove", {"text": remove_at_once}, "nothing_is_on_a_gone_node"),
        ("Place", {"text": place_anywhere}, "nothing_is_on_a_gone_node"),
        ("Place", {"fairness": None}, "alloc_settles"),
    ],
)
def test_a_broken_rule_is_found(name: str, change: dict[str, Any], broken: str) -> None:
    rules = tuple(replace(rule, **change) if rule.name == name else rule for rule in DRAIN.rules)
    wanted = tuple(prop for prop in DRAIN.properties if prop.name == broken)

    report = explore(replace(DRAIN, rules=rules, properties=wanted).at("small"))

    assert [broken] == [finding.property for finding in report.findings]
