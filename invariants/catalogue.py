"""Every model of the package by its name, complete with its properties."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from nomadspec.model.errors import ImpossibleError, UnknownNameError
from nomadspec.model.model import Model

_PLACES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "core": ("nomadspec.invariants.small.core", "CORE"),
        "2pc": ("nomadspec.invariants.small.two_phase_commit", "TWO_PHASE_COMMIT"),
        "kernel": ("nomadspec.invariants.kernel.kernel", "KERNEL"),
    }
)


def list_model_names() -> tuple[str, ...]:
    """List the names of the package's models, without importing them."""
    return tuple(_PLACES)


@cache
def find_model(name: str) -> Model:
    """Find a model of the package by its name."""
    if name not in _PLACES:
        raise UnknownNameError("model", name, _PLACES)
    module, attribute = _PLACES[name]
    model = getattr(import_module(module), attribute)
    if not isinstance(model, Model) or model.name != name:
        raise ImpossibleError(f"{module}.{attribute} is not the model {name}.")
    return model
