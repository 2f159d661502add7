from itertools import product

import pytest

from nomadspec.checkers.mutants.altered import Altered, is_same, trace_property
from nomadspec.checkers.mutants.mutant import Mutant, list_mutants
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property
from tests.checkers.asking import CONSTANT, SOUND, STEPPED
from tests.checkers.mutants.jar import JAR, mutant_of


def names_of(bounded: BoundedModel, positions: frozenset[int]) -> list[str]:
    return sorted(
        f"{bounded.traced[at].instance.rule.name} {bounded.traced[at].instance.arguments}" for at in positions
    )


def test_only_what_the_mistake_concerns_is_changed() -> None:
    base = JAR.at("two")
    mutant = mutant_of("take", "effect left out", "t.happy")
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(base, mutant.part)

    assert ["Take (0,)", "Take (1,)"] == names_of(altered, altered.changed)
    assert altered.changed == altered.happening
    assert base.initial == altered.initial
    assert base.traced[0] is altered.traced[0]


def test_another_text_of_the_same_meaning_changes_nothing() -> None:
    base = JAR.at("two")
    part = mutant_of("take", "effect left out").part
    altered = Altered(base, part)

    assert frozenset() == altered.changed
    assert all(is_same(one, other) for one, other in zip(base.traced, altered.traced, strict=True))
    assert not altered.asks_otherwise(traced_of(base))


def test_what_can_no_longer_happen_stays_in_its_place() -> None:
    mutant = mutant_of("has_sweets", "off by one", "0")
    base = JAR.at("two", sizes={"room": 1})
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(base, mutant.part)

    assert ["Take (0,)", "Take (1,)"] == names_of(altered, altered.changed)
    assert frozenset() == altered.happening
    assert len(base.instances) == len(altered.instances)


def test_what_becomes_possible_comes_last() -> None:
    base = JAR.at("two", sizes={"room": 0})
    mutant = mutant_of("has_sweets", "comparison turned")
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(base, mutant.part)

    assert len(base.instances) < len(altered.instances)
    assert min(altered.changed) >= len(base.instances)
    assert list(range(len(altered.instances))) == [one.number for one in altered.instances]


def test_a_property_with_another_text_is_another_question() -> None:
    base = JAR.at("two")

    assert asks_otherwise(base, mutant_of("all_are_happy", "property made true"))
    assert asks_otherwise(base, mutant_of("nobody_is_robbed", "comparison turned"))


def test_a_property_that_is_not_asked_in_the_scope_is_no_question() -> None:
    base = JAR.at("two")
    mutant = mutant_of("all_are_happy", "property made true")
    usual = {name: value for name, value in traced_of(base).items() if name != "all_are_happy"}
    with swapped(mutant.part.function, mutant.edit.definition):
        assert not Altered(base, mutant.part).asks_otherwise(usual)


def test_step_properties_are_traced_anew_where_steps_changed() -> None:
    base = JAR.at("two")
    prop = JAR.find_property("joy_lasts")
    mutant = mutant_of("take", "effect left out", "t.happy")
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = Altered(base, mutant.part)
        fresh = JAR.at("two")

        assert len(fresh.trace_steps(prop)) == len(altered.trace_steps(prop))
        assert altered.trace_steps(prop)[0] is base.trace_steps(prop)[0]


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("model", [SOUND, STEPPED, CONSTANT], ids=["sound", "stepped", "constant"])
def test_what_has_to_hold_for_answers_is_that_of_the_mutant(model: Model, every: int) -> None:
    base = model.at()
    worlds = list(product(*(interval.values() for interval in base.frame.intervals)))[::7]
    others = 0
    for mutant in list(list_mutants(model))[::every]:
        with swapped(mutant.part.function, mutant.edit.definition):
            altered, fresh = Altered(base, mutant.part), model.at()
        others += altered.has_other_duties
        expected, found = (list_answered(bounded, worlds) for bounded in (fresh, altered))
        assert expected == found, (mutant.name, mutant.edit)
        for cells in worlds[::50]:
            broken = [one.duties.find_broken(cells) for one in (fresh, altered)]
            assert [cells in found] * 2 == [one is None for one in broken], (mutant.name, mutant.edit, cells)

    assert others > 5 // every


def list_answered(bounded: BoundedModel, worlds: list[Cells]) -> set[Cells]:
    """List the worlds in which all texts have answers, as ``find_broken`` does, which takes longer."""
    musts = [duty.must for duty in bounded.duties._list()]
    return {cells for cells in worlds if all(evaluate(must, cells) is True for must in musts)}


def asks_otherwise(base: BoundedModel, mutant: Mutant) -> bool:
    usual = traced_of(base)
    with swapped(mutant.part.function, mutant.edit.definition):
        return Altered(base, mutant.part).asks_otherwise(usual)


def traced_of(base: BoundedModel) -> dict[str, tuple[object, ...]]:
    def traced(prop: Property) -> tuple[object, ...]:
        return trace_property(base, prop)

    return {prop.name: traced(prop) for prop in JAR.properties}
