"""What an argument can be is told by its type, where its world says what its ids are called."""

from __future__ import annotations

from enum import IntEnum
from types import GenericAlias
from typing import TYPE_CHECKING, Any

import pytest

from nomadspec.model.errors import ModelError
from nomadspec.model.language.property import always, eventually, sometimes, step
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.typed import FLAG, Id, Ids, field, ids, index, size
from nomadspec.model.language.world import World

if TYPE_CHECKING:
    from pathlib import Path as ElsewhereId


class JobId(Id):
    """A job."""


class NodeId(Id):
    """A node."""


class PlaceId(Id):
    """A place in a plan."""


class Mood(IntEnum):
    CALM = 0
    CROSS = 1


class Sets(World):
    jobs: Ids[JobId] = ids("job", 2, "jobs")
    most = size(3, "places")


class Shop(Sets):
    nodes: Ids[NodeId] = ids("node", 2, "nodes")
    spares: Ids[NodeId] = ids("spare", 1, "nodes that are spare")
    places: Ids[PlaceId] = index("place", Sets.most, "places")
    busy = field(Sets.jobs, FLAG, init=False, about="it is busy")


@rule("X-1", loud=FLAG)
def serve(s: Shop, t: Shop, place: PlaceId, loud: bool, job: JobId, mood: Mood, other: JobId) -> None:
    """It is served."""


def domains(made: Rule) -> dict[str, Any]:
    return dict(made.arguments)


def test_ids_are_of_the_set_that_calls_them_so_in_the_order_of_the_text() -> None:
    found = domains(serve)

    assert ["place", "loud", "job", "mood", "other"] == list(found)
    assert found["place"] is Shop.places
    assert found["job"] is Sets.jobs
    assert found["other"] is Sets.jobs
    assert found["mood"] is Mood
    assert found["loud"] is FLAG


def test_what_the_decorator_says_goes_before_the_type() -> None:
    @rule("X-1", node=Shop.spares)
    def serve(s: Shop, t: Shop, node: NodeId) -> None:
        """It is served."""

    assert domains(serve)["node"] is Shop.spares


def test_properties_of_all_kinds_go_by_the_types() -> None:
    @always("X-1", why="w")
    def each(s: Shop, job: JobId, place: PlaceId) -> bool:
        return True

    @step("X-1", why="w")
    def later(s: Shop, n: Shop, job: JobId) -> bool:
        return True

    @step("X-1", why="w")
    def by_rule(s: Shop, n: Shop, by: Any, job: JobId) -> bool:
        return True

    @sometimes("X-1", why="w")
    def once(s: Shop, job: JobId) -> bool:
        return True

    @eventually("X-1", why="w")
    def at_last(s: Shop, job: JobId, mood: Mood) -> bool:
        return True

    assert (("job", Sets.jobs), ("place", Shop.places)) == each.ranges
    assert [(("job", Sets.jobs),)] * 3 == [later.ranges, by_rule.ranges, once.ranges]
    assert (("job", Sets.jobs), ("mood", Mood)) == at_last.ranges


@pytest.mark.parametrize("kind", [JobId, PlaceId])
def test_types_may_be_read_at_once(kind: type) -> None:
    some: Ids[Any] = ids("some", 4, "some")
    here = type("Here", (World,), {"some": some, "__annotations__": {"some": GenericAlias(Ids, kind)}})

    def serve(s: Any, t: Any, job: Any) -> None:
        """It is served."""

    serve.__annotations__ = {"s": here, "job": kind}

    assert domains(rule("X-1")(serve)) == {"job": some}


def test_a_set_may_be_asked_for_the_class_of_its_ids() -> None:
    assert GenericAlias(Ids, JobId) == Ids[JobId]


def ambiguous() -> object:
    @rule("X-1")
    def serve(s: Shop, t: Shop, node: NodeId) -> None:
        """It is served."""

    return serve


def of_no_set() -> object:
    @rule("X-1")
    def serve(s: Sets, t: Sets, node: NodeId) -> None:
        """It is served."""

    return serve


def of_a_number() -> object:
    @rule("X-1")
    def serve(s: Shop, t: Shop, tries: int) -> None:
        """It is served."""

    return serve


def of_a_type_that_is_not_there_when_it_runs() -> object:
    @rule("X-1")
    def serve(s: Shop, t: Shop, node: ElsewhereId) -> None:
        """It is served."""

    return serve


def of_an_enum_of_worlds() -> object:
    @always("X-1", why="w")
    def each(s: Shop, mood: Mood) -> bool:
        return True

    return each


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            ambiguous,
            r"serve takes node: NodeId, which are the ids of nodes and spares: say in its decorator ",
        ),
        (
            of_no_set,
            r"Rule Serve takes \(s, t, node\), but its decorator asks for \(s, t\); what can node be",
        ),
        (of_a_number, r"what can tries be\? tries=..., or its type, says it"),
        (of_a_type_that_is_not_there_when_it_runs, r"what can node be\? node=..., or its type, says it"),
        (of_an_enum_of_worlds, "Property each says mood=.*, but a property of worlds or steps speaks of the"),
    ],
)
def test_a_type_that_does_not_say_it_is_taught(make: Any, problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        make()
