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


Weather = IntEnum("Weather", ["DRY", "WET"], start=0)


Day = IntEnum("Day", ["SATURDAY"], start=0)


class Sets(World):
    jobs: Ids[JobId] = ids("job", 2, "jobs")
    most = size(3, "places")


class Shop(Sets):
    nodes: Ids[NodeId] = ids("node", 2, "nodes")
    spares: Ids[NodeId] = ids("spare", 1, "nodes that are spare")
    places: Ids[PlaceId] = index("place", Sets.most, "places")
    busy = field(Sets.jobs, FLAG, init=False, about="it is busy")


class Calendar(World):
    days: Ids[Day] = index("day", 1, "days")  # type: ignore[type-var] # an enum may be the class of an index


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


def of_another_set() -> object:
    @rule("X-1", job=Shop.nodes)
    def serve(s: Shop, t: Shop, job: JobId) -> None:
        """It is served."""

    return serve


def of_another_enum() -> object:
    @rule("X-1", mood=Weather)
    def serve(s: Shop, t: Shop, mood: Mood) -> None:
        """It is served."""

    return serve


def of_an_enum_that_is_a_set_too() -> object:
    @rule("X-1")
    def serve(s: Calendar, t: Calendar, day: Day) -> None:
        """It is served."""

    return serve


def of_many() -> object:
    @rule("X-1")
    def serve(s: Shop, t: Shop, *jobs: JobId) -> None:
        """It is served."""

    return serve


def of_any_name() -> object:
    @rule("X-1")
    def serve(s: Shop, t: Shop, **jobs: JobId) -> None:
        """It is served."""

    return serve


def of_a_name_without_a_place() -> object:
    @always("X-1", why="w")
    def each(s: Shop, *, job: JobId) -> bool:
        return True

    return each


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
            "serve takes node: NodeId, which are the ids of nodes and spares: .* node=Shop.nodes or node=",
        ),
        (
            of_no_set,
            r"Rule Serve takes \(s, t, node\), but its decorator asks for \(s, t\); what can node be",
        ),
        (of_a_number, r"what can tries be\? int does not say it: say tries="),
        (of_a_type_that_is_not_there_when_it_runs, r"what can node be\? its type 'ElsewhereId' cannot be"),
        (
            of_another_set,
            "serve takes job: JobId, but its decorator gives nodes, whose ids are of NodeId: make",
        ),
        (of_another_enum, "serve takes mood: Mood, but its decorator gives Weather: make them agree"),
        (
            of_an_enum_that_is_a_set_too,
            "serve takes day: Day, which are an enum and the ids of days: .*, day=Calendar.days or day=Day.",
        ),
        (of_many, r"serve takes \*jobs, but each argument has a name and a place of its own: write no"),
        (of_any_name, r"serve takes \*\*jobs, but each argument has a name and a place of its own"),
        (of_a_name_without_a_place, r"each takes job after a \*, but each argument has a name and a place"),
        (of_an_enum_of_worlds, "Property each takes mood: Mood, an enum; a property of worlds or steps goes"),
    ],
)
def test_a_type_that_does_not_say_it_is_taught(make: Any, problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        make()


def test_the_decorator_says_which_is_meant_of_an_enum_that_is_a_set_too() -> None:
    @rule("X-1", day=Calendar.days, other=Day)
    def serve(s: Calendar, t: Calendar, day: Day, other: Day) -> None:
        """It is served."""

    assert {"day": Calendar.days, "other": Day} == domains(serve)
