"""``nomadspec vectors``: judge recordings of a real server or cluster by the model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from nomadspec.checkers.cli.ending import try_each
from nomadspec.checkers.cli.limits import takes_folder_limits, takes_limits
from nomadspec.checkers.cli.numbers import WholeRange
from nomadspec.checkers.cli.outputs import Outputs, Writer, takes_outputs
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.screen import Screen, takes_screen, tell, write_out
from nomadspec.checkers.cli.subcommands import Words
from nomadspec.checkers.escaping import escape_screen, write_json
from nomadspec.checkers.stopping import interruptible, shield, shielded
from nomadspec.model.errors import EXIT_HOLDS

if TYPE_CHECKING:
    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.oracle.check import Answer
    from nomadspec.checkers.oracle.limits import Limits
    from nomadspec.checkers.report.judging import Tally


def _complete_family(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- click hands them over
    from nomadspec.checkers.oracle.registry import list_kinds

    return [CompletionItem(name) for name in list_kinds() if name.startswith(typed)]


takes_family = click.option(
    "--family",
    metavar="FAMILY/FILE",
    shell_complete=_complete_family,
    help="Family of the recordings, if the path is not FAMILY/FILE.ndjson.",
)


@click.group(name="vectors", cls=Words, usual="check")
def command() -> None:
    """Check recordings of a real server or cluster against the model.

    \b
    Examples:
      nomadspec vectors check tests/recordings/components
      nomadspec vectors check broker/sequences.ndjson --json
      nomadspec vectors show broker/sequences.ndjson broker-001
      nomadspec vectors refine tests/recordings/components
      nomadspec vectors make suite/ --seed 1
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines


@command.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@takes_family
@click.option(
    "--relation",
    "ignores_choices",
    is_flag=True,
    help="Accept any result that some random choice leads to, not only the recorded one (schedulers only).",
)
@takes_profile
@takes_folder_limits
@takes_outputs
@takes_screen
def check(
    paths: tuple[Path, ...],
    family: str | None,
    ignores_choices: bool,  # noqa: FBT001 -- click hands it over
    profile_name: str,
    limits: Limits,
    screen: Screen,
    outputs: Outputs,
) -> int:
    """Check recordings in files and folders.

    A file has one recording a line, plain or packed with gzip or xz; a folder with a Raft log is the
    recording of a whole cluster. The family of a file follows from its path, FAMILY/FILE.ndjson, or from
    the `format` of its lines.

    Recordings of whole clusters are also checked against the properties of clusters. What a known defect of
    the release explains is named and counted; `--profile intended` rejects it.

    Exit code: 0 if all are accepted; 1 if some are rejected; 4 if none is rejected but some are unsupported
    or undecided; 3 if something cannot be read; 5 if this program failed on one. The rest is judged in any
    case.

    \b
    Examples:
      nomadspec vectors check tests/recordings/components
      nomadspec vectors check recorded.ndjson --family broker/sequences
      nomadspec vectors check tests/recordings/traces/canary_manual --json
      nomadspec vectors check tests/recordings/scheduler --relation
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from functools import partial

    from nomadspec.checkers.oracle.check import check_paths
    from nomadspec.checkers.oracle.context import Context
    from nomadspec.checkers.oracle.registry import read_kind
    from nomadspec.checkers.report.judging import Tally
    from nomadspec.model.specification.profiles import find_profile

    tally, began, profile = Tally(), time.monotonic(), find_profile(profile_name)
    asked = read_kind(family) if family else None
    with screen.progress() as progress:
        try:
            make_context = partial(Context, profile, ignores_choices=ignores_choices, limits=limits)
            with interruptible():
                for answer in check_paths(paths, asked, make_context):
                    with shielded():
                        _take(answer, tally, screen)
                    progress.update("judge recordings", tally.judged)
        except KeyboardInterrupt:
            tally.is_stopped = True
    shield()
    judged = partial(_judge_all, tally, time.monotonic() - began)
    return _finish(tally, screen, outputs.list_writers(judged, tally.data()))


@command.command(name="show")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("name", metavar="ID")
@click.option("--all", "in_full", is_flag=True, help="Show all fields, not only those that differ.")
@takes_family
@takes_profile
@takes_limits
@takes_screen
def show(
    file: Path,
    name: str,
    in_full: bool,  # noqa: FBT001 -- click hands it over
    family: str | None,
    profile_name: str,
    limits: Limits,
    screen: Screen,
) -> int:
    """Show one recording, and the model's answer.

    Exit codes are those of `vectors check`.

    \b
    Examples:
      nomadspec vectors show broker/sequences.ndjson broker-001
      nomadspec vectors show gc/cases.ndjson gc-000 --all
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from functools import partial

    from nomadspec.checkers.oracle.check import find_line
    from nomadspec.checkers.oracle.context import Context
    from nomadspec.checkers.oracle.registry import read_kind
    from nomadspec.checkers.report.recording_text import show_line
    from nomadspec.model.specification.profiles import find_profile

    profile = find_profile(profile_name)
    asked = read_kind(family) if family else None
    kind, line, context = find_line(file, name, asked, partial(Context, profile, limits=limits))
    shown = show_line(kind, line, context)
    screen.show("vectors-show", shown.data(), lambda: shown.render(in_full=in_full))
    return shown.judgement.exit_code


