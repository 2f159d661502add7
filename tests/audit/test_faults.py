"""The audit finds what it is there to find: engines and models with a fault in them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from nomadspec.checkers.explore import reduction
from nomadspec.checkers.explore.reduction import NoReduction
from nomadspec.checkers.smt import prove
from nomadspec.model.errors import NomadSpecError
from nomadspec.model.language import logic
from nomadspec.model.language.model import Model
from nomadspec.model.language.world import World
from tests.audit.brute import Graph, search
from tests.audit.described import Described, Domain, Effect, Part, Property, Rule, Set
from tests.audit.judging import check_drawn, compare_proofs, compare_search, explore_whole
from tests.audit.loading import list_drawn, load
from tests.audit.text import write_model


@cache
def draw_once(number: int) -> tuple[tuple[Described, Graph], ...]:
    return tuple(list_drawn(0, number))


def find_all(
    change: Callable[[Model], Model] = lambda model: model, chosen: str = "none", number: int = 12
) -> Iterator[str]:
    """Find how searches of some changed models differ from brute force; to refuse a model is a difference."""
    for model, graph in draw_once(number):
        try:
            yield from compare_search(graph, explore_whole(change(load(model)).at(), chosen))
        except NomadSpecError as refusal:
            yield str(refusal)


def test_without_a_fault_nothing_is_found() -> None:
    assert [] == list(find_all())


def test_a_count_that_is_one_too_large_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logic, "count", lambda flags: logic.total(flags) + 1)

    assert any(find_all())


def test_an_exists_that_means_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logic, "exists", logic.for_all)

    assert any(find_all())


def test_a_canonical_form_that_keeps_worlds_apart_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reduction, "make_symmetry", lambda _frame, _layout: NoReduction())

    assert any(find_all(chosen="symmetry"))


def test_a_property_that_is_not_asked_is_found() -> None:
    assert any(find_all(lambda model: replace(model, properties=model.properties[1:])))


def test_a_rule_that_never_happens_is_found() -> None:
    assert any(find_all(lambda model: replace(model, rules=model.rules[1:])))


def test_fairness_that_is_forgotten_is_found() -> None:
    def forget(model: Model) -> Model:
        return replace(model, rules=tuple(replace(rule, fairness=None) for rule in model.rules))

    assert any("brute force says that it is kept" in difference for difference in find_all(forget))


def test_a_world_that_is_stuck_and_taken_for_one_at_rest_is_found() -> None:
    differences = find_all(lambda model: replace(model, is_at_rest=_is_anything), number=24)

    assert any("deadlock: the search says nothing" in difference for difference in differences)


def test_a_proof_about_fewer_rules_is_found() -> None:
    """A counter that another rule lets grow beyond what is claimed."""
    model = _make_growing()
    graph = search(model, 100)
    drawn = load(model)
    blind = replace(drawn, rules=drawn.rules[1:])

    assert [] == compare_proofs({"scope": graph}, drawn, prove(drawn.at()))
    assert compare_proofs({"scope": graph}, drawn, prove(blind.at()))


def test_a_difference_shows_the_text_of_its_model() -> None:
    model = _make_growing()

    with pytest.raises(AssertionError, match=r"(?s)seed 5:.*a difference.*class Drawn\(World\)"):
        check_drawn(model, ["a difference"], write_model(model))


def _is_anything(s: World) -> bool:
    return True


def _make_growing() -> Described:
    cell = ("cell", "got", (), "s")
    grow = Rule(
        "grow", (), (("lt", cell, ("num", 3)),), (Effect("set", "got", (), ("plus", cell, ("num", 1))),)
    )
    stay = Rule("stay", (("x", "jobs"),), (), (Effect("set", "seen", (("var", "x"),), ("true",)),))
    return Described(
        5,
        (Set("jobs", "job", 2),),
        (Part("got", (), Domain("upto", 3), 0), Part("seen", ("jobs",), Domain("flag"), 0)),
        rules=(grow, stay),
        properties=(Property("is_little", "always", ("le", cell, ("num", 1))),),
    )
