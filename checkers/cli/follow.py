"""``nomadspec follow``: judge a log of somebody's own system by their own model."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.choice import Choice, takes_choice
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.limits import takes_sizes
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.checkers.cli.story_out import check_place, keep_story
from nomadspec.checkers.escaping import join_words
from nomadspec.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.oracle.limits import Limits
    from nomadspec.model.language.bounded import BoundedModel


def read_events(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Read events such as ``placed=Place,Move``; that there are such rules is checked where they are used."""
    events: dict[str, tuple[str, ...]] = {}
    for words in given:
        name, equals, rules = words.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{words!r} is no event: write NAME=RULE,RULE such as placed=Place.")
        events[name] = tuple(filter(None, rules.split(",")))
    return events


@click.command(name="follow")
@click.argument("file", type=click.Path(path_type=Path))
@takes_choice
@click.option(
    "--unseen", multiple=True, metavar="RULE", help="A rule that may fire between two lines; repeatable."
)
@click.option(
    "--event",
    "events",
    multiple=True,
    callback=read_events,
    metavar="NAME=RULE,...",
    help="The rules that an event of the log stands for; none: it is no step. Repeatable.",
)
@click.option(
    "--unseen-steps",
    type=WholeRange(0),
    metavar="N",
    help="At most N unseen steps before a line.  [default: no limit]",
)
@click.option(
    "--worlds",
    type=WholeRange(1),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Track at most N possible worlds.",
)
@click.option("--time", type=FiniteRange(0, min_open=True), metavar="S", help="Stop after S seconds.")
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write a story that explains the log, as far as possible, to OUT.",
)
@takes_sizes
@takes_screen
def command(  # noqa: PLR0913, PLR0917 -- one argument an option
    file: Path,
    choice: Choice,
    screen: Screen,
    unseen: tuple[str, ...],
    events: dict[str, tuple[str, ...]],
    unseen_steps: int | None,
    worlds: int,
    time: float | None,
    story_out: Path | None,
    limits: Limits,
) -> int:
    """Check a log of your own system against your own model.

    FILE has one JSON object a line: the rule or event that happened, some of its arguments, and some fields
    of the world before or after it. What the log does not say is searched: every world that fits the lines
    so far is carried on to the next line.

    Exit code: 0 if the model can explain every line; 1 if it cannot (the first impossible line is shown,
    with what was possible there), or if a start rule of the model fails (told as `nomadspec explore` does);
    3 if FILE does not fit the model; 4 if a limit was reached before the answer.

    \b
    Examples:
      nomadspec follow moves.ndjson --model my_shop.py:SHOP
      nomadspec follow moves.ndjson --model my_shop.py:SHOP --unseen Wake --event served=Serve,ServeAgain
      nomadspec follow moves.ndjson --model 2pc --set rms=3 --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.follow import follow
    from nomadspec.checkers.report.following import Followed
    from nomadspec.checkers.report.logs import read_log
    from nomadspec.checkers.report.progress import Titled

    check_place(story_out)
    bounded = choice.bound()
    if bounded.failing_starts:
        return _tell_failing_start(bounded, choice, screen, story_out)
    try:
        log = read_log(file, bounded, events=events, unseen=unseen, limits=limits)
    except InputError as problem:
        if hint := _find_meant(file):
            raise InputError(problem.file, problem.problem, at=problem.at, hint=hint) from problem
        raise
    with screen.progress() as progress, redirect_stdout(sys.stderr):
        report = follow(
            bounded,
            log,
            most_worlds=worlds,
            most_unseen=unseen_steps,
            max_seconds=time,
            progress=Titled(progress, f"following {file}", len(log.entries)),
        )
    words = [str(file), *_words(unseen, events)]
    followed = Followed(report, bounded, choice.model, choice.line("follow", *words), story_out is not None)
    keep = partial(keep_story, story_out, report.story, bounded, choice.model)
    return finish(screen, "follow", followed.data(), followed.render, report.verdict.exit_code, keep)


def _find_meant(path: Path) -> str:
    """Name the verb that reads a recording of Nomad; nothing where the file is none."""
    from nomadspec.checkers.oracle.partial.folder import list_parts
    from nomadspec.checkers.oracle.reading import find_file
    from nomadspec.checkers.oracle.registry import FAMILIES
    from nomadspec.checkers.oracle.trace_log import LOG

    folder = path if path.is_dir() else path.parent
    if find_file(folder, LOG) is not None or list_parts(folder):
        return f"`{join_words(['nomadspec', 'replay', str(folder)])}` judges the recording of a cluster"
    if folder.name in FAMILIES:
        return f"`{join_words(['nomadspec', 'vectors', 'check', str(path)])}` judges recordings of components"
    return ""


def _tell_failing_start(bounded: BoundedModel, choice: Choice, screen: Screen, story_out: Path | None) -> int:
    """Tell how a start rule fails, as a search does: no log can be followed from there."""
    from nomadspec.checkers.explore import explore
    from nomadspec.checkers.report.exploring import Explored

    explored = Explored(
        explore(bounded), bounded, choice.model, choice.line("explore"), is_kept=story_out is not None
    )
    keep = partial(keep_story, story_out, explored.story(), bounded, choice.model)
    data, code = explored.data(), explored.report.verdict.exit_code
    return finish(screen, "explore", data, explored.render, code, keep)


def _words(unseen: Sequence[str], events: dict[str, tuple[str, ...]]) -> list[str]:
    """Write the options that decide the result."""
    words = []
    for rule in unseen:
        words += ["--unseen", rule]
    for name, rules in events.items():
        words += ["--event", f"{name}={','.join(rules)}"]
    return words
