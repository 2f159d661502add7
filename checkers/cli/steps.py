"""``nomadspec steps``: what can happen in a world, and why something cannot."""

from __future__ import annotations

import click

from nomadspec.checkers.cli.choice import Choice, takes_choice
from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="steps")
@takes_choice
@click.option(
    "--start", metavar="STEP", help="The start rule, if the model has several.  [default: the first]"
)
@click.option("--after", multiple=True, metavar="STEP", help="Take this step first; repeatable, in order.")
@click.option(
    "--why-not",
    "asked",
    multiple=True,
    metavar="STEP",
    help="Show which conditions of this step fail; repeatable.",
)
@click.option(
    "--eval",
    "expressions",
    multiple=True,
    metavar="EXPR",
    help="Print this Python expression over the world s; repeatable.",
)
@takes_screen
def command(
    choice: Choice,
    start: str | None,
    after: tuple[str, ...],
    asked: tuple[str, ...],
    expressions: tuple[str, ...],
    screen: Screen,
) -> int:
    """Show a world, the steps that it allows, and which condition rules out a step.

    The world is the initial one, or the one after the given steps. A STEP is written as in stories.

    \b
    Examples:
      nomadspec steps --model core --scope small
      nomadspec steps --model core --scope small --why-not 'Nack(worker1, job2)'
      nomadspec steps --model core --scope small --after 'Dequeue(worker1, job2)' --eval 's.job[worker1]'
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.expressions import read_expressions
    from nomadspec.checkers.report.reasons import Standing
    from nomadspec.checkers.step_texts import read_step, walk_steps
    from nomadspec.checkers.why_not import find_reasons

    bounded = choice.bound()
    cells = walk_steps(bounded, after, start)
    reasons = tuple(find_reasons(bounded, cells, read_step(bounded, step)) for step in asked)
    told = Standing(bounded, choice.model, cells, after, reasons, read_expressions(bounded, expressions))
    screen.show("steps", told.data(), told.render)
    return 0
