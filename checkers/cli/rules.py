"""``nomadspec rules``: what can happen, and where the specification says so."""

from __future__ import annotations

import click

from nomadspec.checkers.cli.choice import complete_rule, load_models, model_option
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="rules")
@click.argument("wanted", metavar="[ID]", required=False, shell_complete=complete_rule)
@model_option(is_required=False)
@takes_screen
def command(wanted: str | None, model: str | None, screen: Screen) -> int:
    """List the rules, or show one in full.

    ID is the name of a rule, or that of a rule of the specification: then what formalises it is shown.

    \b
    Examples:
      nomadspec rules
      nomadspec rules Dequeue
      nomadspec rules BROKER-22
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report import registry

    entries = registry.list_rules(load_models(model))
    if wanted is not None:
        entries = registry.select("rule", entries, wanted)
    screen.show(
        "rules",
        registry.rules_data(entries),
        lambda: (
            "\n\n".join(map(registry.render_rule, entries))
            if wanted is not None
            else registry.render_rules(entries)
        ),
    )
    return 0
