"""``nomadspec scenario search`` and ``judge``: the properties of whole clusters, in walks and scenarios."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import click

from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.screen import Screen, takes_screen

_DEFAULT_ACTS: Final = 20_000
_SEED_BITS: Final = 32


@click.command(name="search")
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Walk the walks of this seed.  [default: any]"
)
@click.option(
    "--acts",
    type=click.IntRange(1),
    default=_DEFAULT_ACTS,
    show_default=True,
    metavar="N",
    help="Take so many acts.",
)
@takes_profile
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write the scenario of each broken property into FOLDER.",
)
@takes_screen
def search_clusters(
    seed: int | None, acts: int, profile_name: str, folder: Path | None, screen: Screen
) -> int:
    """Walk at random through whole clusters, ask every property of each step, and tell what is broken.

    A walk begins with a few nodes; jobs are registered, changed and stopped, nodes and leaders are lost,
    tasks fail, entries are not committed, and actors are slow. At its end everybody may go on for hours, and
    what must be true of a cluster at rest is asked. Each broken property is told once, as a scenario made
    small.

    Exits with 0 when nothing was broken, which proves nothing, with 1 when something was, and with 4 when
    nothing was until Ctrl-C or another signal ended it: what was found so far is told.

    \b
    Examples:
      nomadspec scenario search --seed 1 --acts 5000
      nomadspec scenario search --profile intended --out found
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.cluster_search import Searched
    from nomadspec.checkers.report.fields import write_file
    from nomadspec.checkers.stateful.world import search
    from nomadspec.model.specification.profiles import find_profile

    drawn = secrets.randbits(_SEED_BITS) if seed is None else seed
    with screen.progress() as progress:
        found = search(
            drawn,
            acts,
            find_profile(profile_name),
            progress=lambda done: progress.update("walking through clusters", done, acts),
        )
    again = f"nomadspec scenario search --seed {drawn} --acts {acts} --profile '{profile_name}'"
    searched = Searched(found, again)

    def keep() -> None:
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        for each in found.found:
            write_file(folder / f"{each.name}.scenario", each.scenario.encode())

    return finish(screen, "scenario-search", searched.data(), searched.render, searched.exit_code, keep)


@click.command(name="judge")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@takes_profile
@takes_screen
def judge_scenario(file: Path, profile_name: str, screen: Screen) -> int:
    """Play the scenario of FILE and ask every property of whole clusters on the way.

    What must be true of a cluster at rest is asked at the end, if nothing more happens without waiting.
    Exits with 0 when all hold, with 1 when one is broken, and with 3 when FILE cannot be read.

    \b
    Example:
      nomadspec scenario judge docs/scenarios/a-node-is-lost.scenario --profile intended
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.scenario.language import read_lines
    from nomadspec.checkers.stateful.world.judging import judge_lines
    from nomadspec.invariants.cluster.world import PROPERTIES
    from nomadspec.model.errors import EXIT_HOLDS, EXIT_VIOLATED
    from nomadspec.model.specification.profiles import find_profile

    breach = judge_lines(read_lines(file), find_profile(profile_name))
    data = {
        "file": str(file),
        "profile": profile_name,
        "verdict": "holds" if breach is None else "violated",
        "properties": len(PROPERTIES),
        "broken": None
        if breach is None
        else {"property": breach.name, "line": breach.at, "witness": breach.witness},
    }
    text = f"HOLDS  {len(PROPERTIES)} properties"
    if breach is not None:
        text = f"VIOLATED  {breach.name}, line {breach.at}: {breach.witness}"
    screen.show("scenario-judge", data, lambda: text)
    return EXIT_HOLDS if breach is None else EXIT_VIOLATED
