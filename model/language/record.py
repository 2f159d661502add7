"""Records: a group of fields, declared once and used as a value.

    class StoreView(Record):
        status = field(Things.evals, Status, init=Status.PENDING, about="status of the evaluation")
        ...

    class Kernel(Things):
        store = record(StoreView)                    # one
        seen = record(StoreView, Things.workers)     # one for each worker

    t.seen[worker] = s.store                         # all of it, whatever its fields are
    t.seen[worker].clear()                           # back to the first values
    t.seen[worker].status[number] = Status.FAILED    # or one of them
    s.seen[worker] == s.store, ite(flag, s.store, s.seen[worker])
    StoreView(status=lambda number: ..., ...)        # a value made of its parts: none can be left out

Columns that a world declares by a class (or a record of all) are those of a record of one as well:

    class JobColumns:
        version = field(Things.jobs, upto(9), init=0, about="version of the job")

    class JobView(JobColumns, Record, of_one=Things.jobs):   # its version is no table, but a number
        ...

    t.seen[worker] = JobView.of(s, job)                      # all that the world has of this job

In a world a record is nothing but its fields, one after another: that of ``status`` in ``seen`` is a table
over workers and evaluations. Engines see these, and so need not know of records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Never, Self, TypeVar, overload

from nomadspec.model.errors import ModelError, StyleError, suggest
from nomadspec.model.language.logic import Bundle, Value, all_of, for_all, ite, not_
from nomadspec.model.language.part import Part
from nomadspec.model.language.questions import Asking, Question, find_asked, make_asking
from nomadspec.model.language.sets import Declared, Ids, Size
from nomadspec.model.language.value_wording import say
from nomadspec.model.language.world import Field, Holder, Stored, Total, World, collect_declared

if TYPE_CHECKING:
    from nomadspec.model.language.world import Frame

R = TypeVar("R", bound="Record")
Keys = tuple[Value, ...]

_OWN = frozenset(
    {
        "clear",
        "columns",
        "expect_place",
        "frame",
        "given",
        "has_total",
        "is_clear",
        "list_held",
        "merge",
        "of",
    }
    | {"read_field", "read_total", "spot", "write_field"}
)


class _Spot(NamedTuple):
    """Where in a world a record is."""

    world: World
    declared: RecordField[Any]
    path: tuple[str, ...] = ()
    keys: Keys = ()

    def below(self, name: str, keys: Keys = ()) -> _Spot:
        """Give where a record within this one is."""
        return _Spot(self.world, self.declared, (*self.path, name), (*self.keys, *keys))

    def at(self, keys: Keys) -> _Spot:
        """Give where the record of more ids is."""
        return _Spot(self.world, self.declared, self.path, (*self.keys, *keys))

    def field_of(self, name: str) -> Field:
        """Find the field of the world that holds what a record calls by a name."""
        return self.declared.leaves[(*self.path, name)]

    def total_of(self, name: str) -> Total:
        """Find the total of the world that a record calls by a name."""
        found = self.declared.totals.get((*self.path, name))
        if found is None:
            raise StyleError(
                f"{name} is asked of {self.declared.name}, of which there are many: "
                "a total is kept where a record stands once; count the cells instead."
            )
        return found


class Record(Holder, Bundle):
    """A group of fields: declare them in a subclass. It reads and writes as a part of the world."""

    __slots__ = ("frame", "given", "spot")

    columns: ClassVar[Mapping[str, Declared]] = {}
    frame: Frame | None
    """What it is compared in; None where it was made of values alone."""
    spot: _Spot | None
    given: Mapping[str, Value]

    def __init__(self, **values: Value) -> None:
        """Make a value of all of its parts: a table is given by another, or by a function of its ids."""
        columns = type(self).columns
        missing = [name for name in columns if name not in values and not isinstance(columns[name], Total)]
        strange = [name for name in values if name not in columns]
        if missing or strange:
            slip = f"lacks {', '.join(missing)}" if missing else f"has no {strange[0]!r}"
            raise StyleError(
                f"A {type(self).__name__} {slip}: give each of {', '.join(columns)}, only those."
            )
        object.__setattr__(self, "frame", None)
        object.__setattr__(self, "spot", None)
        object.__setattr__(
            self, "given", {name: _as_part(columns[name], value) for name, value in values.items()}
        )

    @classmethod
    def of(cls, holder: Holder, *one: Value, **others: Value) -> Self:
        """Make a value of what a world or record has under the same names, and of the rest by name.

        What is of one member of a set takes of the tables of all what they have of this one.
        """
        named = {name: part for name, part in cls.columns.items() if name not in others}
        _expect_member(cls, holder, named, one)
        found = {name: _find_in(holder, name, part, one) for name, part in named.items()}
        made = cls(**{name: value for name, value in found.items() if value is not None}, **others)
        object.__setattr__(made, "frame", holder.frame)
        return made

    def __init_subclass__(cls, of_one: Ids | None = None) -> None:
        """Collect the declarations; of one member of a set, tables of all of them are columns of it alone."""
        super().__init_subclass__()
        found = collect_declared(cls)
        for name, part in found.items():
            _refuse_column(cls.__name__, name, part)
            if of_one is not None:
                setattr(cls, name, ColumnOfOne(cls.__name__, part, of_one))
        cls.columns = found if of_one is None else collect_declared(cls)

    def __setattr__(self, name: str, value: Value) -> None:
        """Let fields and records within be assigned, and nothing else."""
        part = type(self).columns.get(name)
        if part is None or isinstance(part, Total):
            known = suggest(
                name, [one for one, of in type(self).columns.items() if not isinstance(of, Total)]
            )
            raise StyleError(f"{type(self).__name__} has no field {name!r} to assign to; {known}")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> Value:
        """True if all that two records hold is equal."""
        self._expect_own(other, "compared with")
        return all_of(*[_equal(part, name, self, other) for name, part in self.list_held()])

    def __ne__(self, other: object) -> Value:
        """True if anything that two records hold differs."""
        return not_(self == other)

    __hash__ = Part.__hash__

    def clear(self) -> None:
        """Assign to all of it what it held first."""
        spot = self.expect_place("cleared")
        for field in spot.declared.list_below(spot.path):
            _assign(spot, field, field.init)

    @property
    def is_clear(self) -> Callable[[], Value]:
        """True while all of it is what it was first, when it is called."""
        return Question("is_clear", self._compare_with_first)

    def _compare_with_first(self) -> Value:
        spot = self.expect_place("asked whether it is clear")
        return all_of(*[_is_first(spot, field) for field in spot.declared.list_below(spot.path)])

    def merge(self, condition: Value, otherwise: Value) -> Value:
        """Give this record where a condition holds, and another one elsewhere."""
        self._expect_own(otherwise, "chosen instead of")
        return type(self)(
            **{
                name: _choose(condition, part, getattr(self, name), getattr(otherwise, name))
                for name, part in type(self).columns.items()
                if not isinstance(part, Total) or (self.has_total(name) and otherwise.has_total(name))
            }
        )

    def read_field(self, declared: Field) -> Value:
        """Give the value of a scalar, or the table of an indexed field."""
        spot = self.spot
        if spot is None:
            return self.given[declared.name]
        field = spot.field_of(declared.name)
        found = spot.world.frame.read(spot.world, field)
        if not spot.keys:
            return found
        if spot.world.guard is None:
            return found[spot.keys]
        if not declared.index:
            raise StyleError(f"{field.name} is read on t, which rules only write: read it on s.")
        return _Below(found, spot.keys)

    def write_field(self, declared: Field, value: Value) -> None:
        """Assign to a scalar, or to every cell of an indexed field."""
        spot = self.expect_place("assigned to")
        _assign(spot, spot.field_of(declared.name), value)

    def read_total(self, declared: Total) -> Value:
        """Give totals as something that can be indexed by an id."""
        if self.spot is not None:
            return self.spot.world.frame.sums(self.spot.world, self.spot.total_of(declared.name))
        if declared.name not in self.given:
            raise StyleError(f"{declared.name} is asked of a record that was not given it: count the cells.")
        return self.given[declared.name]

    def has_total(self, total: str) -> bool:
        """True if a total is kept of this record."""
        spot = self.spot
        return total in self.given if spot is None else (*spot.path, total) in spot.declared.totals

    def list_held(self) -> Iterator[tuple[str, Declared]]:
        """List what the record holds by itself: fields and records."""
        return ((name, part) for name, part in type(self).columns.items() if not isinstance(part, Total))

    def expect_place(self, how: str) -> _Spot:
        """Give where in a world the record is; refuse one that was made of values."""
        if self.spot is None:
            raise StyleError(f"A {type(self).__name__} that was made of values is {how}: only t's can be.")
        return self.spot

    def _expect_own(self, other: object, how: str) -> None:
        if find_asked(type(other)) is not find_asked(type(self)):
            raise StyleError(f"A record of {type(self).__name__} is {how} {say(other)}, which is none.")


class ColumnOfOne(Field):
    """What a table has of one member of the first of its sets."""

    def __init__(self, owner: str, whole: Declared, of: Ids) -> None:
        """Leave the set out."""
        if not isinstance(whole, Field) or not whole.index or whole.index[0] is not of:
            raise ModelError(
                f"{owner} is of one of the {of.name}, but {whole.name} is no table of all of them."
            )
        super().__init__(
            whole.index[1:], whole.domain, whole.init, whole.about, is_budget=whole.is_budget, on=whole.on
        )
        self.name = whole.name
        self.of = of


def _bind(kind: type[R], spot: _Spot) -> R:
    chosen = make_asking(kind) if isinstance(spot.world, Asking) else kind
    made = chosen.__new__(chosen)
    object.__setattr__(made, "frame", spot.world.frame)
    object.__setattr__(made, "spot", spot)
    object.__setattr__(made, "given", {})
    return made


class RecordField(Stored, Generic[R]):
    """A record in a world or in another record; with sets, one for each of their members."""

    def __init__(
        self, kind: type[R], index: tuple[Ids, ...], about: str, first: Mapping[str, int], on: Size | None
    ) -> None:
        """Lay out the fields; ``first`` says where they begin at another value than the record says."""
        super().__init__(about)
        self.kind = kind
        self.index = index
        self.leaves: dict[tuple[str, ...], Field] = {}
        self._steps: dict[tuple[str, ...], tuple[tuple[str, int], ...]] = {}
        self.totals: dict[tuple[str, ...], Total] = {}
        for path, steps, field in _list_leaves(kind):
            init = first.get(".".join(path), field.init)
            features = field.on if on is None else (on, *field.on)
            sets, told = (*index, *field.index), field.about
            leaf = Field(sets, field.domain, init, told, is_budget=field.is_budget, on=features)
            leaf.about = f"{about}: {field.about}" if about else field.about
            self.leaves[path], self._steps[path] = leaf, steps
        strange = sorted(first.keys() - {".".join(path) for path in self.leaves})
        if strange:
            raise ModelError(f"record({kind.__name__}, first=...) names {strange[0]!r}, which it has not.")
        for path, of, about_total in _list_totals(kind) if not index else ():
            self.totals[path] = Total(self.leaves[of], about_total)

    def __set_name__(self, owner: type, name: str) -> None:
        """Learn the name, and give the fields theirs."""
        super().__set_name__(owner, name)
        for path, field in self.leaves.items():
            field.name = ".".join((self.name, *path))
            field.steps = ((self.name, len(self.index)), *self._steps[path])
        for path, total in self.totals.items():
            total.name = ".".join((self.name, *path))

    def list_fields(self) -> tuple[Field, ...]:
        """List the fields that the record brings into a world."""
        return tuple(self.leaves.values())

    def list_totals(self) -> tuple[Total, ...]:
        """List the totals that the record brings into a world."""
        return tuple(self.totals.values())

    def list_below(self, path: tuple[str, ...]) -> list[Field]:
        """List the fields of a record within this one."""
        return [field for at, field in self.leaves.items() if at[: len(path)] == path]

    @overload
    def __get__(self, holder: Holder, owner: type) -> R: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Self: ...
    def __get__(self, holder: object, owner: type) -> Value:
        """Give the declaration on the class, and the record (or records) on a world or record."""
        if isinstance(holder, Record) and holder.spot is None:
            return holder.given[self.name]
        if not isinstance(holder, Holder):
            return self
        spot = self._place_in(holder)
        return Records(self.kind, spot, len(self.index)) if self.index else _bind(self.kind, spot)

    def __set__(self, holder: Holder, value: R) -> None:
        """Assign all of it."""
        if self.index:
            raise StyleError(
                f"{self.name} is one record for each member of a set: assign to {self.name}[...]."
            )
        _copy(_bind(self.kind, self._place_in(holder)), value)

    def _place_in(self, holder: Holder) -> _Spot:
        if isinstance(holder, World):
            return _Spot(holder, self)
        if not isinstance(holder, Record) or holder.spot is None:
            raise StyleError(
                f"{self.name} is assigned to in a record that was made of values: only t's can be."
            )
        spot = holder.spot
        return spot.below(self.name)

    def __getattr__(self, name: str) -> Value:
        """Find a field of the record among those of the world, as ``Kernel.store.status``."""
        if name.startswith("_") or "leaves" not in vars(self) or (name,) not in self.leaves:
            raise AttributeError(f"{self.kind.__name__} has no field {name!r}", name=name, obj=self)
        return self.leaves[(name,)]


class RecordTable(RecordField[R]):
    """Records over one or more sets, as a type checker sees them."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override] # one for each member of a set
        def __get__(self, holder: Holder, owner: type) -> Records[R]: ...
        @overload
        def __get__(self, holder: object, owner: type) -> Self: ...
        def __get__(self, holder: object, owner: type) -> Value: ...


