"""``nomadspec diagram``: draw a lifecycle from its table."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.screen import Screen, takes_screen


def _complete_lifecycle(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- click hands them over
    from nomadspec.model.lifecycle.catalogue import LIFECYCLES

    return [
        CompletionItem(name, help=table.title) for name, table in LIFECYCLES.items() if name.startswith(typed)
    ]


@click.command(name="diagram")
@click.argument("lifecycle", shell_complete=_complete_lifecycle)
@click.option(
    "--format",
    "-f",
    "fmt",
    type=click.Choice(["mermaid", "dot", "svg", "png"]),
    default="mermaid",
    show_default=True,
    help="What to draw it as.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write it to this file.")
@click.option(
    "--profile",
    default="nomad-2.0",
    show_default=True,
    metavar="NAME",
    help="Whose arrows: nomad-2.0 has those that its defects open.",
)
@takes_screen
def command(lifecycle: str, fmt: str, output: Path | None, profile: str, screen: Screen) -> int:
    """Draw a LIFECYCLE: which status may follow which, and why.

    LIFECYCLE is one of evaluation, evaluation-full, evaluation-place, allocation-desired, allocation-client,
    deployment, node and job.

    \b
    Examples:
      nomadspec diagram evaluation --format mermaid
      nomadspec diagram evaluation-full --format svg -o evaluation.svg
      nomadspec diagram deployment --format png -o deployment.png --profile intended
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.diagrams.lifecycle import render_lifecycle
    from nomadspec.model.lifecycle.catalogue import find_lifecycle
    from nomadspec.model.profile import find_profile

    table, chosen = find_lifecycle(lifecycle), find_profile(profile)
    data = {"lifecycle": table.name, "profile": chosen.name, "format": fmt}
    write_picture(render_lifecycle(table, chosen, fmt), output, screen, "diagram", data)
    return 0
