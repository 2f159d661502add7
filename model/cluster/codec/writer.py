"""Writers made from the shapes of entities: records in, JSON objects out, sparse or dense."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

import msgspec

from nomadspec.model.cluster.codec.computed import list_computed
from nomadspec.model.cluster.codec.instant import format_instant
from nomadspec.model.cluster.codec.shape import Kind, Shape, list_fields

Write: TypeAlias = Callable[[object], object]
"""Turns a field's value into a JSON value."""


@cache
def build_record_writer(record: type[msgspec.Struct], *, is_dense: bool) -> Write:
    """Build the writer of one kind of record."""
    return _build_dense_writer(record) if is_dense else _build_sparse_writer(record)


def _build_sparse_writer(record: type[msgspec.Struct]) -> Write:
    members = [
        (field.attribute, field.wire, build_writer(field.shape, is_dense=False), _is_dropped(field.shape))
        for field in list_fields(record)
    ]
    computed = list_computed(record)

    def write_record(entity: object) -> object:
        members_written = {}
        for attribute, wire, write, is_dropped in members:
            value = getattr(entity, attribute)
            if value is None or (is_dropped and not value):
                continue
            written = write(value)
            if written or not is_dropped:  # a structure may turn out to be empty
                members_written[wire] = written
        for wire, compute in computed.items():
            if compute(entity):  # type: ignore[arg-type] # the table is by type
                members_written[wire] = True
        return members_written

    return write_record


def _build_dense_writer(record: type[msgspec.Struct]) -> Write:
    members = [
        (field.attribute, field.wire, build_writer(field.shape, is_dense=True), _is_null(field.shape))
        for field in list_fields(record)
    ]
    computed = list_computed(record)

    def write_record(entity: object) -> object:
        members_written: dict[str, object] = {}
        for attribute, wire, write, is_null in members:
            value = getattr(entity, attribute)
            has_value = value is not None and not (is_null and not value)
            members_written[wire] = write(value) if has_value else None
        for wire, compute in computed.items():
            members_written[wire] = compute(entity)  # type: ignore[arg-type] # the table is by type
        return members_written

    return write_record


def _is_dropped(shape: Shape) -> bool:
    return not shape.is_pointer or shape.kind is Kind.LIST


def _is_null(shape: Shape) -> bool:
    return not shape.is_pointer and shape.kind in _NULL_WHEN_EMPTY


def build_writer(shape: Shape, *, is_dense: bool) -> Write:
    """Build the writer of one shape."""
    if shape.kind is Kind.RECORD and shape.record is not None:
        return build_record_writer(shape.record, is_dense=is_dense)
    if shape.kind is Kind.LIST and shape.inside is not None:
        return _build_list_writer(build_writer(shape.inside, is_dense=is_dense))
    if shape.kind is Kind.MAP and shape.inside is not None:
        return _build_map_writer(build_writer(shape.inside, is_dense=is_dense))
    return _SCALARS.get(shape.kind, _write_same)


def _build_list_writer(write: Write) -> Write:
    def write_list(values: object) -> object:
        return [write(value) for value in values]  # type: ignore[attr-defined] # a tuple, by its shape

    return write_list


def _build_map_writer(write: Write) -> Write:
    def write_map(values: object) -> object:
        items = values.items()  # type: ignore[attr-defined] # a map, by its shape
        return {key: None if value is None else write(value) for key, value in items}

    return write_map


def _write_instant(value: object) -> object:
    return format_instant(value)  # type: ignore[arg-type] # an integer, by its shape


def _write_bytes(value: object) -> object:
    return b64encode(value).decode()  # type: ignore[arg-type] # bytes, by its shape


def _write_bytes_list(value: object) -> object:
    return list(value)  # type: ignore[call-overload] # a tuple, by its shape


def _write_same(value: object) -> object:
    return value


_SCALARS: Final[Mapping[Kind, Write]] = {
    Kind.INSTANT: _write_instant,
    Kind.BYTES: _write_bytes,
    Kind.BYTE_LIST: _write_bytes_list,
}

_NULL_WHEN_EMPTY: Final = {Kind.LIST, Kind.MAP, Kind.BYTES, Kind.BYTE_LIST, Kind.INSTANT}
