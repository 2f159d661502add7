"""The computed class of a node: what nodes have in common that class-level checks may read."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

import msgspec
import xxhash

from nomadspec.model.cluster.entities.hardware import DeviceAttribute, NodeDeviceResource
from nomadspec.model.cluster.entities.node import Node

CLASS_BEGIN: Final = "v1:"
"""How the text of every class begins."""
_UNIQUE_KEY: Final = "unique."

_Value = TypeVar("_Value")
Attribute = tuple[str, DeviceAttribute | None]


class DeviceIdentity(NamedTuple):
    """What a group of devices adds to the class."""

    vendor: str
    type: str
    name: str
    attributes: tuple[Attribute, ...]


class NodeIdentity(NamedTuple):
    """All that enters the class: nodes are of one class if and only if these are equal.

    Spec: FEAS-16, OBJ-162.
    """

    datacenter: str
    node_class: str
    node_pool: str
    attributes: tuple[tuple[str, str], ...]
    meta: tuple[tuple[str, str], ...]
    devices: tuple[DeviceIdentity, ...]


def compute_identity(node: Node) -> NodeIdentity:
    """Gather what enters the class of a node; the order of devices matters, that of keys does not.

    Spec: FEAS-16, FEAS-17.
    """
    devices = node.node_resources.devices if node.node_resources else ()
    return NodeIdentity(
        node.datacenter,
        node.node_class,
        node.node_pool,
        tuple(sorted(_list_common(node.attributes))),
        tuple(sorted(_list_common(node.meta))),
        tuple(map(_compute_device_identity, devices)),
    )


def _compute_device_identity(group: NodeDeviceResource) -> DeviceIdentity:
    attributes = sorted(_list_common(group.attributes), key=lambda attribute: attribute[0])
    return DeviceIdentity(group.vendor, group.type, group.name, tuple(attributes))


def _list_common(values: Mapping[str, _Value]) -> Iterable[tuple[str, _Value]]:
    return ((key, value) for key, value in values.items() if not key.startswith(_UNIQUE_KEY))


def compute_class(node: Node) -> str:
    """Compute the class of a node; the number differs from the server's, and means the same.

    Spec: FEAS-16.
    """
    canonical = msgspec.json.encode(compute_identity(node))
    return f"{CLASS_BEGIN}{xxhash.xxh3_64_intdigest(canonical)}"
