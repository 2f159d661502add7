"""What one attempt of a scheduler has learnt about classes of nodes."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.model.cluster.constraints.escape import is_group_escaped, is_job_escaped
from nomadspec.model.cluster.entities.job import Job

Table = Mapping[str, bool]
"""Class by class, whether it is eligible; a class that is missing is unknown."""

_EMPTY: Final[Mapping[str, Table]] = MappingProxyType({})


class ClassStatus(StrEnum):
    """What is known of a class.

    Spec: FEAS-20.
    """

    UNKNOWN = "unknown"
    INELIGIBLE = "ineligible"
    ELIGIBLE = "eligible"
    ESCAPED = "escaped"


class ClassEligibility(Struct, frozen=True, kw_only=True):
    """What is known of classes, for the job and for each group.

    Spec: FEAS-20, FEAS-23.
    """

    is_escaped: bool = False
    escaped_groups: frozenset[str] = frozenset()
    job: Table = {}
    groups: Mapping[str, Table] = _EMPTY

    def has_escaped(self) -> bool:
        """True if the job or any of its groups depends on more than classes.

        Spec: FEAS-25.
        """
        return self.is_escaped or bool(self.escaped_groups)

    def find_for_job(self, node_class: str) -> ClassStatus:
        """Find what is known of a class for the constraints of the job.

        Spec: FEAS-20, FEAS-21.
        """
        return ClassStatus.ESCAPED if self.is_escaped else _find_status(self.job, node_class)

    def find_for_group(self, group: str, node_class: str) -> ClassStatus:
        """Find what is known of a class for a group.

        Spec: FEAS-20, FEAS-22.
        """
        if group in self.escaped_groups:
            return ClassStatus.ESCAPED
        return _find_status(self.groups.get(group, {}), node_class)

    def with_job(self, job: Job) -> "ClassEligibility":
        """Point to another version of the job: what escapes is found anew, what was learnt stays.

        Spec: FEAS-24.
        """
        escaped = frozenset(group.name for group in job.task_groups if is_group_escaped(group))
        return replace(self, is_escaped=is_job_escaped(job), escaped_groups=escaped)

    def with_job_class(self, node_class: str, *, is_eligible: bool) -> "ClassEligibility":
        """Note a class for the constraints of the job.

        Spec: FEAS-21.
        """
        return replace(self, job={**self.job, node_class: is_eligible})

    def with_group_class(self, group: str, node_class: str, *, is_eligible: bool) -> "ClassEligibility":
        """Note a class for a group.

        Spec: FEAS-22.
        """
        table = {**self.groups.get(group, {}), node_class: is_eligible}
        return replace(self, groups={**self.groups, group: table})

    def compute_classes(self) -> Mapping[str, bool]:
        """Sum up what a blocked evaluation has to know of classes.

        Spec: FEAS-25.
        """
        classes: dict[str, bool] = {}
        for table in self.groups.values():
            for node_class, is_eligible in table.items():
                classes[node_class] = is_eligible or classes.get(node_class, False)
        for node_class, is_eligible in self.job.items():
            classes[node_class] = is_eligible and classes.get(node_class, True)
        return classes


def _find_status(table: Table, node_class: str) -> ClassStatus:
    if node_class not in table:
        return ClassStatus.UNKNOWN
    return ClassStatus.ELIGIBLE if table[node_class] else ClassStatus.INELIGIBLE


def learn_nothing(job: Job) -> ClassEligibility:
    """Begin an attempt: what escapes is known, and no class is.

    Spec: FEAS-20, FEAS-23.
    """
    return ClassEligibility().with_job(job)
