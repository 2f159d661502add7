"""Node pools."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Uint64

POOL_ALL: Final = "all"
POOL_DEFAULT: Final = "default"


def is_every_pool(name: str) -> bool:
    """True if the scan for a placement takes the nodes of all pools.

    Spec: FEAS-07.
    """
    return name in {"", POOL_ALL}


class PoolSchedulerConfiguration(Struct, frozen=True, kw_only=True):
    """What a pool overrides of the scheduler's configuration."""

    scheduler_algorithm: str = ""
    memory_oversubscription_enabled: bool | None = None


class NodePool(Struct, frozen=True, kw_only=True):
    """A named part of the nodes."""

    name: str = ""
    description: str = ""
    meta: Mapping[str, str] = {}
    scheduler_configuration: PoolSchedulerConfiguration | None = None
    node_identity_ttl_ns: int = 0
    hash: bytes = b""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
