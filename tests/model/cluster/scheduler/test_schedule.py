"""Each scheduler is one call; an error ends it and says so."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    Constraint,
    DeviceAttribute,
    Evaluation,
    NetworkResource,
    NodeDevice,
    NodeDeviceResource,
    NodePool,
    NodeReservedResources,
    PoolSchedulerConfiguration,
    RequestedDevice,
    ReservedNetworks,
    Resources,
    Task,
)
from nomadspec.model.cluster.scheduler.choices import FreeChoices, ReplayedChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.model.cluster.scheduler.fleet import make_fleet_group, make_host
from tests.model.cluster.scheduler.made import NOW_NS, make_eval, make_job, make_snapshot, take_all


@pytest.mark.parametrize("scheduler", ["service", "batch", "system", "sysbatch"])
def test_a_new_job_is_placed_and_the_evaluation_completes(scheduler: str) -> None:
    """SYSTEM-01: the scheduler is chosen by name, whatever the type of the job."""
    outcome = schedule(
        make_snapshot(make_host("n1"), make_job(make_fleet_group(), type=scheduler)),
        make_eval(type=scheduler),
        NOW_NS,
        FreeChoices(1),
        SubmitOnly(take_all),
        scheduler=scheduler,
        profile=NOMAD_2_0,
    )

    (plan,) = outcome.plans
    (done,) = outcome.updated_evals

    assert [alloc.name for alloc in plan.node_allocation["n1"]] == ["j.web[0]"]
    assert (done.status, outcome.error, outcome.reasons) == ("complete", None, None)


@pytest.mark.parametrize("scheduler", ["service", "system"])
def test_a_plan_that_cannot_be_evaluated_ends_the_call(scheduler: str) -> None:
    """GENERIC-05, SYSTEM-07."""
    outcome = schedule(
        make_snapshot(make_host("n1"), make_job(make_fleet_group(), type=scheduler)),
        make_eval(type=scheduler),
        NOW_NS,
        FreeChoices(1),
        SubmitOnly(lambda _: Answer(error="plan queue is disabled")),
        scheduler=scheduler,
        profile=NOMAD_2_0,
    )

    assert outcome.error == "plan queue is disabled"
    assert len(outcome.plans) == 1
    assert outcome.updated_evals == ()


def test_reasons_are_given_when_asked_for() -> None:
    outcome = schedule(
        make_snapshot(make_host("n1"), make_job(make_fleet_group())),
        make_eval(),
        NOW_NS,
        FreeChoices(1),
        SubmitOnly(take_all),
        scheduler="service",
        with_reasons=True,
        profile=NOMAD_2_0,
    )

    assert outcome.reasons is not None
    (selection,) = outcome.reasons.selections
    assert (selection.alloc_name, selection.chosen) == ("j.web[0]", "n1")


@pytest.mark.parametrize("scheduler", ["service", "system"])
def test_what_breaks_the_scheduler_off_is_an_error(scheduler: str) -> None:
    """GENERIC-03, SYSTEM-07: a literal that is no number is compared as one."""
    constraint = Constraint(ltarget="${device.attr.power}", rtarget="NaN", operand=">")
    ask = RequestedDevice(name="gpu", count=1, constraints=(constraint,))
    task = Task(name="main", driver="exec", resources=Resources(devices=(ask,)))
    device = NodeDeviceResource(
        vendor="acme",
        type="gpu",
        name="g1",
        instances=(NodeDevice(id="i1", healthy=True),),
        attributes={"power": DeviceAttribute(int_value=3)},
    )
    host = make_host("n1")
    assert host.node_resources is not None
    node = replace(host, node_resources=replace(host.node_resources, devices=(device,)))

    outcome = schedule(
        make_snapshot(node, make_job(make_fleet_group(tasks=(task,)), type=scheduler)),
        make_eval(type=scheduler),
        NOW_NS,
        FreeChoices(1),
        SubmitOnly(take_all),
        scheduler=scheduler,
        profile=NOMAD_2_0,
    )

    assert outcome.error is not None
    assert outcome.error.startswith("failed to process eval: ")
    assert not outcome.updated_evals


@pytest.mark.parametrize("scheduler", ["service", "system"])
def test_a_node_that_keeps_no_port_breaks_the_scheduler_off(scheduler: str) -> None:
    """GENERIC-03, SYSTEM-07, 06/S-15."""
    kept = NodeReservedResources(networks=ReservedNetworks(reserved_host_ports="65536"))
    node = replace(make_host("n1"), reserved_resources=kept)
    assert node.node_resources is not None
    network = NetworkResource(mode="host", device="eth0", ip="10.0.0.1")
    node = replace(node, node_resources=replace(node.node_resources, networks=(network,)))

    outcome = schedule(
        make_snapshot(node, make_job(make_fleet_group(), type=scheduler)),
        make_eval(type=scheduler),
        NOW_NS,
        FreeChoices(1),
        SubmitOnly(take_all),
        scheduler=scheduler,
        profile=NOMAD_2_0,
    )

    assert outcome.error is not None
    assert outcome.error.startswith("failed to process eval: ")


def test_a_system_pass_that_breaks_off_leaves_the_blocked_evaluation_that_it_wrote_before() -> None:
    """SYSTEM-07, SYSTEM-31."""
    kept = NodeReservedResources(networks=ReservedNetworks(reserved_host_ports="65536"))
    full, broken = make_host("n1", cpu_mhz=400), replace(make_host("n2"), reserved_resources=kept)

    outcome = schedule(
        make_snapshot(full, broken, make_job(make_fleet_group(), type="system")),
        make_eval(type="system"),
        NOW_NS,
        ReplayedChoices(),
        SubmitOnly(take_all),
        scheduler="system",
        profile=NOMAD_2_0,
    )

    assert outcome.error is not None
    assert ["n1"] == [blocked.node_id for blocked in outcome.created_evals]
    assert not outcome.plans


def test_a_system_pass_goes_on_without_a_blocked_evaluation_that_is_refused() -> None:
    """SYSTEM-31."""

    class Refusing(SubmitOnly):
        def create_eval(self, _: Evaluation) -> str:
            return "token does not match"

    outcome = schedule(
        make_snapshot(make_host("n1", cpu_mhz=400), make_job(make_fleet_group(), type="system")),
        make_eval(type="system"),
        NOW_NS,
        FreeChoices(1),
        Refusing(take_all),
        scheduler="system",
        profile=NOMAD_2_0,
    )

    assert (None, ["complete"]) == (outcome.error, [each.status for each in outcome.updated_evals])


@pytest.mark.parametrize(("stop", "error"), [(False, "failed to process eval: "), (True, None)])
@pytest.mark.parametrize("scheduler", ["service", "batch", "system", "sysbatch"])
def test_a_pool_that_overrides_nothing_breaks_off_only_what_may_be_placed(
    scheduler: str, error: str | None, *, stop: bool
) -> None:
    """RANK-79, GENERIC-10, SYSTEM-07."""
    pool = NodePool(name="default", scheduler_configuration=PoolSchedulerConfiguration())
    job = make_job(make_fleet_group(), type=scheduler, stop=stop)

    outcome = schedule(
        make_snapshot(make_host("n1"), job, node_pools=(pool,)),
        make_eval(type=scheduler),
        NOW_NS,
        FreeChoices(1),
        SubmitOnly(take_all),
        scheduler=scheduler,
        profile=NOMAD_2_0,
    )

    assert error == (outcome.error and outcome.error[: len("failed to process eval: ")])


def test_a_request_that_is_refused_ends_the_call_with_the_reason() -> None:
    """GENERIC-03."""

    class Refusing(SubmitOnly):
        def update_eval(self, _: Evaluation) -> str:
            return "token does not match"

    outcome = schedule(
        make_snapshot(make_job()),
        make_eval(),
        NOW_NS,
        FreeChoices(1),
        Refusing(take_all),
        scheduler="service",
        profile=NOMAD_2_0,
    )

    assert "token does not match" == outcome.error
    assert ["complete"] == [each.status for each in outcome.updated_evals]
