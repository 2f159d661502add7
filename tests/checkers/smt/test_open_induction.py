"""Induction over worlds of any size."""

from dataclasses import replace

import pytest
import z3

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt import open_induction
from nomadspec.checkers.smt.attempts import Attempt
from nomadspec.checkers.smt.induction import Inductive, find_inductive
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.question import Answer, Patience
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value, for_all
from nomadspec.model.language.property import Kind, always
from nomadspec.model.language.rule import rule
from tests.checkers.smt.toys import (
    Desk,
    begin,
    busy_clerks_wait,
    desk,
    finish,
    served_grows_by_one,
    waiting_clerks_are_busy,
)

PAIR = (waiting_clerks_are_busy, busy_clerks_wait)


def induct(bounded: BoundedModel) -> tuple[OpenInduction, Inductive]:
    induction = OpenInduction(OpenWorld(bounded), Patience(None, 0.5))
    goals = [prop.name for prop in bounded.model.list_properties(Kind.STEP)]
    return induction, find_inductive(induction, goals, Silence())


def without(name: str, model: str = "core") -> BoundedModel:
    """Bound a model that lacks one property."""
    whole = find_model(model)
    rest = tuple(prop for prop in whole.properties if prop.name != name)
    return replace(whole, properties=rest).at(profile="intended")


def test_the_desk_is_proved_for_any_number_of_clerks() -> None:
    _, found = induct(desk(begin, finish, properties=(*PAIR, served_grows_by_one)))

    assert {} == found.breaks
    assert {"waiting_clerks_are_busy"} == found.lemmas_of("order of line")


def test_without_its_lemma_a_queue_is_not_shown_to_be_one() -> None:
    _, found = induct(desk(begin, finish, properties=(busy_clerks_wait,)))

    assert "order of line" in found.breaks


def test_what_the_first_world_lacks_is_broken_there() -> None:
    @always("X", why="for the test")
    def everybody_is_busy(s: Desk) -> Value:
        """Every clerk is busy."""
        return for_all(s.busy[x] for x in s.clerks)

    _, found = induct(desk(begin, finish, properties=(*PAIR, everybody_is_busy)))

    assert found.breaks["everybody_is_busy"].step is None


def test_a_domain_that_a_rule_leaves_is_not_assumed() -> None:
    @rule("X", clerk=Desk.clerks)
    def overfill(s: Desk, t: Desk, clerk: Id) -> None:
        """The room fills beyond what it holds."""
        t.require(s.busy[clerk])
        t.level = s.level + 1

    _, found = induct(desk(begin, finish, overfill, properties=PAIR))

    assert ["domain of level"] == list(found.breaks)


@pytest.mark.deep
def test_tokens_need_the_lemma_that_they_were_given() -> None:
    _, found = induct(without("held_tokens_were_given"))

    assert ["no_token_is_shared"] == list(found.breaks)


@pytest.mark.parametrize(
    "lemma",
    [
        "commit_counts_everyone",
        pytest.param("prepared_is_bound", marks=pytest.mark.deep),
        pytest.param("committed_was_told", marks=pytest.mark.deep),
    ],
)
def test_agreement_needs_each_of_its_lemmas(lemma: str) -> None:
    _, found = induct(without(lemma, "2pc"))

    assert "managers_agree" in found.breaks


@pytest.mark.parametrize("name", ["2pc", pytest.param("core", marks=pytest.mark.deep)])
def test_every_rule_can_happen_where_everything_proved_holds(name: str) -> None:
    """A proof of core notes a rule that cannot: see test_proving.py."""
    induction, found = induct(find_model(name).at(profile="intended"))

    assert () == induction.list_impossible(found.proved)


def test_a_rule_that_contradicts_what_is_proved_is_named() -> None:
    @rule("X", clerk=Desk.clerks)
    def wait_idly(s: Desk, t: Desk, clerk: Id) -> None:
        """Somebody idle is served."""
        t.require(s.line.has(clerk), s.busy[clerk] == False)  # noqa: E712 - the operators take flags as values
        t.closed = True

    induction, found = induct(desk(begin, finish, wait_idly, properties=PAIR))

    assert ("WaitIdly",) == induction.list_impossible(found.proved)


def test_nothing_is_answered_once_the_time_is_used_up() -> None:
    induction = OpenInduction(OpenWorld(desk(begin, finish)), Patience(0.0, 2.0))

    assert Answer.UNKNOWN is induction.ask_initial("order of line").answer
    assert Answer.UNKNOWN is induction.ask_step(0, "order of line", ()).answer


def test_what_a_rule_does_not_touch_it_keeps_unasked() -> None:
    _, found = induct(desk(begin, finish, properties=PAIR))
    untouched = [found.replies[step, "domain of marked"] for step in range(2)]

    assert [{"domain of marked"}] * 2 == [set(reply.core) for reply in untouched]
    assert [0.0, 0.0] == [reply.seconds for reply in untouched]


def test_a_question_may_be_reminded_of_by_two_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, object] = {}
    usual = z3.Solver.set

    def take_down(self: z3.Solver, name: str, value: object) -> None:
        told[name] = value
        usual(self, name, value)

    attempt = Attempt((), (), 1.0, recalls_only=True, recalls_by_two=True)
    monkeypatch.setattr(z3.Solver, "set", take_down)
    monkeypatch.setattr(open_induction, "list_attempts", lambda *_: [attempt])
    world = OpenWorld(desk(begin, finish, properties=PAIR))
    reply = OpenInduction(world, Patience(None, 0.5)).ask_step(0, "busy_clerks_wait", ())

    assert Answer.KEPT is not reply.answer
    assert (2, False) == (told["qi.max_multi_patterns"], told["mbqi"])
