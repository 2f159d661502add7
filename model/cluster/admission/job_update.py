"""What a registration may not change about the job that is stored."""

from collections.abc import Callable
from typing import Final

from nomadspec.model.cluster.entities import Job
from nomadspec.model.cluster.entities.job import is_parameterized, is_periodic

_TRAITS: Final[tuple[tuple[str, Callable[[Job], bool]], ...]] = (
    ("periodic", is_periodic),
    ("parameterized", is_parameterized),
)
"""What a job is or is not for as long as it is stored."""


def find_update_refusal(stored: Job | None, submitted: Job, enforced_index: int | None) -> str | None:
    """Find why a registration over a stored job is refused; an enforced index is looked at first.

    Spec: OBJ-036, OBJ-044, JOB-03, JOB-04.
    """
    if enforced_index is not None:
        refusal = find_enforcement_refusal(stored, enforced_index)
        if refusal is not None:
            return refusal
    if stored is None:
        return "job can't be submitted with 'Dispatched' set" if submitted.dispatched else None
    return _find_transition_refusal(stored, submitted)


def find_enforcement_refusal(stored: Job | None, index: int) -> str | None:
    """Find why a registration that names the index it builds upon is refused.

    Spec: OBJ-044, JOB-04.
    """
    beginning = f"Enforcing job modify index {index}:"
    if stored is None:
        return f"{beginning} job does not exist" if index != 0 else None
    if index == 0:
        return f"{beginning} job already exists"
    if index != stored.job_modify_index:
        return f"{beginning} job exists with conflicting job modify index: {stored.job_modify_index}"
    return None


def _find_transition_refusal(stored: Job, submitted: Job) -> str | None:
    if stored.type != submitted.type:
        return f'cannot update job from type "{stored.type}" to "{submitted.type}"'
    for trait, has in _TRAITS:
        if has(stored) and not has(submitted):
            return f"cannot update {trait} job to being non-{trait}"
        if has(submitted) and not has(stored):
            return f"cannot update non-{trait} job to being {trait}"
    if stored.dispatched != submitted.dispatched:
        return "field 'Dispatched' is read-only"
    return None
