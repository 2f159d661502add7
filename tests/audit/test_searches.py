"""Searches of random models, in every way there is, agree with brute force."""

from pathlib import Path

import pytest

from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.model.language.model import Model
from tests.audit.judging import check_drawn, compare_search, explore_in_parts, explore_whole
from tests.audit.loading import list_drawn, load
from tests.audit.text import write_model

SOME = [(0, 6), *(pytest.param(first, 6, marks=pytest.mark.deep) for first in (1_000, 2_000))]
MANY = [pytest.param(first, 60, marks=pytest.mark.deep) for first in range(10_000, 20_000, 2_000)]


@pytest.mark.parametrize(("first", "number"), [*SOME, *MANY])
def test_all_reductions_agree_with_brute_force(first: int, number: int) -> None:
    for model, graph in list_drawn(first, number):
        bounded = load(model).at()
        for reduction in REDUCTIONS:
            differences = compare_search(graph, explore_whole(bounded, reduction))
            check_drawn(model, [f"{reduction}: {one}" for one in differences], write_model(model))


@pytest.mark.parametrize(
    ("first", "number"), [(3_000, 2), pytest.param(3_000, 3, marks=pytest.mark.deep), *MANY]
)
def test_machine_code_agrees_with_brute_force(first: int, number: int) -> None:
    for model, graph in list_drawn(first, number):
        bounded = load(model).at()
        for reduction in ("none", "symmetry"):
            report = explore_whole(bounded, reduction, engine="compiled")
            check_drawn(model, compare_search(graph, report), write_model(model))


@pytest.mark.parametrize(("first", "number"), [(4_000, 2), *MANY])
def test_several_workers_agree_with_brute_force(first: int, number: int) -> None:
    for model, graph in list_drawn(first, number):
        report = explore_whole(load(model).at(), workers=2)
        check_drawn(model, compare_search(graph, report), write_model(model))


@pytest.mark.parametrize(
    ("first", "number"), [(5_000, 2), pytest.param(5_000, 4, marks=pytest.mark.deep), *MANY]
)
def test_searches_that_were_stopped_and_resumed_agree_with_brute_force(
    first: int, number: int, tmp_path: Path
) -> None:
    for model, graph in list_drawn(first, number):
        report = explore_in_parts(load(model).at(), tmp_path, len(graph.far) // 2)
        check_drawn(model, compare_search(graph, report), write_model(model))


def test_what_is_drawn_is_worth_a_search() -> None:
    drawn = list(list_drawn(0, 40))
    kinds = {
        (prop.kind, graph.find_shortest(prop) is None)
        for model, graph in drawn
        for prop in model.properties[:4]
    }

    assert {("always", True), ("always", False), ("step", True), ("step", False)} <= kinds
    assert {("sometimes", True), ("sometimes", False)} <= kinds
    assert {True, False} == {graph.find_stuck() is None for _, graph in drawn}
    assert any(model.queues for model, _ in drawn)
    assert any(model.tallies for model, _ in drawn)


def test_a_seed_draws_the_same_model_again() -> None:
    (model, _), (again, _) = next(list_drawn(7, 1)), next(list_drawn(7, 1))

    assert write_model(model) == write_model(again)
    assert isinstance(load(model), Model)
