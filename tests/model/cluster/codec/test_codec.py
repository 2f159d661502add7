"""Tests of `model/cluster/codec/codec.py`."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomadspec.model.cluster.codec import find_unknown, read, write, write_dense, write_json
from nomadspec.model.cluster.codec.shape import Kind, Shape, list_fields
from nomadspec.model.cluster.entities import Allocation, Evaluation, Job, Node, Plan, RescheduleTracker, Task
from nomadspec.model.errors import InputError
from tests.once import CHARACTERS

TEXTS = st.text(CHARACTERS, max_size=3)
SCALARS: dict[Kind, st.SearchStrategy[object]] = {
    Kind.TEXT: TEXTS,
    Kind.NUMBER: st.floats(allow_nan=False, allow_infinity=False),
    Kind.FLAG: st.booleans(),
    Kind.BYTES: st.binary(max_size=3),
    Kind.INSTANT: st.integers(0, 2**63),
    Kind.BYTE_LIST: st.lists(st.integers(0, 255), max_size=3).map(tuple),
    Kind.ANY: st.recursive(st.none() | st.integers() | TEXTS, lambda inside: st.lists(inside, max_size=2)),
}


def entities(record: type[msgspec.Struct]) -> st.SearchStrategy[msgspec.Struct]:
    """Make records with a few fields set to anything that they can hold."""
    fields = {field.attribute: field.shape for field in list_fields(record)}
    names = st.sets(st.sampled_from(sorted(fields)), max_size=4)
    made = names.flatmap(
        lambda chosen: st.fixed_dictionaries({name: values(fields[name]) for name in chosen})
    )
    return made.map(lambda chosen: record(**chosen))


def values(shape: Shape) -> st.SearchStrategy[object]:
    """Make values of a shape."""
    value: st.SearchStrategy[object]
    if shape.kind is Kind.RECORD and shape.record is not None:
        value = entities(shape.record)
    elif shape.kind is Kind.LIST and shape.inside is not None:
        value = st.lists(values(shape.inside), min_size=int(shape.is_pointer), max_size=2).map(tuple)
    elif shape.kind is Kind.MAP and shape.inside is not None:
        value = st.dictionaries(TEXTS, values(shape.inside), max_size=2)
    elif shape.kind is Kind.WHOLE:
        value = st.integers(*shape.limits)
    else:
        value = SCALARS[shape.kind]
    return st.none() | value if shape.is_pointer else value


PARTS = [pytest.param(record, marks=pytest.mark.deep) for record in (Task, Allocation)]
"""What jobs and plans have in them anyway."""


@pytest.mark.parametrize("record", [Job, Node, Evaluation, Plan, *PARTS])
@settings(max_examples=30)
@given(data=st.data())
def test_whatever_is_written_is_read_again(record: type[msgspec.Struct], data: st.DataObject) -> None:
    """WIRE-001, WIRE-003, WIRE-005."""
    assert_comes_back(record, data.draw(entities(record)))


@pytest.mark.deep
@pytest.mark.parametrize("record", [Job, Node, Evaluation, Plan, Task, Allocation])
@settings(max_examples=500)
@given(data=st.data())
def test_much_that_is_written_is_read_again(record: type[msgspec.Struct], data: st.DataObject) -> None:
    """WIRE-001, WIRE-003, WIRE-005."""
    assert_comes_back(record, data.draw(entities(record)))


def assert_comes_back(record: type[msgspec.Struct], entity: msgspec.Struct) -> None:
    unknown: list[str] = []

    assert entity == read(record, write(entity), unknown)
    assert entity == read(record, write_dense(entity), unknown)
    assert not unknown


def test_only_the_dense_form_tells_an_empty_list_from_none() -> None:
    """01/S11."""
    empty = Allocation(reschedule_tracker=RescheduleTracker(events=()))
    null = Allocation(reschedule_tracker=RescheduleTracker())

    assert {"RescheduleTracker": {}} == write(empty) == write(null)
    assert empty == read(Allocation, write_dense(empty))
    assert null == read(Allocation, write_dense(null))


def test_unknown_members_are_reported_with_their_paths() -> None:
    raw = {
        "Nmae": 1,
        "TaskGroups": [{}, {"Meta": {"free": "x"}, "Sise": {"a": 2}, "Tasks": [{"": 3}]}],
        "ID": "x",
    }
    unknown: list[str] = []

    assert "x" == read(Job, raw, unknown).id
    assert ["Nmae", "TaskGroups[1].Sise", "TaskGroups[1].Tasks[0]."] == unknown
    assert [1, {"a": 2}, 3] == [value for _, value in find_unknown(Job, raw)]


def test_unknown_members_of_map_entries_are_found() -> None:
    raw = {"NodeAllocation": {"n": [{"JobRef": 1}]}}
    unknown: list[str] = []
    read(Plan, raw, unknown)

    assert ["NodeAllocation{n}[0].JobRef"] == unknown


def test_what_is_opaque_may_hold_anything() -> None:
    unknown: list[str] = []
    raw = {"Config": {"image": {"tag": [1, None]}}, "Schedule": {"Cron": {}}}

    assert raw == write(read(Task, raw, unknown))
    assert not unknown


def test_text_is_written_with_its_members_sorted() -> None:
    job = read(Job, {"Version": 2**64 - 1, "ID": "<a>"})

    assert Job(version=2**64 - 1, id="<a>") == job
    assert b'{"ID":"<a>","Version":18446744073709551615}' == write_json(job)


@pytest.mark.parametrize("raw", [{"ID": 1}, [], "nonsense", None])
def test_what_is_no_such_record_is_refused_in_a_sentence(raw: object) -> None:
    with pytest.raises(InputError, match=r"^job\.json(, at ID)?: expected"):
        read(Job, raw, source="job.json")