class Records(Part, Generic[R]):
    """One record for each member of a set: ``s.seen[worker]``."""

    __slots__ = ("_kind", "_left", "spot")

    def __init__(self, kind: type[R], spot: _Spot, left: int) -> None:
        """Keep where they are, and how many ids are still to be given."""
        self._kind = kind
        self.spot = spot
        self._left = left

    def __getattr__(self, name: str) -> Never:
        """Refuse: each of the records has fields, all of them together have none."""
        declared = self.spot.declared
        raise StyleError(
            f"{declared.name} is one record for each of the {declared.index[-1].name}: "
            f"say of which, s.{declared.name}[...].{name}."
        )

    def __getitem__(self, key: Value) -> R:
        """Give the record of an id; of some of its ids only, the records below them."""
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) > self._left:
            raise ModelError(f"{self.spot.declared.name} is indexed too deeply.")
        below = self.spot.at(keys)
        left = self._left - len(keys)
        found: Value = Records(self._kind, below, left) if left else _bind(self._kind, below)
        made: R = found
        return made

    def __setitem__(self, key: Value, value: R) -> None:
        """Assign all of a record."""
        into: Value = self[key]
        if isinstance(into, Records):
            raise StyleError(f"{self.spot.declared.name} needs more ids to name a single record.")
        _copy(into, value)

    def clear(self) -> None:
        """Assign to all of the records what they held first."""
        for field in self.spot.declared.list_below(self.spot.path):
            _assign(self.spot, field, field.init)


