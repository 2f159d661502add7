# What a type checker sees of typed.py: declarations that know their sets.
# What is ignored below: statuses and counts, which are numbers, take less than any number takes.
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any, Final, Generic, Never, Protocol, Self, overload

from typing_extensions import TypeVar

from nomadspec.model.language import bounds, domain, sets, world
from nomadspec.model.language.record import Record, RecordField
from nomadspec.model.language.sets import Populated
from nomadspec.model.language.world import Holder

_M = TypeVar("_M", bound=Id, default=Any)  # a set whose ids have no class holds any
_E = TypeVar("_E", bound=IntEnum)
_S = TypeVar("_S", default=int)  # a size may be the number of the last member that an enum has in a scope
_V = TypeVar("_V")
_W = TypeVar("_W", default=_V)  # what may be written, where that is more than what is read
_R = TypeVar("_R", bound=Record)
_T = TypeVar("_T")
_U = TypeVar("_U")
_F = TypeVar("_F")
_A = TypeVar("_A", bound=Id)
_B = TypeVar("_B", bound=Id)
_C = TypeVar("_C", bound=Id)

class Id:
    def __init__(self, number: int) -> None: ...
    def __lt__(self, other: Self) -> bool: ...
    def __le__(self, other: Self) -> bool: ...
    def __gt__(self, other: Self) -> bool: ...
    def __ge__(self, other: Self) -> bool: ...

class Numbered(Id):
    # Beside its own kind it is compared with how many of these there are.
    def __lt__(self, other: Self | Count[Self]) -> bool: ...
    def __le__(self, other: Self | Count[Self]) -> bool: ...
    def __gt__(self, other: Self | Count[Self]) -> bool: ...
    def __ge__(self, other: Self | Count[Self]) -> bool: ...

class Mixed: ...  # what a status and a number make: nothing takes it, though it would take two numbers

class _Sum(Protocol):
    @overload
    def __call__(self, other: StatusEnum, /) -> Mixed: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, other: int, /) -> int: ...

class _Order(Protocol):
    @overload
    def __call__(self, other: StatusEnum, /) -> Mixed: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, other: int, /) -> bool: ...

class Count(int, Generic[_M]):
    # How many members of a set there are: a number, from which a number is made.
    __add__: _Sum
    __sub__: _Sum
    __mul__: _Sum
    __lt__: _Order
    __le__: _Order
    __gt__: _Order
    __ge__: _Order

class StatusEnum(domain.StatusEnum):  # type: ignore[misc] # no members: classes of statuses have them
    # Members are numbers, but are compared with one another alone, and nobody calculates with them.
    @overload  # type: ignore[override]
    def __lt__(self, other: Self) -> bool: ...  # type: ignore[overload-overlap]
    @overload
    def __lt__(self, other: int) -> Mixed: ...  # type: ignore[misc]
    @overload  # type: ignore[override]
    def __le__(self, other: Self) -> bool: ...  # type: ignore[overload-overlap]
    @overload
    def __le__(self, other: int) -> Mixed: ...  # type: ignore[misc]
    @overload  # type: ignore[override]
    def __gt__(self, other: Self) -> bool: ...  # type: ignore[overload-overlap]
    @overload
    def __gt__(self, other: int) -> Mixed: ...  # type: ignore[misc]
    @overload  # type: ignore[override]
    def __ge__(self, other: Self) -> bool: ...  # type: ignore[overload-overlap]
    @overload
    def __ge__(self, other: int) -> Mixed: ...  # type: ignore[misc]
    def __add__(self, other: int) -> Mixed: ...  # type: ignore[override]
    def __radd__(self, other: int) -> Mixed: ...  # type: ignore[override,misc]
    def __sub__(self, other: int) -> Mixed: ...  # type: ignore[override]
    def __rsub__(self, other: int) -> Mixed: ...  # type: ignore[override,misc]
    def __mul__(self, other: int) -> Mixed: ...  # type: ignore[override]
    def __rmul__(self, other: int) -> Mixed: ...  # type: ignore[override,misc]

_K_contra = TypeVar("_K_contra", contravariant=True)
_V_co = TypeVar("_V_co", covariant=True)

class MapOf(Protocol[_K_contra, _V_co]):
    def __getitem__(self, key: _K_contra, /) -> _V_co: ...

