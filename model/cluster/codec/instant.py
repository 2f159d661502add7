"""Times as RFC 3339 text and as unix nanoseconds."""

import re
from datetime import date
from functools import lru_cache
from typing import Final

from nomadspec.model.cluster.entities.scalar import NS_PER_S

_TEXT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII
)
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_S_PER_DAY: Final = 86_400
_YEARS_PER_CYCLE: Final = 400
_DAYS_PER_CYCLE: Final = 146_097
"""After so many days the calendar begins anew."""
_ZERO_TIME_S: Final = -62_135_596_800
_LAST: Final = (23, 59, 59, 23, 59)


@lru_cache(maxsize=1 << 14)  # the events of an object repeat its times
def parse_instant(text: str) -> int | None:
    """Read a time as unix nanoseconds, the zero time as 0; none if the text is no time.

    Spec: OBJ-002, OBJ-005, WIRE-001.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, off_hour, off_minute = match.groups()
    clock = (int(hour), int(minute), int(second), int(off_hour or 0), int(off_minute or 0))
    try:
        days = date(int(year), int(month), int(day)).toordinal() - _EPOCH_DAY
    except ValueError:
        return None
    if any(part > last for part, last in zip(clock, _LAST, strict=True)):
        return None
    seconds = days * _S_PER_DAY + clock[0] * 3600 + clock[1] * 60 + clock[2]
    if sign:
        offset_s = clock[3] * 3600 + clock[4] * 60
        seconds -= offset_s if sign == "+" else -offset_s
    ns = int(fraction.ljust(9, "0")) if fraction else 0
    return 0 if seconds == _ZERO_TIME_S and ns == 0 else seconds * NS_PER_S + ns


def format_instant(time_ns: int) -> str:
    """Write unix nanoseconds as a time in UTC, without trailing zeros; years may have any number of digits.

    Spec: WIRE-001.
    """
    seconds, ns = divmod(time_ns, NS_PER_S)
    days, second = divmod(seconds, _S_PER_DAY)
    cycles, rest = divmod(days + _EPOCH_DAY - 1, _DAYS_PER_CYCLE)
    within = date.fromordinal(rest + 1)
    day = f"{within.year + cycles * _YEARS_PER_CYCLE:04d}-{within.month:02d}-{within.day:02d}"
    fraction = f".{ns:09d}".rstrip("0") if ns else ""
    return f"{day}T{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}{fraction}Z"