@overload
def record(
    kind: type[R], *, about: str = "", first: Mapping[str, int] | None = None, on: Size | None = None
) -> RecordField[R]: ...
@overload
def record(
    kind: type[R],
    *index: Ids,
    about: str = "",
    first: Mapping[str, int] | None = None,
    on: Size | None = None,
) -> RecordTable[R]: ...
def record(
    kind: type[R],
    *index: Ids,
    about: str = "",
    first: Mapping[str, int] | None = None,
    on: Size | None = None,
) -> RecordField[R]:
    """Declare a record, or one for each member of sets; ``first`` are values at which it begins instead.

    Where a feature or size of which it is part (``on``) is 0, it is what it was first.
    """
    if not _is_record(kind) or not all(map(_is_set, index)):
        raise ModelError("record(Kind, set, ...) takes a subclass of Record, and then declared sets.")
    if not isinstance(on, Size | None):
        raise ModelError(f"record({kind.__name__}, on=size) needs what feature(...) or size(...) declares.")
    return (RecordTable if index else RecordField)(kind, index, about, first or {}, on)


def _is_record(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record)


def _is_set(part: object) -> bool:
    return isinstance(part, Ids)


class _Below(Part):
    """The part of a table of ``t`` that belongs to one record: it is only assigned to."""

    __slots__ = ("_keys", "_table")

    def __init__(self, table: Value, keys: Keys) -> None:
        self._table = table
        self._keys = keys

    def __setitem__(self, key: Value, value: Value) -> None:
        self._table[(*self._keys, *(key if isinstance(key, tuple) else (key,)))] = value

    def __getitem__(self, key: Value) -> Value:
        return self._table[(*self._keys, *(key if isinstance(key, tuple) else (key,)))]


