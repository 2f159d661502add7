"""Numbers on the command line: one that is none, or out of its bounds, is answered with what is wanted."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

import click

from nomadspec.checkers.plain_digits import is_decimal, is_whole

_MOST: Final = 999_999_999
"""More of anything is never meant."""
COUNT: Final = f"a whole number from 0 to {_MOST:,}"
"""What ``read_count`` reads, as a message says it."""


def read_count(text: str) -> int | None:
    """Read a whole number, with spaces around it or without; None where it is none, or beyond all measure."""
    digits = text.strip()
    return int(digits) if is_whole(digits) and len(digits) <= len(str(_MOST)) else None


class WholeRange(click.IntRange):
    """A whole number between bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 -- as click says it
        """Read the number."""
        wanted = f"{value!r} should be a whole number{_tell_bounds(self)}"
        if not is_whole(_read_size(value)):
            self.fail(f"{wanted}, in plain digits", param, ctx)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(wanted, param, ctx)


class FiniteRange(click.FloatRange):
    """A number between bounds, neither ``nan`` nor ``inf``, which click takes for some."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 -- as click says it
        """Read the number."""
        wanted = f"{value!r} should be a number{_tell_bounds(self)}"
        if _is_endless(value):
            self.fail(f"{value!r} is no number that ends; leave the option out for no limit", param, ctx)
        if not is_decimal(_read_size(value)):
            self.fail(f"{wanted}, in plain digits such as 0.5", param, ctx)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(wanted, param, ctx)


def _read_size(value: object) -> str:
    """Read what stands behind the sign of a number, and between spaces."""
    return str(value).strip().removeprefix("-")


def _is_endless(value: Any) -> bool:  # noqa: ANN401 -- as click says it
    """True if Python reads ``nan`` or ``inf``."""
    try:
        return not isfinite(float(value))
    except ValueError:
        return False


def _tell_bounds(bounds: click.IntRange | click.FloatRange) -> str:
    """Say between which bounds a number is wanted, to stand behind `a number`."""
    least, most = bounds.min, bounds.max
    if bounds.min_open:
        return f" above {least}" + (f", at most {most}" if most is not None else "")
    return f", {least} or more" if most is None else f" from {least} to {most}"
