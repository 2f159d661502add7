"""Members that JSON shows and no record keeps, because they follow from others."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from nomadspec.model.cluster.entities import Node


def _is_draining(node: Node) -> bool:
    return node.drain_strategy is not None


_COMPUTED: Final[Mapping[type, Mapping[str, Callable[[Node], bool]]]] = {Node: {"Drain": _is_draining}}


def list_computed(record: type[msgspec.Struct]) -> Mapping[str, Callable[[Node], bool]]:
    """List the members that are computed when a record is written, and passed over when it is read.

    Spec: OBJ-151, WIRE-007, WIRE-071.
    """
    return _COMPUTED.get(record, {})
