"""All properties of whole clusters by their names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nomadspec.invariants.cluster.world.allocs import ALLOC_PROPERTIES
from nomadspec.invariants.cluster.world.deployments import DEPLOYMENT_PROPERTIES
from nomadspec.invariants.cluster.world.drains import DRAIN_PROPERTIES
from nomadspec.invariants.cluster.world.evals import EVAL_PROPERTIES
from nomadspec.invariants.cluster.world.jobs import JOB_PROPERTIES
from nomadspec.invariants.cluster.world.links import LINK_PROPERTIES
from nomadspec.invariants.cluster.world.nodes import NODE_PROPERTIES
from nomadspec.invariants.cluster.world.registry import Property, Scope
from nomadspec.invariants.cluster.world.rest import REST_PROPERTIES
from nomadspec.invariants.cluster.world.retention import KEEPING_PROPERTIES
from nomadspec.invariants.cluster.world.versions import VERSION_PROPERTIES

PROPERTIES: Final[Mapping[str, Property]] = MappingProxyType(
    {
        each.name: each
        for each in (
            *ALLOC_PROPERTIES,
            *EVAL_PROPERTIES,
            *DEPLOYMENT_PROPERTIES,
            *JOB_PROPERTIES,
            *NODE_PROPERTIES,
            *LINK_PROPERTIES,
            *KEEPING_PROPERTIES,
            *REST_PROPERTIES,
            *DRAIN_PROPERTIES,
            *VERSION_PROPERTIES,
        )
    }
)


def list_properties(*scopes: Scope) -> tuple[Property, ...]:
    """List the properties of some scopes; all of them where none is named."""
    return tuple(each for each in PROPERTIES.values() if not scopes or each.scope in scopes)
