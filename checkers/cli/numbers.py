"""Numbers on the command line that are numbers: neither ``nan`` nor ``inf``, which click takes for some."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click


class FiniteRange(click.FloatRange):
    """A number between bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 -- as click says it
        """Read the number."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is no number that ends; leave the option out for no limit", param, ctx)
        return number
