"""``nomadspec models``: what there is to check, how large, and what a search of it must find."""

from __future__ import annotations

import click

from nomadspec.checkers.cli.choice import complete_model
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="models")
@click.argument("name", required=False, shell_complete=complete_model)
@takes_screen
def command(name: str | None, screen: Screen) -> int:
    """List the models with their scopes and sizes, and what a search of each scope must find.

    With NAME (or path.py:NAME), one of them in full.

    \b
    Examples:
      nomadspec models
      nomadspec models core
      nomadspec models my_shop.py:SHOP --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report import models
    from nomadspec.checkers.report.claims import render_resources, resources_data
    from nomadspec.checkers.report.loading import load_model
    from nomadspec.invariants.catalogue import list_model_names
    from nomadspec.invariants.resources.claims import CLAIMS, RESOURCES

    names = [name] if name else [*list_model_names(), RESOURCES]
    found = {reference: load_model(reference) for reference in names if reference != RESOURCES}
    others = [resources_data(CLAIMS)] if RESOURCES in names else []
    parts = [models.render_all(found, in_full=name is not None)] if found else []
    parts += [render_resources(CLAIMS)] if others else []
    screen.show("models", {"models": [*models.data_of(found), *others]}, lambda: "\n\n".join(parts))
    return 0
