"""Every model of the package by its name, complete with its properties."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final

from nomadspec.model.errors import ImpossibleError, UnknownNameError
from nomadspec.model.language.model import Model
from nomadspec.model.language.texts import publish

_PLACES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "core": ("nomadspec.invariants.small.core", "CORE"),
        "2pc": ("nomadspec.invariants.small.two_phase_commit", "TWO_PHASE_COMMIT"),
        "kernel": ("nomadspec.invariants.kernel.kernel", "KERNEL"),
    }
)

RESOURCES: Final = "resources"
"""What `prove` calls the claims about the cluster's arithmetic, which are of functions and of no steps."""

_SMALL: Final = "nomadspec.invariants.small"
_CLASSICS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "hanoi": (f"{_SMALL}.hanoi", "HANOI"),
        "die-hard": (f"{_SMALL}.die_hard", "DIE_HARD"),
        "missionaries": (f"{_SMALL}.missionaries", "MISSIONARIES"),
        "philosophers": (f"{_SMALL}.philosophers", "PHILOSOPHERS"),
        "peterson": (f"{_SMALL}.peterson", "PETERSON"),
        "readers-writers": (f"{_SMALL}.readers_writers", "READERS_WRITERS"),
        "blocking-queue": (f"{_SMALL}.blocking_queue", "BLOCKING_QUEUE"),
        "alternating-bit": (f"{_SMALL}.alternating_bit", "ALTERNATING_BIT"),
        "ewd840": (f"{_SMALL}.ewd840", "EWD840"),
        "raft": (f"{_SMALL}.raft", "RAFT"),
        "paxos": (f"{_SMALL}.paxos", "PAXOS"),
    }
)
"""Classic protocols and puzzles, which calibrate the engines and teach: they say nothing about Nomad."""


def list_model_names(*, with_classics: bool = False) -> tuple[str, ...]:
    """List the names of the package's models, without importing them; classics only where they are wanted."""
    return (*_PLACES, *_CLASSICS) if with_classics else tuple(_PLACES)


@cache
def find_model(name: str) -> Model:
    """Find a model of the package by its name."""
    places = {**_PLACES, **_CLASSICS}
    if name not in places:
        raise UnknownNameError("model", name, places)
    module, attribute = places[name]
    model = getattr(import_module(module), attribute)
    if not isinstance(model, Model) or model.name != name:
        raise ImpossibleError(f"{module}.{attribute} is not the model {name}.")
    publish(model)
    return model