class Domain(domain.Domain, Generic[_V, _W]): ...

FLAG: Final[Domain[bool]]
NONE: Final[Any]
SKIP: Final[Any]

class Size(sets.Size, Generic[_S]):
    @overload
    def __get__(self, world: Populated, owner: type) -> _S: ...
    @overload
    def __get__(self, world: object, owner: type) -> Self: ...

class Ids(sets.Ids, Generic[_M]):
    @overload
    def __get__(self, world: Populated, owner: type) -> Members[_M]: ...
    @overload
    def __get__(self, world: object, owner: type) -> Self: ...

class Members(Generic[_M]):
    def __iter__(self) -> Iterator[_M]: ...

# ``part`` is what a record is given for a column where it is made of its parts (checkers/mypy_plugin.py);
# ``own`` is what a table has of one member of its first set, and ``own_part`` what that column is given.

class Field(world.Field, Generic[_V, _W]):
    part: _W
    @overload
    def __get__(self, holder: Holder, owner: type) -> _V: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Self: ...
    def __set__(self, holder: Holder, value: _W) -> None: ...

class Row(Generic[_A, _V, _W]):
    member: _A
    own: _V
    own_part: _W
    def __getitem__(self, key: _A) -> _V: ...
    def __setitem__(self, key: _A, value: _W) -> None: ...

class Table(Generic[_A, _B, _V, _W]):
    member: _A
    own: Row[_B, _V, _W]
    own_part: Row[_B, _V, _W] | _W | Callable[[_B], _W]
    @overload
    def __getitem__(self, key: tuple[_A, _B]) -> _V: ...
    @overload
    def __getitem__(self, key: _A) -> Row[_B, _V, _W]: ...
    @overload
    def __setitem__(self, key: tuple[_A, _B], value: _W) -> None: ...
    @overload
    def __setitem__(self, key: _A, value: Row[_B, _V, _W] | _W) -> None: ...

class Cube(Generic[_A, _B, _C, _V, _W]):
    member: _A
    own: Table[_B, _C, _V, _W]
    own_part: Table[_B, _C, _V, _W] | _W | Callable[[_B, _C], _W]
    @overload
    def __getitem__(self, key: tuple[_A, _B, _C]) -> _V: ...
    @overload
    def __getitem__(self, key: tuple[_A, _B]) -> Row[_C, _V, _W]: ...
    @overload
    def __getitem__(self, key: _A) -> Table[_B, _C, _V, _W]: ...
    @overload
    def __setitem__(self, key: tuple[_A, _B, _C], value: _W) -> None: ...
    @overload
    def __setitem__(self, key: tuple[_A, _B], value: Row[_C, _V, _W] | _W) -> None: ...
    @overload
    def __setitem__(self, key: _A, value: Table[_B, _C, _V, _W] | _W) -> None: ...

class Total(world.Total, Generic[_M]):
    part: Row[_M, int] | Callable[[_M], int]
    @overload
    def __get__(self, holder: Holder, owner: type) -> Row[_M, int]: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Self: ...

class Tabular(world.Field, Generic[_T, _U, _F]):
    part: _T | _U | _F
    table: _T
    @overload
    def __get__(self, holder: Holder, owner: type) -> _T: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Self: ...
    def __set__(self, holder: Holder, value: _T | _U) -> None: ...

class Line(Generic[_M]):
    def has(self, member: _M) -> bool: ...
    def head(self, member: _M) -> bool: ...
    def is_before(self, one: _M, other: _M) -> bool: ...
    def is_empty(self) -> bool: ...
    def push(self, member: _M) -> None: ...
    def pop(self, head: _M) -> None: ...
    def remove(self, member: _M) -> None: ...

class Queue(world.Queue, Generic[_M]):
    @overload
    def __get__(self, holder: Holder, owner: type) -> Line[_M]: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Self: ...

class RecordValue(RecordField[_R], Generic[_R]):
    part: _R

class Records(Generic[_R, _A]):
    def __getitem__(self, key: _A) -> _R: ...
    def __setitem__(self, key: _A, value: _R) -> None: ...
    def clear(self) -> None: ...

class RecordTable(RecordField[_R], Generic[_R, _A]):
    part: Records[_R, _A] | Callable[[_A], _R]
    @overload  # type: ignore[override] # one for each member of a set
    def __get__(self, holder: Holder, owner: type) -> Records[_R, _A]: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Self: ...
    def __set__(self, holder: Holder, value: Never) -> None: ...  # type: ignore[override] # one is, of an id

