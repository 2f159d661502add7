"""The fields of a cron expression: which numbers and names each admits, and what a part of it selects."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from nomadspec.model.cluster.constraints.literals import parse_digits

_MOST_DIGITS: Final = 19
"""So many digits a signed 64-bit integer has at most."""

_NUMBER: Final = r"(?:\d+|[a-z]+)"
_PART: Final = re.compile(rf"(?P<span>\*|\?|{_NUMBER}(?P<last>-{_NUMBER})?)(?:/(?P<step>\d+))?")


class CronError(Exception):
    """A cron expression that cannot be read; the message is the server's."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an expression: what it is called in messages, its range and the names of its values."""

    name: str
    low: int
    high: int
    names: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def is_free(self, text: str) -> bool:
        """True if the text of this field leaves it open."""
        return text in {"*", "?"}

    def list_values(self, text: str) -> frozenset[int]:
        """List the values that a comma separated text selects."""
        return frozenset(value for part in text.split(",") for value in self.list_part(part))

    def list_part(self, part: str) -> range:
        """List the values of one part: a value, a range, or all, with a step or without."""
        match = _PART.fullmatch(part.lower())
        if match is None:
            raise self.refuse(part)
        span, last, step = match["span"], match["last"], self.read_number(match["step"] or "1", part)
        if span in {"*", "?"}:
            first, end = self.low, self.high
        elif last:
            first, end = self.read_value(span.partition("-")[0], part), self.read_value(last[1:], part)
        else:
            first = self.read_value(span, part)
            end = self.high if match["step"] else first
        if step < 1 or end < first:
            raise self.refuse(part)
        return range(first, end + 1, step)

    def read_value(self, text: str, part: str) -> int:
        """Read a number or a name of this field, which must lie in its range."""
        value = self.read_number(text, part) if text.isdecimal() else self.names.get(text.lower(), -1)
        if not self.low <= value <= self.high:
            raise self.refuse(part)
        return value

    def read_number(self, digits: str, part: str) -> int:
        """Read a number that fits 64 bits."""
        number = parse_digits(digits, _MOST_DIGITS)
        if number is None:
            raise self.refuse(part)
        return number

    def refuse(self, part: str) -> CronError:
        """Make the error that names this field and the part that it does not understand."""
        return CronError(f"syntax error in {self.name} field: '{part}'")


def _number(names: str, first: int) -> Mapping[str, int]:
    full = {name: number for number, name in enumerate(names.split(), first)}
    return MappingProxyType(full | {name[:3]: number for name, number in full.items()})


SECOND: Final = Field("second", 0, 59)
MINUTE: Final = Field("minute", 0, 59)
HOUR: Final = Field("hour", 0, 23)
DAY_OF_MONTH: Final = Field("day-of-month", 1, 31)
MONTH: Final = Field(
    "month",
    1,
    12,
    _number("january february march april may june july august september october november december", 1),
)
DAY_OF_WEEK: Final = Field(
    "day-of-week", 0, 7, _number("sunday monday tuesday wednesday thursday friday saturday", 0)
)
YEAR: Final = Field("year", 1970, 2099)
