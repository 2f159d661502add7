"""``nomadspec findings``: what the described release does wrong, and how each of it is replayed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.choice import Word
from nomadspec.checkers.cli.documented_files import find_root
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.outputs import list_page_writers, takes_page
from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.model.errors import EXIT_HOLDS, UsageError

if TYPE_CHECKING:
    from nomadspec.checkers.all_findings import Known
    from nomadspec.checkers.pages.page import Page
    from nomadspec.checkers.report.beliefs import Beliefs


@click.command(name="findings")
@click.argument("wanted", metavar="[ID | WORD...]", nargs=-1, type=Word())
@click.option("--export", type=click.Choice(["sequence"]), help="Write a Mermaid sequence diagram instead.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write the export to this file.")
@takes_page
@takes_screen
def command(
    wanted: tuple[str, ...], export: str | None, output: Path | None, html: Path | None, screen: Screen
) -> int:
    """List the known defects of the described release, the most severe first.

    With the ID of a finding, show all of it: what happens, who is affected, the fix, the commands that
    reproduce it from a checkout, and what every component believes just before the decisive step; a finding
    about schedulers is also replayed. --html and --export replay one of any kind. Other words (a property, a
    quirk, a severity, any text) select the findings that contain them.

    \b
    Examples:
      nomadspec findings
      nomadspec findings D-10
      nomadspec findings critical
      nomadspec findings deployment --json
      nomadspec findings D-10 --html d-10.html
      nomadspec findings C-13 --export sequence -o c-13.mmd
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.all_findings import list_known
    from nomadspec.checkers.report import findings
    from nomadspec.checkers.report.beliefs import beliefs_data
    from nomadspec.checkers.report.histories import live
    from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS

    known = list_known()
    found = findings.find_known(known, " ".join(wanted)) if wanted else known
    histories = {one.id: one for one in SCHEDULER_FINDINGS}

    def render() -> str:
        if len(found) > 1:
            return findings.render_list(found)
        (one,) = found
        history = histories.get(one.id)
        return findings.render_known(one, live(history) if history else None, find_beliefs(one))

    if len(found) > 1 and (html is not None or export is not None):
        raise click.UsageError(f"{'--export' if html is None else '--html'} shows one finding: give its ID")
    if output is not None and export is None:
        raise click.UsageError("--output needs --export")
    if html is not None and export is not None:
        raise click.UsageError("use either --html or --export")
    if export is not None:
        about = {"finding": found[0].id, "format": export}
        return write_picture(write_sequence(found[0]), output, screen, "finding-sequence", about)
    writers = list_page_writers(html, lambda: make_page(found[0]))
    believed = find_beliefs(found[0]) if screen.wants_json and len(found) == 1 else None
    data = {
        "findings": findings.findings_data(found),
        "titles": findings.titles_data(found),
        "beliefs": beliefs_data(believed),
    }
    return finish(screen, "findings", data, render, EXIT_HOLDS, *writers)


def find_beliefs(one: Known) -> Beliefs | None:
    """Find what is believed at the decisive step of a finding, from the files of the project."""
    from nomadspec.checkers.report.finding_beliefs import compute_finding_beliefs

    return compute_finding_beliefs(one, find_root())


def make_page(one: Known) -> Page:
    """Make the page of a finding from the files of the project."""
    from nomadspec.checkers.pages.finding_page import make_finding_page

    return make_finding_page(one, find_root())


def write_sequence(one: Known) -> bytes:
    """Write a finding as a sequence diagram: stories of the kernel have one of their own."""
    from nomadspec.checkers.all_findings import KERNEL
    from nomadspec.checkers.diagrams.sequence import write_sequence as write_story
    from nomadspec.checkers.pages.finding_page import write_page_sequence
    from nomadspec.checkers.report.replaying import replay_file

    if KERNEL not in one.shown_in:
        return write_page_sequence(make_page(one))
    told = replay_file(find_root() / "docs/findings" / f"{one.id}.json", keeps_rules=False)
    if told.replay is None:
        raise UsageError(f"The story of {one.id} does not replay: {told.judgement.sentence}")
    return write_story(told.story, told.replay, told.judgement)
