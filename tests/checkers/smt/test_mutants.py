"""What is proved of a mutant is never violated in a small scope: one condition is taken away in turn."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from nomadspec.checkers.smt import prove
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import ProofResult
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DomainError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Kind
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.trace import Instance
from nomadspec.model.language.world import World

pytestmark = pytest.mark.usefixtures("unread_texts", "ids_may_be_numbers")


def drop_condition(rule: Rule, dropped: int) -> Rule:
    """Give a rule in which one of the conditions of its guard, counted from 0, is taken away."""

    def text(s: World, t: World, *arguments: object) -> None:
        counted = iter(range(99))

        def require(*conditions: Value) -> None:
            World.require(t, *[each for each in conditions if next(counted) != dropped])

        vars(t)["require"] = require
        rule.text(s, t, *arguments)

    return replace(rule, text=text)


def drop_when(rule: Rule, dropped: int) -> Rule:
    """Give a rule in which one of its conditional writes always happens."""

    def text(s: World, t: World, *arguments: object) -> None:
        counted = iter(range(99))
        vars(t)["when"] = lambda condition: t if next(counted) == dropped else World.when(t, condition)
        rule.text(s, t, *arguments)

    return replace(rule, text=text)


def list_mutants(model: Model) -> Iterator[tuple[str, Model]]:
    """List models with one rule changed; those whose change does not show in the text are there too."""
    changes: list[tuple[str, Callable[[Rule, int], Rule]]] = [("guard", drop_condition), ("when", drop_when)]
    for rule in model.rules:
        for kind, change in changes:
            for number in range(2):
                mutant = change(rule, number)
                rules = tuple(mutant if one is rule else one for one in model.rules)
                yield f"{rule.name}-{kind}-{number}", replace(model, rules=rules)


def find_violated(bounded: BoundedModel) -> set[str]:
    """Search the scope on the interpreter; steps that it refuses lead nowhere."""
    violated: set[str] = set()
    seen = dict.fromkeys(bounded.initial)
    pending = list(bounded.initial)
    while pending:
        cells = pending.pop()
        violated |= {
            p.name for p in bounded.model.list_properties(Kind.ALWAYS) if not bounded.holds(p, cells)
        }
        for instance, after in list_steps(bounded, cells):
            for prop in bounded.model.list_properties(Kind.STEP):
                if not bounded.holds_step(prop, cells, instance, after):
                    violated.add(prop.name)
            if after not in seen:
                seen[after] = None
                pending.append(after)
    return violated


def list_steps(bounded: BoundedModel, cells: Cells) -> Iterator[tuple[Instance, Cells]]:
    for instance in bounded.instances:
        with suppress(DomainError):
            after = bounded.step(cells, instance)
            if after is not None:
                yield instance, after


def assert_no_proof_is_wrong(model: Model, sizes: dict[str, int]) -> None:
    bounded = model.at(sizes=sizes, profile="intended")
    report = prove(bounded, bmc_steps=0)
    proved = {proof.property for proof in report.proofs if proof.result is ProofResult.PROVED_UNBOUNDED}

    assert set() == proved & find_violated(bounded)


TWO_PHASE = dict(list_mutants(find_model("2pc")))
CORE = dict(list_mutants(find_model("core")))
SAMPLE = ("ChooseAbort-guard-0", "DecideCommit-guard-0", "ObeyCommit-guard-0", "CountPrepared-guard-0")
"""A rule of a manager and one of who decides, one that obeys, and one that counts."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in SAMPLE else pytest.mark.deep)
        for name in TWO_PHASE
        if "guard" in name
    ],
)
def test_no_proof_of_a_mutant_of_two_phase_commit_is_wrong(name: str) -> None:
    assert_no_proof_is_wrong(TWO_PHASE[name], {"rms": 2})


def test_most_guards_of_two_phase_commit_matter() -> None:
    matter = [
        name for name, mutant in TWO_PHASE.items() if find_violated(bind_as_usual(mutant, sizes={"rms": 2}))
    ]

    assert 8 == len(matter)


@pytest.mark.deep
@pytest.mark.parametrize("name", CORE)
def test_no_proof_of_a_mutant_of_core_is_wrong(name: str) -> None:
    for sizes in ({"jobs": 1, "count": 1, "cap": 1, "flips": 1}, {"nodes": 1, "count": 1, "cap": 1}):
        assert_no_proof_is_wrong(CORE[name], sizes)
