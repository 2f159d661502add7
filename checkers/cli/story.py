"""``nomadspec story``: replay a story from a file, as text or as a graph of what caused what."""

from __future__ import annotations

from pathlib import Path

import click

from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="story")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--dag",
    type=click.Choice(["mermaid", "dot", "svg", "png", "graphml"]),
    help="Draw what caused what instead.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write the graph to this file.")
@takes_screen
def command(file: Path, dag: str | None, output: Path | None, screen: Screen) -> int:
    """Replay the story in FILE and show every step with the fields that it changed.

    Exits with 0 when the story replays and ends as it claims, with 1 when it does not, and with 3 when
    FILE is not readable as a story.

    \b
    Examples:
      nomadspec story found.json
      nomadspec story found.json --dag svg -o found.svg
      nomadspec story found.json --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.replaying import replay_file

    told = replay_file(file)
    if dag is not None and told.replay is not None:
        from nomadspec.checkers.diagrams.dag import render_events
        from nomadspec.checkers.diagrams.story_events import events_of

        picture = render_events(events_of(told.story, told.replay, told.judgement), dag)
        data = {"file": str(file), "verdict": told.verdict.value, "format": dag}
        write_picture(picture, output, screen, "story-dag", data)
    elif dag is not None:
        click.echo(f"nomadspec: {told.judgement.sentence} So there is nothing to draw.", err=True)
    else:
        if output is not None:
            raise click.UsageError("--output is for graphs: say which with --dag")
        screen.show("story-report", told.data(str(file)), told.render)
    return told.verdict.exit_code
