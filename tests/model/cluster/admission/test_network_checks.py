import pytest

from nomadspec.model.cluster.admission.network_checks import check_networks
from nomadspec.model.cluster.entities import NetworkResource, Port, Resources, Task, TaskGroup


def complain_of(*networks: NetworkResource, tasks: tuple[Task, ...] = ()) -> list[str]:
    return [found.text for found in check_networks(TaskGroup(networks=networks, tasks=tasks))]


def reserve(*ports: Port, mode: str = "host") -> NetworkResource:
    return NetworkResource(mode=mode, reserved_ports=ports)


def offer(*ports: Port) -> NetworkResource:
    return NetworkResource(dynamic_ports=ports)


@pytest.mark.parametrize(
    "network",
    [
        reserve(Port(label="a", value=80), Port(label="b", value=80, host_network="other")),
        reserve(Port(label="a", value=80), Port(label="b", value=80, ignore_collision=True)),
        offer(Port(label="a", to=-1), Port(label="b", to=0)),
    ],
)
def test_good_networks(network: NetworkResource) -> None:
    assert [] == complain_of(network)


@pytest.mark.parametrize(
    ("network", "complaint"),
    [
        (offer(Port(label="w"), Port(label="w")), "Port label w already in use by taskgroup network"),
        (
            reserve(Port(label="a", value=80), Port(label="b", value=80)),
            "Static port 80 already reserved by taskgroup network:a",
        ),
        (reserve(Port(label="a", value=70000)), "Port a (70000) cannot be greater than 65535"),
        (offer(Port(label="a", to=-5)), 'Port "a" cannot be mapped to negative value -5'),
        (
            reserve(Port(label="a", value=80, ignore_collision=True), mode="bridge"),
            'Port "a" collision may not be ignored on non-host network mode "bridge"',
        ),
        (offer(Port()), "a port needs a label"),
    ],
)
def test_bad_networks(network: NetworkResource, complaint: str) -> None:
    """OBJ-070, OBJ-124."""
    assert [complaint] == complain_of(network)


def test_labels_are_unique_over_group_and_tasks() -> None:
    """OBJ-070."""
    task = Task(name="t", resources=Resources(networks=(offer(Port(label="a"), Port(label="b")),)))

    assert ["Port label a already in use by taskgroup network"] == complain_of(
        offer(Port(label="a")), tasks=(task,)
    )
