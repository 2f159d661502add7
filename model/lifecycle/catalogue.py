"""Every lifecycle by its name."""

from collections.abc import Mapping
from typing import Final

from nomadspec.model.errors import UnknownNameError
from nomadspec.model.lifecycle.allocation import ALLOCATION_CLIENT, ALLOCATION_DESIRED
from nomadspec.model.lifecycle.allocation_pairs import ALLOCATION
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.evaluation_full import EVALUATION_FULL
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE
from nomadspec.model.lifecycle.job import JOB
from nomadspec.model.lifecycle.node import NODE
from nomadspec.model.lifecycle.table import Lifecycle

LIFECYCLES: Final[Mapping[str, Lifecycle]] = {
    lifecycle.name: lifecycle
    for lifecycle in (
        EVALUATION,
        EVALUATION_FULL,
        EVALUATION_PLACE,
        ALLOCATION,
        ALLOCATION_DESIRED,
        ALLOCATION_CLIENT,
        DEPLOYMENT,
        NODE,
        JOB,
    )
}


def find_lifecycle(name: str) -> Lifecycle:
    """Find a lifecycle by its name."""
    if name not in LIFECYCLES:
        raise UnknownNameError("lifecycle", name, LIFECYCLES)
    return LIFECYCLES[name]
