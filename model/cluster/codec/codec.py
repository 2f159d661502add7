"""Reading and writing entities as Nomad's JSON."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TypeVar, cast

import msgspec

from nomadspec.model.cluster.codec.computed import list_computed
from nomadspec.model.cluster.codec.mismatch import MismatchError, join_steps
from nomadspec.model.cluster.codec.reader import Dialect, build_record_reader
from nomadspec.model.cluster.codec.shape import Kind, Shape, list_fields
from nomadspec.model.cluster.codec.writer import build_record_writer

R = TypeVar("R", bound=msgspec.Struct)


def read(
    record: type[R],
    raw: object,
    unknown: list[str] | None = None,
    *,
    source: str = "",
    dialect: Dialect = Dialect.API,
) -> R:
    """Read decoded JSON as a record; the paths of unknown members go to `unknown`.

    Spec: WIRE-001, WIRE-002, WIRE-005, WIRE-102, 11/S2.
    """
    odd: list[str] = []
    try:
        entity = build_record_reader(record, dialect)(raw, odd)
    except MismatchError as error:
        raise error.explain(source or record.__name__) from None
    if odd and unknown is not None:
        unknown.extend(path for path, _ in find_unknown(record, raw))
    return cast("R", entity)


def write(entity: msgspec.Struct) -> dict[str, object]:
    """Write a record without what is zero; pointers that are set and entries of maps stay.

    Spec: WIRE-003.
    """
    return cast("dict[str, object]", build_record_writer(type(entity), is_dense=False)(entity))


def write_dense(entity: msgspec.Struct) -> dict[str, object]:
    """Write a record with all its members.

    Spec: WIRE-003, WIRE-004.
    """
    return cast("dict[str, object]", build_record_writer(type(entity), is_dense=True)(entity))


def write_json(entity: msgspec.Struct) -> bytes:
    """Write a record as sparse JSON text, its members sorted."""
    return msgspec.json.encode(write(entity), order="sorted")


def find_unknown(record: type[msgspec.Struct], raw: object) -> Iterator[tuple[str, object]]:
    """Find the members that no field takes, with their paths and values."""
    for steps, value in _find_in_record(record, raw):
        yield join_steps(steps), value


def _find_in_record(record: type[msgspec.Struct], raw: object) -> Iterator[tuple[list[str], object]]:
    known = _list_known(record)
    for member, value in raw.items() if isinstance(raw, Mapping) else ():
        if member not in known:
            yield [member], value
        elif value and (shape := known[member]) is not None:
            for steps, odd in _find_inside(shape, value):
                yield [member, *steps], odd


def _find_inside(shape: Shape, raw: object) -> Iterator[tuple[list[str], object]]:
    if shape.kind is Kind.RECORD and shape.record is not None:
        yield from _find_in_record(shape.record, raw)
    elif shape.inside is not None and raw:
        pairs = raw.items() if isinstance(raw, Mapping) else enumerate(cast("list[object]", raw))
        left, right = "{}" if isinstance(raw, Mapping) else "[]"
        for key, value in pairs:
            for steps, odd in _find_inside(shape.inside, value):
                yield [f"{left}{key}{right}", *steps], odd


@cache
def _list_known(record: type[msgspec.Struct]) -> Mapping[str, Shape | None]:
    """List the members that a record knows; those that can hold no record have no shape here."""
    shapes = {field.wire: field.shape for field in list_fields(record)}
    known = {member: shape if _has_record(shape) else None for member, shape in shapes.items()}
    return known | dict.fromkeys(list_computed(record))


def _has_record(shape: Shape) -> bool:
    return shape.kind is Kind.RECORD or (shape.inside is not None and _has_record(shape.inside))
