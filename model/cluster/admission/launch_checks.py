"""Checks of what makes a job a parent: the clock, or dispatch."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.admission.complaint import Complaint, complain, complain_where
from nomadspec.model.cluster.entities import (
    DispatchPayloadRule,
    ParameterizedJobConfig,
    PeriodicConfig,
    SpecType,
)
from nomadspec.model.cluster.policy.cron import parse_cron
from nomadspec.model.cluster.policy.cron_fields import CronError
from nomadspec.model.cluster.policy.time_zones import explain_unknown_zone, find_time_zone

_SPEC_TYPES: Final = frozenset(SpecType)


def check_periodic(periodic: PeriodicConfig) -> Iterator[Complaint]:
    """Check when a job is launched; nothing of it matters while it is not enabled.

    Spec: OBJ-140.
    """
    if not periodic.enabled:
        return
    yield from complain_where(
        (not periodic.spec and not periodic.specs, "Must specify a spec"),
        (bool(periodic.spec and periodic.specs), "Only cron or crons may be used"),
    )
    if find_time_zone(periodic.time_zone) is None:
        trouble = explain_unknown_zone(periodic.time_zone)
        yield complain(f'Invalid time zone "{periodic.time_zone}": {trouble}')
    if periodic.spec_type == SpecType.CRON:
        yield from _check_expressions(periodic)
    elif periodic.spec_type not in _SPEC_TYPES:
        yield complain(f'Unknown periodic specification type "{periodic.spec_type}"')


def _check_expressions(periodic: PeriodicConfig) -> Iterator[Complaint]:
    for expression in periodic.specs or ((periodic.spec,) if periodic.spec else ()):
        try:
            parse_cron(expression)
        except CronError as error:
            yield complain(f'Invalid cron spec "{expression}": {error}')


def check_parameterized(parameterized: ParameterizedJobConfig) -> Iterator[Complaint]:
    """Check what a dispatch of the job has to bring.

    Spec: OBJ-143.
    """
    common = [key for key in parameterized.meta_required if key in parameterized.meta_optional]
    return complain_where(
        (
            parameterized.payload not in frozenset(DispatchPayloadRule),
            f'Unknown payload requirement: "{parameterized.payload}"',
        ),
        (
            bool(common),
            (
                "Required and optional meta keys should be disjoint. "
                f"Following keys exist in both: [{' '.join(common)}]"
            ),
        ),
    )
