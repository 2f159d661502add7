"""Requests are placed one after the other; what fails leaves the plan as the rules say."""

from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentState,
    DesiredUpdates,
    EphemeralDisk,
    Job,
    PreemptionConfig,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.policy.names import index_names
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.placement import Placer, count_requests, list_penalty_nodes
from nomadspec.model.cluster.scheduler.reasons import ReasonLog, Requested
from nomadspec.model.cluster.scheduler.requests import DestructiveRequest, PlacementRequest
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.made import (
    FakeSearch,
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

NO_EVICTION = SchedulerConfiguration()
EVICTION = SchedulerConfiguration(preemption_config=PreemptionConfig(service_scheduler_enabled=True))


def make_placer(
    *rows: Any,
    job: Job | None = None,
    search: FakeSearch,
    deployment: Deployment | None = None,
    orders: tuple[tuple[str, ...], ...] = (("n1",),),
    configuration: SchedulerConfiguration | None = NO_EVICTION,
    profile: Profile = NOMAD_2_0,
    **tables: Any,
) -> Placer:
    current = job or make_job()
    snapshot = make_snapshot(make_node(), current, *rows, configuration=configuration, **tables)
    choices = ReplayedChoices(node_orders=orders, ids=[f"new{number}" for number in range(9)])
    return Placer(
        context=make_context(snapshot, current, choices=choices, profile=profile),
        search=search,
        job=current,
        deployment=deployment,
        names={},
        desired={"web": DesiredUpdates()},
    )


def ask(name: str = "j.web[0]", **fields: Any) -> PlacementRequest:
    return PlacementRequest(name=name, group=make_group(), **fields)


def list_placed(placer: Placer) -> list[Allocation]:
    return [alloc for allocs in placer.context.plan.node_allocation.values() for alloc in allocs]


def test_a_new_allocation_belongs_to_the_active_deployment() -> None:
    """GENERIC-26, GENERIC-35."""
    placer = make_placer(search=FakeSearch("n1"), deployment=Deployment(id="d", status="running"))
    placer.place_all((), (ask(is_canary=True), ask("j.web[1]")))

    first, second = list_placed(placer)

    assert (first.id, first.name, first.deployment_id) == ("new0", "j.web[0]", "d")
    assert first.deployment_status is not None
    assert first.deployment_status.canary
    assert second.deployment_status is None
    assert first.metrics is not None
    assert (first.metrics.nodes_in_pool, first.metrics.nodes_available) == (1, {"dc1": 1})


def test_an_ended_deployment_is_not_joined() -> None:
    """GENERIC-26."""
    placer = make_placer(search=FakeSearch("n1"), deployment=Deployment(id="d", status="successful"))
    placer.place_all((), (ask(),))

    assert [alloc.deployment_id for alloc in list_placed(placer)] == [""]


def test_a_group_that_failed_is_not_tried_again() -> None:
    """GENERIC-30, X-01."""
    search = FakeSearch()
    placer = make_placer(search=search)
    placer.place_all((), tuple(ask(f"j.web[{number}]") for number in range(10)))

    assert placer.failed["web"].coalesced_failures == 9
    assert len(search.asked) == 1


def test_what_replaces_a_running_allocation_comes_first() -> None:
    """GENERIC-25, GENERIC-33."""
    old = make_alloc()
    update = DestructiveRequest(name="j.web[0]", group=make_group(), alloc=old)
    placer = make_placer(old, search=FakeSearch("n1"))
    placer.place_all((update,), (ask("j.web[1]"),))

    placed = list_placed(placer)

    assert [alloc.name for alloc in placed] == ["j.web[0]", "j.web[1]"]
    assert placed[0].previous_allocation == "a1"
    assert [stop.desired_description for stop in placer.context.plan.node_update["n1"]] == [
        "alloc is being updated due to job update"
    ]


def test_a_stop_for_an_update_is_taken_back_when_nothing_is_found() -> None:
    """GENERIC-33."""
    update = DestructiveRequest(name="j.web[0]", group=make_group(), alloc=make_alloc())
    placer = make_placer(search=FakeSearch())
    placer.place_all((update,), ())

    assert is_no_op(placer.context.plan)
    assert set(placer.failed) == {"web"}


def test_a_duplicate_name_is_replaced() -> None:
    """GENERIC-36, REC-65."""
    placer = make_placer(search=FakeSearch("n1"))
    placer.names["web"] = index_names("j", "web", 3, ["j.web[0]", "j.web[0]"], profile=NOMAD_2_0)
    placer.place_all((), (ask(), ask()))

    assert [alloc.name for alloc in list_placed(placer)] == ["j.web[1]", "j.web[0]"]


@pytest.mark.parametrize(("profile", "name"), [(NOMAD_2_0, "j.web[0]"), (INTENDED, "j.web[1]")])
def test_a_duplicate_should_get_a_name_that_no_other_of_its_version_has(profile: Profile, name: str) -> None:
    """X-77: a request that is not placed, or an allocation of another version, holds the last free name."""
    canary = make_alloc(name="j.web[0]", task_group="web", job=make_job())
    placer = make_placer(canary, search=FakeSearch("n1"), profile=profile)
    names = ["j.web[0]", "j.web[0]", "j.web[1]"]
    placer.names["web"] = index_names("j", "web", 2, names, profile=profile)
    placer.place_all((), (PlacementRequest(name="j.web[0]", group=make_group(count=2)),))

    assert [name] == [alloc.name for alloc in list_placed(placer)]


class NameLog(ReasonLog):
    """Keeps which names were told."""

    def __init__(self) -> None:
        super().__init__(is_on=False)
        self.told: list[str] = []

    def begin_request(self, request: Requested, name: str = "") -> None:  # noqa: ARG002 -- only names are kept
        self.told.append(name)


def test_whoever_listens_is_told_the_name_before_a_node_is_looked_for() -> None:
    """GENERIC-36, REC-65: what was asked for leaves open which allocation a request leads to."""
    placer = make_placer(search=FakeSearch("n1"))
    placer.context.reasons = log = NameLog()
    placer.names["web"] = index_names("j", "web", 2, ["j.web[0]", "j.web[1]", "j.web[1]"], profile=NOMAD_2_0)
    placer.place_all((), (ask("j.web[1]"), ask("j.web[1]")))

    assert log.told == ["j.web[0]", "j.web[1]"] == [alloc.name for alloc in list_placed(placer)]


POLICY = ReschedulePolicy(attempts=1, interval_ns=10, delay_ns=5)
FAILED = make_alloc(
    client_status="failed", job=make_job(make_group(reschedule_policy=POLICY), version=1), task_group="web"
)


def test_a_rescheduled_allocation_is_marked_where_it_stands() -> None:
    """GENERIC-37, 04/S-15."""
    placer = make_placer(FAILED, search=FakeSearch("n1"))
    placer.context.plan.append_stop(FAILED, "alloc was rescheduled because it failed")
    placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))

    (stop,) = placer.context.plan.node_update["n1"]
    (new,) = list_placed(placer)

    assert (stop.desired_status, stop.job) == ("run", FAILED.job)
    assert stop.reschedule_tracker == RescheduleTracker(last_reschedule="ok")
    assert new.reschedule_tracker is not None
    assert [event.prev_alloc_id for event in new.reschedule_tracker.events or ()] == ["a1"]


