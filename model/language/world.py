"""Worlds: a state declared as a class, and the two faces that a rule sees of it.

    class Shop(World):
        clerks = ids("clerk", 2, "who serves")
        patience = size(3, "how often a customer asks")
        busy = field(clerks, FLAG, init=False)
        asked = field(upto(patience), init=0)
        line = queue(clerks)

``s`` is the world before a step: ``s.busy[c]``, ``s.asked``, ``for c in s.clerks``, ``s.line.has(c)``; sizes
read as numbers (``s.patience``) and quirks as constants (``s.has(QUIRK)``). ``t`` is the world after it:
first ``t.require(...)``, then assignments, ``t.when(condition)`` for conditional ones. Reads of ``s`` never
see writes, and what is not written stays.

Declarations are descriptors that hand every access to the world's *frame*: the part that knows a scope and
how an engine stores and reads cells (model/language/frame.py has that for finite scopes, the solver its own).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from dataclasses import field as own_field
from typing import TYPE_CHECKING, ClassVar, Protocol, Self, overload

from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.domain import Domain, as_domain
from nomadspec.model.language.logic import Flag, Value, all_of, implies
from nomadspec.model.language.part import Part
from nomadspec.model.language.sets import Census, Declared, Ids, Populated, Size
from nomadspec.model.specification.quirk import Quirk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from enum import IntEnum

    from nomadspec.model.language.bounds import Named

RESERVED = frozenset(
    {"cells", "clear", "condition", "frame", "guard", "has", "limited", "require", "schema", "when"}
    | {"read_field", "read_total", "write_field"}
)
"""Names that a world needs for itself."""


class Holder(Part):
    """What has declared fields: a world, or a record in it."""

    __slots__ = ()

    frame: Frame | None

    @abstractmethod
    def read_field(self, declared: Field) -> Value:
        """Give the value of a scalar, or the table of an indexed field."""

    @abstractmethod
    def write_field(self, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""

    @abstractmethod
    def read_total(self, declared: Total) -> Value:
        """Give totals as something that can be indexed by an id."""


class Frame(Census, Protocol):
    """What a world is stored in and read by: one per engine and scope."""

    @abstractmethod
    def read(self, world: World, declared: Field) -> Value:
        """Give the value of a scalar, or the table of an indexed field."""

    @abstractmethod
    def write(self, world: World, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""

    @abstractmethod
    def line(self, world: World, declared: Queue) -> Value:
        """Give the queue as something that can be asked and changed."""

    @abstractmethod
    def sums(self, world: World, declared: Total) -> Value:
        """Give the totals as something that can be indexed by an id."""

    @abstractmethod
    def has(self, quirk: Quirk) -> bool:
        """True if the profile has the quirk."""


class Stored(Declared):
    """A declaration that brings fields or totals into a world."""

    def list_fields(self) -> tuple[Field, ...]:
        """List the fields that the declaration brings into a world."""
        return ()

    def list_totals(self) -> tuple[Total, ...]:
        """List the totals that the declaration brings into a world."""
        return ()


class Field(Stored):
    """A variable of the world, or a table of them over one or more sets."""

    def __init__(
        self,
        index: tuple[Ids, ...],
        domain: Domain,
        init: Value,
        about: str,
        *,
        is_budget: bool,
        on: tuple[Size, ...] = (),
    ) -> None:
        """Keep the index sets, the domain of a cell, its first value, and where it is left out."""
        super().__init__(about)
        if isinstance(init, bool) != domain.is_flag or not isinstance(init, int):
            wanted = "False or True" if domain.is_flag else "a number"
            raise ModelError(f"The field {about!r} begins at {init!r}, but its cells hold {wanted}.")
        self.index = index
        self.domain = domain
        self.init = init if domain.is_flag else int(init)
        self.is_budget = is_budget
        self.on = on
        self.steps: tuple[tuple[str, int], ...] = ()
        """For a field of a record, each name on the way to it, with how many of the sets index it there."""

    def list_fields(self) -> tuple[Field, ...]:
        """List this field."""
        return (self,)

    def is_off(self, sizes: Mapping[str, Value]) -> bool:
        """True if a scope leaves the field out: a size of which it is part is 0."""
        return any(sizes[size.name] == 0 for size in self.on)

    def name_cell(self, members: Sequence[str]) -> str:
        """Write the cell of these members as people do: ``seen[worker1].status[eval2]``."""
        words, rest = [], list(members)
        for name, count in self.steps or ((self.name, len(self.index)),):
            own, rest = rest[:count], rest[count:]
            words.append(f"{name}[{', '.join(own)}]" if own else name)
        return ".".join(words)

    @overload
    def __get__(self, holder: Holder, owner: type) -> Value: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Field: ...
    def __get__(self, holder: object, owner: type) -> Value:
        """Give the declaration on the class, and the value or table on a world or record."""
        return holder.read_field(self) if isinstance(holder, Holder) else self

    def __set__(self, holder: Holder, value: Value) -> None:
        """Assign the whole of it."""
        holder.write_field(self, value)


class Queue(Stored):
    """A queue of distinct ids: ``has is_empty head is_before`` on ``s``, ``push pop remove`` on ``t``."""

    def __init__(self, members: Value, about: str) -> None:
        """Keep whose order it is; finite engines store a rank for each id (1 is the head, 0 absent)."""
        super().__init__(about)
        if not isinstance(members, Ids):
            raise ModelError(f"queue(set) needs the declared set whose ids queue up ({about!r}).")
        self.members = members
        self.ranks = Field((members,), Domain("upto", 0, members.bound), 0, about, is_budget=False)

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name; the ranks are a field of the same name."""
        super().__set_name__(owner, name)
        self.ranks.name = name

    def list_fields(self) -> tuple[Field, ...]:
        """List the field of the ranks."""
        return (self.ranks,)

    @overload
    def __get__(self, world: World, owner: type) -> Value: ...
    @overload
    def __get__(self, world: object, owner: type) -> Queue: ...
    def __get__(self, world: object, owner: type) -> Value:
        """Give the declaration on the class and the queue on a world."""
        return world.frame.line(world, self) if isinstance(world, World) else self


