"""Readers made from the shapes of entities: decoded JSON in, frozen records out."""

from base64 import b64decode
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Final, TypeAlias

import msgspec

from nomadspec.model.cluster.codec.computed import list_computed
from nomadspec.model.cluster.codec.instant import parse_instant
from nomadspec.model.cluster.codec.mismatch import MismatchError
from nomadspec.model.cluster.codec.shape import Kind, Shape, list_fields
from nomadspec.model.cluster.entities.scalar import INT64, Range

Read: TypeAlias = Callable[[object, list[str]], object]
"""Turns a JSON value into a field's value; names of unknown members go into the list."""

_BYTE: Final = 255
_LARGEST_NUMBER: Final = 2**1023
"""Larger integers are no double-precision numbers."""


class Dialect(Enum):
    """How bytes are spelled: as base64, or as they came, which is what a decoded log shows."""

    API = "base64"
    LOG = "text"


@cache
def build_record_reader(record: type[msgspec.Struct], dialect: Dialect) -> Read:
    """Build the reader of one kind of record; null and absent members keep their zero value.

    Spec: WIRE-005.
    """
    slots = {
        field.wire: (field.attribute, _EXACT.get(field.shape.kind), build_reader(field.shape, dialect))
        for field in list_fields(record)
    }
    find_slot = slots.get
    computed = list_computed(record)

    def read_record(raw: object, odd: list[str]) -> object:
        if not isinstance(raw, dict):
            raise MismatchError("an object", raw)
        values = {}
        member = ""
        try:
            for member, value in raw.items():
                slot = find_slot(member)
                if slot is None:
                    if member not in computed:
                        odd.append(member)
                elif value is not None:
                    attribute, exact, read = slot
                    values[attribute] = value if type(value) is exact else read(value, odd)
        except MismatchError as error:
            error.steps.append(member)
            raise
        return record(**values)

    return read_record


def build_reader(shape: Shape, dialect: Dialect) -> Read:
    """Build the reader of one shape."""
    if shape.kind is Kind.RECORD and shape.record is not None:
        return build_record_reader(shape.record, dialect)
    if shape.kind is Kind.LIST and shape.inside is not None:
        return _build_list_reader(shape.inside, dialect)
    if shape.kind is Kind.MAP and shape.inside is not None:
        return _build_map_reader(shape.inside, dialect)
    if shape.kind is Kind.WHOLE:
        return _build_whole_reader(shape.limits)
    return (_LOG_SCALARS if dialect is Dialect.LOG else _SCALARS)[shape.kind]


def _build_list_reader(inside: Shape, dialect: Dialect) -> Read:
    read = build_reader(inside, dialect)
    zero = compute_zero(inside)

    def read_list(raw: object, odd: list[str]) -> object:
        if not isinstance(raw, list):
            raise MismatchError("a list", raw)
        values = []
        try:
            for value in raw:
                values.append(zero if value is None else read(value, odd))  # noqa: PERF401 - the handler counts
        except MismatchError as error:
            error.steps.append(f"[{len(values)}]")
            raise
        return tuple(values)

    return read_list


def _build_map_reader(inside: Shape, dialect: Dialect) -> Read:
    exact = _EXACT.get(inside.kind)
    read = build_reader(inside, dialect)
    zero = compute_zero(inside)

    def read_map(raw: object, odd: list[str]) -> object:
        if not isinstance(raw, dict):
            raise MismatchError("an object", raw)
        values = {}
        key = ""
        try:
            for key, value in raw.items():
                if type(value) is exact:
                    values[key] = value
                else:
                    values[key] = zero if value is None else read(value, odd)
        except MismatchError as error:
            error.steps.append(f"{{{key}}}")
            raise
        return values

    return read_map


def _build_whole_reader(limits: Range) -> Read:
    low, high = limits
    expected = _WHOLE_NAMES.get(limits, f"an integer from {low} to {high}")

    def read_whole(raw: object, _: list[str]) -> object:
        if type(raw) is int and low <= raw <= high:
            return raw
        raise MismatchError(expected, raw)

    return read_whole


def compute_zero(shape: Shape) -> object:
    """Say what null stands for in a list or map.

    Spec: OBJ-002.
    """
    if shape.is_pointer or shape.kind is Kind.ANY:
        return None
    if shape.kind is Kind.RECORD and shape.record is not None:
        return shape.record()
    return _ZEROS[shape.kind]


def _read_text(raw: object, _: list[str]) -> object:
    if isinstance(raw, str):
        return raw
    raise MismatchError("a text", raw)


def _read_flag(raw: object, _: list[str]) -> object:
    if isinstance(raw, bool):
        return raw
    raise MismatchError("true or false", raw)


def _read_number(raw: object, _: list[str]) -> object:
    if isinstance(raw, float) or (type(raw) is int and -_LARGEST_NUMBER <= raw <= _LARGEST_NUMBER):
        return float(raw)
    raise MismatchError("a number", raw)


def _read_instant(raw: object, _: list[str]) -> object:
    time_ns = parse_instant(raw) if isinstance(raw, str) else None
    if time_ns is None:
        raise MismatchError("a time such as 2031-05-18T08:00:00Z", raw)
    return time_ns


def _read_bytes(raw: object, _: list[str]) -> bytes:
    if not isinstance(raw, str):
        raise MismatchError("base64 text", raw)
    try:
        return b64decode(raw, validate=True)
    except ValueError as problem:
        raise MismatchError("base64 text", raw) from problem


def _read_log_bytes(raw: object, _: list[str]) -> bytes:
    if isinstance(raw, str):
        return raw.encode()
    raise MismatchError("a text", raw)


def _read_byte_list(raw: object, odd: list[str]) -> object:
    if isinstance(raw, list) and all(type(value) is int and 0 <= value <= _BYTE for value in raw):
        return tuple(raw)
    if isinstance(raw, str):
        return tuple(_read_bytes(raw, odd))
    raise MismatchError("a list of integers from 0 to 255", raw)


def _read_log_byte_list(raw: object, odd: list[str]) -> object:
    return tuple(raw.encode()) if isinstance(raw, str) else _read_byte_list(raw, odd)


def _read_any(raw: object, _: list[str]) -> object:
    return raw


_EXACT: Final[Mapping[Kind, type]] = {Kind.TEXT: str, Kind.FLAG: bool, Kind.NUMBER: float}
"""Values of just this type are taken as they are."""

_WHOLE_NAMES: Final = {INT64: "a 64-bit integer", Range(0, 2**64 - 1): "a 64-bit integer of at least 0"}

_ZEROS: Final[Mapping[Kind, object]] = {
    Kind.TEXT: "",
    Kind.WHOLE: 0,
    Kind.NUMBER: 0.0,
    Kind.FLAG: False,
    Kind.BYTES: b"",
    Kind.INSTANT: 0,
    Kind.BYTE_LIST: (),
    Kind.LIST: (),
    Kind.MAP: {},
}

_SCALARS: Final[Mapping[Kind, Read]] = {
    Kind.TEXT: _read_text,
    Kind.FLAG: _read_flag,
    Kind.NUMBER: _read_number,
    Kind.INSTANT: _read_instant,
    Kind.BYTES: _read_bytes,
    Kind.BYTE_LIST: _read_byte_list,
    Kind.ANY: _read_any,
}

_LOG_SCALARS: Final[Mapping[Kind, Read]] = {
    **_SCALARS,
    Kind.BYTES: _read_log_bytes,
    Kind.BYTE_LIST: _read_log_byte_list,
}
