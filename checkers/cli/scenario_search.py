"""``nomadspec scenario search`` and ``judge``: the properties of whole clusters, in walks and scenarios."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import click

from nomadspec.checkers.cli.documented_files import Shipped
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.numbers import WholeRange
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.screen import Screen, takes_screen

_DEFAULT_ACTS: Final = 20_000
_SEED_BITS: Final = 32


@click.command(name="search")
@click.option("--seed", type=WholeRange(0), metavar="N", help="Seed of the random walks.  [default: random]")
@click.option(
    "--acts",
    type=WholeRange(1),
    default=_DEFAULT_ACTS,
    show_default=True,
    metavar="N",
    help="Number of steps.",
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
    """Check properties on random whole clusters.

    A walk starts with a few nodes. Jobs are registered, changed and stopped, nodes and leaders are lost,
    tasks fail, Raft entries are lost, and components are slow. At the end of a walk the cluster runs on for
    hours, and the properties of a cluster at rest are checked. Each violated property is reported once, as
    a small scenario.

    Exit code: 0 if nothing was violated (which proves nothing); 1 if something was; 4 if a signal ended the
    search before anything was found (results so far are shown).

    \b
    Examples:
      nomadspec scenario search --seed 1 --acts 5000
      nomadspec scenario search --profile intended --out found
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.cluster_search import Searched
    from nomadspec.checkers.report.json_fields import write_file
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
@click.argument("file", metavar="FILE", type=Shipped())
@takes_profile
@takes_screen
def judge_scenario(file: Path, profile_name: str, screen: Screen) -> int:
    """Play one scenario and check cluster properties.

    The properties of a cluster at rest are checked at the end, if nothing can happen without waiting.

    It ends where a property is violated. A cluster that goes on without end is stopped.

    Exit code: 0 if all hold; 1 if one is violated; 3 if FILE cannot be read; 4 if it was stopped before
    its end and none was violated till then.

    \b
    Example:
      nomadspec scenario judge docs/scenarios/nodes/a-node-is-lost.scenario --profile intended
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.report.judged_scenario import Judged
    from nomadspec.checkers.stateful.world.judging import judge
    from nomadspec.model.specification.profiles import find_profile

    judged = Judged(str(file), profile_name, judge(file, find_profile(profile_name)))
    screen.show("scenario-judge", judged.data(), judged.render)
    return judged.verdict.exit_code
