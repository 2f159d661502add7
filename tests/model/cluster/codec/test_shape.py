"""Tests of `model/cluster/codec/shape.py`."""

from collections.abc import Mapping
from typing import Annotated, Any

import pytest
from msgspec import Struct

from nomadspec.model.cluster.codec.shape import Kind, Shape, compute_shape, list_fields
from nomadspec.model.cluster.entities import Constraint
from nomadspec.model.cluster.entities.scalar import ByteList, Instant, Range, Uint8


@pytest.mark.parametrize(
    ("annotation", "shape"),
    [
        (str, Shape(kind=Kind.TEXT)),
        (int, Shape(kind=Kind.WHOLE)),
        (Uint8, Shape(kind=Kind.WHOLE, limits=Range(0, 255))),
        (float, Shape(kind=Kind.NUMBER)),
        (bool, Shape(kind=Kind.FLAG)),
        (bytes, Shape(kind=Kind.BYTES)),
        (object, Shape(kind=Kind.ANY)),
        (Instant, Shape(kind=Kind.INSTANT)),
        (ByteList, Shape(kind=Kind.BYTE_LIST)),
        (bool | None, Shape(kind=Kind.FLAG, is_pointer=True)),
        (Constraint, Shape(kind=Kind.RECORD, record=Constraint)),
        (Constraint | None, Shape(kind=Kind.RECORD, record=Constraint, is_pointer=True)),
        (tuple[str, ...], Shape(kind=Kind.LIST, inside=Shape(kind=Kind.TEXT))),
        (Mapping[str, int], Shape(kind=Kind.MAP, inside=Shape(kind=Kind.WHOLE))),
    ],
)
def test_a_shape_is_read_from_an_annotation(annotation: Any, shape: Shape) -> None:
    """OBJ-002."""
    assert shape == compute_shape(annotation)


@pytest.mark.parametrize("annotation", [list[str], tuple[str, int], Mapping[int, str], complex])
def test_what_json_cannot_hold_is_refused(annotation: Any) -> None:
    with pytest.raises(TypeError, match="have no JSON form"):
        compute_shape(annotation)


def test_fields_are_listed_in_their_order() -> None:
    class Pair(Struct, frozen=True, kw_only=True):
        node_id: str = ""
        index: Annotated[int, Range(0, 9)] = 0

    assert [("node_id", "NodeID"), ("index", "Index")] == [(f.attribute, f.wire) for f in list_fields(Pair)]
