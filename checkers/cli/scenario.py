"""``nomadspec scenario``: play scenarios of a whole cluster."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.documented_files import Shipped, name_shipped
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.limits import takes_seconds, takes_walk
from nomadspec.checkers.cli.numbers import WholeRange
from nomadspec.checkers.cli.outputs import list_page_writers, takes_page
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.scenario_search import judge_scenario, search_clusters
from nomadspec.checkers.cli.screen import Screen, takes_screen, tell
from nomadspec.checkers.cli.story_out import check_place
from nomadspec.checkers.cli.subcommands import Words
from nomadspec.checkers.stopping import interruptible
from nomadspec.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nomadspec.checkers.pages.page import Page
    from nomadspec.checkers.report.scenario import Played, Unplayed
    from nomadspec.model.specification.profiles import Profile


def check_chart(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a place where nothing can be written before anything is computed for it."""
    check_place(path)
    return path


@click.group(name="scenario", cls=Words, usual="run")
def command() -> None:
    """Play scenarios: text files of events in a cluster, with expectations.

    \b
    Examples:
      nomadspec scenario run docs/scenarios/nodes/a-node-is-lost.scenario
      nomadspec scenario words --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines


@command.command(name="run")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=Shipped())
@takes_profile
@click.option("--rewrite", is_flag=True, help="Replace the expectations in the files by what was found.")
@click.option(
    "--width",
    type=WholeRange(80, 400),
    help="Width of the timeline.  [default: that of the terminal]",
)
@click.option(
    "--chart",
    type=click.Path(path_type=Path),
    metavar="FILE",
    callback=check_chart,
    help="Chart evaluations by status, queue lengths and delays over time, as SVG.",
)
@takes_page
@takes_seconds
@takes_walk
@takes_screen
def run_scenarios(  # noqa: PLR0913, PLR0917 -- click hands each option over
    files: tuple[Path, ...],
    profile_name: str,
    rewrite: bool,  # noqa: FBT001 -- click hands options over by name
    width: int | None,
    chart: Path | None,
    html: Path | None,
    seconds: float,
    walk: int,
    screen: Screen,
) -> int:
    """Play the scenarios of files or folders.

    For one file, show the timeline, the evaluations and the expectations that failed; for several, only how
    each ended. The cluster does at once everything that needs no time; `wait` lets time pass. `nomadspec
    scenario words` lists the statements.

    Exit code: 0 if every expectation is met; 1 if one is not; 3 if a file cannot be read or played, which
    keeps no other from being played; 4 if a scenario was interrupted or took too long (then --rewrite
    writes nothing).

    \b
    Examples:
      nomadspec scenario run docs/scenarios/nodes/a-node-is-lost.scenario
      nomadspec scenario run docs/scenarios/deployments --profile intended
      nomadspec scenario run docs/scenarios/nodes/a-node-is-lost.scenario --html lost.html
      nomadspec scenario run docs/scenarios/allocations/no-room.scenario --chart no-room.svg
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.scenario import Played, find_exit_code, render_all, write_all
    from nomadspec.checkers.report.table import find_width
    from nomadspec.checkers.scenario.language import parse_lines, read_scenario
    from nomadspec.checkers.scenario.play import play_lines, rewrite_file
    from nomadspec.checkers.scenario.record import Record
    from nomadspec.checkers.scenario.run import Run
    from nomadspec.model.specification.profiles import find_profile

    wide, profile = width or max(80, find_width()), find_profile(profile_name)
    paths = list_scenarios(files, walk)
    if len(paths) != 1 and (html is not None or chart is not None):
        raise click.UsageError(f"{'--chart' if html is None else '--html'} shows one scenario: name one file")

    def play(file: Path) -> Played:
        text = read_scenario(file)
        begun = Run(
            profile,
            file.parent,
            record=None if chart is None else Record(),
            worlds=None if html is None else [],
        )
        run = play_lines(parse_lines(text, str(file)), profile, run=begun, max_seconds=seconds)
        return Played(str(file), text.split("\n"), run, wide, str(name_shipped(file)))

    def keep() -> None:
        for one in played:
            if rewrite and one.run.unmet and one.run.stopped_by is None:
                rewrite_file(Path(one.file), "\n".join(one.statements), one.run)

    if len(paths) == 1 and isinstance(paths[0], Path):
        played = [play(paths[0])]
        pages = list_page_writers(html, lambda: make_page(played[0], profile))
        if chart is not None:
            pages.append(partial(write_chart, chart, played[0]))
        code = played[0].exit_code
        return finish(screen, "scenario", played[0].data(), played[0].render, code, keep, *pages)
    played, unplayed = play_each(paths, play)
    code = find_exit_code(played, unplayed)
    data = write_all(played, unplayed)
    return finish(screen, "scenarios", data, lambda: render_all(played, unplayed), code, keep)


def list_scenarios(places: Iterable[Path], most: int) -> list[Path | InputError]:
    """List the scenarios of files and folders, with what cannot be read of them; that alone is an error."""
    from nomadspec.checkers.oracle.limits import Limits
    from nomadspec.checkers.scenario.play import list_files

    with interruptible():
        found: list[Path | InputError] = [*list_files(places, Limits(walk=most))]
    if len(found) == 1 and isinstance(found[0], InputError):
        raise found[0]
    return found


def play_each(
    files: Iterable[Path | InputError], play: Callable[[Path], Played]
) -> tuple[list[Played], list[Unplayed]]:
    """Play files until one is stopped; one that cannot be played keeps no other from being played."""
    from nomadspec.checkers.report.scenario import Played, Unplayed
    from nomadspec.checkers.scenario.play import ENDLESS

    played, unplayed = list[Played](), list[Unplayed]()
    for file in files:
        if isinstance(file, InputError):
            unplayed.append(Unplayed(file.file, str(file)))
            continue
        try:
            played.append(play(file))
        except InputError as error:
            unplayed.append(Unplayed(str(file), str(error)))
        else:
            if played[-1].run.stopped_by not in {None, ENDLESS}:
                break
    return played, unplayed


def write_chart(path: Path, played: Played) -> None:
    """Draw what was recorded while a scenario was played."""
    from nomadspec.checkers.diagrams.chart import draw_chart
    from nomadspec.checkers.report.json_fields import write_file
    from nomadspec.model.cluster.world import START_NS

    record = played.run.record
    write_file(path, draw_chart(record.samples if record else (), played.title, START_NS).encode())
    tell(f"wrote {path}")


def make_page(played: Played, profile: Profile) -> Page:
    """Show a scenario that was played, with the graph of its evaluations where it came to its end."""
    from nomadspec.checkers.diagrams.evals.sources import play_scenario
    from nomadspec.checkers.pages.timeline_pages import make_scenario_page

    is_whole = played.run.stopped_by is None
    return make_scenario_page(played, play_scenario(Path(played.file), profile) if is_whole else None)


@command.command(name="words")
@takes_screen
def list_words(screen: Screen) -> int:
    """List the statements of scenarios."""
    from nomadspec.checkers.report.scenario import render_words
    from nomadspec.checkers.scenario.play import list_statements

    data = {
        "statements": [
            {"form": one.shown, "about": one.about, "options": dict(one.options)} for one in list_statements()
        ]
    }
    screen.show("scenario-words", data, lambda: render_words(list_statements()))
    return 0


command.add_command(search_clusters)
command.add_command(judge_scenario)
