import inspect
from typing import Any

from nomadspec.invariants.kernel.kernel import KERNEL
from nomadspec.model.kernel import ids
from nomadspec.model.kernel.tables import Tables
from nomadspec.model.language.sets import Ids

TYPES = {
    name: Tables.__annotations__[name].removeprefix("Ids[").removesuffix("]")
    for name, declared in vars(Tables).items()
    if isinstance(declared, Ids)
}
"""What a type checker calls a member of each set."""


def test_a_type_checker_tells_the_ids_of_each_set_apart() -> None:
    assert len(TYPES) == len(set(TYPES.values()))
    assert all(hasattr(ids, name) for name in TYPES.values())


def list_mistaken(text: Any, arguments: tuple[tuple[str, Any], ...]) -> list[str]:
    """List arguments that a text calls members of another set than they are of."""
    said = {
        name: getattr(parameter.annotation, "__name__", parameter.annotation)
        for name, parameter in inspect.signature(inspect.unwrap(text)).parameters.items()
    }
    return [name for name, of in arguments if isinstance(of, Ids) and said[name] != TYPES[of.name]]


def test_texts_call_each_argument_a_member_of_its_set() -> None:
    rules = {rule.name: list_mistaken(rule.text, rule.arguments) for rule in KERNEL.rules}
    properties = {prop.name: list_mistaken(prop.text, prop.ranges) for prop in KERNEL.properties}

    assert {} == {name: found for name, found in (rules | properties).items() if found}


def test_a_mistaken_set_is_noticed() -> None:
    def text(s: object, job: ids.WorkerId) -> object:
        return s, job

    assert ["job"] == list_mistaken(text, (("job", vars(Tables)["jobs"]),))
