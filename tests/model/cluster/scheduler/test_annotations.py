"""A plan says what it would do to each group, and whom it would evict."""

from nomadspec.model.cluster.entities import AllocatedResources, DesiredUpdates
from nomadspec.model.cluster.scheduler.annotations import (
    annotate,
    count_preemptions,
    describe_updates,
    make_stub,
)
from tests.model.cluster.scheduler.made import make_alloc, make_context, make_job, make_snapshot


def test_a_stub_tells_the_job_and_no_resources() -> None:
    """WIRE-040."""
    stub = make_stub(
        make_alloc(job=make_job(type="batch", version=3), allocated_resources=AllocatedResources())
    )

    assert (stub.id, stub.job_type, stub.job_version) == ("a1", "batch", 3)
    assert (stub.name, stub.node_id, stub.client_status) == ("j.web[0]", "n1", "running")
    assert stub.allocated_resources is None


def test_a_stub_without_a_job_tells_none() -> None:
    assert (make_stub(make_alloc()).job_type, make_stub(make_alloc()).job_version) == ("", 0)


def test_evicted_allocations_are_shown_as_they_are() -> None:
    """GENERIC-23, PREEMPT-25."""
    plan = make_context(make_snapshot()).plan
    plan.append_preempted(make_alloc("b", node_id="n2"), "new")
    plan.append_preempted(make_alloc("a"), "new")
    plan.append_preempted(make_alloc("c", node_id="n2"), "new")
    desired = {"web": DesiredUpdates(place=1)}

    annotations = annotate(desired, plan.evicted)

    assert annotations.desired_tg_updates == desired
    assert [stub.id for stub in annotations.preempted_allocs] == ["b", "a", "c"]
    assert {stub.desired_status for stub in annotations.preempted_allocs} == {"run"}


def test_evictions_are_counted_by_group() -> None:
    """GENERIC-34."""
    desired = {"web": DesiredUpdates(place=1)}

    assert count_preemptions(desired, "web", 2) == {"web": DesiredUpdates(place=1, preemptions=2)}
    assert count_preemptions(desired, "web", 0) == desired
    assert count_preemptions(desired, "other", 2) == desired


def test_people_are_told_what_happens_in_other_words() -> None:
    """GENERIC-58: and only of what happens."""
    desired = DesiredUpdates(ignore=1, place=2, stop=3, destructive_update=4, in_place_update=5, disconnect=6)

    assert {
        "ignore": 1,
        "create": 2,
        "destroy": 3,
        "in-place update": 5,
        "create/destroy update": 4,
    } == describe_updates(desired)
    assert not describe_updates(DesiredUpdates())
