import subprocess
import sys
from dataclasses import replace

import pytest

from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants import catalogue
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import ImpossibleError, UnknownNameError
from nomadspec.model.language.property import Kind, Property
from nomadspec.model.language.rule import Rule


def test_models_are_listed_without_being_imported() -> None:
    code = (
        "import sys; from nomadspec.invariants.catalogue import list_model_names; "
        "print(*list_model_names()); print(*[name for name in sys.modules if 'invariants.small' in name])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert " ".join(list_model_names()) + "\n\n" == result.stdout


@pytest.mark.parametrize("name", list_model_names())
def test_each_model_is_complete_and_bears_its_name(name: str) -> None:
    model = find_model(name)

    assert name == model.name
    assert {Kind.ALWAYS, Kind.STEP, Kind.SOMETIMES, Kind.EVENTUALLY} == {
        prop.kind for prop in model.properties
    }
    assert model.is_at_rest is not None
    assert model is find_model(name)


# Those of the kernel are loaded, and their first worlds looked at, by its own tests of scopes.
@pytest.mark.parametrize("name", [name for name in list_model_names() if name != "kernel"])
def test_every_scope_of_a_model_loads(name: str) -> None:
    model = replace(find_model(name), properties=())  # to trace them takes longest, and searches do it anyway

    assert [scope.name for scope in model.scopes] == [
        bind_as_usual(model, scope.name).scope for scope in model.scopes
    ]


@pytest.mark.parametrize("name", list_model_names())
def test_everything_says_where_it_comes_from(name: str) -> None:
    model = find_model(name)
    parts: list[Rule | Property] = [*model.rules, *model.properties]

    assert [] == [
        part.name for part in parts if not part.spec or not part.file.endswith(".py") or part.line < 1
    ]
    assert [] == [rule.name for rule in model.rules if not rule.about.endswith(".")]


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"There is no model named 'cores'; did you mean core\?"):
        find_model("cores")


def test_a_wrong_entry_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {"kore": ("nomadspec.invariants.small.core", "CORE")}
    monkeypatch.setattr(catalogue, "_PLACES", places)
    with pytest.raises(ImpossibleError, match=r"nomadspec.invariants.small.core.CORE is not the model kore"):
        find_model("kore")
