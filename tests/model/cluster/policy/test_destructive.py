from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    CNIConfig,
    Constraint,
    Consul,
    ConsulConnect,
    EphemeralDisk,
    Job,
    LogConfig,
    NetworkResource,
    Port,
    RequestedDevice,
    Resources,
    RestartPolicy,
    Secret,
    Service,
    Task,
    TaskGroup,
    Vault,
    VolumeRequest,
)
from nomadspec.model.cluster.policy.destructive import (
    UncomparableTasksError,
    find_destructive_change,
    is_destructive,
)

NETWORK = NetworkResource(
    mode="bridge",
    reserved_ports=(Port(label="a", value=80),),
    dynamic_ports=(Port(label="b", value=1, to=8),),
)
MESH = ConsulConnect(sidecar_service={"Port": "x", "Tags": ["t"]}, sidecar_task={"User": "u"})
SERVICE = Service(name="s", port_label="a", cluster="c", connect=MESH)
TASK = Task(
    name="t", driver="docker", meta={"own": "t"}, resources=Resources(cpu_mhz=100), log_config=LogConfig()
)
GROUP = TaskGroup(
    name="web",
    meta={"own": "g", "shared": "g"},
    tasks=(TASK, Task(name="u")),
    networks=(NETWORK,),
    services=(SERVICE,),
    consul=Consul(namespace="n", cluster="c"),
)
JOB = Job(task_groups=(TaskGroup(name="other"), GROUP), meta={"shared": "j"})


def with_group(**fields: Any) -> Job:
    return replace(JOB, task_groups=(replace(GROUP, **fields),))


def with_task(**fields: Any) -> Job:
    return with_group(tasks=(replace(TASK, **fields), GROUP.tasks[1]))


def with_network(**fields: Any) -> Job:
    return with_group(networks=(replace(NETWORK, **fields),))


def with_service(**fields: Any) -> Job:
    return with_group(services=(replace(SERVICE, **fields),))


def with_mesh(**fields: Any) -> Job:
    return with_service(connect=replace(MESH, **fields))


@pytest.mark.parametrize(
    ("job", "change"),
    [
        (with_group(tasks=(TASK,)), "number of tasks"),
        (with_group(ephemeral_disk=EphemeralDisk(size_mb=1)), "ephemeral disk"),
        (with_group(networks=()), "networks"),
        (with_group(networks=(NETWORK, NETWORK)), "networks"),
        (with_group(volumes={"v": VolumeRequest()}), "volume requests"),
        (with_group(restart_policy=RestartPolicy(render_templates=True)), "restart.render_templates"),
        (with_group(consul=Consul(cluster="d")), "Consul cluster"),
        (with_group(consul=Consul(cluster="c", partition="p")), "Consul partition"),
        (with_network(mode="host"), "networks"),
        (with_network(cni=CNIConfig()), "networks"),
        (with_network(reserved_ports=(Port(label="a", value=81),)), "networks"),
        (with_network(dynamic_ports=(Port(label="b", to=9),)), "networks"),
        (with_task(name="v"), "task"),
        (with_task(driver="exec"), "driver"),
        (with_task(config={"image": "x"}), "config"),
        (with_task(vault=Vault()), "vault"),
        (with_task(resources=Resources(cpu_mhz=101)), "CPU"),
        (with_task(resources=Resources(cpu_mhz=100, networks=(NETWORK,))), "networks"),
        (with_task(log_config=LogConfig(disabled=True)), "logs disabled"),
        (with_task(meta={"own": "other"}), "meta"),
        (with_group(meta={"own": "g", "shared": "h"}), "meta"),
        (replace(JOB, meta={"more": "m"}), "meta"),
        (with_service(port_label="b"), "port label"),
        (with_service(cluster="d"), "cluster"),
        (with_mesh(native=True), "native"),
        (with_mesh(gateway={}), "gateway"),
        (with_mesh(sidecar_task=None), "sidecar task"),
        (with_mesh(sidecar_service=None), "sidecar service"),
        (with_mesh(sidecar_service={"Port": "y"}), "sidecar port"),
    ],
)
def test_what_an_allocation_cannot_follow(job: Job, change: str) -> None:
    """GENERIC-56."""
    assert change == find_destructive_change(JOB, job, "web")
    assert is_destructive(job, JOB, "web")


