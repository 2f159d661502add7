"""Acts: what an actor of the cluster can do next, one text for all who ask.

An act is a frozen record whose fields are what was chosen: ``Dequeue(worker="worker-1", queue="service")``.
Its class lists what could be done now, and ``take`` does it. Scenarios choose acts by script, Hypothesis and
random walks draw them, and the explanation of a recording searches them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import ClassVar, Self, TypeVar

import msgspec.structs

from nomadspec.model.cluster.entities import Job, Node
from nomadspec.model.cluster.world import World
from nomadspec.model.errors import ModelError, UnknownNameError


class Act(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that an actor can do, with what is chosen about it."""

    spec: ClassVar[tuple[str, ...]] = ()
    actor: ClassVar[str] = ""
    is_external: ClassVar[bool] = False
    """Whether something outside makes it happen: an operator, a failure, a task that ends."""
    is_independent: ClassVar[bool] = False
    """Whether its choices leave each other possible: clients do not wait for one another."""
    stage: ClassVar[str] = ""
    """The stage of the workers that can take it; empty where it is no matter of stages."""
    refines: ClassVar[tuple[str, ...]] = ()
    """The texts of the kernel that it may be for deliveries, plans, allocations and nodes; or none."""

    @classmethod
    def choices(cls, _: World) -> Iterator[Self]:
        """List what could be done now; none where it needs what only those can give who set a cluster up."""
        return iter(())

    def is_possible(self, world: World) -> bool:
        """True if it is among what could be done now."""
        return self in type(self).choices(world)

    @abstractmethod
    def take(self, world: World) -> World:
        """Do it: the world afterwards."""


class Timer(Act, frozen=True, kw_only=True):
    """An act that becomes possible when a time has come."""

    @classmethod
    @abstractmethod
    def list_due(cls, world: World) -> Iterator[tuple[int, Self]]:
        """List the timers that run, with the time from which on each may fire."""

    @classmethod
    def choices(cls, world: World) -> Iterator[Self]:
        """List the timers that may fire now: late, but never early."""
        return (one for due_ns, one in cls.list_due(world) if due_ns <= world.now_ns)


ActClass = TypeVar("ActClass", bound=type[Act])

_ACTS: dict[str, type[Act]] = {}


def act(
    *spec: str,
    actor: str,
    external: bool = False,
    independent: bool = False,
    stage: str = "",
    refines: str = "",
) -> Callable[[ActClass], ActClass]:
    """Register an act with the rules that it formalises, who takes it, and what of the kernel it is."""

    def register(cls: ActClass) -> ActClass:
        if cls.__name__ in _ACTS:
            raise ModelError(f"There are two acts {cls.__name__}: give one of them another name.")
        missing = [name for name in ("take", "list_due") if is_abstract(cls, name)]
        if missing:
            raise ModelError(f"The act {cls.__name__} does not say what {missing[0]} does: define it.")
        cls.spec, cls.actor = spec, actor
        cls.is_external, cls.is_independent = external, independent
        cls.stage = stage
        cls.refines = tuple(refines.split())
        _ACTS[cls.__name__] = cls
        return cls

    return register


def is_abstract(cls: type[Act], name: str) -> bool:
    """True if a class of acts leaves something to its subclasses."""
    return bool(getattr(getattr(cls, name, None), "__isabstractmethod__", False))


def list_acts() -> tuple[type[Act], ...]:
    """List every act in the order of its definition."""
    return tuple(_ACTS.values())


def find_act(name: str) -> type[Act]:
    """Find an act by its name."""
    if name not in _ACTS:
        raise UnknownNameError("act", name, _ACTS)
    return _ACTS[name]


def list_choices(world: World, acts: Iterable[type[Act]] | None = None) -> Iterator[Act]:
    """List all that could be done now, act by act."""
    for cls in list_acts() if acts is None else acts:
        yield from cls.choices(world)


def find_next_due(world: World) -> int | None:
    """Find when the next timer may fire; None where none runs."""
    timers = [cls for cls in list_acts() if issubclass(cls, Timer)]
    return min((due_ns for cls in timers for due_ns, _ in cls.list_due(world)), default=None)


def list_internal(world: World) -> Iterator[Act]:
    """List what the cluster could do now by itself."""
    return list_choices(world, (cls for cls in list_acts() if not cls.is_external))


def show(one: Act) -> str:
    """Write an act as people call it: ``Dequeue(worker-1, service)``; what is as usual is left out."""
    words = []
    for each in _list_fields(type(one)):
        value = getattr(one, each.name)
        shown = str(value.id if isinstance(value, Job | Node) else value)
        if each.required:
            words.append(shown)
        elif value != each.default:
            words.append(f"{each.name}={shown}")
    return f"{type(one).__name__}({', '.join(words)})"


@cache
def _list_fields(cls: type[Act]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(cls)
