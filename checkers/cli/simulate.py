"""``nomadspec simulate``: walk at random through a scope."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from nomadspec.checkers.cli.choice import Choice, check_properties, complete_property, takes_choice
from nomadspec.checkers.cli.kept import check_place, keep_story
from nomadspec.checkers.cli.screen import Screen, takes_screen

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

    def words(self, seed: int, walks: int) -> list[str]:
        """Write the options that walk exactly the same walks again."""
        words = ["--seed", str(seed), "--walks", str(walks), "--steps", str(self.steps)]
        for name in self.properties:
            words += ["--property", name]
        return words


@click.command(name="simulate")
@takes_choice
@click.option(
    "--property",
    "-p",
    "properties",
    multiple=True,
    metavar="ID",
    shell_complete=complete_property,
    help="Check only this property (or `deadlock`); may be given again.  [default: all]",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Walk the walks of this seed.  [default: any]"
)
@click.option(
    "--walks",
    type=click.IntRange(1),
    metavar="N",
    help=f"Begin anew so often.  [default: {_DEFAULT_WALKS}, or as often as --time allows]",
)
@click.option(
    "--steps",
    type=click.IntRange(1),
    default=_DEFAULT_STEPS,
    show_default=True,
    metavar="N",
    help="Walk so far at most.",
)
@click.option(
    "--time",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="Begin no walk after so many seconds.",
)
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of what is wrong to FILE.",
)
@takes_screen
def command(choice: Choice, screen: Screen, story_out: Path | None, **options: Any) -> int:
    """Walk at random through a scope and check every step; good for scopes too large to explore.

    The same seed walks the same walks on every machine. Exits with 0 when nothing was found, which refutes
    nothing and proves nothing, and with 1 when something is violated. What has to come true at last
    (`eventually`) cannot be seen on a walk and is not checked.

    \b
    Examples:
      nomadspec simulate --model core --scope full
      nomadspec simulate --model core --set jobs=4 --set workers=3 --time 30
      nomadspec simulate --model core --scope unchecked --seed 7 --story-out overfull.json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.simulating import Simulated
    from nomadspec.checkers.simulate import simulate

    check_place(story_out)
    walking = Walking(**options)
    bounded = choice.bound()
    check_properties(bounded, walking.properties)
    seed = secrets.randbits(_SEED_BITS) if walking.seed is None else walking.seed
    walks = _DEFAULT_WALKS if walking.walks is None and walking.time is None else walking.walks
    with screen.progress() as progress:
        report = simulate(
            bounded,
            seed=seed,
            walks=walks,
            max_steps=walking.steps,
            max_seconds=walking.time,
            properties=walking.properties or None,
            progress=progress,
        )
    again = choice.line("simulate", *walking.words(seed, max(1, report.walks)))
    simulated = Simulated(report, bounded, choice.model, again)
    screen.show("simulate", simulated.data(), simulated.render)
    keep_story(story_out, simulated.story(), bounded, choice.model)
    return report.verdict.exit_code
