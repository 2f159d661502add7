"""``nomadspec refine``: compare every step of one model with the steps of another."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import click

from nomadspec.checkers.cli.choice import Choice, takes_choice
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.numbers import FiniteRange, WholeRange
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.checkers.cli.story_out import check_place, keep_story


@click.command(name="refine")
@takes_choice
@click.option(
    "--by",
    required=True,
    metavar="FILE:NAME",
    help="The mapping: a function of (s, t) below @refines(MODEL) in a Python file.",
)
@click.option("--time", type=FiniteRange(0, min_open=True), metavar="S", help="Stop after S seconds.")
@click.option(
    "--states",
    type=WholeRange(1),
    metavar="N",
    help="Stop after about N worlds (all steps of the last one are still taken).",
)
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of the step that the other model does not allow to FILE.",
)
@takes_screen
def command(
    choice: Choice,
    screen: Screen,
    by: str,
    time: float | None,
    states: int | None,
    story_out: Path | None,
) -> int:
    """Check that every step of one model is a step of another, more abstract one.

    The mapping gives the world of the abstract model for each world of the concrete one. Initial worlds
    must map to initial worlds, and each step to a step of the abstract model or to none (it stutters). The
    shortest story to a step that is neither is shown, with the reason for each rule. `eventually` and other
    properties over time are not checked.

    Exit code: 0 if every step is allowed; 1 if one is not; 4 if a limit or Ctrl-C ended the comparison
    early, or if every step stutters, so that nothing was compared.

    \b
    Examples:
      nomadspec refine --model 2pc --scope small --by atomic_commit.py:AS_COMMIT
      nomadspec refine --model my_shop.py:SHOP --by my_shop.py:as_till --set clerks=3
      nomadspec refine --model 2pc --scope hasty --by atomic_commit.py --story-out split.json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.loading import load_refinement
    from nomadspec.checkers.report.refinement import Refined

    check_place(story_out)
    refinement = load_refinement(by)
    low = choice.bound()
    with screen.progress() as progress, redirect_stdout(sys.stderr):
        from nomadspec.checkers.refine import refine
        from nomadspec.checkers.report.progress import Titled

        title = Titled(progress, f"refining {choice.model} {low.scope}", None)
        report = refine(low, refinement, max_seconds=time, max_states=states, progress=title)
    refined = Refined(report, low, choice.model, by, choice.line("refine", "--by", by), story_out is not None)
    story = report.failure.story if report.failure is not None else None
    keep = partial(keep_story, story_out, story, low, choice.model)
    return finish(screen, "refine", refined.data(), refined.render, report.verdict.exit_code, keep)
