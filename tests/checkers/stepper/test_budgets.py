"""Budgets of packed worlds."""

from nomadspec.checkers.stepper.budgets import find_highest, list_budget_cells, make_budgets
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.verdict import Budget
from nomadspec.invariants.catalogue import find_model


def test_budgets_are_the_cells_that_count_the_environment() -> None:
    bounded = find_model("core").at("full", profile="nomad-2.0")

    assert ["flipped"] == [bounded.frame.cell_names[cell] for cell in list_budget_cells(bounded)]


def test_a_budget_is_used_as_far_as_its_highest_value() -> None:
    bounded = find_model("core").at("full", profile="nomad-2.0")
    layout = Layout(bounded)
    (flipped,) = list_budget_cells(bounded)
    worlds = []
    for times in (0, 1):
        cells = list(bounded.initial[0])
        cells[flipped] = times
        worlds.append(layout.pack(tuple(cells)))
    highest = find_highest(layout, worlds, [flipped])

    assert {flipped: 1} == highest
    assert (Budget("flipped", 2, 1),) == make_budgets(bounded, highest)


def test_without_worlds_nothing_was_used() -> None:
    bounded = find_model("core").at("full", profile="nomad-2.0")
    cells = list_budget_cells(bounded)

    assert dict.fromkeys(cells, 0) == find_highest(Layout(bounded), [], cells)