@pytest.mark.parametrize(
    "job",
    [
        with_group(count=7, constraints=(Constraint(operand="="),), shutdown_delay_ns=1),
        with_group(restart_policy=RestartPolicy(attempts=3)),
        with_group(consul=None),
        with_group(consul=Consul(namespace="other", cluster="c")),
        with_group(
            meta={"own": "unseen", "shared": "g"}, tasks=(TASK, replace(GROUP.tasks[1], meta={"own": "g"}))
        ),
        with_network(device="eth1", ip="10.0.0.1"),
        with_network(dynamic_ports=(Port(label="b", value=2, to=8, ignore_collision=True),)),
        with_task(kill_timeout_ns=1, leader=True, log_config=LogConfig(max_files=3)),
        with_task(resources=Resources(cpu_mhz=100, disk_mb=5, iops=3)),
        with_service(tags=("x",), address="y"),
        with_mesh(sidecar_service={"Port": "x", "Proxy": {}}),
        with_service(name="renamed"),
        replace(JOB, priority=7, datacenters=("dc1",), meta={"shared": "unseen"}),
    ],
)
def test_what_an_allocation_can_follow(job: Job) -> None:
    """GENERIC-57."""
    assert find_destructive_change(JOB, job, "web") is None


def test_a_mesh_is_added_destructively_and_taken_away_in_place() -> None:
    """GENERIC-56."""
    plain = with_service(connect=None)

    assert "mesh" == find_destructive_change(plain, JOB, "web")
    assert not is_destructive(JOB, plain, "web")


def test_the_order_of_tasks_does_not_matter() -> None:
    """GENERIC-56."""
    assert not is_destructive(JOB, with_group(tasks=GROUP.tasks[::-1]), "web")


def test_a_group_that_is_only_in_one_version_cannot_be_followed() -> None:
    """GENERIC-48."""
    assert is_destructive(JOB, Job(), "web")
    assert not is_destructive(JOB, Job(), "unknown")


@pytest.mark.parametrize("value", [1, [1], {"inside": 1}])
def test_a_truth_value_in_a_config_is_no_number(value: object) -> None:
    """GENERIC-56: Python takes true for one, and a driver does not."""

    def put_true(value: object) -> object:
        if isinstance(value, dict):
            return {key: put_true(each) for key, each in value.items()}
        return [True] if isinstance(value, list) else True

    old, new = with_task(config={"tty": value}), with_task(config={"tty": put_true(value)})

    assert find_destructive_change(old, new, "web") == "config"
    assert find_destructive_change(old, with_task(config={"tty": value}), "web") is None


def test_configs_may_be_nested_as_deep_as_json() -> None:
    """GENERIC-56."""
    old: object = 1
    new: object = 2
    for _ in range(5000):
        old, new = [old], [new]

    assert (
        find_destructive_change(with_task(config={"x": old}), with_task(config={"x": new}), "web") == "config"
    )


def device(name: str, *constraints: str, count: int = 1) -> RequestedDevice:
    asked = tuple(Constraint(ltarget="${device.model}", operand=operand) for operand in constraints)
    return RequestedDevice(name=name, count=count, constraints=asked)


def with_devices(*devices: RequestedDevice) -> Job:
    return with_task(resources=Resources(cpu_mhz=100, devices=devices))


@pytest.mark.parametrize(
    ("older", "newer", "is_followed"),
    [
        ([device("gpu"), device("fpga")], [device("fpga"), device("gpu")], True),
        ([device("gpu"), device("fpga")], [device("gpu")], False),
        ([device("gpu")], [device("gpu", count=2)], False),
        ([device("gpu"), device("gpu", count=2)], [device("gpu"), device("gpu", count=2)], False),
        ([device("gpu"), device("gpu")], [device("gpu"), device("gpu")], True),
        ([device("gpu", "=", "!=")], [device("gpu", "!=", "=")], True),
        ([device("gpu", "=", "!=")], [device("gpu", "=", "=")], True),
        ([device("gpu", "=", "=")], [device("gpu", "=", "!=")], False),
        ([device("gpu", "=")], [device("gpu", "=", "=")], False),
    ],
)
def test_devices_are_compared_by_name(
    older: list[RequestedDevice], newer: list[RequestedDevice], *, is_followed: bool
) -> None:
    """GENERIC-56."""
    change = find_destructive_change(with_devices(*older), with_devices(*newer), "web")

    assert change == (None if is_followed else "devices")


