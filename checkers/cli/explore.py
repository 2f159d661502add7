"""``nomadspec explore``: visit every world of a scope."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from nomadspec.checkers.cli.choice import Choice, check_properties, complete_property, takes_choice
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.outputs import Outputs, takes_outputs
from nomadspec.checkers.cli.screen import Screen, object_of, takes_screen, takes_verbose, tell
from nomadspec.checkers.cli.story_out import check_place, keep_story
from nomadspec.checkers.plain_digits import write_decimal

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.explore.bounds import Constraint
    from nomadspec.checkers.manifest import Published
    from nomadspec.checkers.progress import Progress
    from nomadspec.checkers.report.exploring import Explored
    from nomadspec.checkers.report.expressions import Expression
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.language.bounded import BoundedModel


_SECONDS_TO_ESTIMATE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Search:
    """How a search is to be done: what the options of the verb say."""

    properties: tuple[str, ...]
    reduction: str
    audit: bool
    engine: str
    keep_going: bool
    time: float | None
    memory: float | None
    workers: int
    ray: bool
    states: int | None
    depth: int | None
    constraint: str | None
    wants_estimate: bool
    checkpoint: Path | None
    resume: Path | None
    verbose: bool

    def choose_checkpoint(self) -> Path | None:
        """Give the file to go on from or to write."""
        if self.resume is not None and self.checkpoint not in {None, self.resume}:
            raise click.UsageError("--resume FILE also writes FILE: leave --checkpoint out")
        if self.resume is None:
            check_place(self.checkpoint)
        return self.resume or self.checkpoint

    def find_expected(self, published: Published | None) -> int | None:
        """Say how many worlds will be stored, where that is published and nothing ends the search before."""
        if published is None or (published.known and not self.keep_going):
            return None
        return published.distinct if self.depth is None and self.constraint is None else None

    def words(self) -> list[str]:
        """Write the options that decide the result, to ask for it again."""
        words = ["--reduction", self.reduction] if self.reduction != "none" else []
        for name in dict.fromkeys(self.properties):
            words += ["--property", name]
        words += ["--audit"] if self.audit else []
        words += ["--depth", str(self.depth)] if self.depth is not None else []
        words += ["--constraint", self.constraint] if self.constraint is not None else []
        return [*words, "--keep-going"] if self.keep_going else words

    def limits(self) -> list[str]:
        """Write the options that may end it early."""
        given = {"--states": self.states, "--time": self.time, "--memory": self.memory}
        told = {name: write_decimal(value) for name, value in given.items() if value is not None}
        return [word for words in told.items() for word in words]

    def lines(self, choice: Choice) -> tuple[str, str]:
        """Write the command that does the same again, and that which goes on: it has no limits."""
        go_on = choice.line("explore", *self.words())
        return choice.line("explore", *self.words(), *self.limits()), go_on


@click.command(name="explore")
@takes_choice
@click.option(
    "--property",
    "-p",
    "properties",
    multiple=True,
    metavar="ID",
    shell_complete=complete_property,
    help="Check only this property (or `deadlock`); repeatable.  [default: all]",
)
@click.option(
    "--reduction",
    type=click.Choice(["none", "symmetry", "partial-order", "symmetry+partial-order"]),
    default="none",
    show_default=True,
    help="Merge worlds that differ by names only (symmetry), skip orders of independent steps "
    "(partial-order), or both.",
)
@click.option("--audit", is_flag=True, help="Repeat the search without the reduction, and compare.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "interpreted", "compiled"]),
    default="auto",
    show_default=True,
    help="How steps are computed: auto compiles large searches if llvmlite is installed.",
)
@click.option("--keep-going", is_flag=True, help="Continue after a violation.")
@click.option("--time", type=FiniteRange(0, min_open=True), metavar="S", help="Stop after S seconds.")
@click.option(
    "--memory",
    type=FiniteRange(0, min_open=True),
    metavar="MIB",
    help="Use about this much memory; further worlds are kept in files.",
)
@click.option(
    "--workers",
    type=WholeRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Search with N processes.",
)
@click.option("--ray", is_flag=True, help="Run these processes on Ray, if Ray is installed.")
@click.option(
    "--states",
    type=WholeRange(1),
    metavar="N",
    help="Stop after about N worlds (all steps of the last one are still taken).",
)
@click.option("--depth", type=WholeRange(1), metavar="N", help="Search at most N steps deep.")
@click.option(
    "--constraint",
    metavar="EXPR",
    help="Do not continue from worlds where this expression over the world s is false.",
)
@click.option(
    "--estimate",
    "wants_estimate",
    is_flag=True,
    help="Search for 10 seconds (or --time) and estimate the number of worlds and the time for all.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the search to FILE, to resume it later; a verdict removes FILE.",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Resume a search saved with --checkpoint.",
)
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of the violation to FILE; without one, of the first `sometimes` given with -p.",
)
@click.option(
    "--graph",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw all worlds and steps of a small search: .svg, .png, .dot, .mmd or .graphml.",
)
@click.option(
    "--eval",
    "expressions",
    multiple=True,
    metavar="EXPR",
    help="Print this Python expression over each world s of the story; repeatable.",
)
@takes_outputs
@takes_verbose
@takes_screen
def command(
    choice: Choice,
    screen: Screen,
    outputs: Outputs,
    story_out: Path | None,
    graph: Path | None,
    expressions: tuple[str, ...],
    **options: Any,
) -> int:
    """Visit every world of a scope, check all properties, and show the shortest story to a violation.

    Exit code: 0 if everything holds in the whole scope, 1 if a property is violated, 4 if a limit, a bound,
    Ctrl-C, SIGTERM or SIGHUP ended the search early (results so far are shown).

    \b
    Examples:
      nomadspec explore --model core --scope small
      nomadspec explore --model core --scope unchecked --story-out oversubscribed.json
      nomadspec explore --model 2pc --set rms=7 --reduction symmetry
      nomadspec explore --model 2pc --scope small --reduction partial-order --audit
      nomadspec explore --model core --scope small --depth 4
      nomadspec explore --model core --scope small --constraint 's.flipped == 0'
      nomadspec explore --model 2pc --set rms=1 --graph worlds.svg
      nomadspec explore --model core --scope full --estimate
      nomadspec explore --model core --scope full --time 60 --checkpoint full.bin
      nomadspec explore --model my_shop.py:SHOP --property nobody_waits --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.explore import explore
    from nomadspec.checkers.report.expressions import read_expressions

    check_place(story_out)
    check_place(graph)
    search = Search(**options)
    checkpoint = search.choose_checkpoint()
    bounded = choice.bound()
    check_properties(bounded, search.properties)
    along = read_expressions(bounded, expressions)
    constraint = _read_constraint(bounded, search.constraint)
    if search.wants_estimate:
        return show_estimate(bounded, choice, search, screen)
    beside = list_drawings(graph, bounded, search, constraint)
    published = find_published_search(bounded, choice, search.reduction)
    with screen.progress() as progress:
        report = explore(
            bounded,
            properties=search.properties or None,
            reduction=search.reduction,
            max_seconds=search.time,
            max_memory_mib=search.memory,
            max_states=search.states,
            checkpoint=checkpoint,
            resume=search.resume is not None,
            stop_at_first=not search.keep_going,
            engine=search.engine,
            workers=search.workers,
            ray=search.ray,
            audit=search.audit,
            max_depth=search.depth,
            constraint=constraint,
            progress=foresee(progress, bounded, choice, published),
            expected=search.find_expected(published),
        )
    explored = name_owners(report, bounded, choice, search, along, is_kept=story_out is not None)
    beside += list_kept(explored, story_out, checkpoint)
    beside += outputs.list_writers(partial(judge_all, explored), object_of("explore", explored.data()))
    render = partial(explored.render, with_engine=search.verbose)
    return finish(screen, "explore", explored.data(), render, report.verdict.exit_code, *beside)