class _Formula(Part):
    """A table given by a function of its ids."""

    __slots__ = ("_arity", "_given", "_text")

    def __init__(self, text: Callable[..., Value], arity: int, given: Keys = ()) -> None:
        self._text = text
        self._arity = arity
        self._given = given

    def __getitem__(self, key: Value) -> Value:
        keys = (*self._given, *(key if isinstance(key, tuple) else (key,)))
        return self._text(*keys) if len(keys) == self._arity else _Formula(self._text, self._arity, keys)


def _expect_member(
    kind: type[Record], holder: Holder, named: Mapping[str, Declared], one: Sequence[Value]
) -> None:
    """Refuse a member too many, and one too few."""
    asking = [
        part.of for part in named.values() if isinstance(part, ColumnOfOne) and _is_of_all(holder, part)
    ]
    if len(one) != len(asking[:1]):
        hint = f"say of which of the {asking[0].name}" if asking else "it is of no one member of a set"
        raise StyleError(f"{kind.__name__}.of({type(holder).__name__}, ...) is given {len(one)} ids: {hint}.")


def _is_of_all(holder: Holder, part: ColumnOfOne) -> bool:
    """True if a holder has of all members of a set what a column has of one."""
    return not isinstance(getattr(type(holder), part.name, part), ColumnOfOne)


