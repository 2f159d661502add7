import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.canonical import canonicalise_group, canonicalise_job
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Consul,
    DisconnectStrategy,
    Job,
    NetworkResource,
    ParameterizedJobConfig,
    Port,
    RequestedDevice,
    ReschedulePolicy,
    Resources,
    RestartPolicy,
    ScalingPolicy,
    Service,
    ServiceCheck,
    Task,
    TaskGroup,
    Template,
)


def fill(job_type: str = "service", /, **group: object) -> TaskGroup:
    return canonicalise_group(replace(TaskGroup(name="g"), **group), Job(id="web", type=job_type))


def fill_task(**task: object) -> Task:
    return fill(tasks=(replace(Task(name="t"), **task),)).tasks[0]


def fill_service(service: Service, **group: object) -> Service:
    return fill(services=(service,), **group).services[0]


def test_a_bare_job_gets_a_place_and_a_priority() -> None:
    """JOB-02."""
    job = canonicalise_job(Job(parameterized_job=ParameterizedJobConfig()), default_priority=40)

    assert ("default", ("*",), "default", 40) == (
        job.namespace,
        job.datacenters,
        job.node_pool,
        job.priority,
    )
    assert job.parameterized_job is not None
    assert "optional" == job.parameterized_job.payload


@pytest.mark.parametrize(
    ("job_type", "policies"),
    [
        ("service", {"restart_policy", "reschedule_policy", "migrate"}),
        ("batch", {"restart_policy", "reschedule_policy"}),
        ("system", {"restart_policy"}),
        ("sysbatch", set()),
        ("_core", set()),
    ],
)
def test_which_policies_a_type_gets_from_the_server(job_type: str, policies: set[str]) -> None:
    group = fill(job_type)
    names = ("restart_policy", "reschedule_policy", "migrate", "update")

    assert policies == {name for name in names if getattr(group, name) is not None}


def test_a_policy_that_is_there_stays() -> None:
    assert ReschedulePolicy() == fill(reschedule_policy=ReschedulePolicy()).reschedule_policy


def test_a_task_takes_over_the_restart_policy_of_its_group() -> None:
    """OBJ-108."""
    restart = RestartPolicy(attempts=7)

    assert restart == fill(restart_policy=restart, tasks=(Task(),)).tasks[0].restart_policy
    assert RestartPolicy() == fill_task(restart_policy=RestartPolicy()).restart_policy


def test_the_rest_of_a_group() -> None:
    """OBJ-070, OBJ-112, OBJ-116, OBJ-124."""
    group = fill(
        disconnect=DisconnectStrategy(),
        scaling=ScalingPolicy(max=3),
        networks=(NetworkResource(reserved_ports=(Port(label="a"), Port(host_network="b"))),),
    )

    assert DisconnectStrategy(replace=True, reconcile="best_score") == group.disconnect
    assert group.scaling is not None
    assert {"Namespace": "", "Job": "web", "Group": "g"} == group.scaling.target
    assert ["default", "b"] == [port.host_network for port in group.networks[0].reserved_ports]
    assert group.ephemeral_disk is not None
    assert 300 == group.ephemeral_disk.size_mb


def test_replacing_can_be_switched_off() -> None:
    """OBJ-112."""
    group = fill(disconnect=DisconnectStrategy(replace=False))

    assert group.disconnect is not None
    assert not group.disconnect.replace


def test_a_task_gets_time_to_stop_and_something_to_live_on() -> None:
    """OBJ-120, OBJ-122."""
    task = fill_task()

    assert 5 * NS_PER_S == task.kill_timeout_ns
    assert Resources(cpu_mhz=100, memory_mb=300) == task.resources
    assert task.log_config is None


def test_devices_are_asked_for_one_by_one() -> None:
    """OBJ-123."""
    devices = (RequestedDevice(name="gpu"), RequestedDevice(name="gpu", count=3))
    task = fill_task(resources=Resources(cores=1, devices=devices))

    assert task.resources is not None
    assert [1, 3] == [device.count for device in task.resources.devices]


def test_signals_are_written_large() -> None:
    assert "SIGHUP" == fill_task(templates=(Template(change_signal="sighup"),)).templates[0].change_signal


def test_a_service_is_registered_with_consul_unless_it_says_otherwise() -> None:
    service = fill_service(Service(name="s"))

    assert ("consul", "default", "default") == (service.provider, service.cluster, service.namespace)


def test_a_service_of_nomad_has_no_cluster() -> None:
    service = fill_service(Service(name="s", provider="nomad"), consul=Consul(namespace="n"))

    assert ("", "default") == (service.cluster, service.namespace)


def test_a_service_lives_in_the_consul_namespace_of_its_group() -> None:
    assert "n" == fill_service(Service(name="s"), consul=Consul(namespace="n")).namespace


def test_checks_must_be_healthy_unless_the_service_says_otherwise() -> None:
    checks = (ServiceCheck(), ServiceCheck(on_update="ignore"))

    assert ["require_healthy", "ignore"] == [
        check.on_update for check in fill_service(Service(checks=checks)).checks
    ]
    assert ["x", "ignore"] == [
        check.on_update for check in fill_service(Service(checks=checks, on_update="x")).checks
    ]


@pytest.mark.parametrize("job_type", ["service", "batch", "system", "sysbatch"])
def test_the_canonical_form_of_a_canonical_job_is_itself(job_type: str) -> None:
    group = TaskGroup(
        name="g",
        tasks=(Task(name="t", templates=(Template(change_signal="sigint"),)),),
        services=(Service(name="s", checks=(ServiceCheck(),)),),
        disconnect=DisconnectStrategy(),
        scaling=ScalingPolicy(),
    )
    once = canonicalise_job(Job(id="web", type=job_type, task_groups=(group,)))

    assert once == canonicalise_job(once)