def name_owners(
    report: ExploreReport,
    bounded: BoundedModel,
    choice: Choice,
    search: Search,
    along: tuple[Expression, ...],
    *,
    is_kept: bool,
) -> Explored:
    """Put beside what a search found which known finding it shows, and the lines that repeat it."""
    from nomadspec.checkers.attribution import find_owners
    from nomadspec.checkers.report.exploring import Explored

    again, go_on = search.lines(choice)
    owners = find_owners(report.findings, bounded, choice.model)
    return Explored(report, bounded, choice.model, again, along, go_on, is_kept, owners)


def list_drawings(
    graph: Path | None, bounded: BoundedModel, search: Search, constraint: Constraint | None
) -> list[Callable[[], None]]:
    """List what has to be drawn, where that was asked for; too many worlds are refused at once."""
    if graph is None:
        return []
    return [draw_graph(graph, bounded, search.properties, search.depth, constraint)]


def list_kept(explored: Explored, story: Path | None, checkpoint: Path | None) -> list[Callable[[], None]]:
    """List what has to be written or told of the files that a search keeps: its story, and its checkpoint."""
    report = explored.report
    kept: list[Callable[[], None]] = [
        partial(keep_story, story, explored.story(), explored.bounded, explored.reference)
    ]
    if checkpoint is not None and report.checkpoint is None and report.checkpoint_problem is None:
        kept.append(partial(tell, f"removed {checkpoint}: the search is over, and nothing is left to resume"))
    return kept


