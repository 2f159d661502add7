"""Task drivers and providers of secrets: a node needs all that the tasks of a group use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from nomadspec.model.cluster.constraints.literals import parse_boolean
from nomadspec.model.cluster.entities import Node
from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.reasons import Filtered

MISSING_DRIVERS: Final = "missing drivers"
MISSING_SECRETS: Final = "missing secrets provider"


def check_drivers(node: Node, drivers: Iterable[str]) -> Filtered | None:
    """Refuse a node that lacks a driver.

    Spec: FEAS-26.
    """
    lacking = next((driver for driver in drivers if not has_driver(node, driver)), None)
    if lacking is None:
        return None
    return refuse(node, "FEAS-26", MISSING_DRIVERS, driver=lacking)


def has_driver(node: Node, driver: str) -> bool:
    """True if a driver works on a node: by what the node says of it, or else by an attribute.

    Spec: FEAS-26, FEAS-27.
    """
    if driver in node.drivers:
        known = node.drivers[driver]
        return known is not None and known.detected and known.healthy
    return parse_boolean(node.attributes.get(f"driver.{driver}", "")) is True


def check_secrets(node: Node, providers: Iterable[str]) -> Filtered | None:
    """Refuse a node that lacks a provider of secrets.

    Spec: FEAS-28.
    """
    for provider in providers:
        if f"plugins.secrets.{provider}.version" not in node.attributes:
            return refuse(node, "FEAS-28", MISSING_SECRETS, provider=provider)
    return None
