import msgspec
import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.oracle.shape import read_entity, read_line_shape, read_shape
from nomadspec.model.cluster.entities import Constraint
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0


class Inner(msgspec.Struct, frozen=True):
    count: int


class Outer(msgspec.Struct, frozen=True):
    name: str
    inner: list[Inner]


def test_a_recording_is_read_into_its_shape() -> None:
    shape = read_shape(Outer, {"name": "x", "inner": [{"count": 3}], "answer": True})

    assert Outer("x", [Inner(3)]) == shape


@pytest.mark.parametrize(
    ("document", "at"),
    [
        ({"id": "v1", "name": 3, "inner": []}, "name"),
        ({"id": "v1", "name": "x"}, ""),
        ({"id": "v1", "name": "x", "inner": "\ud800"}, ""),
        ({"id": "v1", "name": "x", "inner": [{"count": 1}, {"count": "2"}]}, "inner[1].count"),
    ],
)
def test_what_has_another_shape_is_told_with_its_place(document: dict[str, object], at: str) -> None:
    with pytest.raises(InputError) as error:
        read_shape(Outer, document)

    assert ("v1", at) == (error.value.file, error.value.at)


def test_what_the_model_does_not_know_of_an_object_is_remarked_on() -> None:
    context = Context(NOMAD_2_0)
    constraint = read_entity(Constraint, {"LTarget": "a", "Weight": 3}, context)

    assert Constraint(ltarget="a") == constraint
    assert ["Weight of a Constraint is unknown to the model"] == context.notes


def test_what_is_in_a_line_is_told_with_the_line() -> None:
    with pytest.raises(InputError) as error:
        read_line_shape(Outer, Line("events.ndjson", 7, {"name": 3, "inner": []}))

    assert ("events.ndjson", "line 7, name") == (error.value.file, error.value.at)
