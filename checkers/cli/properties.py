"""``nomadspec properties``: what must be true, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from nomadspec.checkers.cli.choice import Word, complete_property, load_models, model_option
from nomadspec.checkers.cli.screen import Screen, takes_screen

if TYPE_CHECKING:
    from nomadspec.checkers.report.registry import Located
    from nomadspec.model.language.property import Property


@click.command(name="properties")
@click.argument("wanted", metavar="[ID | WORD...]", nargs=-1, type=Word(), shell_complete=complete_property)
@click.option("--ids", "with_titles", is_flag=True, help="List the cited IDs too, each with its title.")
@model_option(is_required=False)
@takes_screen
def command(wanted: tuple[str, ...], with_titles: bool, model: str | None, screen: Screen) -> int:  # noqa: FBT001 -- click hands it over
    """List the properties, or show some of them.

    With the name of a property, or the ID of a rule of the specification (PLAN-54), of a known finding
    (F-05) or of the quirk that cures one (X-18), show in full what has to do with it; with several of them,
    with each. Other words select the properties whose names, reasons, cited IDs or titles contain all of
    them, or synonyms; a few are shown with the titles of what they formalise.

    \b
    Examples:
      nomadspec properties
      nomadspec properties no_node_is_oversubscribed
      nomadspec properties PLAN-54
      nomadspec properties F-05
      nomadspec properties deployment
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report import claims, registry
    from nomadspec.checkers.report.selecting import select
    from nomadspec.checkers.report.titles import find_titles, render_titles
    from nomadspec.invariants.catalogue import RESOURCES
    from nomadspec.invariants.cluster.resources.claim import Claim
    from nomadspec.invariants.cluster.resources.claims import CLAIMS

    models = {} if model == RESOURCES else load_models(model)
    entries = registry.list_properties(models)
    found = list(CLAIMS) if model in {None, RESOURCES} else []
    name, is_list = " ".join(wanted), not wanted

    def find_named(one: str) -> list[Located[Property] | Claim]:
        return [*registry.find_all(entries, one), *claims.select_claims(found, one)]

    def find_like(one: str) -> list[Located[Property] | Claim]:
        return [*registry.find_like(entries, one), *claims.find_claims(found, one)]

    def refuse(missing: str) -> NoReturn:
        known = [*(located.entry.name for located in entries), *(claim.name for claim in found)]
        citing = registry.find_all(registry.list_rules(models), missing)
        registry.refuse("property", missing, known, "rules", citing)

    if name:
        selected = select(name, find_named, find_like, refuse)
        is_list = selected.is_list
        entries = [one for one in selected.things if not isinstance(one, Claim)]
        found = [one for one in selected.things if isinstance(one, Claim)]
    cited = dict.fromkeys([*registry.list_cited(entries), *(each for claim in found for each in claim.spec)])
    data = {
        "properties": [*registry.properties_data(entries), *map(claims.claim_data, found)],
        "titles": registry.list_titles_of(entries) | find_titles(cited),
    }
    is_brief = bool(name) and not with_titles and len(entries) + len(found) <= registry.FEW
    in_full = [*map(registry.render_property, entries), *map(claims.render_claim, found)]
    if is_brief:
        in_short = [*map(registry.render_property_briefly, entries), *map(claims.render_claim_briefly, found)]
    else:
        in_short = [registry.render_properties(entries)] if entries else []
        in_short += [claims.render_claims(found)] if found else []
        in_short += [render_titles(cited)] if with_titles else []
    screen.show("properties", data, lambda: "\n\n".join(in_short if is_list else in_full))
    return 0
