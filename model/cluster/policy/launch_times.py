"""When a periodic job is launched next."""

from collections.abc import Iterator
from typing import Final

from nomadspec.model.cluster.constraints.literals import parse_integer
from nomadspec.model.cluster.entities import NS_PER_S, PeriodicConfig, SpecType
from nomadspec.model.cluster.policy.cron import parse_cron
from nomadspec.model.cluster.policy.cron_fields import CronError
from nomadspec.model.cluster.policy.time_zones import find_time_zone_or_utc
from nomadspec.model.specification.profiles import Profile
from nomadspec.model.specification.quirks import EXHAUSTED_EXPRESSION

_NEVER: Final = 0


def find_next_launch(periodic: PeriodicConfig, after_ns: int, profile: Profile) -> int | None:
    """Find the next launch after an instant, both as unix nanoseconds; none if there is none any more.

    Spec: OBJ-141, OBJ-142, JOB-26, 01/S6.
    """
    if periodic.spec_type == SpecType.TEST:
        return _find_listed_launch(periodic.spec, after_ns)
    launches = list(_list_launches(periodic, after_ns))
    if not profile.has(EXHAUSTED_EXPRESSION):
        return min((launch_ns for launch_ns in launches if launch_ns != _NEVER), default=None)
    earliest = _NEVER
    for launch_ns in launches:
        if earliest == _NEVER or launch_ns < earliest:
            earliest = launch_ns
    return earliest or None


def _list_launches(periodic: PeriodicConfig, after_ns: int) -> Iterator[int]:
    zone = find_time_zone_or_utc(periodic.time_zone)
    for expression in periodic.specs or ((periodic.spec,) if periodic.spec else ()):
        try:
            yield parse_cron(expression).find_next(after_ns, zone) or _NEVER
        except CronError as error:
            named = f"failed parsing cron expression {expression}: " if periodic.specs else ""
            raise CronError(f"{named}failed parsing cron expression: {expression}: {error}") from None


def _find_listed_launch(instants: str, after_ns: int) -> int | None:
    """Read the form that serves tests: the launches themselves, as unix seconds."""
    listed = [text.strip() for text in instants.split(",")]
    instants_s = {text: parse_integer(text) for text in listed}
    wrong = next((text for text, value in instants_s.items() if value is None), None)
    if wrong is not None:
        raise CronError(f"{wrong!r} is not a number of seconds")
    later = (value * NS_PER_S for value in instants_s.values() if value is not None)
    return next((launch_ns for launch_ns in later if launch_ns > after_ns), None)
