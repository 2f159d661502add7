"""What is inductive in a scope, and what single steps lose of it."""

from collections.abc import Mapping

import pytest

from nomadspec.checkers.mutants.altered import Altered
from nomadspec.checkers.mutants.mutant import Mutant
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.induction import find_inductive
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_induction import BoundedInduction
from nomadspec.checkers.smt.single_steps import SingleSteps
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.logic import Value
from nomadspec.model.language.property import Kind
from tests.checkers.mutants.jar import JAR, mutant_of

ORIGINAL = Patience.ask
TWO = JAR.at("two")
JAR_STEPS = SingleSteps(TWO)


def lose(steps: SingleSteps, mutant: Mutant) -> frozenset[str]:
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(TWO, mutant.part)
        replies = [steps.ask(altered, altered.traced[at], steps.proved) for at in altered.happening]
        return frozenset[str]().union(*[reply.lost for reply in replies])


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("2pc", None),
        ("2pc", "hasty"),
        pytest.param("core", None, marks=pytest.mark.deep),
        pytest.param("core", "unchecked", marks=pytest.mark.deep),
    ],
)
def test_what_is_inductive_is_what_an_induction_row_by_row_finds(name: str, scope: str | None) -> None:
    bounded = bind_as_usual(find_model(name), scope)
    induction = BoundedInduction(bounded, Patience(None, 2.0))
    goals = [prop.name for prop in bounded.model.list_properties(Kind.STEP)]

    found = find_inductive(induction, goals, Silence())

    properties = {prop.name for prop in bounded.model.properties}
    proved = SingleSteps(bounded).proved
    assert set(found.proved) & properties == properties & set(proved)
    assert bool(properties & found.breaks.keys()) == (scope is not None)


def test_every_step_keeps_what_is_proved() -> None:
    replies = [JAR_STEPS.ask(TWO, traced, JAR_STEPS.proved) for traced in TWO.traced]

    assert {Answer.KEPT} == {reply.answer for reply in replies}
    assert {"nobody_is_robbed", "joy_lasts", "domain of lid"} <= set(JAR_STEPS.proved)


def test_a_changed_step_loses_what_is_proved() -> None:
    assert {"nobody_is_robbed"} == lose(JAR_STEPS, mutant_of("take", "effect left out", "t.lid"))
    assert frozenset() == lose(JAR_STEPS, mutant_of("fill", "effect left out", "labelled"))


def test_a_step_that_leaves_a_domain_loses_it() -> None:
    assert {"domain of sweets"} == lose(JAR_STEPS, mutant_of("fill", "condition dropped", "s.sweets"))


def test_a_changed_text_is_listed() -> None:
    mutant = mutant_of("nobody_is_robbed", "comparison turned", "s.sweets == 0")

    assert {} == JAR_STEPS.list_changed_texts(TWO, ["nobody_is_robbed", "joy_lasts"])
    with swapped(mutant.part.function, mutant.edit.definition):
        assert {"nobody_is_robbed"} == JAR_STEPS.list_changed_texts(TWO, ["nobody_is_robbed"]).keys()


def test_a_property_concerns_the_steps_that_write_what_it_reads() -> None:
    concerning = [traced for traced in TWO.traced if JAR_STEPS.concerns(traced, "joy_lasts")]

    assert {"Take"} >= {traced.instance.rule.name for traced in concerning}


def test_a_step_is_found_that_one_statement_refuses_and_another_does_not() -> None:
    mutant = mutant_of("take", "effect left out", "t.lid")
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(TWO, mutant.part)
        (traced, *_) = [altered.traced[at] for at in altered.happening]
        refused = JAR_STEPS.state(altered, traced, "nobody_is_robbed")

        assert JAR_STEPS.can_be(altered, traced, refused, accepted=True)
        assert not JAR_STEPS.can_be(altered, traced, refused, accepted=refused)


def test_what_is_too_much_at_once_is_asked_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = SingleSteps(TWO, JAR_STEPS.proved)
    asked: list[int] = []

    def ask(patience: Patience, solver: Value, labels: Mapping[str, Value], *about: str) -> Reply:
        asked.append(len(labels))
        return Reply(Answer.UNKNOWN) if len(asked) == 1 else ORIGINAL(patience, solver, labels, *about)

    monkeypatch.setattr(Patience, "ask", ask)
    reply = steps.ask(TWO, TWO.traced[0], steps.proved)

    assert (Answer.KEPT, frozenset()) == (reply.answer, reply.unknown)
    assert len(asked) > 2


def test_what_nobody_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = SingleSteps(TWO, JAR_STEPS.proved)
    monkeypatch.setattr(Patience, "ask", lambda *_: Reply(Answer.UNKNOWN))
    reply = steps.ask(TWO, TWO.traced[0], ["domain of sweets"])

    assert (Answer.UNKNOWN, frozenset({"domain of sweets"})) == (reply.answer, reply.unknown)