def judge_all(explored: Explored) -> Outcomes:
    """List the properties of a search as cases."""
    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.ci.verb_cases import list_explored

    report, text = explored.report, click.unstyle(explored.render())
    return Outcomes("nomadspec explore", report.verdict, report.seconds, list_explored(explored), text)


def _read_constraint(bounded: BoundedModel, text: str | None) -> Constraint | None:
    from nomadspec.checkers.explore.bounds import Constraint
    from nomadspec.checkers.report.expressions import read_expressions

    if text is None:
        return None
    (expression,) = read_expressions(bounded, [text])
    return Constraint(text, expression.as_text())


def show_estimate(bounded: BoundedModel, choice: Choice, search: Search, screen: Screen) -> int:
    """Guess the size of a search and how long it takes."""
    from nomadspec.checkers.explore.bounds import join_constraint
    from nomadspec.checkers.explore.estimate import estimate
    from nomadspec.checkers.report.progress import Titled
    from nomadspec.checkers.report.time_left import Estimated

    if join_constraint(bounded, None) is not None:
        raise click.UsageError(
            f"--estimate is about a whole search, and {bounded.scope} has a constraint: name another"
        )
    refused = [name for name in ("depth", "constraint", "checkpoint", "resume") if getattr(search, name)]
    if refused or search.workers > 1:
        name = refused[0] if refused else "workers"
        raise click.UsageError(f"--estimate is about a whole search by one process: leave --{name} out")
    with screen.progress() as progress:
        found = estimate(
            bounded,
            seconds=search.time or _SECONDS_TO_ESTIMATE,
            properties=search.properties or None,
            reduction=search.reduction,
            engine=search.engine,
            progress=Titled(progress, f"looking at {choice.model} {bounded.scope}", None),
        )
    told = Estimated(found, bounded, choice.model, choice.line("explore", *search.words()))
    screen.show("estimate", told.data(), told.render)
    return 0


def draw_graph(
    path: Path,
    bounded: BoundedModel,
    properties: tuple[str, ...],
    depth: int | None,
    constraint: Constraint | None,
) -> Callable[[], None]:
    """Draw all worlds and steps, but for those outside of a bound; give what writes the picture to a file."""
    from nomadspec.checkers.diagrams.reachable import (
        MOST_DRAWN,
        MOST_WRITTEN,
        find_format,
        find_reachable,
        render_reachable,
    )
    from nomadspec.checkers.explore.bounds import join_constraint
    from nomadspec.checkers.report.json_fields import write_file
    from nomadspec.checkers.requested_properties import find_asked

    fmt = find_format(path)
    most = MOST_DRAWN if fmt in {"svg", "png"} else MOST_WRITTEN
    asked = find_asked(bounded, properties or None).properties
    constraint = join_constraint(bounded, constraint)
    goes_on = None if constraint is None else (lambda cells: bool(constraint.holds(bounded.world(cells))))
    found = find_reachable(bounded, asked, most, max_depth=depth, goes_on=goes_on)
    picture = render_reachable(found, fmt)

    def write() -> None:
        write_file(path, picture)
        tell(f"wrote {path}: {len(found.worlds):,} worlds and {len(found.steps):,} steps")

    return write


def foresee(
    progress: Progress, bounded: BoundedModel, choice: Choice, published: Published | None
) -> Progress:
    """Let progress be shown with what is still to come."""
    from nomadspec.checkers.report.time_left import Foreseen

    expected = None if published is None else published.distinct
    return Foreseen(progress, f"exploring {choice.model} {bounded.scope}", expected)


def find_published_search(bounded: BoundedModel, choice: Choice, reduction: str) -> Published | None:
    """Find the entry of the manifest for the whole of a search, if there is one."""
    from nomadspec.checkers.manifest import find_published

    published = () if choice.sizes else find_published(choice.model, bounded.scope)
    asked = bounded.profile.name, reduction
    return next((one for one in published if (one.profile, one.reduction) == asked), None)