@overload
def record(
    kind: type[_R],
    /,
    *,
    about: str = ...,
    first: Mapping[str, int] | None = ...,
    on: Size[Any] | None = ...,
) -> RecordValue[_R]: ...
@overload
def record(
    kind: type[_R],
    a: Ids[_A],
    /,
    *,
    about: str = ...,
    first: Mapping[str, int] | None = ...,
    on: Size[Any] | None = ...,
) -> RecordTable[_R, _A]: ...
def size(default: int, about: str, *, least: int = 0) -> Size[_S]: ...
def feature(about: str, *, default: bool = False, is_open: bool = False) -> Size[bool]: ...
def ids(label: str, default: int | Size, about: str) -> Ids[_M]: ...
def index(label: str, length: int | Size, about: str) -> Ids[_M]: ...
def queue(members: Ids[_M], about: str) -> Queue[_M]: ...
@overload
def upto(bound: Ids[_M]) -> Domain[Count[_M], int]: ...
@overload
def upto(bound: bounds.Bound | Size | int) -> Domain[int]: ...
@overload
def upto(bound: bounds.Bound | Size[Any] | int, of: type[_E]) -> Domain[_E]: ...
@overload
def counter(bound: Ids[_M]) -> Domain[Count[_M], int]: ...
@overload
def counter(bound: bounds.Bound | Size | int, below: bounds.Bound | Size | int = 0) -> Domain[int]: ...
def opt(members: Ids[_M], lowest: int = -1) -> Domain[_M]: ...
def tally(of: object, about: str) -> Total[Any]: ...
@overload
def field(
    of: Domain[_V, _W], /, *, init: object, about: str, budget: bool = ..., on: Size[Any] | None = ...
) -> Field[_V, _W]: ...
@overload
def field(
    of: type[_E], /, *, init: _E, about: str, budget: bool = ..., on: Size[Any] | None = ...
) -> Field[_E]: ...
@overload
def field(
    a: Ids[_A],
    of: Domain[_V, _W],
    /,
    *,
    init: object,
    about: str,
    budget: bool = ...,
    on: Size[Any] | None = ...,
) -> Tabular[Row[_A, _V, _W], _W, Callable[[_A], _W]]: ...
@overload
def field(
    a: Ids[_A],
    of: type[_E],
    /,
    *,
    init: _E,
    about: str,
    budget: bool = ...,
    on: Size[Any] | None = ...,
) -> Tabular[Row[_A, _E], _E, Callable[[_A], _E]]: ...
@overload
def field(
    a: Ids[_A],
    b: Ids[_B],
    of: Domain[_V, _W],
    /,
    *,
    init: object,
    about: str,
    on: Size[Any] | None = ...,
) -> Tabular[Table[_A, _B, _V, _W], _W, Callable[[_A, _B], _W]]: ...
@overload
def field(
    a: Ids[_A],
    b: Ids[_B],
    of: type[_E],
    /,
    *,
    init: _E,
    about: str,
    on: Size[Any] | None = ...,
) -> Tabular[Table[_A, _B, _E], _E, Callable[[_A, _B], _E]]: ...
@overload
def field(
    a: Ids[_A],
    b: Ids[_B],
    c: Ids[_C],
    of: Domain[_V, _W],
    /,
    *,
    init: object,
    about: str,
    on: Size[Any] | None = ...,
) -> Tabular[Cube[_A, _B, _C, _V, _W], _W, Callable[[_A, _B, _C], _W]]: ...
@overload
def field(
    a: Ids[_A],
    b: Ids[_B],
    c: Ids[_C],
    of: type[_E],
    /,
    *,
    init: _E,
    about: str,
    on: Size[Any] | None = ...,
) -> Tabular[Cube[_A, _B, _C, _E], _E, Callable[[_A, _B, _C], _E]]: ...
@overload
def field(
    a: Ids[Any],
    b: Ids[Any],
    c: Ids[Any],
    d: Ids[Any],
    /,
    *others: Any,
    init: object,
    about: str,
    on: Size[Any] | None = ...,
) -> Any: ...  # noqa: ANN401 -- tables of more sets are asked nothing
