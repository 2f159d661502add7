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
    from nomadspec.checkers.report import claims, registry
    from nomadspec.invariants.resources.claims import CLAIMS, RESOURCES

    entries = registry.list_properties({} if model == RESOURCES else load_models(model))
    found = list(CLAIMS) if model in {None, RESOURCES} else []
    if wanted is not None:
        known = [claim.name for claim in found]
        found = claims.select_claims(found, wanted)
        entries = (
            registry.select("property", entries, wanted, known)
            if not found
            else registry.find_all(entries, wanted)
        )
    data = {"properties": [*registry.properties_data(entries), *map(claims.claim_data, found)]}
    in_full = [*map(registry.render_property, entries), *map(claims.render_claim, found)]
    in_short = [registry.render_properties(entries)] if entries else []
    in_short += [claims.render_claims(found)] if found else []
    screen.show("properties", data, lambda: "\n\n".join(in_full if wanted is not None else in_short))
    return 0
