"""Traced terms, translated and evaluated on constants, say what the interpreter does."""

import pytest
import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.decode import read_value
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.property import Kind
from tests.checkers.smt.walks import list_reachable


def assert_same_steps(bounded: BoundedModel, state: SolverState, cells: Cells) -> None:
    swaps = [(cell, as_term(value)) for cell, value in zip(state.cells, cells, strict=True)]
    nothing = z3.Model()
    for traced in bounded.traced:
        guard = [z3.substitute(state.translate(part), *swaps) for part in traced.guard]
        is_enabled = all(z3.is_true(z3.simplify(part)) for part in guard)
        after = bounded.step(cells, traced.instance)

        assert is_enabled == (after is not None), traced.instance.rule.name
        if after is not None:
            for position, value in traced.writes.items():
                told = z3.substitute(state.translate(value), *swaps)

                assert after[position] == read_value(nothing, told)


@pytest.mark.parametrize("worlds", [3, pytest.param(12, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ("model", "sizes"), [("core", {"flips": 1}), ("2pc", {"rms": 3})], ids=["core", "2pc"]
)
def test_steps_agree_with_the_interpreter_on_reachable_worlds(
    model: str, sizes: dict[str, int], worlds: int
) -> None:
    bounded = find_model(model).at(sizes=sizes, profile="intended")
    state = SolverState(bounded, "t")

    for cells in list_reachable(bounded, worlds):
        assert_same_steps(bounded, state, cells)


def test_properties_agree_with_the_interpreter_on_reachable_worlds() -> None:
    bounded = find_model("core").at(sizes={"flips": 1}, profile="intended")
    state = SolverState(bounded, "t")
    props = bounded.model.list_properties(Kind.ALWAYS, Kind.SOMETIMES)
    stated = {prop: state.translate(prop(bounded.world(bounded.cell_terms))) for prop in props}

    for cells in list_reachable(bounded, 30):
        swaps = [(cell, as_term(value)) for cell, value in zip(state.cells, cells, strict=True)]
        for prop, term in stated.items():
            told = z3.is_true(z3.simplify(z3.substitute(term, *swaps)))

            assert bounded.holds(prop, cells) == told, prop.name


def test_domains_admit_what_cells_may_hold_and_nothing_else() -> None:
    bounded = find_model("2pc").at(sizes={"rms": 1}, profile="intended")
    state = SolverState(bounded, "t")
    solver = z3.Solver()
    solver.add(*state.list_domains())

    def admits(value: int) -> bool:
        return bool(solver.check(state.cells[0] == value) == z3.sat)

    assert [False, True, True, False] == [admits(value) for value in (-1, 0, 3, 4)]


def test_a_state_equals_the_world_it_is_given() -> None:
    bounded = find_model("2pc").at(sizes={"rms": 1}, profile="intended")
    state = SolverState(bounded, "t")
    solver = z3.Solver()
    solver.add(state.equals(bounded.initial[0]))

    assert z3.sat == solver.check()
    assert bounded.initial[0] == tuple(read_value(solver.model(), cell) for cell in state.cells)
