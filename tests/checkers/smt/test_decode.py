"""Examples of the solver as worlds."""

import pytest
import z3

from nomadspec.checkers.smt.decode import decode, read_value, replay_step
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError


def test_a_world_is_read_off_cell_by_cell() -> None:
    bounded = find_model("core").at(profile="nomad-2.0")
    state = SolverState(bounded, "t")
    solver = z3.Solver()
    solver.add(state.equals(bounded.initial[0]))
    assert z3.sat == solver.check()

    assert bounded.initial[0] == decode(state, solver.model())


def test_what_an_example_leaves_open_gets_a_value() -> None:
    assert read_value(z3.Model(), z3.Bool("free")) in {True, False}
    assert 0 == read_value(z3.Model(), z3.Int("free"))


def test_a_step_that_the_interpreter_makes_is_believed() -> None:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    instance, after = next(bounded.successors(bounded.initial[0]))

    assert after == replay_step(bounded, bounded.initial[0], instance, after)


def test_a_step_that_goes_elsewhere_is_not() -> None:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    instance, _ = next(bounded.successors(bounded.initial[0]))

    with pytest.raises(ImpossibleError, match="disagree"):
        replay_step(bounded, bounded.initial[0], instance, bounded.initial[0])


def test_a_step_that_cannot_happen_is_not() -> None:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    possible = [instance for instance, _ in bounded.successors(bounded.initial[0])]
    other = next(instance for instance in bounded.instances if instance not in possible)

    with pytest.raises(ImpossibleError, match="disagree"):
        replay_step(bounded, bounded.initial[0], other, bounded.initial[0])
