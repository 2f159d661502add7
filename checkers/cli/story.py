"""``nomadspec story``: replay a story from a file, as text, as a graph, or in the forms of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.documented_files import Shipped
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.limits import takes_limits
from nomadspec.checkers.cli.numbers import WholeRange
from nomadspec.checkers.cli.outputs import list_page_writers, takes_page
from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.screen import Screen, takes_screen, tell

if TYPE_CHECKING:
    from nomadspec.checkers.oracle.limits import Limits
    from nomadspec.checkers.pages.page import Page
    from nomadspec.checkers.report.replaying import Told
    from nomadspec.model.language.story import Replay


@click.command(name="story")
@click.argument("file", type=Shipped())
@click.option(
    "--dag",
    type=click.Choice(["mermaid", "dot", "svg", "png", "graphml"]),
    help="Draw the graph of causes instead.",
)
@click.option(
    "--export",
    type=click.Choice(["sequence", "itf"]),
    help="Write a Mermaid sequence diagram, or an ITF trace for Apalache and Quint.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), help="Write the graph or export to this file."
)
@click.option(
    "--eval",
    "expressions",
    multiple=True,
    metavar="EXPR",
    help="Print this Python expression over each world s; repeatable.",
)
@click.option(
    "--why-not",
    "asked",
    multiple=True,
    metavar="STEP",
    help="Show which conditions of this step fail in the last world; repeatable.",
)
@click.option("--at", type=WholeRange(0), metavar="N", help="Ask --why-not about the world after N steps.")
@takes_page
@takes_limits
@takes_screen
def command(  # noqa: PLR0913, PLR0917 -- one option an argument
    file: Path,
    dag: str | None,
    export: str | None,
    output: Path | None,
    expressions: tuple[str, ...],
    asked: tuple[str, ...],
    at: int | None,
    html: Path | None,
    limits: Limits,
    screen: Screen,
) -> int:
    """Replay the story in FILE and show every step with the fields that it changed.

    Exit code: 0 if the story replays and ends as it claims; 1 if not; 3 if FILE is no story.

    \b
    Examples:
      nomadspec story found.json
      nomadspec story found.json --eval 's.decision' --eval 'count(s.prepared_sent[r] for r in s.rms)'
      nomadspec story found.json --why-not 'DecideAbort()' --at 2
      nomadspec story found.json --dag svg -o found.svg
      nomadspec story found.json --export itf -o found.itf.json
      nomadspec story found.json --html found.html
      nomadspec story found.json --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.time_limit import patience
    from nomadspec.checkers.report.replaying import replay_file

    if dag is not None and export is not None:
        raise click.UsageError("use either --dag or --export")
    if output is not None and dag is None and export is None:
        raise click.UsageError("--output needs --dag or --export")
    if at is not None and not asked:
        raise click.UsageError("--at needs --why-not")
    with patience(limits.seconds):
        told = replay_file(file, limits, keeps_rules=bool(asked or dag or export or html))
        told = told.asking(expressions, asked, at)
    form, code = dag or export, 0
    if html is not None and form is not None:
        raise click.UsageError("use --html without --dag and --export")
    if form is None:
        writers = list_page_writers(html, lambda: _make_page(told))
        data = told.data(str(file))
        return finish(screen, "story-report", data, told.render, told.verdict.exit_code, *writers)
    if told.replay is None:
        tell(f"nomadspec: {told.judgement.sentence} So there is nothing to write.")
    else:
        content = (_draw if dag is not None else _export)(told, told.replay, form)
        data = {"file": str(file), "verdict": told.verdict.value, "format": form}
        code = write_picture(content, output, screen, "story-dag", data)
        if not told.judgement.is_true:
            tell(f"nomadspec: the story does not end as told: {told.judgement.sentence}")
    return told.verdict.exit_code or code


def _make_page(told: Told) -> Page:
    from nomadspec.checkers.pages.timeline_pages import make_story_page

    return make_story_page(told)


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
