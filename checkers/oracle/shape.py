"""Reads a recording into the shape that its family has, and the objects in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.reading import Line
from nomadspec.model.cluster.codec import read
from nomadspec.model.errors import InputError

Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A number that fits 64 bits, as all of the server's do."""

Shape = TypeVar("Shape", bound=msgspec.Struct)


def read_shape(shape: type[Shape], document: Mapping[str, Any]) -> Shape:
    """Read a recording, or a part of it, whose keys and types are those of the shape."""
    try:
        return msgspec.convert(document, shape)
    except msgspec.ValidationError as error:
        problem, _, at = str(error).partition(" - at `$")
        where = at.removesuffix("`").removeprefix(".")
        raise InputError(_name(document), problem, at=where) from None
    except UnicodeEncodeError as error:
        raise InputError(_name(document), f"half a character cannot be read: {error.object!r}") from None


def read_line_shape(shape: type[Shape], line: Line) -> Shape:
    """Read a line of a file into a shape; what cannot be read is said with its line."""
    try:
        return read_shape(shape, line.document)
    except InputError as error:
        raise InputError(line.file, error.problem, at=f"line {line.number}, {error.at}") from None


def read_entity(record: type[Shape], raw: object, context: Context, source: str = "") -> Shape:
    """Read an object of the server; members that the model does not know are remarked on."""
    unknown: list[str] = []
    entity = read(record, raw, unknown, source=source)
    for path in unknown:
        context.note(f"{path} of a {record.__name__} is unknown to the model")
    return entity


def _name(document: Mapping[str, Any]) -> str:
    return str(document.get("id", "the recording"))
