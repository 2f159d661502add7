"""``nomadspec explore``: visit every world of a scope."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nomadspec.checkers.cli.choice import Choice, check_properties, complete_property, takes_choice
from nomadspec.checkers.cli.kept import check_place, keep_story
from nomadspec.checkers.cli.numbers import FiniteRange
from nomadspec.checkers.cli.screen import Screen, takes_screen

if TYPE_CHECKING:
    from nomadspec.model.bounded import BoundedModel


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
    checkpoint: Path | None
    resume: Path | None

    def choose_checkpoint(self) -> Path | None:
        """Give the file to go on from or to write."""
        if self.resume is not None and self.checkpoint not in {None, self.resume}:
            raise click.UsageError("--resume FILE goes on writing the same FILE: leave --checkpoint out")
        return self.resume or self.checkpoint

    def words(self) -> list[str]:
        """Write the options that decide the result, to ask for it again."""
        words = ["--reduction", self.reduction] if self.reduction != "none" else []
        for name in dict.fromkeys(self.properties):
            words += ["--property", name]
        words += ["--audit"] if self.audit else []
        return [*words, "--keep-going"] if self.keep_going else words


@click.command(name="explore")
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
    "--reduction",
    type=click.Choice(["none", "symmetry", "partial-order", "symmetry+partial-order"]),
    default="none",
    show_default=True,
    help="Let one world stand for all that differ from it by names only, take only some of independent "
    "steps, or both.",
)
@click.option("--audit", is_flag=True, help="Search again without the reduction, and compare.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "interpreted", "compiled"]),
    default="auto",
    show_default=True,
    help="Who takes the steps: auto compiles what is not small, where llvmlite is installed.",
)
@click.option("--keep-going", is_flag=True, help="Search on after a violation, for more of them.")
@click.option("--time", type=FiniteRange(0, min_open=True), metavar="S", help="Stop after so many seconds.")
@click.option(
    "--memory",
    type=FiniteRange(0, min_open=True),
    metavar="MIB",
    help="Use about so much memory; worlds that find no room there go to files.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Share the search among so many processes.",
)
@click.option("--ray", is_flag=True, help="Let these processes be Ray's, where Ray is installed.")
@click.option(
    "--states",
    type=click.IntRange(1),
    metavar="N",
    help="Stop when N worlds are stored, or a few more, since all steps of a world are taken.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the search in FILE, to go on from it later.",
)
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on from a checkpoint.")
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of what is wrong to FILE; if nothing is, of the first `sometimes` asked for.",
)
@takes_screen
def command(choice: Choice, screen: Screen, story_out: Path | None, **options: Any) -> int:
    """Visit every world of a scope, check all properties, and tell the shortest story of what is wrong.

    Exits with 0 when everything holds in the whole scope, with 1 when something is violated, and with 4 when
    a limit or Ctrl-C ended the search first; what was found until then is shown.

    \b
    Examples:
      nomadspec explore --model core --scope small
      nomadspec explore --model core --scope unchecked --story-out overfull.json
      nomadspec explore --model 2pc --set rms=7 --reduction symmetry
      nomadspec explore --model 2pc --scope small --reduction partial-order --audit
      nomadspec explore --model core --scope full --time 60 --checkpoint full.bin
      nomadspec explore --model my_shop.py:SHOP --property nobody_waits --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.explore import explore
    from nomadspec.checkers.report.exploring import Explored
    from nomadspec.checkers.report.progress import Titled

    check_place(story_out)
    search = Search(**options)
    checkpoint = search.choose_checkpoint()
    bounded = choice.bound()
    check_properties(bounded, search.properties)
    title = f"exploring {choice.model} {bounded.scope}"
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
            progress=Titled(progress, title, find_expected(bounded, choice, search.reduction)),
        )
    explored = Explored(report, bounded, choice.model, choice.line("explore", *search.words()))
    screen.show("explore", explored.data(), explored.render)
    keep_story(story_out, explored.story(), bounded, choice.model)
    return report.verdict.exit_code


def find_expected(bounded: BoundedModel, choice: Choice, reduction: str) -> int | None:
    """Find how many worlds the manifest expects, where that is known."""
    from nomadspec.checkers.manifest import find_published

    published = () if choice.sizes else find_published(choice.model, bounded.scope)
    asked = bounded.profile.name, reduction
    return next((one.distinct for one in published if (one.profile, one.reduction) == asked), None)