def test_a_rescheduled_allocation_that_the_plan_does_not_name_is_left_alone() -> None:
    """GENERIC-37: an unknown one is neither stopped nor updated."""
    placer = make_placer(FAILED, search=FakeSearch("n1"))
    placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))

    (new,) = list_placed(placer)

    assert new.previous_allocation == FAILED.id
    assert not placer.context.plan.node_update


def test_a_rescheduled_allocation_is_meant_to_say_so() -> None:
    """04/S-15."""
    placer = make_placer(FAILED, search=FakeSearch("n1"), profile=INTENDED)
    placer.context.plan.append_stop(FAILED, "alloc was rescheduled because it failed")
    placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))

    (stop,) = placer.context.plan.node_update["n1"]

    assert "alloc was rescheduled because it failed" == stop.desired_description


def test_an_allocation_that_cannot_be_rescheduled_stays() -> None:
    """GENERIC-38, X-06."""
    placer = make_placer(FAILED, search=FakeSearch())
    placer.context.plan.append_stop(FAILED, "alloc was rescheduled because it failed")
    placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))

    (kept,) = list_placed(placer)

    assert placer.context.plan.node_update == {}
    assert kept.reschedule_tracker == RescheduleTracker(last_reschedule="no placement")
    assert (kept.id, kept.desired_status) == ("a1", "run")


