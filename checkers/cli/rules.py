"""``nomadspec rules``: what can happen, and where the specification says so."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

import click

from nomadspec.checkers.cli.choice import Word, complete_rule, load_models, model_option
from nomadspec.checkers.cli.screen import Screen, takes_screen

_MORE = "What of the specification each formalises: add --ids, words that select a few, or the name of one."


@click.command(name="rules")
@click.argument("wanted", metavar="[ID | WORD...]", nargs=-1, type=Word(), shell_complete=complete_rule)
@click.option("--ids", "with_titles", is_flag=True, help="List the cited IDs too, each with its title.")
@model_option(is_required=False)
@takes_screen
def command(wanted: tuple[str, ...], with_titles: bool, model: str | None, screen: Screen) -> int:  # noqa: FBT001 -- click hands it over
    """List the rules, or show some of them.

    With the name of a rule, or the ID of a rule of the specification (BROKER-22), of a quirk (X-18) or of a
    known finding (F-05), show in full what has to do with it; with several of them, with each. Other words
    select the rules whose names, sentences, cited IDs or titles contain all of them, or synonyms; a few are
    shown with the titles of what they formalise.

    \b
    Examples:
      nomadspec rules
      nomadspec rules Dequeue
      nomadspec rules BROKER-22
      nomadspec rules X-18 X-20
      nomadspec rules blocked eval --ids
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report import registry
    from nomadspec.checkers.report.selecting import Selected, select
    from nomadspec.checkers.report.table import render_paragraph
    from nomadspec.checkers.report.titles import render_titles

    models = load_models(model)
    entries = registry.list_rules(models)
    name = " ".join(wanted)

    def refuse(missing: str) -> NoReturn:
        known = [located.entry.name for located in registry.list_rules(models)]
        citing = registry.find_all(registry.list_properties(models), missing)
        registry.refuse("rule", missing, known, "properties", citing)

    find_named, find_like = partial(registry.find_all, entries), partial(registry.find_like, entries)
    selected = select(name, find_named, find_like, refuse) if name else Selected(entries, is_list=True)
    entries = selected.things
    titles = render_titles(registry.list_cited(entries))
    if not selected.is_list:
        parts = list(map(registry.render_rule, entries))
    elif with_titles or not titles:
        parts = [registry.render_rules(entries, with_ids=True), titles]
    elif name and len(entries) <= registry.FEW:
        parts = list(map(registry.render_rule_briefly, entries))
    else:
        parts = [registry.render_rules(entries), render_paragraph(_MORE)]
    # What rules read and write is on the object alone, and takes binding their models to find out.
    data = registry.rules_data(entries) if screen.wants_json else {}
    screen.show("rules", data, lambda: "\n\n".join(filter(None, parts)))
    return 0
