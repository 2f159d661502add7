"""``nomadspec verify``: one verdict over everything that is published."""

from __future__ import annotations

from contextlib import nullcontext

import click

from nomadspec.checkers.cli.choice import complete_model
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="verify")
@click.option(
    "--effort",
    type=click.Choice(["fast", "ci", "deep"]),
    default="fast",
    show_default=True,
    help="How much work: under a minute, under half an hour, or all.",
)
@click.option(
    "--model",
    "-m",
    "models",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_model,
    help="Judge only this model; may be given again.  [default: all]",
)
@click.option(
    "--ray",
    is_flag=True,
    help="Let the processes of Ray search, a scope each, where Ray is installed; the rest is done here.",
)
@takes_screen
def command(effort: str, models: tuple[str, ...], screen: Screen, *, ray: bool) -> int:
    """Judge every published model under the profiles nomad-2.0 and intended, and give one verdict.

    Explores the published scopes that the effort allows and compares what it finds with the manifest; makes
    sure that scopes which are wrong on purpose are still found wrong; proves each property that a solver can
    prove; walks at random through larger scopes, and lets Hypothesis look. The verdict says how far all that
    reaches.

    Exits with 0 when everything holds in its scope, with 1 when something is violated or is no longer as
    published, and with 4 when it was interrupted.

    \b
    Examples:
      nomadspec verify
      nomadspec verify --effort ci --json
      nomadspec verify --model core
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.cli.verifying import verify
    from nomadspec.checkers.explore.sharded.near_scopes import find_near
    from nomadspec.checkers.explore.sharded.ray_crew import find_cluster
    from nomadspec.checkers.explore.sharded.ray_scopes import FarSearches
    from nomadspec.checkers.manifest import Effort
    from nomadspec.checkers.report.verification_text import render_verification
    from nomadspec.invariants.catalogue import find_model

    for name in models:
        find_model(name)
    others = FarSearches(find_cluster()) if ray else find_near()
    with screen.progress() as progress, others or nullcontext():
        found = verify(list(dict.fromkeys(models)), Effort[effort.upper()], progress, others)
    screen.show("verify", found.data(), lambda: render_verification(found))
    return found.verdict.exit_code
