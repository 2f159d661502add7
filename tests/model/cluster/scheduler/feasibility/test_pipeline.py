"""All checks in their order, and what is remembered of classes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import (
    Constraint,
    Job,
    NetworkResource,
    Node,
    NodeResources,
    RequestedDevice,
    Resources,
    Secret,
    Task,
    TaskGroup,
    VolumeRequest,
)
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.feasibility.pipeline import FeasibilityPipeline, gather_needs
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.made import (
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

CACHED = "computed class ineligible"
HOST = NodeResources(networks=(NetworkResource(mode="host"),))
BRIDGE = NetworkResource(mode="bridge")
DOCKER = (Task(name="main", driver="docker"),)


def make_host(node_id: str = "n1", node_class: str = "c", *, docker: bool = True, **fields: Any) -> Node:
    """Make a node of a class with a host network, and a driver that may be missing."""
    attributes = {"driver.": "1", "driver.docker": str(docker), "arch": fields.pop("arch", "")}
    usual: dict[str, Any] = {"attributes": attributes, "node_resources": HOST, "node_class": "user"}
    return make_node(node_id, computed_class=node_class, **usual | fields)


def start(
    job: Job, *rows: Any, scheduler: str = "service", profile: Profile = NOMAD_2_0
) -> FeasibilityPipeline:
    """Start an attempt for a job."""
    context = make_context(make_snapshot(job, *rows), job, scheduler=scheduler, with_reasons=True)
    context.profile = profile
    pipeline = FeasibilityPipeline(context)
    pipeline.set_job(job)
    return pipeline


def visit(pipeline: FeasibilityPipeline, group: TaskGroup, *nodes: Node) -> list[str]:
    """Give for each node the reason why it is refused; empty when it is not."""
    pipeline.begin(group, f"j.{group.name}[0]")
    return [refused.text if (refused := pipeline.check(node)) else "" for node in nodes]


def test_needs_are_those_of_the_group_and_of_its_tasks_in_order() -> None:
    """FEAS-15."""
    one, two, three = (Constraint(ltarget=text) for text in "123")
    devices = tuple(RequestedDevice(name=name) for name in ("gpu", "fpga"))
    tasks = tuple(
        Task(
            driver=driver,
            constraints=(constraint,),
            resources=Resources(devices=(device,)),
            secrets=(Secret(provider="vault"),),
        )
        for driver, constraint, device in zip(("exec", "docker"), (two, three), devices, strict=True)
    )

    needs = gather_needs(make_group(constraints=(one,), tasks=(*tasks, Task(driver="exec"))))

    assert ("exec", "docker") == needs.drivers
    assert (one, two, three) == needs.constraints
    assert devices == needs.devices
    assert ("vault",) == needs.providers


REASONS = [
    "job = no",
    "missing drivers",
    "group = no",
    "task = no",
    "missing devices",
    "missing network",
    "missing secrets provider",
    "missing compatible host volumes",
    "missing CSI volume(s) c",
    "distinct_hosts",
    'missing property "${meta.rack}"',
    "",
]
"""In the order of the checks; the last one is that of a node without faults."""


def make_faulty(first: int) -> Job:
    """Make a job for which a node has all faults from a number on."""

    def have(number: int, value: Any) -> tuple[Any, ...]:
        return (value,) if first <= number else ()

    task = Task(
        driver="docker" if first <= 1 else "",
        constraints=have(3, Constraint(ltarget="task", operand="=", rtarget="no")),
        resources=Resources(devices=have(4, RequestedDevice(name="gpu", count=1))),
        secrets=have(6, Secret(provider="vault")),
    )
    volumes = (
        *have(7, VolumeRequest(type="host", source="h")),
        *have(8, VolumeRequest(type="csi", source="c")),
    )
    group = make_group(
        tasks=(task,),
        constraints=(
            *have(2, Constraint(ltarget="group", operand="=", rtarget="no")),
            *have(9, Constraint(operand="distinct_hosts")),
        ),
        networks=have(5, BRIDGE),
        volumes={request.type: request for request in volumes},
    )
    rack = Constraint(ltarget="${meta.rack}", operand="distinct_property")
    job = Constraint(ltarget="job", operand="=", rtarget="no")
    return make_job(group, constraints=(*have(0, job), *have(10, rack)))


@pytest.mark.parametrize("first", range(len(REASONS)))
def test_the_first_fault_in_the_order_of_checks_is_told(first: int) -> None:
    """FEAS-12."""
    job, node = make_faulty(first), make_host(docker=False)

    assert [REASONS[first]] == visit(start(job, node, make_alloc()), job.task_groups[0], node)


@pytest.mark.parametrize(
    ("order", "expected"),
    [("123", ["missing drivers", CACHED, CACHED]), ("213", ["", "", ""])],
)
def test_the_first_node_of_a_class_decides_for_all(order: str, expected: list[str]) -> None:
    """FEAS-22, 06/S-01."""
    nodes = {"1": make_host("n1", docker=False), "2": make_host("n2"), "3": make_host("n3")}
    group = make_group(tasks=DOCKER)

    assert expected == visit(start(make_job(group)), group, *(nodes[name] for name in order))


def test_what_is_known_of_classes_lasts_for_the_attempt() -> None:
    """FEAS-23, FEAS-24: over searches and versions, group by group."""
    web, db = make_group(tasks=DOCKER), make_group("db")
    pipeline = start(make_job(web, db))

    assert ["missing drivers"] == visit(pipeline, web, make_host(docker=False))
    pipeline.set_job(make_job(web, db, version=3))
    assert [CACHED] == visit(pipeline, web, make_host("n2"))
    assert [""] == visit(pipeline, db, make_host("n2"))


@pytest.mark.parametrize("scheduler", ["system", "sysbatch"])
def test_schedulers_of_every_node_forget_classes_with_each_search(scheduler: str) -> None:
    """FEAS-23, SYS-04."""
    group = make_group(tasks=DOCKER)
    pipeline = start(make_job(group), scheduler=scheduler)
    pipeline.context.missing_resources.add("csi-volume:default:x")

    assert ["missing drivers"] == visit(pipeline, group, make_host(docker=False))
    assert {"c": False} == pipeline.context.eligibility.compute_classes()
    assert [""] == visit(pipeline, group, make_host("n2"))
    assert {"c": True} == pipeline.context.eligibility.compute_classes()
    assert not pipeline.context.missing_resources


def test_only_an_escape_of_the_job_survives_a_search_of_every_node() -> None:
    """FEAS-23, SYS-04."""
    escape = (Constraint(ltarget="${node.unique.id}", operand="=", rtarget="n1"),)
    of_group = make_group(constraints=escape)
    by_group, by_job = (
        start(make_job(of_group), scheduler="system"),
        start(make_job(constraints=escape), scheduler="system"),
    )

    visit(by_group, of_group, make_host())
    visit(by_job, make_group(), make_host())

    assert not by_group.context.eligibility.has_escaped()
    assert by_job.context.eligibility.has_escaped()


def test_constraints_of_the_job_are_asked_of_every_node() -> None:
    """FEAS-13, FEAS-21: a node that fails makes its class ineligible."""
    constraint = Constraint(ltarget="${attr.arch}", operand="=", rtarget="arm64")
    job = make_job(constraints=(constraint,))
    good, bad = make_host("n1", arch="arm64"), make_host("n2", arch="amd64")
    reasons = ["", "", "${attr.arch} = arm64", CACHED, CACHED]

    assert reasons == visit(start(job), job.task_groups[0], good, good, bad, bad, good)


def test_nothing_is_learnt_of_classes_that_do_not_decide() -> None:
    """FEAS-20, FEAS-21, FEAS-22."""
    escape = (Constraint(ltarget="${node.unique.id}", operand="!=", rtarget="n1"),)
    group = make_group(constraints=escape)

    for pipeline in (start(make_job(group)), start(make_job(constraints=escape))):
        reasons = visit(pipeline, pipeline.job.task_groups[0], make_host("n1"), make_host("n2"))

        assert ["${node.unique.id} != n1", ""] == reasons


def test_volumes_are_asked_of_every_node_of_a_class() -> None:
    """FEAS-13, FEAS-22: and say nothing about it."""
    group = make_group(volumes={"h": VolumeRequest(type="host", source="h")})
    pipeline = start(make_job(group))
    missing = "missing compatible host volumes"

    assert [missing, missing] == visit(pipeline, group, make_host(), make_host("n2"))
    assert {"c": True} == pipeline.context.eligibility.compute_classes()


def test_a_group_without_network_inherits_that_of_the_last() -> None:
    """FEAS-82, 06/S-02."""
    bridged, plain = make_group("a", networks=(BRIDGE,)), make_group("b")
    job = make_job(bridged, plain)

    first, second = start(job), start(job)
    assert ["missing network"] == visit(first, bridged, make_host())
    assert ["missing network"] == visit(first, plain, make_host())
    assert [""] == visit(second, plain, make_host())
    assert ["missing network"] == visit(second, bridged, make_host())
    assert ["missing network"] == visit(start(job), plain, make_host(node_resources=None))


def test_a_group_without_network_was_meant_to_need_none() -> None:
    """06/S-02."""
    bridged, plain = make_group("a", networks=(BRIDGE,)), make_group("b")
    pipeline = start(make_job(bridged, plain), profile=INTENDED)

    assert ["missing network"] == visit(pipeline, bridged, make_host())
    assert ["", ""] == visit(pipeline, plain, make_host(), make_host("n2", node_resources=None))


def test_nodes_were_meant_to_be_judged_by_what_they_have() -> None:
    """06/S-01: one good node is enough to make its class eligible."""
    group = make_group(tasks=DOCKER)
    pipeline = start(make_job(group), profile=INTENDED)
    bad, good = make_host(docker=False), make_host("n2")

    assert ["missing drivers", "missing drivers"] == visit(pipeline, group, bad, bad)
    assert {"c": False} == pipeline.context.eligibility.compute_classes()
    assert ["", "missing drivers"] == visit(pipeline, group, good, bad)
    assert {"c": True} == pipeline.context.eligibility.compute_classes()


@pytest.mark.parametrize(("scheduler", "reason"), [("service", "distinct_hosts"), ("system", "")])
def test_distinct_hosts_are_no_matter_where_every_node_is_used(scheduler: str, reason: str) -> None:
    """FEAS-45, SYS-01."""
    job = make_job(constraints=(Constraint(operand="distinct_hosts"),))

    assert [reason] == visit(start(job, make_alloc(), scheduler=scheduler), job.task_groups[0], make_host())


def test_a_refusal_is_counted_once_and_noted() -> None:
    """FEAS-14, FEAS-86."""
    group = make_group(tasks=DOCKER)
    pipeline = start(make_job(group))
    visit(pipeline, group, make_host(docker=False), make_host("n2"))
    context: Context = pipeline.context
    context.reasons.end_selection("web", "j.web[0]", "")

    metrics = context.metrics.build(nodes_available={}, nodes_in_pool=2)
    assert 2 == metrics.nodes_filtered
    assert {"user": 2} == metrics.class_filtered
    assert {"missing drivers": 1, CACHED: 1} == metrics.constraint_filtered
    reasons = context.reasons.build()
    assert reasons is not None
    assert ["n1", "n2"] == [visited.node_id for visited in reasons.selections[0].visits]


@given(
    drivers=st.lists(st.booleans(), min_size=1, max_size=5),
    order=st.randoms(use_true_random=False),
)
def test_with_a_class_each_the_order_of_nodes_is_no_matter(drivers: list[bool], order: Any) -> None:
    """FEAS-22: what is cached is the verdict on the node itself."""
    group = make_group(tasks=DOCKER)
    nodes = [make_host(f"n{at}", f"c{at}", docker=docker) for at, docker in enumerate(drivers)]
    order.shuffle(nodes)

    reasons = visit(start(make_job(group)), group, *nodes)

    feasible = {node.id for node, reason in zip(nodes, reasons, strict=True) if not reason}
    assert {f"n{at}" for at, docker in enumerate(drivers) if docker} == feasible


ARCHES = st.sampled_from(["arm64", "amd64", "s390"])
VISITED = st.tuples(st.integers(0, 2), ARCHES, st.booleans())
"""The class that a node says it is of, perhaps wrongly; its architecture; whether it has a driver."""


@given(
    hosts=st.lists(VISITED, min_size=1, max_size=4),
    job_arch=ARCHES,
    steps=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 3)), max_size=20),
)
def test_what_a_node_passed_before_is_asked_again_where_that_matters(
    hosts: list[tuple[int, str, bool]], job_arch: str, steps: list[tuple[int, int, int]]
) -> None:
    """FEAS-13, FEAS-21, FEAS-22: an attempt that forgets which nodes passed says the same."""
    nodes = [
        make_host(f"n{at}", f"c{number}", arch=arch, docker=docker)
        for at, (number, arch, docker) in enumerate(hosts)
    ]
    groups = (make_group(tasks=DOCKER), make_group("db", networks=(BRIDGE,)))
    wanted = Constraint(ltarget="${attr.arch}", operand="!=", rtarget=job_arch)
    versions = (make_job(*groups), make_job(*groups, constraints=(wanted,), version=1))
    usual, forgetful = start(versions[0]), start(versions[0])

    for version, group, node in steps:
        for pipeline in (usual, forgetful):
            if pipeline.job is not versions[version]:
                pipeline.set_job(versions[version])
        forgetful._forget()

        asked = nodes[node % len(nodes)]
        assert visit(forgetful, groups[group], asked) == visit(usual, groups[group], asked)
        assert forgetful.context.eligibility == usual.context.eligibility
