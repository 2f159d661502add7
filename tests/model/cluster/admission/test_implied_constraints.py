import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.implied_constraints import imply_constraints
from nomadspec.model.cluster.entities import (
    NUMA,
    Constraint,
    Consul,
    ConsulConnect,
    Job,
    NetworkResource,
    Resources,
    Secret,
    Service,
    ServiceCheck,
    Task,
    TaskGroup,
    Template,
    Vault,
    WorkloadIdentity,
)

PROXIED = ConsulConnect(sidecar_service={"Proxy": {"TransparentProxy": {}}})


def describe(constraints: tuple[Constraint, ...]) -> list[str]:
    return [f"{one.ltarget} {one.operand} {one.rtarget}".rstrip() for one in constraints]


def imply(*tasks: Task, **group: object) -> list[str]:
    job = imply_constraints(Job(task_groups=(replace(TaskGroup(tasks=tasks), **group),)))
    return describe(job.task_groups[0].constraints)


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        (Task(), []),
        (Task(vault=Vault()), ["${attr.vault.version} semver >= 0.6.1"]),
        (Task(vault=Vault(cluster="c")), ["${attr.vault.c.version} semver >= 1.11.0"]),
        (Task(secrets=(Secret(provider="p"),)), ["${attr.plugins.secrets.p.version} is_set"]),
        (Task(resources=Resources(numa=NUMA(affinity="none"))), []),
        (
            Task(resources=Resources(numa=NUMA(affinity="require"))),
            ["${attr.nomad.version} semver >= 1.6.3-dev", "${attr.kernel.name} = linux"],
        ),
        (Task(kill_signal="SIGQUIT"), ["${attr.os.signals} set_contains SIGQUIT"]),
        (Task(schedule={}), ["${attr.nomad.version} semver >= 1.8.0-dev"]),
        (Task(identities=(WorkloadIdentity(name="a"),)), ["${attr.nomad.version} semver >= 1.7.0-a"]),
        (
            Task(services=(Service(provider="nomad"),)),
            ["${attr.nomad.service_discovery} = true"],
        ),
    ],
)
def test_what_a_task_implies(task: Task, expected: list[str]) -> None:
    """OBJ-039."""
    assert expected == imply(task)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ({"consul": Consul(partition="p")}, ["${attr.consul.partition} = p"]),
        (
            {"services": (Service(provider="nomad", checks=(ServiceCheck(),)),)},
            ["${attr.nomad.service_discovery} = true", "${attr.nomad.version} semver >= 1.4.0"],
        ),
        ({"services": (Service(provider="consul"),)}, ["${attr.consul.version} semver >= 1.8.0"]),
        (
            {"services": (Service(provider="consul", cluster="c"),)},
            ["${attr.consul.c.version} semver >= 1.8.0"],
        ),
        (
            {"networks": (NetworkResource(mode="bridge"),)},
            [
                f"${{attr.plugins.cni.version.{plugin}}} semver >= 0.4.0"
                for plugin in ("bridge", "firewall", "host-local", "loopback", "portmap")
            ],
        ),
        (
            {"services": (Service(provider="nomad", connect=PROXIED),)},
            [
                "${attr.nomad.service_discovery} = true",
                "${attr.plugins.cni.version.consul-cni} semver >= 1.4.2",
                "${attr.nomad.version} semver >= 1.8.0-dev",
            ],
        ),
    ],
)
def test_what_a_group_implies(group: dict[str, object], expected: list[str]) -> None:
    """OBJ-039."""
    assert expected == imply(**group)


def test_signals_are_sorted_and_named_once() -> None:
    """OBJ-039."""
    templates = (
        Template(change_mode="signal", change_signal="SIGUSR1"),
        Template(change_mode="noop", change_signal="SIGTERM"),
    )
    vault = Vault(change_mode="signal", change_signal="SIGHUP")

    assert "${attr.os.signals} set_contains SIGHUP,SIGUSR1" in imply(
        Task(templates=templates, kill_signal="SIGHUP"), Task(vault=vault)
    )


def test_a_signal_that_is_not_named_is_wanted_all_the_same() -> None:
    """OBJ-039: the constraint that comes of it is refused."""
    assert ["${attr.os.signals} set_contains"] == imply(Task(templates=(Template(change_mode="signal"),)))


def test_a_secret_in_one_group_binds_every_group() -> None:
    """01/S17."""
    job = Job(task_groups=(TaskGroup(tasks=(Task(secrets=(Secret(provider="p"),)),)), TaskGroup()))

    assert [["${attr.plugins.secrets.p.version} is_set"]] * 2 == [
        describe(group.constraints) for group in imply_constraints(job).task_groups
    ]


def test_services_and_partitions_of_a_task_bind_the_task() -> None:
    """OBJ-039."""
    task = Task(services=(Service(provider="consul"),), consul=Consul(partition="p"))
    group = imply_constraints(Job(task_groups=(TaskGroup(tasks=(task,)),))).task_groups[0]

    assert [] == describe(group.constraints)
    assert [
        "${attr.consul.partition} = p",
        "${attr.consul.version} semver >= 1.8.0",
    ] == describe(group.tasks[0].constraints)


def test_the_user_may_ask_otherwise_of_some_attributes() -> None:
    """OBJ-039: these are compared by their left side."""
    own = Constraint(ltarget="${attr.vault.version}", operand="=", rtarget="2.0")

    assert ["${attr.vault.version} = 2.0"] == imply(Task(vault=Vault()), constraints=(own,))


def test_others_are_added_unless_they_are_there_in_full() -> None:
    """OBJ-039."""
    own = Constraint(ltarget="${attr.os.signals}", operand="set_contains", rtarget="SIGUSR1")

    assert 2 == len(imply(Task(kill_signal="SIGINT"), constraints=(own,)))
    assert 1 == len(imply(Task(kill_signal="SIGUSR1"), constraints=(own,)))