class Total(Stored):
    """How many cells of a field hold an id: ``s.used[n]``. The solver carries it as a ghost."""

    def __init__(self, of: Value, about: str) -> None:
        """Keep whose cells are counted."""
        super().__init__(about)
        if not isinstance(of, Field) or of.domain.members is None:
            raise ModelError(f"tally(field) needs a field whose cells hold ids ({about!r}).")
        self.of: Field = of
        self.members: Ids = of.domain.members

    def list_totals(self) -> tuple[Total, ...]:
        """List this total."""
        return (self,)

    @overload
    def __get__(self, holder: Holder, owner: type) -> Value: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Total: ...
    def __get__(self, holder: object, owner: type) -> Value:
        """Give the declaration on the class and the totals on a world or record."""
        return holder.read_total(self) if isinstance(holder, Holder) else self


@dataclass(frozen=True, slots=True)
class Schema:
    """The declarations of a world class, by kind and in the order of the class body."""

    sizes: tuple[Size, ...]
    sets: tuple[Ids, ...]
    fields: tuple[Field, ...]
    queues: tuple[Queue, ...]
    totals: tuple[Total, ...]
    _known: frozenset[int] = own_field(init=False, repr=False, compare=False)
    """Which objects the declarations are; each rule and property asks for some of them."""

    def __post_init__(self) -> None:
        """Note the objects; they live as long as this does."""
        known = frozenset(id(part) for part in (*self.sizes, *self.sets, *self.fields))
        object.__setattr__(self, "_known", known)

    def refuse_strangers(self, who: str, parts: Iterable[Named]) -> None:
        """Raise a ModelError when one of the parts is not declared by this world."""
        for part in parts:
            if id(part) not in self._known:
                raise ModelError(
                    f"{who} uses {part.name or 'a size without a name'}, which its world does not declare: "
                    "declare it in the class body."
                )


