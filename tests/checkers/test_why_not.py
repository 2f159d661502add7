"""Why a step cannot happen: the conditions of its rule, with their text, place and values."""

import pytest

from nomadspec.checkers.step_texts import read_step
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.why_not import find_reasons
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.model import Model
from tests.checkers.failing import EMPTIED, GROWING
from tests.checkers.simulate.models import LEVELS

CORE = find_model("core").at("small", profile="nomad-2.0")


def test_each_condition_is_told_with_its_text_and_what_it_read() -> None:
    reasons = find_reasons(CORE, CORE.initial[0], read_step(CORE, "Nack(worker1, job2)"))
    rule = CORE.model.find_rule("Nack")

    assert not reasons.is_possible
    assert [("s.stage[worker] == Stage.REJECTED", False), ("s.job[worker] == job", False)] == [
        (one.text, one.holds) for one in reasons.conditions
    ]
    assert [(("stage[worker1]", "idle"),), (("job[worker1]", "NONE"),)] == [
        one.reads for one in reasons.conditions
    ]
    assert {rule.file} == {one.file for one in reasons.conditions}
    assert all(0 < one.line - rule.line < 10 for one in reasons.conditions)


MODELS = (find_model("core"), find_model("2pc"), LEVELS, find_model("kernel"))


@pytest.mark.parametrize("about", [40, pytest.param(10_000, marks=pytest.mark.deep)])
@pytest.mark.parametrize("model", MODELS, ids=lambda one: one.name)
def test_conditions_agree_with_the_interpreter(model: Model, about: int) -> None:
    bounded = bind_as_usual(model)
    cells = bounded.initial[0]
    for _ in range(4):
        for instance in bounded.instances[:: max(3, len(bounded.instances) // about)]:
            reasons = find_reasons(bounded, cells, instance)
            assert reasons.is_possible == (bounded.step(cells, instance) is not None)
            assert reasons.conditions or reasons.is_possible
        cells = next((after for _, after in bounded.successors(cells) if after != cells), cells)


def test_what_is_joined_is_taken_apart_and_what_is_not_stays() -> None:
    bounded = GROWING.at()
    reasons = find_reasons(bounded, bounded.initial[0], read_step(bounded, "LineUp(clerk2)"))

    assert [("s.is_open", False), ("not_(s.line.has(clerk))", True)] == [
        (one.text, one.holds) for one in reasons.conditions
    ]
    assert (("line[clerk2]", 0),) == reasons.conditions[1].reads


def test_a_step_that_fails_says_how() -> None:
    bounded = EMPTIED.at()
    opened = bounded.step(bounded.initial[0], read_step(bounded, "OpenUp()"))
    assert opened is not None
    reasons = find_reasons(bounded, opened, read_step(bounded, "Close(clerk1)"))

    assert not reasons.is_possible
    assert reasons.missing == ()
    assert "popped of an id that is not its head" in str(reasons.problem)


def test_a_possible_step_misses_nothing() -> None:
    reasons = find_reasons(CORE, CORE.initial[0], read_step(CORE, "Dequeue(worker1, job1)"))

    assert reasons.is_possible
    assert (None, ()) == (reasons.problem, reasons.missing)
