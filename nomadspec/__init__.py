"""An executable specification of Nomad's scheduling control plane.

Your own model imports from this package only: ``from nomadspec import World, ids, rule``. So does a notebook:
``nomadspec.explore("core", "small", profile="intended")``. Names are imported on first use, so importing the
package is cheap.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
"""As type checkers know it: to import it takes longer than all else here, and Ctrl-C is not heard yet."""

if TYPE_CHECKING:
    from typing import Any, Final

    from nomadspec.checkers.api import (
        dag,
        explore,
        lifecycle,
        load_model,
        prove,
        replay,
        scenario,
        schedule,
        simulate,
    )
    from nomadspec.checkers.stateful import machine_of
    from nomadspec.invariants.catalogue import find_model, list_model_names
    from nomadspec.model.language.domain import Map
    from nomadspec.model.language.logic import (
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
        remember,
        total,
    )
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.property import (
        By,
        always,
        eventually,
        eventually_always,
        leads_to,
        lemma,
        properties_in,
        sometimes,
        step,
        unless,
        until,
    )
    from nomadspec.model.language.record import Record
    from nomadspec.model.language.refinement import copy_queue, refines
    from nomadspec.model.language.rule import rule, rules_in, strong, weak, where
    from nomadspec.model.language.scope import Scope
    from nomadspec.model.language.typed import (
        FLAG,
        NONE,
        SKIP,
        Id,
        Ids,
        MapOf,
        Numbered,
        Size,
        StatusEnum,
        counter,
        feature,
        field,
        ids,
        index,
        opt,
        queue,
        record,
        size,
        tally,
        upto,
    )
    from nomadspec.model.language.world import World
    from nomadspec.version import __version__

__all__ = [
    "FLAG",
    "NONE",
    "SKIP",
    "By",
    "Id",
    "Ids",
    "Map",
    "MapOf",
    "Model",
    "Numbered",
    "Record",
    "Scope",
    "Size",
    "StatusEnum",
    "Value",
    "World",
    "__version__",
    "all_of",
    "always",
    "any_of",
    "copy_queue",
    "count",
    "counter",
    "dag",
    "eventually",
    "eventually_always",
    "exists",
    "explore",
    "feature",
    "field",
    "find_model",
    "for_all",
    "ids",
    "iff",
    "implies",
    "index",
    "ite",
    "leads_to",
    "lemma",
    "lifecycle",
    "list_model_names",
    "load_model",
    "machine_of",
    "maximum",
    "minimum",
    "none_of",
    "not_",
    "one_of",
    "opt",
    "properties_in",
    "prove",
    "queue",
    "record",
    "refines",
    "remember",
    "replay",
    "rule",
    "rules_in",
    "scenario",
    "schedule",
    "simulate",
    "size",
    "sometimes",
    "step",
    "strong",
    "tally",
    "total",
    "unless",
    "until",
    "upto",
    "weak",
    "where",
]

_HOMES: Final = (
    "nomadspec.version",
    "nomadspec.model.language.typed",
    "nomadspec.model.language.world",
    "nomadspec.model.language.record",
    "nomadspec.model.language.domain",
    "nomadspec.model.language.logic",
    "nomadspec.model.language.rule",
    "nomadspec.model.language.property",
    "nomadspec.model.language.scope",
    "nomadspec.model.language.model",
    "nomadspec.model.language.refinement",
    "nomadspec.invariants.catalogue",
    "nomadspec.checkers.api",
    "nomadspec.checkers.stateful",
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
