"""``nomadspec vectors``: judge recordings of a real server or cluster by the model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.model.errors import EXIT_USAGE

if TYPE_CHECKING:
    from nomadspec.checkers.oracle.check import Answer
    from nomadspec.checkers.report.judging import Tally


def _complete_family(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- click hands them over
    from nomadspec.checkers.oracle.registry import list_kinds

    return [CompletionItem(name) for name in list_kinds() if name.startswith(typed)]


takes_family = click.option(
    "--family",
    metavar="FAMILY/FILE",
    shell_complete=_complete_family,
    help="What the recordings are of, where the path FAMILY/FILE.ndjson does not tell.",
)


@click.group(name="vectors", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Judge recordings of a real server or cluster: whether the model allows what was recorded.

    \b
    Examples:
      nomadspec vectors check tests/recordings/components
      nomadspec vectors check broker/sequences.ndjson --json
      nomadspec vectors show broker/sequences.ndjson broker-001
      nomadspec vectors refine tests/recordings/components
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(EXIT_USAGE)


@command.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@takes_family
@click.option(
    "--relation",
    "ignores_choices",
    is_flag=True,
    help="Leave recorded choices aside: accept what any choice leads to (schedulers only).",
)
@takes_screen
def check(paths: tuple[Path, ...], family: str | None, ignores_choices: bool, screen: Screen) -> int:  # noqa: FBT001 -- click hands it over
    """Judge every recording of files and folders.

    A file holds one recording a line, plain or packed by gzip or xz; a folder with a Raft log is the
    recording of a whole cluster. The family of a file is known by its path, FAMILY/FILE.ndjson, or by the
    `format` of its lines.

    Exits with 0 when all are accepted, with 1 when some are rejected, with 4 when none is rejected but some
    are unsupported or undecided, and with 3 when something cannot be read.

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

    tally = Tally()
    asked = read_kind(family) if family else None
    with screen.progress() as progress:
        try:
            make_context = partial(Context, ignores_choices=ignores_choices)
            for answer in check_paths(paths, asked, make_context):
                _take(answer, tally, screen)
                progress.update("judge recordings", tally.judged)
        except KeyboardInterrupt:
            tally.is_stopped = True
    _finish(tally, screen)
    return tally.exit_code


@command.command(name="show")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("name", metavar="ID")
@click.option("--all", "in_full", is_flag=True, help="Show all of it, also where both agree.")
@takes_family
@takes_screen
def show(file: Path, name: str, in_full: bool, family: str | None, screen: Screen) -> int:  # noqa: FBT001 -- click hands it over
    """Show one recording of FILE: the question, and the recorded answer beside that of the model.

    Exits as check does.

    \b
    Examples:
      nomadspec vectors show broker/sequences.ndjson broker-001
      nomadspec vectors show gc/cases.ndjson gc-000 --all
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.check import find_line
    from nomadspec.checkers.oracle.registry import read_kind
    from nomadspec.checkers.report.side_by_side import show_line

    kind, line, context = find_line(file, name, read_kind(family) if family else None)
    shown = show_line(kind, line, context)
    screen.show("vectors-show", shown.data(), lambda: shown.render(in_full=in_full))
    return shown.judgement.verdict.exit_code


@command.command(name="refine")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@takes_family
@takes_screen
def refine(paths: tuple[Path, ...], family: str | None, screen: Screen) -> int:
    """Hold recorded operations of broker, tracker, plan applier and store against the kernel.

    Each step of a component must be what the kernel's rules say, as far as the kernel keeps anything of it.
    Steps for which it has no words, and those in which it is known to be coarser, are counted by name.
    Exits with 0 when all others agree, with 1 when one does not.

    \b
    Examples:
      nomadspec vectors refine tests/recordings/components
      nomadspec vectors refine broker/sequences.ndjson --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.refinement.check import refine_paths
    from nomadspec.checkers.oracle.registry import read_kind
    from nomadspec.checkers.report.refining import data_of, judge_all, render_all

    with screen.progress() as progress:
        found = refine_paths(paths, read_kind(family) if family else None, progress)
    screen.show("vectors-refine", data_of(found), lambda: render_all(found))
    return judge_all(found).exit_code


def _take(answer: Answer, tally: Tally, screen: Screen) -> None:
    from nomadspec.checkers.report.judging import line_of
    from nomadspec.model.errors import InputError

    tally.add(answer)
    if not screen.wants_json:
        return  # the text of all of them comes at the end
    if isinstance(answer, InputError):
        click.echo(f"nomadspec: {answer}", err=True)
    else:
        click.echo(line_of(answer))


def _finish(tally: Tally, screen: Screen) -> None:
    import json

    click.echo(json.dumps(tally.data(), ensure_ascii=False) if screen.wants_json else tally.render())
