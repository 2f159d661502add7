"""The option that says whose behaviour is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nomadspec.checkers.usual_profile import USUAL_PROFILE

if TYPE_CHECKING:
    from collections.abc import Callable

takes_profile: Callable[[Callable[..., int]], Callable[..., int]] = click.option(
    "--profile",
    "profile_name",
    metavar="NAME",
    default=USUAL_PROFILE,
    show_default=True,
    help="Behaviour to judge by: nomad-2.0 with its known defects, or intended without them.",
)
"""Gives a verb ``--profile``, and hands it a ``profile_name``."""
