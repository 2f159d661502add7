"""Numbers on the command line that are numbers: neither ``nan`` nor ``inf``, which click takes for some."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

import click

_MOST_DIGITS: Final = 9
"""More of anything is never meant."""


def read_count(text: str) -> int | None:
    """Read a whole number, with spaces around it or without; None where it is none, or beyond all measure."""
    digits = text.strip()
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    return int(digits) if is_number else None


class FiniteRange(click.FloatRange):
    """A number between bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 -- as click says it
        """Read the number."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is no number that ends; leave the option out for no limit", param, ctx)
        return number
