"""Namespaces."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from nomadspec.model.cluster.entities.scalar import Uint64

NAMESPACE_DEFAULT: Final = "default"


class Namespace(Struct, frozen=True, kw_only=True):
    """A named part of the jobs; what only the enterprise edition reads is kept as it came."""

    name: str = ""
    description: str = ""
    quota: str = ""
    capabilities: Mapping[str, object] | None = None
    node_pool_configuration: Mapping[str, object] | None = None
    vault_configuration: Mapping[str, object] | None = None
    consul_configuration: Mapping[str, object] | None = None
    optional_extra_claims: tuple[str, ...] = ()
    required_extra_claims: tuple[str, ...] = ()
    meta: Mapping[str, str] = {}
    hash: bytes = b""
    create_index: Uint64 = 0
    modify_index: Uint64 = 0
