"""``nomadspec conform``: ask any implementation, and judge its answers by the model."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.ending import try_each
from nomadspec.checkers.cli.limits import takes_folder_limits
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.checkers.stopping import interruptible, shield

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomadspec.checkers.conform.conversation import Row, Score
    from nomadspec.checkers.conform.judging import Question, Terms
    from nomadspec.checkers.conform.program import Program
    from nomadspec.checkers.oracle.limits import Limits
    from nomadspec.model.errors import InputError


@click.command(name="conform")
@click.argument("program", nargs=-1, required=True, metavar="-- CMD...")
@click.option(
    "--recordings",
    "recordings",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Ask the questions of recordings instead of random ones.",
)
@click.option(
    "--family",
    "families",
    multiple=True,
    metavar="FAMILY[/FILE]",
    help="Ask only questions of this family or kind.",
)
@click.option(
    "--seed",
    type=WholeRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Random seed of the questions.",
)
@click.option(
    "--count",
    type=WholeRange(1, 100_000),
    default=50,
    show_default=True,
    help="Number of questions of each kind.",
)
@click.option(
    "--timeout",
    type=FiniteRange(0.001),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one answer.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the smallest wrong answer of each kind to DIR, as a recording.",
)
@click.option(
    "--no-shrink",
    "is_left_large",
    is_flag=True,
    help="Do not shrink the questions that were answered wrongly.",
)
@takes_profile
@takes_folder_limits
@takes_screen
def command(  # noqa: PLR0913, PLR0917 -- click hands over every option
    program: tuple[str, ...],
    recordings: tuple[Path, ...],
    families: tuple[str, ...],
    seed: int,
    count: int,
    timeout: float,
    out: Path | None,
    is_left_large: bool,  # noqa: FBT001 -- click hands it over
    profile_name: str,
    limits: Limits,
    screen: Screen,
) -> int:
    """Ask another scheduler one JSON question a line, and judge its answers by the model.

    CMD is started and asked on its stdin; it answers on its stdout. docs/how-to/judge-an-implementation.md
    describes the protocol. Where Nomad leaves something open (orders, IDs), every permitted answer is
    accepted.

    Exit code: 0 if all answers agree; 1 if an answer differs or is missing (the program ended, timed out or
    broke the protocol); 2 if the program cannot be started; 3 if a recording or the first line of the
    program cannot be read; 4 if nothing is wrong but something was unsupported or undecided.

    \b
    Examples:
      nomadspec conform -- python docs/how-to/examples/conform/driver.py
      nomadspec conform --family constraints --count 500 --seed 7 -- ./my-scheduler
      nomadspec conform --recordings recorded/ --out wrong/ --json -- ./my-scheduler
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.conform.conversation import Score
    from nomadspec.checkers.conform.conversation_text import Conformed
    from nomadspec.checkers.conform.judging import Terms
    from nomadspec.checkers.conform.made_questions import Coverage, make_questions
    from nomadspec.checkers.conform.program import Program
    from nomadspec.checkers.conform.recorded_questions import find_kinds, list_recorded
    from nomadspec.checkers.escaping import join_words
    from nomadspec.model.specification.profiles import find_profile

    kinds = find_kinds(families, is_made=not recordings)
    terms = Terms(profile=find_profile(profile_name), limits=limits)
    score, coverage = Score(), Coverage()
    questions: Iterable[Question | InputError]
    name, shrunk, kept = "", {}, list[Path]()
    with Program(program, profile=profile_name, limits=limits, question_s=timeout) as asked:
        hello = asked.greet()
        name = hello.name
        if recordings:
            questions = list_recorded(recordings, kinds, terms, score, coverage, named=hello.kinds)
        else:
            score.not_named = tuple(kind for kind in kinds if kind not in hello.kinds)
            meant = [kind for kind in kinds if kind in hello.kinds]
            questions = make_questions(meant, seed, count, terms, coverage)
        _converse(asked, questions, terms, score, screen)
        if not is_left_large and not score.is_stopped:
            shrunk = _shrink(asked, score, terms, screen)
    shield()
    writers = [] if out is None else [partial(_keep, {**score.firsts, **shrunk}, out, kept)]
    warnings, worst = try_each(writers)
    again = join_words(
        ["nomadspec", "conform", *_list_options(recordings, families, seed, count), "--", *program]
    )
    told = Conformed(name, score, coverage, kept, again, None if recordings else seed, shrunk)
    data = {**told.data(), **({"warnings": warnings} if warnings else {})}
    screen.show("conform", data, told.render, score.exit_code)
    return score.exit_code or worst


def _converse(
    program: Program, questions: Iterable[Question | InputError], terms: Terms, score: Score, screen: Screen
) -> None:
    from nomadspec.checkers.conform.conversation import ask_all

    with screen.progress() as progress:
        try:
            with interruptible():
                for number, _ in enumerate(ask_all(program, questions, terms, score), 1):
                    progress.update("ask", number)
        except KeyboardInterrupt:
            score.is_stopped = True


def _shrink(program: Program, score: Score, terms: Terms, screen: Screen) -> dict[str, Row]:
    """Make the first wrong question of each kind smaller; who interrupts gets what there is."""
    from nomadspec.checkers.conform.shrinking import shrink

    shrunk: dict[str, Row] = {}
    with screen.progress() as progress:
        try:
            with interruptible():
                for number, (kind, row) in enumerate(score.firsts.items(), 1):
                    progress.update("make smaller", number, len(score.firsts))
                    shrunk[kind] = shrink(program, row, terms)
        except KeyboardInterrupt:
            score.is_stopped = True
    return shrunk


def _keep(rows: dict[str, Row], folder: Path, kept: list[Path]) -> None:
    """Keep wrong answers, and note where; what is noted before something fails is there."""
    from nomadspec.checkers.conform.recorded_questions import keep

    for row in rows.values():
        path = keep(row, folder)
        if path is not None:
            kept.append(path)


def _list_options(
    recordings: tuple[Path, ...], families: tuple[str, ...], seed: int, count: int
) -> tuple[str, ...]:
    named = chain.from_iterable(("--family", family) for family in families)
    asked = chain.from_iterable(("--recordings", str(path)) for path in recordings)
    made = () if recordings else ("--seed", str(seed), "--count", str(count))
    return (*named, *asked, *made)