def _find_in(holder: Holder, name: str, part: Declared, one: Sequence[Value]) -> Value:
    """Give what a holder has under a name; None for a total that is not kept of it."""
    if isinstance(part, Total):
        is_kept = holder.has_total(name) if isinstance(holder, Record) else hasattr(type(holder), name)
        return getattr(holder, name) if is_kept else None
    if not isinstance(getattr(type(holder), name, None), Declared):
        raise StyleError(f"{type(holder).__name__} has no {name!r} of its own: give it by name.")
    found = getattr(holder, name)
    return found[one[0]] if isinstance(part, ColumnOfOne) and _is_of_all(holder, part) else found


def _as_part(declared: Declared, value: Value) -> Value:
    """Read what a record is made of: a function of ids stands for a table or for records."""
    arity = _arity_of(declared)
    if not arity or isinstance(value, Part):
        return value
    if callable(value):
        return _Formula(value, arity)
    return _Formula(lambda *_ids: value, arity) if isinstance(value, int) else value


def _arity_of(declared: Declared) -> int:
    if isinstance(declared, Total):
        return 1
    return len(declared.index) if isinstance(declared, Field | RecordField) else 0


def _refuse_column(owner: str, name: str, part: Declared) -> None:
    if name in _OWN or name.startswith("_"):
        raise ModelError(f"{owner} declares {name!r}, a name that every record uses itself: rename it.")
    if not isinstance(part, Field | RecordField | Total):
        raise ModelError(
            f"{owner}.{name} is no field: a record holds fields, records and totals; declare it in the world."
        )
    if part.name != name:
        raise ModelError(f"{owner} declares {part.name} once more as {name!r}: keep one of them.")


def _list_leaves(
    kind: type[Record],
) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, int], ...], Field]]:
    """List the fields of a record and of those within it, each with its path and its names."""
    for name, part in kind.columns.items():
        if isinstance(part, Field):
            yield (name,), ((name, len(part.index)),), part
        elif isinstance(part, RecordField):
            for path, field in part.leaves.items():
                yield (name, *path), field.steps, field


