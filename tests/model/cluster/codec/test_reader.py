"""Tests of `model/cluster/codec/reader.py`."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.codec.reader import Dialect, build_reader, compute_zero
from nomadspec.model.cluster.codec.shape import compute_shape
from nomadspec.model.cluster.entities.scalar import ByteList, Instant, Uint64
from nomadspec.model.errors import InputError


class Inner(Struct, frozen=True, kw_only=True):
    """A record inside a record."""

    name: str = ""


class Outer(Struct, frozen=True, kw_only=True):
    """A record with a field of every kind."""

    text: str = ""
    whole: int = 0
    index: Uint64 = 0
    number: float = 0.0
    flag: bool = False
    data: bytes = b""
    at_ns: Instant = 0
    nodes: ByteList = ()
    items: tuple[Inner, ...] = ()
    table: Mapping[str, Inner] = {}
    inner: Inner = Inner()
    choice: bool | None = None
    raw: object = None


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"Text": 1}, "Outer, at Text: expected a text, found 1."),
        ({"Whole": "1"}, "at Whole: expected a 64-bit integer, found '1'."),
        ({"Whole": 1.0}, "at Whole: expected a 64-bit integer, found 1.0."),
        ({"Whole": True}, "at Whole: expected a 64-bit integer, found a truth value (true)."),
        ({"Whole": 2**63}, f"at Whole: expected a 64-bit integer, found {2**63}."),
        ({"Index": -1}, "at Index: expected a 64-bit integer of at least 0, found -1."),
        ({"Number": "1"}, "at Number: expected a number, found '1'."),
        ({"Number": False}, "at Number: expected a number, found a truth value (false)."),
        ({"Number": 10**400}, "at Number: expected a number, found 1000"),
        ({"Flag": 0}, "at Flag: expected true or false, found 0."),
        ({"Choice": "yes"}, "at Choice: expected true or false, found 'yes'."),
        ({"Data": "%"}, "at Data: expected base64 text, found '%'."),
        ({"Data": "YQ"}, "at Data: expected base64 text, found 'YQ'."),
        ({"Data": [1]}, "at Data: expected base64 text, found a list."),
        ({"At": "today"}, "at At: expected a time such as 2031-05-18T08:00:00Z, found 'today'."),
        ({"At": 5}, "at At: expected a time such as 2031-05-18T08:00:00Z, found 5."),
        ({"Nodes": [256]}, "at Nodes: expected a list of integers from 0 to 255, found a list."),
        ({"Nodes": "a"}, "at Nodes: expected base64 text, found 'a'."),
        ({"Items": {}}, "at Items: expected a list, found an object."),
        ({"Items": [{}, {"Name": []}]}, "at Items[1].Name: expected a text, found a list."),
        ({"Table": []}, "at Table: expected an object, found a list."),
        ({"Table": {"a": {"Name": {}}}}, "at Table{a}.Name: expected a text, found an object."),
        ({"Table": {"a": 3}}, "at Table{a}: expected an object, found 3."),
        ({"Inner": "x"}, "at Inner: expected an object, found 'x'."),
        ([], "Outer: expected an object, found a list."),
        (None, "Outer: expected an object, found null."),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(raw: Any, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read(Outer, raw)

    assert problem in str(caught.value)


def test_the_source_of_a_document_is_named() -> None:
    with pytest.raises(InputError, match=r"^job\.json, at Flag: expected true or false"):
        read(Outer, {"Flag": "x"}, source="job.json")


def test_null_is_zero_everywhere() -> None:
    """OBJ-002, WIRE-005."""
    members = [
        "Text",
        "Whole",
        "Index",
        "Number",
        "Flag",
        "Data",
        "At",
        "Nodes",
        "Items",
        "Table",
        "Inner",
        "Choice",
        "Raw",
    ]

    assert Outer() == read(Outer, dict.fromkeys(members))
    assert Outer(items=(Inner(),)) == read(Outer, {"Items": [None]})
    assert Outer(table={"a": Inner()}) == read(Outer, {"Table": {"a": None}})


def test_integers_are_exact() -> None:
    """WIRE-002."""
    raw = {"Whole": -(2**63), "Index": 2**64 - 1}

    assert Outer(whole=-(2**63), index=2**64 - 1) == read(Outer, raw)


def test_a_whole_number_may_stand_where_fractions_may() -> None:
    value = read(Outer, {"Number": 3}).number

    assert 3.0 == value
    assert isinstance(value, float)


@pytest.mark.parametrize(
    ("dialect", "raw"),
    [
        (Dialect.API, {"Data": "AAE=", "Nodes": [0, 1]}),
        (Dialect.API, {"Data": "AAE=", "Nodes": "AAE="}),
        (Dialect.LOG, {"Data": "\x00\x01", "Nodes": "\x00\x01"}),
    ],
)
def test_a_decoded_log_shows_bytes_as_they_came(dialect: Dialect, raw: Any) -> None:
    """WIRE-001, WIRE-022, WIRE-102."""
    assert Outer(data=b"\x00\x01", nodes=(0, 1)) == read(Outer, raw, dialect=dialect)


@pytest.mark.parametrize("member", ["Data", "Nodes"])
def test_bytes_of_a_log_are_text(member: str) -> None:
    with pytest.raises(InputError, match=f"at {member}: expected a "):
        read(Outer, {member: 5}, dialect=Dialect.LOG)


@pytest.mark.parametrize(
    ("annotation", "zero"),
    [(str, ""), (int, 0), (bool | None, None), (Inner, Inner()), (Inner | None, None), (object, None)],
)
def test_zero_is_what_null_stands_for(annotation: Any, zero: object) -> None:
    """OBJ-002."""
    assert zero == compute_zero(compute_shape(annotation))


def test_what_is_opaque_is_kept_as_it_is() -> None:
    raw = {"a": [1, None, {"b": 2.5}]}

    assert raw is build_reader(compute_shape(object), Dialect.API)(raw, [])
