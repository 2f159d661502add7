from nomadspec.checkers.mutants.exemplary import ExemplaryModel, is_exemplary
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.model import Model
from nomadspec.model.specification.profiles import INTENDED
from tests.checkers.mutants.jar import JAR, take


def exemplary(model: Model) -> ExemplaryModel:
    scope = model.find_scope()
    return ExemplaryModel(model, scope.name, model.sizes_of(scope.sizes), INTENDED)


def test_one_instance_stands_for_those_that_differ_by_names() -> None:
    found = exemplary(JAR)

    assert [("Fill", ()), ("Take", (0,))] == [(one.rule.name, one.arguments) for one in found.instances]
    assert is_exemplary(take, (0,), found.frame)
    assert not is_exemplary(take, (1,), found.frame)


def test_each_set_has_an_order_of_its_own() -> None:
    core = find_model("core")
    found = {(one.rule.name, one.arguments) for one in exemplary(core).instances}
    whole = {(one.rule.name, one.arguments) for one in core.at(profile="intended").instances}

    assert found < whole
    assert {name for name, _ in found} == {name for name, _ in whole}