def _list_totals(kind: type[Record]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """List the totals of a record and of those within it, each with its path and that of what it counts."""
    for name, part in kind.columns.items():
        if isinstance(part, Total):
            yield (name,), (part.of.name,), part.about
        elif isinstance(part, RecordField):
            paths = {id(field): path for path, field in part.leaves.items()}
            for path, total in part.totals.items():
                yield (name, *path), (name, *paths[id(total.of)]), total.about


def _copy(into: Record, value: Value) -> None:
    """Assign each field of a record, and of those within it, from another."""
    if find_asked(type(value)) is not find_asked(type(into)):
        raise StyleError(f"{say(value)} is assigned to a record of {type(into).__name__}: give one of those.")
    spot, source = into.expect_place("assigned to"), value.spot
    if source is not None:
        for path, field in source.declared.leaves.items():
            if path[: len(source.path)] == source.path:
                given = source.world.frame.read(source.world, field)
                own = (*spot.path, *path[len(source.path) :])
                _assign(spot, spot.declared.leaves[own], given[source.keys] if source.keys else given)
        return
    for name, part in into.list_held():
        if isinstance(part, Field):
            _assign(spot, spot.field_of(name), getattr(value, name))
            continue
        for keys in _members_of(spot.world.frame, part):
            below = spot.below(name, keys)
            inner = getattr(value, name)
            _copy(_bind(_kind_of(part), below), inner[keys] if keys else inner)


def _assign(spot: _Spot, field: Field, value: Value) -> None:
    """Assign what is below the ids of a record: a value for all its cells, a table, or a formula for each."""
    world = spot.world
    if isinstance(value, _Formula):
        for keys in _cells_of(world.frame, field.index[len(spot.keys) :]):
            _assign(spot.at(keys), field, value[keys])
    elif not spot.keys:
        world.frame.write(world, field, value)
    elif world.guard is None:
        raise StyleError(f"{field.name} of s cannot be assigned to: write to t, the world after it.")
    else:
        world.frame.read(world, field)[spot.keys] = value


def _cells_of(frame: Frame, index: tuple[Ids, ...]) -> Iterator[Keys]:
    """Go through the ids of a table, in plain loops."""
    if not index:
        yield ()
        return
    for member in frame.iterate(index[0]):
        for rest in _cells_of(frame, index[1:]):
            yield (member, *rest)


def _members_of(frame: Frame, part: Declared) -> Iterator[Keys]:
    return _cells_of(frame, part.index if isinstance(part, RecordField) else ())


def _kind_of(part: Declared) -> type[Record]:
    if not isinstance(part, RecordField):
        raise ModelError(f"{part.name} is no record.")
    kind: type[Record] = part.kind
    return kind


def _choose(condition: Value, part: Declared, then: Value, otherwise: Value) -> Value:
    arity = _arity_of(part)
    if not arity:
        return ite(condition, then, otherwise)
    return _Formula(lambda *keys: ite(condition, then[_key(keys)], otherwise[_key(keys)]), arity)


def _key(keys: Keys) -> Value:
    return keys[0] if len(keys) == 1 else keys


def _equal(part: Declared, name: str, left: Record, right: Value) -> Value:
    one, other = getattr(left, name), getattr(right, name)
    index = part.index if isinstance(part, Field | RecordField) else ()
    return _all_equal(_frame_of(left, right), index, one, other) if index else one == other


def _all_equal(frame: Frame, index: tuple[Ids, ...], one: Value, other: Value) -> Value:
    if not index:
        return one == other
    return for_all(_all_equal(frame, index[1:], one[at], other[at]) for at in frame.iterate(index[0]))


def _frame_of(left: Record, right: Record) -> Frame:
    for each in (left, right):
        if each.frame is not None:
            return each.frame
    raise StyleError("Two records that were made of values are compared: compare with one of the world.")


def _is_first(spot: _Spot, field: Field) -> Value:
    world = spot.world
    table = world.frame.read(world, field)
    rest = field.index[len(spot.keys) :]
    value = table[spot.keys] if spot.keys else table
    return _all_first(world.frame, rest, value, field.init)


def _all_first(frame: Frame, index: tuple[Ids, ...], value: Value, init: int) -> Value:
    if not index:
        return value == init
    return for_all(_all_first(frame, index[1:], value[at], init) for at in frame.iterate(index[0]))
