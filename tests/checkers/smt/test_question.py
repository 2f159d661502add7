"""Asking the solver, and for how long."""

from collections.abc import Sequence

import pytest
import z3

from nomadspec.checkers.smt.question import Answer, Asking, Patience, ask
from nomadspec.model.language.logic import Value

X = z3.Int("x")


def test_what_cannot_be_is_kept_and_names_what_it_took() -> None:
    solver = Patience(None, 1.0).new_solver()
    labels = {name: z3.Bool(name) for name in ("positive", "large", "idle")}
    solver.add(z3.Implies(labels["positive"], X > 0), z3.Implies(labels["large"], X > 9), X < 0)

    reply = ask(solver, {name: labels[name] for name in ("positive", "idle")})

    assert Answer.KEPT is reply.answer
    assert frozenset({"positive"}) == reply.core


def test_what_can_be_is_broken_by_an_example() -> None:
    solver = Patience(None, 1.0).new_solver()
    solver.add(X > 5, X < 7)
    reply = ask(solver, {})

    assert Answer.BROKEN is reply.answer
    assert 6 == reply.example.eval(X).as_long()


def test_what_takes_too_long_is_unknown() -> None:
    solver = Patience(None, 0.02).new_solver()
    y, z = z3.Ints("y z")
    solver.add(X * X * X + y * y * y + z * z * z == 114, X > 3, y > 3)

    assert Answer.UNKNOWN is ask(solver, {}).answer


def test_patience_ends_with_the_time_of_the_whole() -> None:
    assert not Patience(None, 1.0).is_over
    assert not Patience(60.0, 1.0).is_over
    assert Patience(0.0, 1.0).is_over


class Notes:
    def __init__(self) -> None:
        self.taken: list[tuple[tuple[str, ...], int, Answer]] = []

    def note(self, about: Sequence[str], terms: Sequence[Value], answer: Answer) -> None:
        self.taken.append((tuple(about), len(terms), answer))


def test_ledgers_are_shown_every_question_with_what_was_assumed() -> None:
    notes = Notes()
    patience = Patience(None, 1.0, Asking(ledgers=(notes, notes)))
    solver = patience.new_solver()
    solver.add(X > 5)

    assert Answer.BROKEN is patience.ask(solver, {"p": z3.Bool("p")}, "a", "b").answer
    assert [(("a", "b"), 2, Answer.BROKEN)] * 2 == notes.taken


def test_the_seed_reaches_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, object] = {}
    monkeypatch.setattr(z3.Solver, "set", lambda _self, name, value: told.update({name: value}))
    patience = Patience(None, 1.0, Asking(seed=7))
    patience.new_solver()
    first = told["random_seed"]
    patience.new_solver(turn=1)

    assert 7 == first
    assert told["random_seed"] not in range(10)
