"""``nomadspec properties``: what must be true, and why."""

from __future__ import annotations

import click

from nomadspec.checkers.cli.choice import complete_property, load_models, model_option
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="properties")
@click.argument("wanted", metavar="[ID]", required=False, shell_complete=complete_property)
@model_option(is_required=False)
@takes_screen
def command(wanted: str | None, model: str | None, screen: Screen) -> int:
    """List the properties, or show one in full.

    ID is the name of a property, or that of a rule of the specification: then what formalises it is shown.

    \b
    Examples:
      nomadspec properties
      nomadspec properties no_node_is_overfull
      nomadspec properties PLAN-50
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report import registry

    entries = registry.list_properties(load_models(model))
    if wanted is not None:
        entries = registry.select("property", entries, wanted)
    screen.show(
        "properties",
        registry.properties_data(entries),
        lambda: (
            "\n\n".join(map(registry.render_property, entries))
            if wanted is not None
            else registry.render_properties(entries)
        ),
    )
    return 0