def test_a_note_that_there_was_no_room_uses_up_all_attempts_in_the_release_alone() -> None:
    """RESCHED-10, 01/S11: what was never placed again has no list of attempts, or an empty one."""
    for profile, events in ((NOMAD_2_0, None), (INTENDED, ())):
        placer = make_placer(FAILED, search=FakeSearch(), profile=profile)
        placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))
        (kept,) = list_placed(placer)

        assert kept.reschedule_tracker is not None
        assert events == kept.reschedule_tracker.events


@pytest.mark.parametrize(("profile", "written"), [(NOMAD_2_0, 1), (INTENDED, 0)])
def test_that_there_was_no_room_is_written_again_in_the_release_alone(profile: Profile, written: int) -> None:
    """GENERIC-38, X-58."""
    noted = replace(FAILED, reschedule_tracker=RescheduleTracker(events=(), last_reschedule="no placement"))
    placer = make_placer(noted, search=FakeSearch(), profile=profile)
    placer.place_all((), (ask(previous=noted, is_reschedule=True),))

    assert written == len(list_placed(placer))


def test_a_stop_that_is_not_the_last_of_its_node_stays() -> None:
    """GENERIC-38, 04/S-16."""
    placer = make_placer(FAILED, search=FakeSearch())
    placer.context.plan.append_stop(FAILED, "")
    placer.context.plan.append_stop(make_alloc("a2"), "")
    placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))

    assert [stop.id for stop in placer.context.plan.node_update["n1"]] == ["a1", "a2"]
    assert [alloc.id for alloc in list_placed(placer)] == ["a1"]


def test_an_allocation_that_cannot_be_rescheduled_was_meant_to_be_left_as_it_is() -> None:
    """GENERIC-38, 04/S-16."""
    placer = make_placer(FAILED, search=FakeSearch(), profile=INTENDED)
    placer.context.plan.append_stop(FAILED, "")
    placer.context.plan.append_stop(make_alloc("a2"), "")
    placer.place_all((), (ask(previous=FAILED, is_reschedule=True),))

    assert [stop.id for stop in placer.context.plan.node_update["n1"]] == ["a2"]
    assert [alloc.job for alloc in list_placed(placer)] == [FAILED.job]


@pytest.mark.parametrize(("profile", "kept"), [(NOMAD_2_0, ["a1"]), (INTENDED, ["a1", "a2"])])
def test_all_but_the_first_that_found_no_place_are_forgotten(profile: Profile, kept: list[str]) -> None:
    """GENERIC-30, GENERIC-38, 04/S-03, X-07."""
    second = replace(FAILED, id="a2", node_id="n2")
    placer = make_placer(FAILED, second, search=FakeSearch(), profile=profile)
    for alloc in (FAILED, second):
        placer.context.plan.append_stop(alloc, "")
    placer.place_all((), tuple(ask(previous=alloc, is_reschedule=True) for alloc in (FAILED, second)))

    assert [alloc.id for alloc in list_placed(placer)] == kept
    assert ["n2"] * (2 - len(kept)) == list(placer.context.plan.node_update)
    assert placer.failed["web"].coalesced_failures == 1