class World(Holder, Populated):
    """A state: declare its parts in a subclass. Instances are made by frames, never by hand."""

    schema: ClassVar[Schema]
    frame: Frame
    cells: Value
    condition: Value
    guard: list[Value] | None

    limited: tuple[Field, ...] = ()
    """The counters that a step may not lead past the end that the scope gives them."""

    def __init__(
        self, frame: Frame, cells: Value, condition: Value = None, guard: list[Value] | None = None
    ) -> None:
        """Bind the declarations to stored cells; a world with a guard is one that is being written."""
        vars(self).update(frame=frame, cells=cells, condition=condition, guard=guard)

    def __init_subclass__(cls) -> None:
        """Collect the declarations and refuse names that the world itself uses."""
        super().__init_subclass__()
        declared = collect_declared(cls)
        clash = sorted(RESERVED & declared.keys())
        if clash:
            raise ModelError(
                f"{cls.__name__} declares {clash[0]!r}, a name that every world uses itself: rename it."
            )
        for name, part in declared.items():
            if part.name != name:
                raise ModelError(
                    f"{cls.__name__} declares {part.name} once more as {name!r}: keep one of them."
                )
        cls.schema = _schema_of(cls.__name__, declared)

    def __setattr__(self, name: str, value: Value) -> None:
        """Let declared fields be assigned, and nothing else."""
        part = getattr(type(self), name, None)
        if name in RESERVED:
            how = f"call it, {name}(...)" if callable(part) else "write to a field"
            raise StyleError(f"{name} is assigned to, which is no field, but what every world has: {how}.")
        if isinstance(part, Queue):
            raise StyleError(
                f"The queue {name} is assigned to: write t.{name}.push(...), pop(...) or remove(...)."
            )
        if not (isinstance(part, Declared) and hasattr(part, "__set__")):
            known = ", ".join(field.name for field in self.schema.fields)
            raise StyleError(f"{type(self).__name__} has no field {name!r} to assign to; it has {known}.")
        object.__setattr__(self, name, value)

    def read_field(self, declared: Field) -> Value:
        """Give the value of a scalar, or the table of an indexed field."""
        return self.frame.read(self, declared)

    def write_field(self, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""
        self.frame.write(self, declared, value)

    def read_total(self, declared: Total) -> Value:
        """Give totals as something that can be indexed by an id."""
        return self.frame.sums(self, declared)

    def require(self, *conditions: Flag) -> None:
        """Let the step happen only where the conditions hold (on ``t``, before the assignments)."""
        if self.guard is None:
            raise StyleError("require belongs to t, the world after the step: write t.require(...).")
        if self.condition is not True:
            raise StyleError(
                "t.when(...).require(...) would not be conditional: write t.require(implies(condition, ...))."
            )
        self.guard.append(all_of(*conditions))
        if self.guard[-1] is False:
            raise Disabled

    def require_features(self, needed: Sequence[Size], replaced: Sequence[Size]) -> None:
        """Let the step happen only in scopes that have some features or sizes, and have others at 0."""
        size = self.frame.size
        self.require(*(size(one) > 0 for one in needed), *(size(one) == 0 for one in replaced))

    def when(self, condition: Flag) -> Self:
        """Give a writer whose assignments happen only where the condition holds."""
        if self.guard is None:
            raise StyleError("when belongs to t, the world after the step: write t.when(...).field = value.")
        narrowed = type(self)(self.frame, self.cells, all_of(self.condition, condition), self.guard)
        vars(narrowed).update(limited=self.limited)
        return narrowed

    def clear(self, columns: type, *ids: Value) -> None:
        """Put what a class of columns declares back to its first values: all of it, or that of some ids."""
        if not isinstance(self, columns):
            raise StyleError(f"{type(self).__name__} has no {columns.__name__}: clear a class that it is of.")
        for one in _list_columns(columns, type(self), len(ids)):
            if ids:
                self.frame.read(self, one)[ids] = one.init
            else:
                self.frame.write(self, one, one.init)

    def has(self, quirk: Quirk) -> bool:
        """True if the profile has a quirk; a constant, so ``if s.has(...)`` is in style."""
        if not isinstance(quirk, Quirk):
            raise StyleError(
                f"s.has({quirk!r}) asks for no quirk: give one of model/specification/quirks.py."
            )
        return self.frame.has(quirk)


def collect_declared(owner: type) -> dict[str, Declared]:
    """Collect what a class and its bases declare, what the bases declare first."""
    return {
        name: part
        for base in reversed(owner.__mro__)
        for name, part in vars(base).items()
        if isinstance(part, Declared)
    }


def _list_columns(columns: type, world: type[World], depth: int) -> Iterator[Field]:
    """List the fields that are cleared for as many ids; a total follows what it counts."""
    declared = collect_declared(columns)
    if not declared:
        raise StyleError(f"{columns.__name__} is cleared, but declares no columns.")
    for name, part in declared.items():
        if getattr(world, name) is not part:
            raise StyleError(f"{columns.__name__} is cleared, but {world.__name__} declares {name} again.")
        if isinstance(part, Queue) or not isinstance(part, Stored):
            raise StyleError(f"{columns.__name__} is cleared, but {name} has no value to go back to.")
        for one in part.list_fields():
            if len(one.index) < depth:
                raise StyleError(f"{columns.__name__} is cleared for {depth} ids, but {one.name} has fewer.")
            yield one


def keep_within(world: World, declared: Field, condition: Value, value: Value, high: Value) -> None:
    """Let a step happen only where it counts no further than to the end that the scope gives a counter."""
    if declared in world.limited and world.guard is not None:
        world.guard.append(implies(condition, value <= high))
        if world.guard[-1] is False:
            raise Disabled


class Disabled(Exception):  # noqa: N818 -- not an error: how a rule's text ends where its guard is false
    """The guard of a rule does not hold in this world."""


def ids(label: str, default: int | Size, about: str) -> Ids:
    """Declare a set of interchangeable ids, and its size under the same name unless one is given."""
    return _declare_ids(label, default, about, is_symmetric=True)


def index(label: str, length: int | Size, about: str) -> Ids:
    """Declare the places of a fixed index, whose order shows, and its length unless a size is given."""
    return _declare_ids(label, length, about, is_symmetric=False)


def _declare_ids(label: str, many: int | Size, about: str, *, is_symmetric: bool) -> Ids:
    if isinstance(many, Size):
        return Ids(label, many, about, many.default, is_symmetric=is_symmetric)
    return Ids(label, None, about, many, is_symmetric=is_symmetric)


def size(default: int, about: str, *, least: int = 0) -> Size:
    """Declare a number that a scope chooses."""
    return Size(default, about, least)


def feature(about: str, *, default: bool = False, is_open: bool = False) -> Size:
    """Declare what a scope switches on or off, 1 or 0; it reads as a flag.

    A proof for any number is about scopes that agree with its own scope in that; where the feature is open,
    about those that have it and those that do not.
    """
    return Size(int(default), about, 0, is_feature=True, is_open=is_open)


def field(
    *spec: Ids | Domain | type[IntEnum], init: int, about: str, budget: bool = False, on: Size | None = None
) -> Field:
    """Declare a variable, or a table over sets: the sets first, the domain of a cell last.

    A budget bounds how often something of the environment happens; a verdict says whether it was used up.
    Where a feature or size of which it is part (``on``) is 0, it is its first value, and is not written.
    """
    index = tuple(part for part in spec[:-1] if isinstance(part, Ids))
    if len(index) != len(spec) - 1:
        raise ModelError(
            f"field(set, ..., domain) takes declared sets first and one domain last ({about!r})."
        )
    if not isinstance(on, Size | None):
        raise ModelError(f"field(..., on=size) needs what feature(...) or size(...) declares ({about!r}).")
    return Field(index, as_domain(spec[-1]), init, about, is_budget=budget, on=() if on is None else (on,))


def queue(members: Ids, about: str) -> Queue:
    """Declare a queue of distinct ids of a set."""
    return Queue(members, about)


def tally(of: Field, about: str) -> Total:
    """Declare the number of cells of a field that hold an id."""
    return Total(of, about)


def _schema_of(owner: str, declared: dict[str, Declared]) -> Schema:
    parts = list(declared.values())
    sets = tuple(part for part in parts if isinstance(part, Ids))
    queues = tuple(part for part in parts if isinstance(part, Queue))
    sizes = {part.name: part for part in parts if isinstance(part, Size)}
    sizes |= {part.size.name: part.size for part in sets if part.size.name not in sizes}
    stored = [part for part in parts if isinstance(part, Stored)]
    fields = tuple(field for part in stored for field in part.list_fields())
    totals = tuple(total for part in stored for total in part.list_totals())
    schema = Schema(tuple(sizes.values()), sets, fields, queues, totals)
    for declared_set in sets:
        schema.refuse_strangers(f"{owner}.{declared_set.name}", [declared_set.size])
    for variable in fields:
        parts_used = [*variable.index, *variable.domain.list_parts(), *variable.on]
        schema.refuse_strangers(f"{owner}.{variable.name}", parts_used)
    for declared_total in totals:
        schema.refuse_strangers(f"{owner}.{declared_total.name}", [declared_total.of])
    return schema
