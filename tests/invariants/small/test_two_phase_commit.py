from collections import Counter
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.invariants.small.two_phase_commit import TWO_PHASE_COMMIT
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import one_of
from nomadspec.model.language.property import Kind
from nomadspec.model.small.two_phase_commit import (
    Decision,
    Manager,
    choose_abort,
    count_prepared,
    decide_abort,
    decide_commit,
    obey_abort,
    obey_commit,
    prepare,
)
from tests.invariants.mutants import Mutant, then
from tests.model.language.search import find_story

TWO = {"rms": 2}


def abort_after_all(_s: Any, t: Any) -> None:
    t.decision = Decision.ABORT
    t.abort_sent = True


def refuse_to_abort(s: Any, t: Any, rm: Id) -> None:
    t.require(s.abort_sent, s.state[rm] != Manager.WORKING)
    t.state[rm] = Manager.ABORTED


def say_nothing(_s: Any, t: Any) -> None:
    t.commit_sent = False


def count_anyone(s: Any, t: Any, rm: Id) -> None:
    t.require(s.decision == Decision.NONE_YET)
    t.counted[rm] = True


def change_ones_mind(s: Any, t: Any, rm: Id) -> None:
    t.require(one_of(s.state[rm], Manager.WORKING, Manager.PREPARED))
    t.state[rm] = Manager.ABORTED


def commit_alone(s: Any, t: Any, rm: Id) -> None:
    t.require(s.state[rm] == Manager.PREPARED)
    t.state[rm] = Manager.COMMITTED


def prepare_again(s: Any, t: Any, rm: Id) -> None:
    t.require(s.state[rm] != Manager.PREPARED)
    t.state[rm] = Manager.PREPARED


MUTANTS = {
    "a manager that has finished prepares": Mutant(
        ("finished_managers_stay",), rule=prepare, text=prepare_again, sizes=TWO
    ),
    "the decision does not wait for all": Mutant(
        ("managers_agree", "commit_counts_everyone"), profile="X-03", sizes=TWO
    ),
    "an abort comes after a commit": Mutant(
        ("decision_is_final",), rule=decide_abort, text=abort_after_all, sizes=TWO
    ),
    "a working manager is deaf to an abort": Mutant(
        ("everyone_is_told",), rule=obey_abort, text=refuse_to_abort, sizes=TWO
    ),
    "a decision is not sent": Mutant(
        ("messages_tell_the_decision",), rule=decide_commit, text=then(decide_commit, say_nothing), sizes=TWO
    ),
    "who said nothing is counted": Mutant(
        ("counted_was_sent",), rule=count_prepared, text=count_anyone, sizes=TWO
    ),
    "a prepared manager aborts": Mutant(
        ("prepared_is_bound",), rule=choose_abort, text=change_ones_mind, sizes=TWO
    ),
    "a prepared manager commits on its own": Mutant(
        ("committed_was_told",), rule=obey_commit, text=commit_alone, sizes=TWO
    ),
}
PAIRS = [(name, prop) for name, mutant in MUTANTS.items() for prop in mutant.breaks]


@pytest.mark.parametrize(("name", "prop"), PAIRS)
def test_a_mutant_breaks_a_property(name: str, prop: str) -> None:
    bounded = MUTANTS[name].apply(TWO_PHASE_COMMIT)
    story = find_story(bounded, bounded.model.find_property(prop))

    assert story is not None
    assert prop == story.property


@pytest.mark.parametrize("rms", [1, 2, 3])
def test_without_a_mutant_every_property_holds(rms: int) -> None:
    bounded = TWO_PHASE_COMMIT.at("small", sizes={"rms": rms}, profile="intended")
    asked = bounded.model.list_properties(Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)
    report = explore(bounded, properties=asked)

    assert [] == [finding.property for finding in report.findings]
    assert {prop.name for prop in asked} <= set(report.checked)


def test_every_property_is_broken_by_a_mutant_and_no_mutant_serves_many() -> None:
    served = Counter(name for name, _ in PAIRS)

    assert {
        prop.name for prop in TWO_PHASE_COMMIT.list_properties(Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)
    } == {prop for _, prop in PAIRS}
    assert max(served.values()) <= 3


@pytest.mark.parametrize("rms", [2, 3])
@pytest.mark.parametrize("prop", [prop.name for prop in TWO_PHASE_COMMIT.list_properties(Kind.SOMETIMES)])
def test_what_must_be_reachable_is_reached(prop: str, rms: int) -> None:
    bounded = TWO_PHASE_COMMIT.at("small", sizes={"rms": rms}, profile="intended")

    assert find_story(bounded, bounded.model.find_property(prop)) is not None


@pytest.mark.parametrize(
    ("name", "prop", "witnesses"),
    [
        ("the decision does not wait for all", "managers_agree", (("rm2", "rm1"),)),
        ("who said nothing is counted", "counted_was_sent", (("rm1",),)),
        ("a decision is not sent", "messages_tell_the_decision", ()),
    ],
)
def test_who_is_to_blame_is_named(name: str, prop: str, witnesses: tuple[tuple[str, ...], ...]) -> None:
    bounded = MUTANTS[name].apply(TWO_PHASE_COMMIT)
    story = find_story(bounded, bounded.model.find_property(prop))

    assert story is not None
    assert witnesses == story.witnesses
