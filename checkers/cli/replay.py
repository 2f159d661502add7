"""``nomadspec replay``: the story of a recorded cluster, with its verdict."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.limits import takes_limits
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.outputs import Outputs, list_page_writers, takes_outputs, takes_page
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.screen import Screen, takes_screen, write_out
from nomadspec.checkers.cli.story_out import check_place
from nomadspec.checkers.escaping import escape_screen
from nomadspec.checkers.stopping import interruptible

if TYPE_CHECKING:
    from nomadspec.checkers.diagrams.evals.records import EvalDag
    from nomadspec.checkers.oracle.context import Context
    from nomadspec.checkers.oracle.limits import Limits
    from nomadspec.checkers.pages.page import Page
    from nomadspec.checkers.replay.report import Told
    from nomadspec.checkers.replay.watching import Until
    from nomadspec.model.specification.profiles import Profile

_FORMATS = ("dot", "graphml", "png", "svg")
_RETRIES = 5


@click.command(name="replay")
@click.argument("folder", metavar="[TRACE]", required=False, type=click.Path(path_type=Path))
@click.option("--follow", "follows", is_flag=True, help="Watch a running cluster instead of a recording.")
@click.option("--index", type=WholeRange(0), help="With --follow: start at this index.  [default: 0]")
@click.option("--until", type=WholeRange(1), metavar="INDEX", help="With --follow: stop at this index.")
@click.option(
    "--for",
    "duration_s",
    type=FiniteRange(0, min_open=True),
    metavar="S",
    help="With --follow: stop after S seconds.",
)
@click.option(
    "--retries",
    type=WholeRange(0, 1000),
    metavar="N",
    help="With --follow: give up after N failed reconnects in a row.  [default: 5]",
)
@takes_profile
@click.option("--wrong", "only_wrong", is_flag=True, help="Show only the entries that the model rejects.")
@click.option(
    "--dag",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the graph of evaluations: .svg, .png, .dot or .graphml.",
)
@takes_page
@takes_limits
@takes_outputs
@takes_screen
def command(  # noqa: PLR0913, PLR0917 -- one option an argument
    folder: Path | None,
    follows: bool,  # noqa: FBT001 -- click hands it over
    index: int | None,
    until: int | None,
    duration_s: float | None,
    retries: int | None,
    profile_name: str,
    only_wrong: bool,  # noqa: FBT001 -- click hands it over
    dag: Path | None,
    html: Path | None,
    limits: Limits,
    screen: Screen,
    outputs: Outputs,
) -> int:
    """Replay a recorded cluster entry by entry, and show what is impossible in it.

    TRACE is the folder of a recording with its Raft log. The verdict is that of `nomadspec vectors check
    TRACE`. For the first impossible entry the report shows what was recorded, what was allowed, by which
    rule, and which explanations failed. The column `judged` says whether the model derived an entry, only
    checked it, or took it as an input.

    With --follow, watch the event stream of a running cluster, chosen by NOMAD_ADDR, NOMAD_TOKEN,
    NOMAD_NAMESPACE and the TLS variables; the token is neither shown nor stored. What no cluster may show
    is reported at once; scheduling decisions cannot be judged without a log. After a lost connection it
    continues at the same index, and reports the range in which events may be missing. Exit code: 1 or 4.

    Exit code: 0 if everything is possible; 1 if something is impossible; 3 if the recording cannot be read;
    4 if parts of it could not be judged; 5 if this program failed on it.

    \b
    Examples:
      nomadspec replay tests/recordings/traces/canary_manual
      nomadspec replay recording/ --wrong --html recording.html --dag recording.svg
      nomadspec replay recording/ --json --junit replay.xml --sarif replay.sarif
      nomadspec replay --follow --for 600
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.context import Context
    from nomadspec.checkers.replay.report import Told
    from nomadspec.checkers.replay.story import tell_story
    from nomadspec.checkers.replay.watching import Until
    from nomadspec.model.specification.profiles import find_profile

    profile, began = find_profile(profile_name), time.monotonic()
    options = {"--index": index, "--until": until, "--for": duration_s, "--retries": retries}
    if follows:
        _refuse(folder is not None, "--follow watches the cluster at NOMAD_ADDR: give no TRACE with it")
        _refuse(dag is not None or html is not None or only_wrong, "--follow draws nothing, and shows all")
        context = Context(profile=profile, limits=limits)
        deadline = None if duration_s is None else began + duration_s
        end = Until(until, deadline, _RETRIES if retries is None else retries)
        return _watch(context, index or 0, end, screen, outputs)
    for name, given in options.items():
        _refuse(given is not None, f"{name} goes with --follow")
    if folder is None:
        raise click.UsageError("name the folder of a recording, or watch a running cluster with --follow")
    _check_format(dag)
    check_place(dag)
    told = Told(tell_story(folder, Context(profile=profile, limits=limits)), shows_all=not only_wrong)
    drawn = partial(_build_dag, folder, profile, limits)
    beside = outputs.list_writers(lambda: told.outcomes(time.monotonic() - began), told.data())
    beside += list_page_writers(html, lambda: _make_page(told, drawn()))
    if dag is not None:
        beside.append(lambda: _draw(dag, drawn()))
    return finish(screen, "replay", told.data(), told.render, told.exit_code, *beside)


