"""What a lifecycle table is made of, and the questions one may ask of it.

A table lists every arrow from one status to another; what it does not list is illegal. Three conventions:

* ``ABSENT`` stands for the status of an object that does not exist. An arrow to it deletes the object.
* A ``CREATION`` makes *another* object, which begins in the arrow's target; the object at its source, if
  there is one, stays as it is. A creation from ``ABSENT`` has no object of the kind behind it.
* An arrow that names a quirk is open only under profiles that have it.

Keeping one's status is always legal. An arrow from a status to itself is listed where a rule speaks of it.
One log entry may take several arrows of one object, one after the other.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, EnumType, IntEnum
from typing import Final, TypeAlias, TypeVar, cast

from nomadspec.model.errors import ModelError
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirk import Quirk

Status: TypeAlias = Enum | None
ABSENT: Final = None

NumberedT = TypeVar("NumberedT", bound=IntEnum)


class ArrowKind(Enum):
    """What an arrow does: change the status of an object, or make another object."""

    CHANGE = "change"
    CREATION = "creation"


@dataclass(frozen=True, slots=True)
class Arrow:
    """One step that the rules allow, why it is taken, and the rules that say so."""

    source: Status
    target: Status
    cause: str
    spec: tuple[str, ...]
    quirk: Quirk | None = None
    kind: ArrowKind = ArrowKind.CHANGE
    triggers: tuple[str, ...] = ()
    """What the eval that a creation makes is triggered by; empty for other kinds of objects."""

    def is_open(self, has: Callable[[Quirk], bool]) -> bool:
        """True if a profile, asked for its quirks, admits the arrow."""
        return self.quirk is None or has(self.quirk)

    def find_source(self) -> Status:
        """Find where the object that takes the arrow comes from: a created one was absent before."""
        return ABSENT if self.kind is ArrowKind.CREATION else self.source


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth knowing about a lifecycle that no arrow shows."""

    text: str
    spec: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """One table: the statuses of one kind of object and the arrows between them.

    Statuses that records show are spelled here as there, and nowhere else; their numbers are their places.
    """

    name: str
    title: str
    statuses: type[Enum]
    initial: tuple[Enum, ...]
    arrows: tuple[Arrow, ...]
    remarks: tuple[Remark, ...]
    origin: str
    """Who makes a new object when no other object of the kind does."""
    terminal: tuple[Enum, ...] = ()
    """Statuses that an object never leaves, except by being deleted, if all is well."""
    trouble: tuple[Enum, ...] = ()
    """Statuses that say that something went wrong."""
    resting: tuple[Enum, ...] = ()
    """Statuses in which nothing is left to do, though an object may leave them."""
    quasi: tuple[Enum, ...] = ()
    """Statuses that no record shows: where the object is, rather than what is written of it."""
    happy_path: tuple[Enum, ...] = ()
    """The statuses of an object with which all goes well, in order."""
    left_out: tuple[Enum, ...] = ()
    """Statuses of which the table says nothing."""

    def list_statuses(self) -> tuple[Enum, ...]:
        """List the statuses of which the table says something."""
        return tuple(status for status in self.statuses if status not in self.left_out)


def change(source: Status, target: Status, cause: str, spec: str, quirk: Quirk | None = None) -> Arrow:
    """List a change of status; rule IDs are separated by blanks."""
    return Arrow(source, target, cause, tuple(spec.split()), quirk)


def creation(
    source: Status, target: Status, cause: str, spec: str, triggers: str = "", quirk: Quirk | None = None
) -> Arrow:
    """List the making of another object; rule IDs and triggers are separated by blanks."""
    return Arrow(
        source, target, cause, tuple(spec.split()), quirk, ArrowKind.CREATION, tuple(triggers.split())
    )


def remark(text: str, spec: str) -> Remark:
    """List a remark; rule IDs are separated by blanks."""
    return Remark(text, tuple(spec.split()))


def label_of(status: Status, absent: str = "absent") -> str:
    """Name a status as people read it."""
    return absent if status is None else status.name.lower().replace("_", " ")


def list_arrows(lifecycle: Lifecycle, profile: Profile) -> tuple[Arrow, ...]:
    """List the arrows that a profile admits, in the order of the table."""
    return tuple(arrow for arrow in lifecycle.arrows if arrow.is_open(profile.has))


def is_legal(lifecycle: Lifecycle, source: Status, target: Status, profile: Profile) -> bool:
    """True if an object may go from one status to another; ``ABSENT`` before it exists and after."""
    return source == target or any(
        (source, target) == (arrow.find_source(), arrow.target) for arrow in list_arrows(lifecycle, profile)
    )


def list_legal_pairs(lifecycle: Lifecycle, profile: Profile) -> tuple[tuple[Enum, Enum], ...]:
    """List the true changes of an existing object, for properties that compare two worlds."""
    pairs = {
        (arrow.source, arrow.target)
        for arrow in list_arrows(lifecycle, profile)
        if arrow.kind is ArrowKind.CHANGE and arrow.source is not None and arrow.target is not None
    }
    return tuple(
        sorted(
            (pair for pair in pairs if pair[0] != pair[1]),
            key=lambda pair: (number_of(pair[0]), number_of(pair[1])),
        )
    )


def number_of(status: Enum) -> int:
    """Give the place of a status among those of its kind."""
    return list(type(status)).index(status)


def has_ended(lifecycle: Lifecycle, status: Status) -> bool:
    """True if nothing is left to do for an object in a status."""
    return status in (*lifecycle.terminal, *lifecycle.resting)


def list_open(lifecycle: Lifecycle) -> tuple[Enum, ...]:
    """List the statuses in which something is left to do."""
    return tuple(status for status in lifecycle.list_statuses() if not has_ended(lifecycle, status))


def spell(statuses: Iterable[Enum]) -> frozenset[str]:
    """Write statuses as records spell them."""
    return frozenset(str(status.value) for status in statuses)


def spell_ended(lifecycle: Lifecycle) -> frozenset[str]:
    """Write, as records spell them, the statuses in which nothing is left to do."""
    return spell(status for status in lifecycle.statuses if has_ended(lifecycle, status))


def numbers(lifecycle: Lifecycle) -> Callable[[type[NumberedT]], type[NumberedT]]:
    """Fill an enum with the statuses of a table, in their order, behind one of objects that do not exist.

    Type checkers know the members by checkers/mypy_numbers.py.
    """
    names = ("ABSENT", *(status.name for status in lifecycle.list_statuses()))

    def fill(empty: type[NumberedT]) -> type[NumberedT]:
        if len(empty):
            raise ModelError(f"{empty.__name__} has members; the table gives it {', '.join(names)}.")
        members = [(name, number) for number, name in enumerate(names)]
        filled = EnumType.__call__(
            empty, empty.__name__, members, module=empty.__module__, qualname=empty.__qualname__
        )
        filled.__doc__ = empty.__doc__
        return cast("type[NumberedT]", filled)

    return fill