@command.command(name="refine")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@takes_family
@takes_folder_limits
@takes_screen
def refine(paths: tuple[Path, ...], family: str | None, limits: Limits, screen: Screen) -> int:
    """Check component recordings against the kernel.

    Each recorded operation of broker, blocked evals, plan applier and store must be allowed by the kernel's
    rules, as far as the kernel models it. Operations that the kernel does not model, or models more coarsely,
    are counted by name.

    Exit code: 0 if all others agree; 1 if one does not; 3 if something cannot be read; 5 if this program
    failed on one.

    \b
    Examples:
      nomadspec vectors refine tests/recordings/components
      nomadspec vectors refine broker/sequences.ndjson --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.refinement.check import refine_paths
    from nomadspec.checkers.oracle.registry import read_kind
    from nomadspec.checkers.report.refining import data_of, exit_code_of, render_all

    with screen.progress() as progress:
        found = refine_paths(paths, read_kind(family) if family else None, progress, limits)
    code = exit_code_of(found)
    screen.show("vectors-refine", data_of(found), lambda: render_all(found), code)
    return code


@command.command(name="make")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--family",
    "families",
    multiple=True,
    metavar="FAMILY[/FILE]",
    help="Make only recordings of this family or kind.",
)
@click.option(
    "--seed",
    type=WholeRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Random seed of the recordings.",
)
@click.option(
    "--count",
    type=WholeRange(1, 10_000),
    default=40,
    show_default=True,
    help="Recordings of each kind; more if they exercise further rules.",
)
@takes_profile
@takes_screen
def make(
    folder: Path, families: tuple[str, ...], seed: int, count: int, profile_name: str, screen: Screen
) -> int:
    """Write recordings to test another scheduler.

    FOLDER/accept has permitted recordings, FOLDER/reject the same with one answer made wrong. Its README
    explains the files, what an implementation may choose freely, and the rules of the specification that
    they exercise.

    \b
    Examples:
      nomadspec vectors make suite/ --seed 1
      nomadspec vectors make names/ --family alloc-names --count 200
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.conform.judging import Terms
    from nomadspec.checkers.conform.recorded_questions import find_kinds
    from nomadspec.checkers.conform.suite import make_suite
    from nomadspec.checkers.conform.suite_text import data_of, render
    from nomadspec.model.specification.profiles import find_profile

    kinds = find_kinds(families, is_made=True)
    with screen.progress() as progress, interruptible():
        suite = make_suite(folder, kinds, seed, count, Terms(profile=find_profile(profile_name)), progress)
    screen.show("vectors-make", data_of(suite), lambda: render(suite))
    return EXIT_HOLDS


def _take(answer: Answer, tally: Tally, screen: Screen) -> None:
    from nomadspec.checkers.report.judging import line_of
    from nomadspec.model.errors import InputError

    tally.add(answer)
    if not screen.wants_json:
        return  # the text of all of them comes at the end
    if isinstance(answer, InputError):
        tell(f"nomadspec: {answer}")
    else:
        write_out(line_of(answer), tally.exit_code)


def _judge_all(tally: Tally, seconds: float) -> Outcomes:
    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.ci.verb_cases import list_judged

    text = click.unstyle(tally.render())
    return Outcomes("nomadspec vectors check", tally.verdict, seconds, list_judged(tally), text)


def _finish(tally: Tally, screen: Screen, writers: Sequence[Writer]) -> int:
    """Tell what was found, and write the files; the last line of JSON names those that could not be."""
    if screen.wants_json:
        warnings, worst = try_each(writers)
        more = {"warnings": warnings} if warnings else {}
        write_out(write_json({**tally.data(), **more}), tally.exit_code or worst)
    else:
        write_out(escape_screen(tally.render()), tally.exit_code)
        _, worst = try_each(writers)
    return tally.exit_code or worst