def _refuse(is_wrong: bool, why: str) -> None:  # noqa: FBT001 -- a condition, read before its sentence
    if is_wrong:
        raise click.UsageError(why)


def _watch(context: Context, since: int, until: Until, screen: Screen, outputs: Outputs) -> int:
    """Watch a cluster until it is time to stop, or somebody asks for it."""
    from nomadspec.checkers.replay.address import read_address
    from nomadspec.checkers.replay.watched import data_of, outcomes_of, render, tell_seen
    from nomadspec.checkers.replay.watching import Watch

    began = time.monotonic()
    watch = Watch(read_address(os.environ), context, time.monotonic, time.sleep)
    try:
        with interruptible():
            for seen in watch.follow(since, until):
                if not screen.wants_json:
                    write_out(escape_screen(tell_seen(seen)))
    except KeyboardInterrupt:
        watch.stopped_by = "interrupted"
    text = render(watch)
    beside = outputs.list_writers(
        lambda: outcomes_of(watch, time.monotonic() - began, click.unstyle(text)), data_of(watch)
    )
    return finish(screen, "replay-follow", data_of(watch), lambda: text, watch.verdict.exit_code, *beside)


def _check_format(path: Path | None) -> None:
    if path is not None and path.suffix.removeprefix(".") not in _FORMATS:
        endings = ", ".join(f".{each}" for each in _FORMATS)
        raise click.UsageError(f"--dag: name a file that ends in one of {endings}")


def _build_dag(folder: Path, profile: Profile, limits: Limits) -> EvalDag:
    from nomadspec.checkers.diagrams.evals.build import build_dag
    from nomadspec.checkers.diagrams.evals.sources import replay_recording

    return build_dag(replay_recording(folder, profile, limits))


def _make_page(told: Told, dag: EvalDag) -> Page:
    """Make the page; where the graph is too large to be drawn, it says so in its place."""
    from nomadspec.checkers.diagrams.evals.drawing import render_dag
    from nomadspec.model.errors import NomadSpecError

    try:
        return told.page(render_dag(dag, "svg"), "The evaluations, and what each was caused by.")
    except NomadSpecError as refused:
        return told.page(about=str(refused))


def _draw(path: Path, dag: EvalDag) -> None:
    from nomadspec.checkers.cli.screen import tell
    from nomadspec.checkers.diagrams.evals.drawing import render_dag
    from nomadspec.checkers.report.json_fields import write_file

    write_file(path, render_dag(dag, path.suffix.removeprefix(".")))
    tell(f"wrote {path}")