def with_gateway(listeners: list[object], services: list[object]) -> Job:
    return with_mesh(
        gateway={"Ingress": {"TLS": 1, "Listeners": listeners}, "Terminating": {"Services": services}}
    )


@pytest.mark.parametrize(
    ("newer", "is_followed"),
    [
        (with_gateway([{"Port": 2}, {"Port": 1}], ["b", "a"]), True),
        (with_gateway([{"Port": 1}, {"Port": 2}, {"Port": 1}], ["a", "b"]), True),
        (with_gateway([{"Port": 1}], ["a", "b"]), False),
        (with_gateway([{"Port": 1}, {"Port": 2}], ["a", "c"]), False),
    ],
)
def test_listeners_and_linked_services_of_a_gateway_are_sets(newer: Job, *, is_followed: bool) -> None:
    """GENERIC-56."""
    older = with_gateway([{"Port": 1}, {"Port": 2}], ["a", "b"])

    assert find_destructive_change(older, newer, "web") == (None if is_followed else "gateway")


def test_how_the_cores_of_a_sidecar_lie_together_is_not_compared() -> None:
    """GENERIC-56."""
    older = with_mesh(sidecar_task={"User": "u", "Resources": {"CPU": 1, "NUMA": {"Affinity": "none"}}})
    newer = with_mesh(sidecar_task={"User": "u", "Resources": {"CPU": 1}})

    assert find_destructive_change(older, newer, "web") is None


def with_secret(**config: object) -> Job:
    return with_task(secrets=(Secret(name="s", config=config),))


def test_secrets_with_a_list_under_one_key_cannot_be_compared() -> None:
    """04/S-24."""
    with pytest.raises(UncomparableTasksError, match="holds a list or a map"):
        find_destructive_change(with_secret(a=[1]), with_secret(a=[1]), "web")


@pytest.mark.parametrize("newer", [with_secret(a={"b": 1}), with_secret(a="x"), with_secret(a=[1], b=2)])
def test_secrets_of_which_no_two_lists_meet_just_differ(newer: Job) -> None:
    """04/S-24."""
    assert find_destructive_change(with_secret(a=[1]), newer, "web") == "secrets"


def test_a_change_of_what_comes_later_does_not_spare_the_comparison_of_secrets() -> None:
    """GENERIC-56, SYSTEM-15, 04/S-24."""
    config: dict[str, object] = {"a": [1]}
    older = with_task(secrets=(Secret(name="s", config=config),))
    newer = with_task(secrets=(Secret(name="s", config=config, env={"A": "1"}),), meta={"own": "changed"})

    with pytest.raises(UncomparableTasksError):
        find_destructive_change(older, newer, "web")


def test_of_parts_that_share_a_name_the_first_is_compared() -> None:
    """GENERIC-56."""
    twin = replace(TASK, driver="exec")
    older, newer = with_group(tasks=(TASK, twin)), with_group(tasks=(TASK, TASK))
    meshes = with_group(services=(SERVICE, replace(SERVICE, port_label="other")))

    assert not is_destructive(older, newer, "web")
    assert "port label" == find_destructive_change(meshes, meshes, "web")


@pytest.mark.parametrize("field", ["resources", "log_config"])
def test_a_version_without_resources_or_logs_cannot_be_compared(field: str) -> None:
    """GENERIC-03, GENERIC-56: but one that differs before is no longer compared."""
    with pytest.raises(UncomparableTasksError, match="Only one version"):
        find_destructive_change(JOB, with_task(**{field: None}), "web")
    with pytest.raises(UncomparableTasksError):
        find_destructive_change(with_task(**{field: None}), JOB, "web")
    assert "env" == find_destructive_change(JOB, with_task(**{field: None, "env": {"A": "1"}}), "web")
