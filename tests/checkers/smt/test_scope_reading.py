"""What candidates say in a scope."""

from contextlib import suppress
from itertools import permutations

import pytest
import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.scope_reading import ScopeReading, is_in_order
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.model.errors import DomainError
from nomadspec.model.language.bounded import Cells
from nomadspec.model.language.domain import Id
from nomadspec.model.language.logic import Value
from nomadspec.model.language.rule import rule
from nomadspec.model.language.term import Term
from tests.checkers.smt.toys import Desk, begin, busy_clerks_wait, desk, finish, served_grows_by_one
from tests.checkers.smt.walks import list_reachable


@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_ranks_from_one_on_are_a_queue(length: int) -> None:
    for ranks in permutations([*range(1, length + 1), 0, 0]):
        assert is_in_order(ranks) is True


@pytest.mark.parametrize("ranks", [(1, 1), (2, 0), (3, 1, 0), (2, 2, 1)])
def test_other_ranks_are_not(ranks: tuple[int, ...]) -> None:
    assert is_in_order(ranks) is False


def test_candidates_are_the_properties_of_worlds() -> None:
    reading = ScopeReading(desk(begin, finish, properties=(busy_clerks_wait, served_grows_by_one)))

    assert ("busy_clerks_wait",) == reading.candidates


def test_a_candidate_is_read_on_plain_values_and_on_terms() -> None:
    bounded = desk(begin, finish, properties=(busy_clerks_wait,))
    reading = ScopeReading(bounded)

    for name in reading.candidates:
        assert reading.say(name, bounded.initial[0]) is True
        assert isinstance(reading.say(name, bounded.cell_terms), Term)


def test_a_goal_is_read_after_an_instance() -> None:
    bounded = desk(begin, finish, properties=(busy_clerks_wait, served_grows_by_one))
    reading = ScopeReading(bounded)
    traced = bounded.traced[0]

    assert reading.say_after("served_grows_by_one", traced) is True
    assert isinstance(reading.say_after("busy_clerks_wait", traced), Term)


def decide(state: SolverState, cells: Cells, terms: list[Value]) -> bool:
    """Evaluate terms in a world."""
    swaps = [(cell, as_term(value)) for cell, value in zip(state.cells, cells, strict=True)]
    return all(z3.is_true(z3.simplify(z3.substitute(term, *swaps))) for term in terms)


def test_every_world_is_possible_and_ranks_that_are_no_queue_are_not() -> None:
    bounded = desk(begin, finish)
    reading, state = ScopeReading(bounded), SolverState(bounded, "t")
    ranks = bounded.frame.placed["line"].base
    (first,) = bounded.initial

    assert decide(state, first, reading.list_background(state))
    for rank, is_possible in ((1, True), (2, False)):
        cells = (*first[:ranks], rank, *first[ranks + 1 :])
        assert is_possible == decide(state, cells, reading.list_background(state))


def test_what_the_interpreter_refuses_is_no_step() -> None:
    @rule("X", clerk=Desk.clerks)
    def push(s: Desk, t: Desk, clerk: Id) -> None:
        """A clerk queues, whether he is queued or not."""
        t.line.push(clerk)

    @rule("X")
    def serve(s: Desk, t: Desk) -> None:
        """Somebody is served."""
        t.served = s.served + 1

    bounded = desk(push, serve)
    reading, state = ScopeReading(bounded), SolverState(bounded, "t")
    for cells in list_reachable(bounded, 20):
        for traced in bounded.traced:
            with suppress(DomainError):
                assert bounded.step(cells, traced.instance) is not None
                assert decide(state, cells, reading.list_conditions(state, traced))
                continue
            assert not decide(state, cells, reading.list_conditions(state, traced))
