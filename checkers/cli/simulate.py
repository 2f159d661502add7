"""``nomadspec simulate``: walk at random through a scope."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from nomadspec.checkers.cli.choice import Choice, check_properties, complete_property, takes_choice
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.numbers import COUNT, FiniteRange, WholeRange, read_count
from nomadspec.checkers.cli.screen import Screen, takes_screen, takes_verbose
from nomadspec.checkers.cli.story_out import check_place, keep_story
from nomadspec.checkers.plain_digits import write_decimal

_DEFAULT_WALKS: Final = 200
_DEFAULT_STEPS: Final = 200
_SEED_BITS: Final = 32


@dataclass(frozen=True, slots=True)
class Walking:
    """How to walk: what the options of the verb say."""

    properties: tuple[str, ...]
    seed: int | None
    walks: int | None
    steps: int
    time: float | None
    swarm: bool
    faults: float | None
    weights: Mapping[str, int]
    until_coverage: float | None
    verbose: bool

    def words(self, seed: int, walks: int) -> list[str]:
        """Write the options that walk exactly the same walks again."""
        words = ["--seed", str(seed), "--walks", str(walks), "--steps", str(self.steps)]
        words += ["--swarm"] if self.swarm else []
        words += [] if self.faults is None else ["--faults", write_decimal(self.faults)]
        for rule, weight in self.weights.items():
            words += ["--weight", f"{rule}={weight}"]
        for name in self.properties:
            words += ["--property", name]
        return words


def read_weights(
    _context: click.Context, _parameter: click.Parameter, given: Sequence[str]
) -> dict[str, int]:
    """Read weights such as ``LoseNode=4``; that there are such rules is checked where they are used."""
    weights = {}
    for words in given:
        rule, _, number = words.partition("=")
        weight = read_count(number)
        if not rule.strip() or weight is None:
            raise click.BadParameter(f"{words!r} should read RULE=N with {COUNT}, such as LoseNode=4")
        weights[rule.strip()] = weight
    return weights


@click.command(name="simulate")
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
@click.option("--seed", type=WholeRange(0), metavar="N", help="Seed of the random walks.  [default: random]")
@click.option(
    "--walks",
    type=WholeRange(1),
    metavar="N",
    help=f"Number of walks.  [default: {_DEFAULT_WALKS}, or as many as --time allows]",
)
@click.option(
    "--steps",
    type=WholeRange(1),
    default=_DEFAULT_STEPS,
    show_default=True,
    metavar="N",
    help="Steps of each walk, at most.",
)
@click.option(
    "--time",
    type=FiniteRange(0, min_open=True),
    metavar="S",
    help="Start no further walk after S seconds.",
)
@click.option("--swarm", is_flag=True, help="Give the rules new random weights in each walk.")
@click.option(
    "--faults",
    type=FiniteRange(0, 1),
    metavar="RATE",
    help="Share of steps that are external events (node loss, operator requests, ...).",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="RULE=N",
    callback=read_weights,
    help="Choose a rule N times as often as others; 0: only if no other can fire. Repeatable.",
)
@click.option(
    "--until-coverage",
    type=FiniteRange(0, 1, min_open=True),
    metavar="SHARE",
    help="Stop when this share of rules, status changes, premises and goals was covered.",
)
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of the violation to FILE.",
)
@takes_verbose
@takes_screen
def command(choice: Choice, screen: Screen, story_out: Path | None, **options: Any) -> int:
    """Walk at random through a scope and check every step; for scopes too large to explore.

    The same seed gives the same walks on every machine. `eventually` properties cannot be seen on a walk,
    and are not checked.

    Exit code: 0 if nothing was found, which proves nothing; 1 if a property is violated; 4 if
    --until-coverage was not reached (in the given walks or time, or because the later half of the walks
    covered nothing new), or if you interrupt walks that found nothing yet.

    \b
    Examples:
      nomadspec simulate --model core --scope full
      nomadspec simulate --model core --set jobs=4 --set workers=3 --time 30
      nomadspec simulate --model core --scope unchecked --seed 7 --story-out oversubscribed.json
      nomadspec simulate --model kernel --scope deployment --swarm --faults 0.2 --until-coverage 0.5
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.attribution import find_owners
    from nomadspec.checkers.report.simulating import Simulated
    from nomadspec.checkers.simulate import simulate

    check_place(story_out)
    walking = Walking(**options)
    bounded = choice.bound()
    check_properties(bounded, walking.properties)
    seed = secrets.randbits(_SEED_BITS) if walking.seed is None else walking.seed
    with screen.progress() as progress:
        report = simulate(
            bounded,
            seed=seed,
            walks=walking.walks,
            max_steps=walking.steps,
            max_seconds=walking.time,
            properties=walking.properties or None,
            swarm=walking.swarm,
            faults=walking.faults,
            weights=walking.weights,
            until_coverage=walking.until_coverage,
            progress=progress,
        )
    again = choice.line("simulate", *walking.words(seed, max(1, report.walks)))
    owners = find_owners(report.findings, bounded, choice.model)
    simulated = Simulated(report, bounded, choice.model, again, story_out is not None, owners)
    keep = partial(keep_story, story_out, simulated.story(), bounded, choice.model)
    render = partial(simulated.render, with_engine=walking.verbose)
    return finish(screen, "simulate", simulated.data(), render, report.verdict.exit_code, keep)
