"""Random search solves the puzzles within its usual effort, and tells solutions that are hardly too long."""

import pytest

from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.stateful import run
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.logic import Value, not_
from nomadspec.model.language.property import Kind, always
from nomadspec.model.language.world import World

PUZZLES = [
    ("hanoi", {"disc_count": 3}, 7),
    ("hanoi", {"disc_count": 4}, 15),
    ("die-hard", {}, 6),
    ("missionaries", {}, 11),
]
LONG = {("hanoi", 7), ("hanoi", 15), ("die-hard", 6), ("missionaries", 11)}
"""Hypothesis takes seconds to make these smaller."""


def bound(name: str, sizes: dict[str, int]) -> BoundedModel:
    """Bound a puzzle, and claim that nobody solves it."""
    model = find_model(name)
    (goal,) = model.list_properties(Kind.SOMETIMES)

    @always("Puzzle!Unsolved", why="who violates it has solved the puzzle")
    def never_solved(s: World) -> Value:
        return not_(goal(s))

    return bind_as_usual(model.with_properties([never_solved]), "small", sizes=sizes)


@pytest.mark.parametrize(("name", "sizes", "shortest"), PUZZLES)
@pytest.mark.parametrize("seed", [1, 2, 3, 2026])
def test_walks_solve_it(name: str, sizes: dict[str, int], shortest: int, seed: int) -> None:
    report = simulate(bound(name, sizes), seed=seed, properties=["never_solved"])

    assert shortest <= len(report.findings[0].story.steps) <= shortest + 1  # type: ignore[union-attr]  # it has one


@pytest.mark.parametrize(
    ("name", "sizes", "shortest"),
    [*(pytest.param(*one, marks=pytest.mark.deep) for one in PUZZLES[:2]), *PUZZLES[2:]],
)
def test_walks_tell_how_a_goal_was_reached(name: str, sizes: dict[str, int], shortest: int) -> None:
    model = find_model(name)
    (goal,) = model.list_properties(Kind.SOMETIMES)
    reports = [
        simulate(bind_as_usual(model, "small", sizes=sizes), seed=5, walks=150, properties=[goal.name])
        for _ in range(2)
    ]

    assert shortest <= len(reports[0].ways[goal.name].steps) <= shortest + 1
    assert reports[0].ways == reports[1].ways


def test_ways_are_told_of_what_is_asked_for_only() -> None:
    report = simulate(find_model("die-hard").at("small", profile="nomad-2.0"), seed=5, walks=150)

    assert {"four_litres_are_measured": True} == report.reached
    assert {} == report.ways


@pytest.mark.parametrize(
    ("name", "sizes", "shortest"),
    [pytest.param(*one, marks=[pytest.mark.deep] if (one[0], one[2]) in LONG else []) for one in PUZZLES],
)
def test_hypothesis_solves_it(name: str, sizes: dict[str, int], shortest: int) -> None:
    report = run(bound(name, sizes), effort="fast", properties=["never_solved"])

    assert shortest <= len(report.findings[0].story.steps) <= shortest + 1  # type: ignore[union-attr]  # it has one
