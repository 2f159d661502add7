"""Distinct properties."""

import pytest

from nomadspec.model.cluster.entities import Allocation, Constraint, Job, Node
from nomadspec.model.cluster.scheduler.feasibility.distinct_property import DistinctProperties, parse_count
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.made import (
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

RACK = "${meta.rack}"


def make_constraint(count: str = "", target: str = RACK) -> Constraint:
    """Make a constraint on racks."""
    return Constraint(ltarget=target, operand="distinct_property", rtarget=count)


def make_rack(node_id: str = "n1", rack: str | None = "r1") -> Node:
    """Make a node in a rack."""
    return make_node(node_id, meta={"rack": rack} if rack else {})


def find_reason(
    job: Job,
    *,
    existing: tuple[Allocation, ...] = (),
    proposed: tuple[Allocation, ...] = (),
    stops: tuple[Allocation, ...] = (),
    node: Node | None = None,
    profile: Profile = NOMAD_2_0,
) -> str:
    """Give the reason why the job's first group may not use a node; empty when it may."""
    registered = make_job()
    owned = [alloc if alloc.job else make_owned(alloc) for alloc in existing]
    context = make_context(make_snapshot(make_rack(), make_rack("n2", "r2"), registered, *owned), job)
    context.profile = profile
    for alloc in proposed:
        context.plan.append_alloc(alloc)
    for alloc in stops:
        context.plan.append_stop(alloc, "")
    properties = DistinctProperties(context)
    properties.add_job(job)
    properties.begin(job, job.task_groups[0])
    refused = properties.check(node or make_rack("n3"))
    return refused.text if refused else ""


def make_owned(alloc: Allocation) -> Allocation:
    """Give an allocation the job that is registered."""
    return make_alloc(alloc.id, **{name: getattr(alloc, name) for name in CHANGED}, job=make_job())


CHANGED = ("client_status", "desired_status", "node_id", "task_group", "name")


def make_allocs(prefix: str, count: int, **fields: str) -> tuple[Allocation, ...]:
    """Make so many allocations in the first rack."""
    return tuple(make_alloc(f"{prefix}{at}", **fields) for at in range(count))


@pytest.mark.parametrize(
    ("existing", "proposed", "stops", "used"),
    [
        (1, 0, 0, None),
        (1, 1, 0, 2),
        (2, 0, 1, None),
        (1, 1, 1, None),
        (2, 1, 2, 2),
        (3, 0, 1, 2),
        (3, 0, 2, None),
    ],
)
def test_stops_make_room(existing: int, proposed: int, stops: int, used: int | None) -> None:
    """FEAS-47, FEAS-48, FEAS-49."""
    there = make_allocs("a", existing)
    reason = find_reason(
        make_job(constraints=(make_constraint("2"),)),
        existing=there,
        proposed=make_allocs("b", proposed),
        stops=there[:stops],
    )

    assert (f"distinct_property: {RACK}=r1 used by {used} allocs" if used else "") == reason


def test_stops_of_what_had_ended_count_as_well() -> None:
    """FEAS-47, 06/S-06."""
    failed = make_allocs("a", 1, client_status="failed")
    job = make_job(constraints=(make_constraint(),))

    assert find_reason(job, proposed=make_allocs("b", 1))
    assert not find_reason(job, existing=failed, proposed=make_allocs("b", 1), stops=failed)


def test_an_update_in_place_counts_twice() -> None:
    """06/S-04."""
    there = make_allocs("a", 1)
    job = make_job(constraints=(make_constraint("2"),))

    assert not find_reason(job, existing=there)
    assert "used by 2" in find_reason(job, existing=there, proposed=there)


def test_an_allocation_was_meant_to_count_once() -> None:
    """06/S-04, 06/S-06."""
    job = make_job(constraints=(make_constraint("2"),))
    there, failed = make_allocs("a", 2), make_allocs("b", 1, client_status="failed")

    assert not find_reason(job, existing=there[:1], proposed=there[:1], profile=INTENDED)
    assert "used by 2" in find_reason(job, existing=(*there, *failed), stops=failed, profile=INTENDED)
    assert not find_reason(job, existing=there, proposed=make_allocs("c", 1), stops=there, profile=INTENDED)


def test_ended_and_earlier_and_strange_allocations_do_not_count() -> None:
    """FEAS-47."""
    job = make_job(constraints=(make_constraint(),))
    ended = make_allocs("a", 1, client_status="complete")
    earlier = make_alloc("b", job=make_job(create_index=4))
    elsewhere = (make_alloc("c", node_id="gone"), make_alloc("d", node_id="n2"))

    assert not find_reason(job, existing=(*ended, earlier, *elsewhere))
    assert find_reason(job, existing=elsewhere, node=make_rack("n3", "r2"))


def test_a_set_of_a_group_counts_its_own() -> None:
    """FEAS-46, FEAS-50."""
    web = make_group(constraints=(make_constraint(),))
    others = make_allocs("a", 1, task_group="db")

    assert not find_reason(make_job(web, make_group("db")), existing=others)
    assert find_reason(make_job(web), existing=make_allocs("a", 1))
    assert find_reason(make_job(make_group(), constraints=(make_constraint(),)), existing=others)


def test_a_node_without_the_property_is_never_feasible() -> None:
    """FEAS-49."""
    job = make_job(constraints=(make_constraint(),))

    assert 'missing property "${meta.rack}"' == find_reason(job, node=make_rack("n3", None))
    assert 'missing property ""' == find_reason(make_job(constraints=(make_constraint(target=""),)))


def test_a_count_must_be_a_number() -> None:
    """FEAS-49."""
    job = make_job(constraints=(make_constraint("x"),))

    reason = find_reason(job, node=make_rack("n3", None))

    assert reason == 'failed to convert RTarget "x" to uint64: strconv.ParseUint: parsing "x": invalid syntax'
    assert "used by 0" in find_reason(make_job(constraints=(make_constraint("0"),)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("7", 7), ("007", 7), (str(2**64 - 1), 2**64 - 1), (str(2**64), "out of range"), ("+1", "syntax")],
)
def test_counts_are_unsigned(text: str, expected: int | str) -> None:
    """FEAS-46."""
    read = parse_count(text)

    assert expected == read if isinstance(expected, int) else expected in str(read)


def test_sets_of_older_versions_stay() -> None:
    """06/S-14: those of the job are added, those of a group are kept."""
    context = make_context(make_snapshot(make_rack(), make_job()))
    strict, free = make_group(constraints=(make_constraint("0"),)), make_group()
    properties = DistinctProperties(context)

    properties.begin(make_job(free), free)
    assert properties.check(make_rack()) is None
    properties.begin(make_job(strict), strict)
    assert properties.check(make_rack()) is None

    properties.add_job(make_job(constraints=(make_constraint("0"),)))
    properties.add_job(make_job())
    properties.begin(make_job(), make_group("db"))
    assert properties.check(make_rack()) is not None
