"""``nomadspec diagram``: draw a lifecycle from its table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.screen import Screen, takes_screen
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from nomadspec.checkers.diagrams.graph import Graph
    from nomadspec.model.lifecycle.table import Lifecycle
    from nomadspec.model.specification.profiles import Profile


def _complete_lifecycle(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:  # noqa: ARG001 -- click hands them over
    from nomadspec.model.lifecycle.catalogue import LIFECYCLES

    return [
        CompletionItem(name, help=table.title) for name, table in LIFECYCLES.items() if name.startswith(typed)
    ]


@dataclass(frozen=True, slots=True)
class Explored:
    """The scopes of a model that are explored for a picture."""

    model: str
    scopes: tuple[str, ...]


def takes_exploration(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb ``--from``, ``--model`` and ``--scope``, and hand it what is ``explored``."""

    @click.option(
        "--from",
        "origin",
        type=click.Choice(["table", "explored"]),
        default="table",
        show_default=True,
        help="Draw the lifecycle table, or compare it with what searches of the kernel reached.",
    )
    @click.option(
        "--model", "-m", default="kernel", show_default=True, metavar="NAME", help="The model to search."
    )
    @click.option(
        "--scope",
        "-s",
        "scopes",
        multiple=True,
        metavar="NAME",
        help="Search this scope of the model; repeatable.  [default: its first one]",
    )
    @functools.wraps(verb)
    def with_exploration(
        *arguments: Any, origin: str, model: str, scopes: tuple[str, ...], **others: Any
    ) -> int:
        if scopes and origin != "explored":
            raise UsageError("--scope needs --from explored.")
        explored = Explored(model, scopes) if origin == "explored" else None
        return verb(*arguments, explored=explored, **others)

    return with_exploration


@click.command(name="diagram")
@click.argument("lifecycle", shell_complete=_complete_lifecycle)
@click.option(
    "--format",
    "-f",
    "fmt",
    type=click.Choice(["mermaid", "dot", "svg", "png"]),
    default="mermaid",
    show_default=True,
    help="Output format.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write to this file.")
@click.option(
    "--profile",
    default="nomad-2.0",
    show_default=True,
    metavar="NAME",
    help="nomad-2.0 includes the status changes that its known defects allow; intended does not.",
)
@takes_exploration
@takes_screen
def command(
    lifecycle: str,
    fmt: str,
    output: Path | None,
    profile: str,
    explored: Explored | None,
    screen: Screen,
) -> int:
    """Draw a LIFECYCLE: which status may follow which, and why.

    LIFECYCLE is one of evaluation, evaluation-full, evaluation-place, allocation, allocation-desired,
    allocation-client, deployment, node and job.

    \b
    Examples:
      nomadspec diagram evaluation --format mermaid
      nomadspec diagram evaluation-full --format svg -o evaluation.svg
      nomadspec diagram deployment --format png -o deployment.png --profile intended
      nomadspec diagram evaluation-full --from explored --scope leader-change --scope node-loss
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.diagrams.lifecycle import build_lifecycle_graph
    from nomadspec.checkers.diagrams.render import render_graph
    from nomadspec.model.lifecycle.catalogue import find_lifecycle
    from nomadspec.model.specification.profiles import find_profile

    table, chosen = find_lifecycle(lifecycle), find_profile(profile)
    if explored is None:
        graph = build_lifecycle_graph(table, chosen)
    else:
        graph = explore_lifecycle(table, chosen, explored, screen)
    data = {"lifecycle": table.name, "profile": chosen.name, "format": fmt}
    return write_picture(render_graph(graph, fmt), output, screen, "diagram", data)


def explore_lifecycle(table: Lifecycle, profile: Profile, explored: Explored, screen: Screen) -> Graph:
    """Explore scopes of a model and draw what evaluations do there."""
    from nomadspec.checkers.diagrams.explored import EXPLORABLE, build_explored_graph, find_witnesses
    from nomadspec.checkers.diagrams.sightings import watch
    from nomadspec.invariants.catalogue import find_model

    if table.name not in EXPLORABLE:
        raise UsageError(f"Only {', '.join(EXPLORABLE)} can be drawn as explored, not {table.name}.")
    kernel = replace(find_model(explored.model), properties=())  # nobody asks them here
    scopes = [kernel.find_scope(one).name for one in dict.fromkeys(explored.scopes or (None,))]
    with screen.progress() as progress:
        seen = [watch(kernel.at(one, profile=profile.name), progress=progress) for one in scopes]
    return build_explored_graph(find_witnesses(table, profile, seen), scopes)