@pytest.mark.parametrize(
    ("configuration", "job_type", "expected"),
    [
        (None, "service", 1),
        (EVICTION, "service", 1),
        (EVICTION, "batch", 0),
        (NO_EVICTION, "service", 0),
    ],
    ids=range(4),
)
def test_eviction_depends_on_the_configuration(
    configuration: SchedulerConfiguration | None, job_type: str, expected: int
) -> None:
    """GENERIC-34, RANK-77."""
    victim = make_alloc("v", job_id="other")
    search = FakeSearch(evicts=(victim,))
    placer = make_placer(victim, job=make_job(type=job_type), search=search, configuration=configuration)
    placer.place_all((), (ask(),))

    evicted = placer.context.plan.node_preemptions.get("n1", [])

    assert len(evicted) == expected
    assert [alloc.preempted_allocations for alloc in list_placed(placer)] == [("v",)] * expected
    assert placer.desired["web"].preemptions == expected
    assert [options.preempt for options in search.asked] == [False, True][: expected + 1]


@pytest.mark.parametrize(
    ("disk", "datacenters", "expected"),
    [
        (EphemeralDisk(sticky=True), ("dc1",), ["n2"]),
        (EphemeralDisk(migrate=True), ("dc1",), ["n2"]),
        (EphemeralDisk(), ("dc1",), []),
        (EphemeralDisk(sticky=True), ("dc1", "dc2"), []),
    ],
    ids=range(4),
)
def test_a_sticky_disk_prefers_its_node(
    disk: EphemeralDisk, datacenters: tuple[str, ...], expected: list[str]
) -> None:
    """GENERIC-31, RANK-12."""
    previous = make_alloc(node_id="n2", job=make_job(datacenters=datacenters))
    search = FakeSearch("n1")
    placer = make_placer(make_node("n2"), search=search, orders=(("n1", "n2"),))
    request = PlacementRequest(name="x", group=make_group(ephemeral_disk=disk), previous=previous)
    placer.place_all((), (request,))

    assert [node.id for node in search.asked[0].preferred_nodes] == expected


def test_nodes_of_failures_are_avoided() -> None:
    """GENERIC-32, RANK-11."""
    tracker = RescheduleTracker(events=(RescheduleEvent(prev_node_id="n0"),))

    assert list_penalty_nodes(None) == frozenset()
    assert list_penalty_nodes(make_alloc()) == frozenset()
    assert list_penalty_nodes(make_alloc(client_status="failed", reschedule_tracker=tracker)) == {"n0", "n1"}


@pytest.mark.parametrize(("profile", "marked"), [(NOMAD_2_0, "d1"), (INTENDED, "d2")])
def test_a_downgrade_is_placed_as_the_old_version(profile: Profile, marked: str) -> None:
    """GENERIC-27, GENERIC-28, 04/S-07."""
    old, new = make_job(version=1), make_job(version=2)
    passed = Deployment(
        id="d1",
        namespace="default",
        job_id="j",
        job_version=1,
        job_create_index=5,
        task_groups={"web": DeploymentState()},
    )
    search = FakeSearch("n1")
    current = Deployment(id="d2", status="running")
    placer = make_placer(
        job=new,
        search=search,
        deployment=current,
        profile=profile,
        job_versions=(old, new),
        deployments=(passed,),
    )
    placer.place_all((), (ask(is_downgrade=True), ask("j.web[1]")))

    first, second = list_placed(placer)

    assert (first.job, second.job) == (old, None)
    assert (first.deployment_id, second.deployment_id) == ("d1", marked)
    assert search.jobs == [old, new]


def test_other_datacenters_of_an_old_version_are_offered_for_it_alone() -> None:
    """RANK-08."""
    old, new = make_job(version=1, datacenters=("dc2",)), make_job(version=2)
    search = FakeSearch("n1", "n2")
    placer = make_placer(
        make_node("n2", datacenter="dc2"),
        job=new,
        search=search,
        orders=(("n1",), ("n2",), ("n1",)),
        job_versions=(old, new),
    )
    placer.place_all((), (ask(is_downgrade=True, min_version=1), ask("j.web[1]")))

    assert [alloc.node_id for alloc in list_placed(placer)] == ["n2", "n1"]


def test_requests_are_counted_by_group() -> None:
    """GENERIC-21."""
    update = DestructiveRequest(name="x", group=make_group("api"), alloc=make_alloc())

    assert count_requests((update,), (ask(), ask())) == {"api": 1, "web": 2}
