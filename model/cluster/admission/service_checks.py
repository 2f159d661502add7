"""Checks of the services of a group and of its tasks."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import Complaint, collect, complain_where
from nomadspec.model.cluster.entities import Service, ServiceProvider, TaskGroup

_LONGEST_NAME: Final = 63
_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_REFERENCE: Final = re.compile(r"\$\{[^}]*\}")


def check_services(group: TaskGroup) -> Iterator[Complaint]:
    """Check the services of a group; those of its tasks must have the same provider.

    Spec: OBJ-070.
    """
    of_tasks = (service for task in group.tasks for service in task.services)
    providers = {service.provider for service in (*group.services, *of_tasks)}
    yield from complain_where(
        (
            len(providers) > 1,
            "Multiple service providers used: task group services must use the same provider",
        )
    )
    yield from check_each_service(group.services)


def check_each_service(services: Iterable[Service]) -> Iterator[Complaint]:
    """Check services one by one."""
    for position, service in enumerate(services):
        heading = f"Service[{position}] {service.name} validation failed: "
        yield from collect(heading, _check_service(service))


def _check_service(service: Service) -> Iterator[Complaint]:
    return complain_where(
        (
            not _is_host_name(service.name),
            (
                "Service name must be valid per RFC 1123 and can contain only alphanumeric characters or "
                f'dashes and must be no longer than {_LONGEST_NAME} characters: "{service.name}"'
            ),
        ),
        (
            service.provider not in frozenset(ServiceProvider),
            f'Service provider must be "consul", or "nomad"; not "{service.provider}"',
        ),
    )


def _is_host_name(name: str) -> bool:
    """True if a name is fit for look-ups; what it refers to is known only on the client."""
    plain = _REFERENCE.sub("x", name)
    return len(plain) <= _LONGEST_NAME and _NAME.fullmatch(plain) is not None
