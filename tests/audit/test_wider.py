"""Models with start rules, enums and maps as arguments, and ``by.is_``; and models that leave a domain."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.pycode import program
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.smt import prove
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import NomadSpecError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT
from nomadspec.model.language.property import By
from nomadspec.model.language.trace import TracedInstance
from tests.audit.brute import Graph, TooLargeError, search
from tests.audit.described import Described
from tests.audit.drawing import draw
from tests.audit.judging import (
    check_drawn,
    compare_proofs,
    compare_search,
    explore_whole,
    search_larger,
)
from tests.audit.loading import load
from tests.audit.text import write_model
from tests.audit.widening import overflow, widen

MOST = 400
MANY = [pytest.param(first, 60, marks=pytest.mark.deep) for first in range(50_000, 56_000, 2_000)]


def list_wider(first: int, count: int) -> Iterator[tuple[Described, Graph]]:
    """List so many wider models that have neither too few nor too many worlds."""
    found, seed = 0, first
    while found < count:
        model = widen(draw(seed))
        seed += 1
        try:
            graph = search(model, MOST)
        except TooLargeError:
            continue
        if len(graph.far) >= 4:
            found += 1
            yield model, graph


def list_leaving(first: int, count: int) -> Iterator[tuple[Described, Graph]]:
    """List so many models of which one rule leaves a domain where it can be reached."""
    found, seed = 0, first
    while found < count:
        model = overflow(draw(seed))
        seed += 1
        if model is None:
            continue
        try:
            graph = search(model, MOST)
        except TooLargeError:
            continue
        if graph.exit is not None:
            found += 1
            yield model, graph


@pytest.mark.parametrize(("first", "number"), [(0, 2), pytest.param(0, 4, marks=pytest.mark.deep), *MANY])
def test_wider_models_agree_with_brute_force(first: int, number: int) -> None:
    for model, graph in list_wider(first, number):
        bounded = load(model).at()
        for reduction in REDUCTIONS:
            differences = compare_search(graph, explore_whole(bounded, reduction))
            check_drawn(model, [f"{reduction}: {one}" for one in differences], write_model(model))


@pytest.mark.parametrize(("first", "number"), [(1_000, 1), *MANY])
def test_machine_code_and_workers_agree_with_brute_force(first: int, number: int) -> None:
    for model, graph in list_wider(first, number):
        bounded = load(model).at()
        for way in ({"engine": "compiled"}, {"workers": 2}):
            check_drawn(model, compare_search(graph, explore_whole(bounded, **way)), write_model(model))


@pytest.mark.parametrize(("first", "number"), [(2_000, 1), *MANY])
def test_what_is_proved_of_wider_models_is_true(first: int, number: int) -> None:
    for model, graph in list_wider(first, number):
        drawn = load(model)
        names = [prop.name for prop in model.properties if prop.kind in {"always", "step"}]
        report = prove(drawn.at(), properties=names, bmc_steps=2, max_seconds=4)
        differences = compare_proofs(search_larger(model, graph, MOST), drawn, report)
        check_drawn(model, differences, write_model(model))


def list_slips(model: Described, graph: Graph, drawn: Model) -> list[str]:
    """List which engines do not say that a model leaves a domain, or not by the shortest story."""
    bounded = drawn.at()
    found: list[str] = []
    ways: list[dict[str, Any]] = [{}, {"reduction": "symmetry"}, {"engine": "compiled"}, {"workers": 2}]
    for way in ways:
        report = explore(bounded, stop_at_first=False, **way)
        stories = {one.property: one.story for one in report.findings}
        story = stories.get(DOMAINS_ARE_KEPT)
        length = None if story is None else len(story.steps)
        if (report.verdict, length) != (Verdict.VIOLATED, graph.exit):
            found.append(f"{way}: {report.verdict.value} after {length} steps, expected {graph.exit}")
    names = [prop.name for prop in model.properties if prop.kind in {"always", "step"}]
    if prove(bounded, properties=names, bmc_steps=1, max_seconds=3).verdict is Verdict.HOLDS:
        found.append("the proofs hold")
    return found + list_walk_slips(drawn, graph)


def list_walk_slips(drawn: Model, graph: Graph) -> list[str]:
    """Tell whether no walk leaves a domain that the first step can leave."""
    if graph.exit != 1:
        return []
    try:
        sampled = simulate(drawn.at(), seed=1, walks=60, max_steps=20, properties=["deadlock"])
    except NomadSpecError as error:
        return [str(error)]
    found = {one.property for one in sampled.findings}
    return [] if DOMAINS_ARE_KEPT in found else ["no walk leaves the domain"]


@pytest.mark.parametrize(("first", "number"), [(0, 1), *MANY])
def test_every_engine_says_that_a_domain_is_left(first: int, number: int) -> None:
    for model, graph in list_leaving(first, number):
        check_drawn(model, list_slips(model, graph, load(model)), write_model(model))


# --- engines with a fault -----------------------------------------------------------------------------------


@cache
def list_six() -> tuple[tuple[Described, Graph], ...]:
    return tuple(list_wider(0, 6))


def find_wider() -> Iterator[str]:
    """Find how searches of some wider models differ; to refuse a model is a difference."""
    for model, graph in list_six():
        try:
            yield from compare_search(graph, explore_whole(load(model).at()))
        except NomadSpecError as refusal:
            yield str(refusal)


def test_without_a_fault_nothing_is_found() -> None:
    assert [] == list(find_wider())


def test_a_by_that_is_always_another_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(By, "is_", lambda _by, *_rules: False)

    assert any(find_wider())


def test_a_start_that_is_forgotten_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = BoundedModel._list_starts
    monkeypatch.setattr(BoundedModel, "_list_starts", lambda self: listed(self)[:1])

    assert any(find_wider())


def test_a_walk_that_writes_beside_its_cell_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such was the code of a step once, for constants: nobody held them against their domains."""
    written = program.write_effect

    def write_beside(traced: TracedInstance, bounded: BoundedModel, layout: Layout) -> list[str]:
        lines = written(traced, bounded, layout)
        return [line.replace("return None", "return w") for line in lines]

    assert any(not list_walk_slips(load(model), graph) for model, graph in list_leaving(0, 3))
    monkeypatch.setattr(program, "write_effect", write_beside)

    assert any(list_walk_slips(load(model), graph) for model, graph in list_leaving(0, 3))
