"""An executable specification of Nomad's scheduling control plane.

A model of one's own needs no other import than this package: ``from nomadspec import World, ids, rule``.
The names are looked up when they are first asked for, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from nomadspec.invariants.catalogue import find_model, list_model_names
    from nomadspec.model.domain import FLAG, NONE, SKIP, Id, Map, counter, opt, upto
    from nomadspec.model.logic import (
        Value,
        all_of,
        any_of,
        count,
        exists,
        for_all,
        iff,
        implies,
        ite,
        maximum,
        minimum,
        none_of,
        not_,
        one_of,
        total,
    )
    from nomadspec.model.model import Model, Scope
    from nomadspec.model.property import By, always, eventually, properties_in, sometimes, step
    from nomadspec.model.rule import rule, rules_in, strong, weak
    from nomadspec.model.world import World, field, ids, index, queue, size, tally

__all__ = [
    "FLAG",
    "NONE",
    "SKIP",
    "By",
    "Id",
    "Map",
    "Model",
    "Scope",
    "Value",
    "World",
    "__version__",
    "all_of",
    "always",
    "any_of",
    "count",
    "counter",
    "eventually",
    "exists",
    "field",
    "find_model",
    "for_all",
    "ids",
    "iff",
    "implies",
    "index",
    "ite",
    "list_model_names",
    "maximum",
    "minimum",
    "none_of",
    "not_",
    "one_of",
    "opt",
    "properties_in",
    "queue",
    "rule",
    "rules_in",
    "size",
    "sometimes",
    "step",
    "strong",
    "tally",
    "total",
    "upto",
    "weak",
]

__version__: Final = "0.1.0"

_HOMES: Final = (
    "nomadspec.model.world",
    "nomadspec.model.domain",
    "nomadspec.model.logic",
    "nomadspec.model.rule",
    "nomadspec.model.property",
    "nomadspec.model.model",
    "nomadspec.invariants.catalogue",
)
"""Where the names live; of two modules that have a name the first one counts."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the public names are of every type
    """Look a public name up where it lives."""
    for home in _HOMES if name in __all__ else ():
        value = getattr(import_module(home), name, None)
        if value is not None:
            globals()[name] = value
            return value
    raise AttributeError(f"module 'nomadspec' has no attribute {name!r}", name=name, obj=__name__)


def __dir__() -> list[str]:
    """List the public names, those included that were not asked for yet."""
    return sorted(__all__)
