"""What the fields of an entity look like in JSON, taken from their annotations."""

from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from nomadspec.model.cluster.codec.spelling import spell
from nomadspec.model.cluster.entities.scalar import INT64, Form, Range


class Kind(Enum):
    """The kinds of JSON values that fields hold."""

    TEXT = auto()
    WHOLE = auto()
    NUMBER = auto()
    FLAG = auto()
    BYTES = auto()
    INSTANT = auto()
    BYTE_LIST = auto()
    LIST = auto()
    MAP = auto()
    RECORD = auto()
    ANY = auto()


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """What a value looks like: its kind, what is inside, and whether none differs from zero."""

    kind: Kind
    inside: "Shape | None" = None
    record: type[msgspec.Struct] | None = None
    limits: Range = INT64
    is_pointer: bool = False


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One member of a record."""

    attribute: str
    wire: str
    shape: Shape


_SCALARS: Final[Mapping[type, Kind]] = {
    str: Kind.TEXT,
    int: Kind.WHOLE,
    float: Kind.NUMBER,
    bool: Kind.FLAG,
    bytes: Kind.BYTES,
    object: Kind.ANY,
}
_FORMS: Final = {Form.INSTANT: Kind.INSTANT, Form.BYTE_LIST: Kind.BYTE_LIST}


@cache
def list_fields(record: type[msgspec.Struct]) -> tuple[Field, ...]:
    """List the members of a record, in the order of its definition."""
    hints = get_type_hints(record, include_extras=True)
    return tuple(
        Field(attribute=name, wire=spell(name), shape=compute_shape(hints[name]))
        for name in record.__struct_fields__
    )


def compute_shape(annotation: object) -> Shape:
    """Read an annotation.

    Spec: OBJ-002.
    """
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return Shape(kind=Kind.RECORD, record=annotation)
    if isinstance(annotation, type) and annotation in _SCALARS:
        return Shape(kind=_SCALARS[annotation])
    return _compute_generic(annotation)


def _compute_generic(annotation: object) -> Shape:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in {Union, UnionType}:
        (inner,) = (argument for argument in arguments if argument is not NoneType)
        return msgspec.structs.replace(compute_shape(inner), is_pointer=True)
    if origin is Annotated:
        return _compute_marked(arguments[1])
    if origin is tuple and arguments[1:] == (...,):
        return Shape(kind=Kind.LIST, inside=compute_shape(arguments[0]))
    if origin is Mapping and arguments[0] is str:
        return Shape(kind=Kind.MAP, inside=compute_shape(arguments[1]))
    raise TypeError(f"fields of type {annotation} have no JSON form")


def _compute_marked(mark: Form | Range) -> Shape:
    if isinstance(mark, Form):
        return Shape(kind=_FORMS[mark])
    return Shape(kind=Kind.WHOLE, limits=mark)
