"""Nodes and allocations for questions about what fits, in the form of the HTTP API."""

from __future__ import annotations

from random import Random
from typing import Any, Final

ADDRESS: Final = "10.1.0.1"
OTHER_ADDRESS: Final = "10.2.0.1"
NODE_ID: Final = "node-1"
_RESERVED: Final = ("22", "22", "22,8000-8002", "20001", "20001", "20000-20002", "70000", "x")
DEVICE: Final = {"Vendor": "acme", "Type": "gpu", "Name": "one"}


def make_node(random: Random) -> dict[str, Any]:
    """Make a node with little room: few cores, ports and devices."""
    cores = random.choice((1, 2, 4))
    speed = random.choice((500, 1000))
    reserved: dict[str, Any] = {}
    if random.random() < 0.4:
        reserved["Cpu"] = {"CpuShares": random.choice((100, 250))}
        reserved["Memory"] = {"MemoryMB": 64}
        reserved["Disk"] = {"DiskMB": 100}
    if random.random() < 0.5:
        reserved["Networks"] = {"ReservedHostPorts": random.choice(_RESERVED)}
    return {
        "ID": NODE_ID,
        "Name": NODE_ID,
        "Datacenter": "north",
        "NodeResources": {
            "Cpu": {
                "CpuShares": cores * speed,
                "TotalCpuCores": cores,
                "ReservableCpuCores": [*range(cores)],
            },
            "Processors": {"Topology": _make_topology(cores, speed)},
            "Memory": {"MemoryMB": random.choice((512, 1024))},
            "Disk": {"DiskMB": random.choice((1000, 5000))},
            "Networks": [
                {"Mode": "host", "Device": "eth0", "CIDR": f"{ADDRESS}/32", "IP": ADDRESS, "MBits": 100}
            ],
            "NodeNetworks": _make_networks(random),
            "MinDynamicPort": 20000,
            "MaxDynamicPort": random.choice((20000, 20002, 20008)),
            "Devices": [
                {**DEVICE, "Instances": [{"ID": f"gpu-{number}", "Healthy": True} for number in range(2)]}
            ],
        },
        "ReservedResources": reserved,
        "Status": "ready",
        "SchedulingEligibility": "eligible",
        "HostVolumes": {"data": {"Name": "data", "Path": "/data"}},
    }


def _make_topology(cores: int, speed: int) -> dict[str, Any]:
    made = [{"ID": number, "Grade": True, "BaseSpeed": speed} for number in range(cores)]
    return {"Nodes": [0], "Distances": [[10]], "Cores": made}


def _make_networks(random: Random) -> list[dict[str, Any]]:
    addresses = [{"Family": "ipv4", "Alias": "default", "Address": ADDRESS}]
    if random.random() < 0.5:
        addresses.append({"Family": "ipv4", "Alias": "lab", "Address": OTHER_ADDRESS})
    if random.random() < 0.3:
        addresses[-1] |= {"ReservedPorts": random.choice(("20000", "9000", "9000", "99999"))}
    return [{"Mode": "host", "Device": "eth0", "Speed": 1000, "Addresses": addresses}]


def make_alloc(random: Random, number: int) -> dict[str, Any]:
    """Make an allocation, most of which run."""
    resources: dict[str, Any] = {
        "Cpu": {"CpuShares": random.choice((100, 250, 500, 1000))},
        "Memory": {"MemoryMB": random.choice((64, 256, 600)), "MemoryMaxMB": random.choice((0, 0, 700))},
    }
    if random.random() < 0.3:
        resources["Cpu"]["ReservedCores"] = random.sample(range(4), random.randrange(1, 3))
    if random.random() < 0.3:
        resources["Devices"] = [
            {**DEVICE, "DeviceIDs": random.sample(("gpu-0", "gpu-1"), random.randrange(1, 3))}
        ]
    return {
        "ID": f"alloc-{number}",
        "Namespace": "default",
        "Name": f"web.main[{number}]",
        "NodeID": NODE_ID,
        "JobID": "web",
        "TaskGroup": "main",
        "AllocatedResources": {
            "Tasks": {"main": resources},
            "Shared": {"DiskMB": random.choice((10, 300, 2000)), "Ports": make_ports(random)},
        },
        "DesiredStatus": random.choice(("run", "run", "run", "stop", "evict")),
        "ClientStatus": random.choice(
            ("running", "running", "pending", "complete", "failed", "lost", "unknown")
        ),
    }


def make_ports(random: Random) -> list[dict[str, Any]]:
    """Make the ports that an allocation has, some of which others have too."""
    values = random.sample((8000, 20000, 20001, 20002, 9000, 22), random.choice((0, 0, 1, 2)))
    return [
        {"Label": f"p{value}", "Value": value, "HostIP": random.choice((ADDRESS, ADDRESS, OTHER_ADDRESS))}
        | ({"IgnoreCollision": True} if random.random() < 0.1 else {})
        for value in values
    ]
