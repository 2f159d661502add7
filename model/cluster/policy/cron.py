"""Cron expressions: reading them, and the first instant after another that one matches.

Five fields are minute, hour, day of the month, month and day of the week; a sixth is the year, and with
seven the first is the second. Days are counted out by the calendar, the hours of a day by the clock of the
zone, so that a local time that does not exist is not matched and one that comes twice is matched twice.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.policy import cron_fields as fields
from nomadspec.model.cluster.policy.cron_fields import CronError

_HOUR_S: Final = 3600
_DAY_S: Final = 24 * _HOUR_S
_FIRST_S: Final = -_DAY_S
_LAST_S: Final = (date(fields.YEAR.high + 1, 1, 1) - date(1970, 1, 1)).days * _DAY_S + _DAY_S
"""Outside of these, in unix seconds, it is no year that an expression can name, in any zone."""
_ALIASES: Final = {
    "@annually": "0 0 1 1 *",
    "@yearly": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_FEWEST, _MOST = 5, 7
_LAST_DAY: Final = re.compile(r"l|lw")
_NEAR_WEEKDAY: Final = re.compile(r"(\d+)w")
_NTH_WEEKDAY: Final = re.compile(r"(\d+|[a-z]+)(?:#([1-5])|l)")
_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class Schedule:
    """A cron expression as the sets of values that it selects."""

    seconds: frozenset[int]
    minutes: frozenset[int]
    hours: frozenset[int]
    months: frozenset[int]
    years: frozenset[int]
    days_of_month: str
    days_of_week: str

    def find_next(self, after_ns: int, zone: ZoneInfo) -> int | None:
        """Find the first instant after the given one that matches in the zone; none if nothing ever does.

        Spec: OBJ-141.
        """
        at_s = max(after_ns // NS_PER_S + 1, _FIRST_S)
        if at_s > _LAST_S:
            return None
        while (day := self.find_day(_read_clock(at_s, zone).date())) is not None:
            at_s = max(at_s, _start_of_day(day, zone))
            found = self._find_in_day(at_s, day, zone)
            if found is not None:
                return found * NS_PER_S
            at_s = _start_of_day(date.fromordinal(day.toordinal() + 1), zone)
        return None

    def find_day(self, day: date) -> date | None:
        """Find the first matching day on or after the given one."""
        for year in sorted(year for year in self.years if year >= day.year):
            for month in sorted(self.months):
                days = list_matching_days(self.days_of_month, self.days_of_week, year, month)
                later = [date(year, month, number) for number in days if date(year, month, number) >= day]
                if later:
                    return later[0]
        return None

    def _find_in_day(self, at_s: int, day: date, zone: ZoneInfo) -> int | None:
        clock = _read_clock(at_s, zone)
        while clock.date() == day:
            if clock.hour not in self.hours:
                at_s = _start_of_hour(at_s + _HOUR_S, zone)
            elif clock.minute not in self.minutes:
                at_s += 60 - clock.second
            elif clock.second not in self.seconds:
                at_s += 1
            else:
                return at_s
            clock = _read_clock(at_s, zone)
        return None


@lru_cache(maxsize=1024)
def parse_cron(expression: str) -> Schedule:
    """Read a cron expression, or say in a CronError which field is wrong.

    Spec: OBJ-140.
    """
    words = _ALIASES.get(expression.strip().lower(), expression).split()
    if len(words) < _FEWEST:
        raise CronError("missing field(s)")
    if len(words) > _MOST:
        raise CronError("too many fields")
    second = words.pop(0) if len(words) == _MOST else "0"
    minute, hour, day, month, weekday, year = [*words, "*"][:6]
    _check_days(day, weekday)
    return Schedule(
        seconds=fields.SECOND.list_values(second),
        minutes=fields.MINUTE.list_values(minute),
        hours=fields.HOUR.list_values(hour),
        months=fields.MONTH.list_values(month),
        years=fields.YEAR.list_values(year),
        days_of_month=day,
        days_of_week=weekday,
    )


@lru_cache(maxsize=4096)
def list_matching_days(days_of_month: str, days_of_week: str, year: int, month: int) -> tuple[int, ...]:
    """List the days of one month that match: of two restricted day fields, either will do.

    Spec: OBJ-141.
    """
    every = frozenset(range(1, monthrange(year, month)[1] + 1))
    by_date = frozenset(_list_by_date(days_of_month, year, month))
    by_weekday = frozenset(_list_by_weekday(days_of_week, year, month))
    if fields.DAY_OF_MONTH.is_free(days_of_month):
        wanted = by_weekday
    elif fields.DAY_OF_WEEK.is_free(days_of_week):
        wanted = by_date
    else:
        wanted = by_date | by_weekday
    return tuple(sorted(wanted & every))


def _check_days(days_of_month: str, days_of_week: str) -> None:
    list_matching_days(days_of_month, "*", 2000, 1)
    list_matching_days("*", days_of_week, 2000, 1)


def _list_by_date(text: str, year: int, month: int) -> Iterator[int]:
    last = monthrange(year, month)[1]
    for part in text.split(","):
        special = part.lower()
        if _LAST_DAY.fullmatch(special):
            yield _nearest_weekday(year, month, last) if special == "lw" else last
        elif near := _NEAR_WEEKDAY.fullmatch(special):
            number = fields.DAY_OF_MONTH.read_value(near[1], part)
            yield from (_nearest_weekday(year, month, number) for _ in range(number <= last))
        else:
            yield from fields.DAY_OF_MONTH.list_part(part)


def _nearest_weekday(year: int, month: int, number: int) -> int:
    last = monthrange(year, month)[1]
    match date(year, month, number).isoweekday():
        case 6:
            return number - 1 if number > 1 else number + 2
        case 7:
            return number + 1 if number < last else number - 2
        case _:
            return number


def _list_by_weekday(text: str, year: int, month: int) -> Iterator[int]:
    last = monthrange(year, month)[1]
    first_weekday = date(year, month, 1).isoweekday() % _WEEK
    for part in text.split(","):
        nth = _NTH_WEEKDAY.fullmatch(part.lower())
        named = [fields.DAY_OF_WEEK.read_value(nth[1], part)] if nth else fields.DAY_OF_WEEK.list_part(part)
        for weekday in named:
            days = range(1 + (weekday - first_weekday) % _WEEK, last + 1, _WEEK)
            if nth is None:
                yield from days
            elif nth[2] is None:
                yield days[-1]
            else:
                yield from days[int(nth[2]) - 1 : int(nth[2])]


def _read_clock(at_s: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at_s, zone)


def _start_of_day(day: date, zone: ZoneInfo) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp())


def _start_of_hour(at_s: int, zone: ZoneInfo) -> int:
    clock = _read_clock(at_s, zone)
    return at_s - 60 * clock.minute - clock.second
