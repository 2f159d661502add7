"""``nomadspec models``: what there is to check, how large, and what a search of it must find."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from nomadspec.checkers.cli.choice import Word, complete_model
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="models")
@click.argument("wanted", metavar="[NAME | WORD...]", nargs=-1, type=Word(), shell_complete=complete_model)
@takes_screen
def command(wanted: tuple[str, ...], screen: Screen) -> int:
    """List the models, a line for each.

    With NAME (or path.py:NAME), show one in full: its sizes, its scopes, and the published result of each
    search; with several, list these. Other words select the models whose scopes, rules and properties contain
    all of them, or synonyms.

    \b
    Examples:
      nomadspec models
      nomadspec models core
      nomadspec models garbage
      nomadspec models my_shop.py:SHOP --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.regular_files import is_file
    from nomadspec.checkers.report import models
    from nomadspec.checkers.report.claims import render_resources, resources_data
    from nomadspec.checkers.report.loading import load_model
    from nomadspec.checkers.report.searching import find_by_words, list_words_of
    from nomadspec.checkers.report.selecting import select
    from nomadspec.checkers.report.titles import find_titles_in
    from nomadspec.invariants.catalogue import RESOURCES, find_model, list_model_names
    from nomadspec.invariants.cluster.resources.claims import CLAIMS
    from nomadspec.model.errors import NothingFoundError

    name, known = " ".join(wanted), list_model_names(with_classics=True)

    def find_named(one: str) -> list[str]:
        is_known = one in {*known, RESOURCES} or ".py" in one
        return [one] if is_known else []

    def find_like(words: str) -> list[str]:
        alike = find_by_words(known, words, lambda one: list_words_of(find_model(one)))
        return alike or ([words] if is_file(Path(f"{words}.py")) else [])

    def refuse(missing: str) -> NoReturn:
        searched = "what its scopes, rules and properties say, cite or are named"
        raise NothingFoundError("model", missing, known, searched, "nomadspec models")

    every = [*list_model_names(), RESOURCES]
    names = select(name, find_named, find_like, refuse).things if name else every
    found = {reference: load_model(reference) for reference in names if reference != RESOURCES}
    claims = CLAIMS if RESOURCES in names else ()
    others = [resources_data(CLAIMS)] if claims else []

    def write() -> str:
        if len(names) > 1:
            parts = [models.render_list(found, claims)]
        elif claims:
            parts = [render_resources(claims)]
        else:
            parts = [models.render_model(reference, model) for reference, model in found.items()]
        return "\n\n".join([*parts, *([] if name else [models.render_classics()])])

    data = {
        "models": [*models.data_of(found), *others],
        "titles": find_titles_in(*models.list_profiles_of(found)),
    }
    screen.show("models", data, write)
    return 0
