"""What processes of this program tell one another: values as msgpack, of which nothing is ever executed.

Numbers, texts, containers, and the frozen records, enumerations and errors of this package are written by
their content. Whoever reads makes records of this package only, and fills in their fields: no function is
called that a message names. Bulks of bytes may go another way: then only their place is told.
"""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from pickle import PickleBuffer
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from nomadspec.model.errors import ImpossibleError, NomadSpecError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Place: TypeAlias = Callable[[memoryview], int | None]
"""Puts a bulk where the reader finds it, and gives its number; None where it must go with the message."""
Fetch: TypeAlias = Callable[[int], memoryview]
"""Finds such a bulk by its number."""

_PACKAGE: Final = "nomadspec."
_MOST: Final = 1 << 63
_LIST, _TUPLE, _DICT, _SET, _FROZEN, _LONG, _ARRAY, _PLACED, _RECORD, _ENUM, _ERROR = range(11)
_SEQUENCES: Final[Mapping[int, Callable[[Iterable[Any]], Any]]] = MappingProxyType(
    {_LIST: list, _TUPLE: tuple, _SET: set, _FROZEN: frozenset}
)
_KINDS: Final[Mapping[type, int]] = MappingProxyType(
    {list: _LIST, tuple: _TUPLE, set: _SET, frozenset: _FROZEN}
)


def encode(value: object, place: Place | None = None) -> bytes:
    """Write a value; one that is nothing of this package is an error of who wants to tell it."""
    return msgspec.msgpack.encode(_write(value, place))


def decode(content: bytes, fetch: Fetch | None = None) -> Any:  # noqa: ANN401 -- whatever was told
    """Read a value."""
    return _read(msgspec.msgpack.decode(content), fetch)


def tell(line: Connection, value: object) -> None:
    """Tell a value to the process at the other end of a line."""
    line.send_bytes(encode(value))


def hear(line: Connection) -> Any:  # noqa: ANN401 -- whatever was told
    """Hear what the other process tells; EOFError where it is gone."""
    return decode(line.recv_bytes())


def _write(value: Any, place: Place | None) -> Any:  # noqa: ANN401, PLR0911 -- one kind of value a return
    kind = type(value)
    if value is None or kind in {bool, float, str}:
        return value
    if kind is int:
        return value if -_MOST <= value < _MOST else [_LONG, hex(value)]
    if kind in _KINDS:
        return [_KINDS[kind], *(_write(item, place) for item in value)]
    if isinstance(value, bytes | bytearray | memoryview | PickleBuffer):
        view = memoryview(value)
        number = None if place is None else place(view)
        return bytes(view) if number is None else [_PLACED, number]
    if kind in {dict, MappingProxyType}:
        return [_DICT, *(_write(item, place) for pair in value.items() for item in pair)]
    if kind is array:
        return [_ARRAY, value.typecode, value.tobytes()]
    return _write_own(value, place)


def _write_own(value: Any, place: Place | None) -> Any:  # noqa: ANN401 -- an object of a class
    kind: Any = type(value)
    if not f"{kind.__module__}.".startswith(_PACKAGE):
        raise ImpossibleError(f"No process can be told a {kind.__module__}.{kind.__qualname__}.")
    name = [kind.__module__, kind.__qualname__]
    if isinstance(value, Enum):
        return [_ENUM, *name, value.name]
    if isinstance(value, NomadSpecError):
        return [_ERROR, *name, _write(value.args, place), _write(vars(value), place)]
    if dataclasses.is_dataclass(value):
        fields = (_write(getattr(value, field), place) for field in _list_fields(kind))
        return [_RECORD, *name, *fields]
    raise ImpossibleError(f"No process can be told a {kind.__qualname__}.")


def _read(told: Any, fetch: Fetch | None) -> Any:  # noqa: ANN401, PLR0911 -- one kind of value a return
    if type(told) is not list:
        return told
    tag, *rest = told
    if tag in _SEQUENCES:
        return _SEQUENCES[tag](_read(item, fetch) for item in rest)
    if tag == _DICT:
        items = [_read(item, fetch) for item in rest]
        return dict(zip(items[::2], items[1::2], strict=True))
    if tag == _LONG:
        return int(rest[0], 16)
    if tag == _ARRAY:
        numbers = array(rest[0])
        numbers.frombytes(rest[1])
        return numbers
    if tag == _PLACED and fetch is not None:
        return fetch(rest[0])
    kind = _find_kind(tag, rest[0], rest[1])
    return _READERS[tag](kind, [_read(item, fetch) for item in rest[2:]])


def _read_record(kind: type, fields: list[Any]) -> Any:  # noqa: ANN401 -- a record of this package
    made: Any = object.__new__(kind)
    for name, value in zip(_list_fields(kind), fields, strict=True):
        object.__setattr__(made, name, value)
    return made


def _read_enum(kind: Any, names: list[Any]) -> Any:  # noqa: ANN401 -- a member
    return kind[names[0]]


def _read_error(kind: type[NomadSpecError], parts: list[Any]) -> NomadSpecError:
    arguments, fields = parts
    made: NomadSpecError = kind.__new__(kind, *arguments)
    made.args = arguments
    vars(made).update(fields)
    return made


_READERS: Final[Mapping[int, Callable[[Any, list[Any]], Any]]] = MappingProxyType(
    {_RECORD: _read_record, _ENUM: _read_enum, _ERROR: _read_error}
)
_WANTED: Final[Mapping[int, Callable[[type], bool]]] = MappingProxyType(
    {
        _RECORD: dataclasses.is_dataclass,
        _ENUM: lambda kind: issubclass(kind, Enum),
        _ERROR: lambda kind: issubclass(kind, NomadSpecError),
    }
)


@cache
def _find_kind(tag: int, module: str, name: str) -> type:
    """Find a class of this package that can be told."""
    found: Any = None
    if tag in _WANTED and f"{module}.".startswith(_PACKAGE):
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part, None)
    if not isinstance(found, type) or not _WANTED[tag](found):
        raise ImpossibleError(f"A process told a {module}.{name}, which nothing is made of.")
    return found


@cache
def _list_fields(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 -- a dataclass
    return tuple(field.name for field in dataclasses.fields(kind))
