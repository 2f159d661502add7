"""``nomadspec story``: replay a story from a file, as text, as a graph, or in the forms of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.screen import Screen, takes_screen

if TYPE_CHECKING:
    from nomadspec.checkers.report.replaying import Told
    from nomadspec.model.story import Replay


@click.command(name="story")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--dag",
    type=click.Choice(["mermaid", "dot", "svg", "png", "graphml"]),
    help="Draw what caused what instead.",
)
@click.option(
    "--export",
    type=click.Choice(["sequence", "itf"]),
    help="Write it for other tools: a Mermaid sequence diagram, or the trace format of Apalache and Quint.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write that to this file.")
@takes_screen
def command(file: Path, dag: str | None, export: str | None, output: Path | None, screen: Screen) -> int:
    """Replay the story in FILE and show every step with the fields that it changed.

    Exits with 0 when the story replays and ends as it claims, with 1 when it does not, and with 3 when
    FILE is not readable as a story.

    \b
    Examples:
      nomadspec story found.json
      nomadspec story found.json --dag svg -o found.svg
      nomadspec story found.json --export itf -o found.itf.json
      nomadspec story found.json --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.replaying import replay_file

    if dag is not None and export is not None:
        raise click.UsageError("--dag and --export are two things: ask for one of them")
    if output is not None and dag is None and export is None:
        raise click.UsageError("--output is for graphs and exports: say which with --dag or --export")
    told = replay_file(file)
    form = dag or export
    if form is None:
        screen.show("story-report", told.data(str(file)), told.render)
    elif told.replay is None:
        click.echo(f"nomadspec: {told.judgement.sentence} So there is nothing to write.", err=True)
    else:
        content = (_draw if dag is not None else _export)(told, told.replay, form)
        data = {"file": str(file), "verdict": told.verdict.value, "format": form}
        write_picture(content, output, screen, "story-dag", data)
        if not told.judgement.is_true:
            click.echo(f"nomadspec: the story does not end as told: {told.judgement.sentence}", err=True)
    return told.verdict.exit_code


def _draw(told: Told, replay: Replay, form: str) -> bytes:
    from nomadspec.checkers.diagrams.dag import render_events
    from nomadspec.checkers.diagrams.story_events import events_of

    return render_events(events_of(told.story, replay, told.judgement), form)


def _export(told: Told, replay: Replay, form: str) -> bytes:
    from nomadspec.checkers.diagrams.sequence import write_sequence
    from nomadspec.checkers.report.itf import write_itf

    if form == "itf":
        return write_itf(told.story, replay)
    return write_sequence(told.story, replay, told.judgement)
