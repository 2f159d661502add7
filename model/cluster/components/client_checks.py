"""Whether the service checks of an allocation pass, in the eyes of the client that watches its health."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from nomadspec.model.cluster.entities import TaskGroup
from nomadspec.model.cluster.entities.service import Service

NOMAD: Final = "nomad"
"""The provider whose checks the client runs itself; those of all others are Consul's."""

IGNORE: Final = "ignore"
IGNORE_WARNINGS: Final = "ignore_warnings"


class ConsulStatus(StrEnum):
    """What Consul says of a check."""

    PASSING = "passing"
    WARNING = "warning"
    CRITICAL = "critical"


class CheckStatus(StrEnum):
    """What the client itself found out by a check."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILURE = "failure"


class ConsulCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check that is registered with Consul for an allocation."""

    name: str
    status: str
    on_update: str = ""
    is_of_sidecar: bool = False
    """Whether it was made for a sidecar of the service mesh, and hence stands in no job."""


class NomadCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A check that the client runs; readiness says whether to send traffic, not whether all is well."""

    status: str
    is_readiness: bool = False


def list_services(group: TaskGroup) -> list[Service]:
    """List the services of a group and of its tasks."""
    return [*group.services, *(service for task in group.tasks for service in task.services)]


def has_checks(group: TaskGroup) -> bool:
    """True if a group defines any check.

    Spec: HEALTH-10.
    """
    return any(service.checks for service in list_services(group))


def do_checks_pass(
    group: TaskGroup, registered: Sequence[ConsulCheck], results: Iterable[NomadCheck]
) -> bool:
    """True while the checks of an allocation pass: those of Consul if there are any, else the client's own.

    Spec: HEALTH-14.
    """
    expected = [
        check.name
        for service in list_services(group)
        if service.provider != NOMAD
        for check in service.checks
    ]
    return do_consul_checks_pass(expected, registered) if expected else do_nomad_checks_pass(results)


def do_consul_checks_pass(expected: Iterable[str], registered: Sequence[ConsulCheck]) -> bool:
    """True while exactly the expected checks are registered, and none of them counts as bad.

    Spec: HEALTH-12.
    """
    own = Counter(check.name for check in registered if not check.is_of_sidecar)
    return own == Counter(expected) and not any(_is_bad(check) for check in registered)


def _is_bad(check: ConsulCheck) -> bool:
    if check.is_of_sidecar:
        return check.status != ConsulStatus.PASSING
    if check.status == ConsulStatus.CRITICAL:
        return check.on_update != IGNORE
    return check.status == ConsulStatus.WARNING and check.on_update not in {IGNORE, IGNORE_WARNINGS}


def do_nomad_checks_pass(results: Iterable[NomadCheck]) -> bool:
    """True while no check waits for its first result and none fails, but for readiness; none at all pass.

    Spec: HEALTH-13.
    """
    return not any(
        check.status == CheckStatus.PENDING
        or (check.status == CheckStatus.FAILURE and not check.is_readiness)
        for check in results
    )
