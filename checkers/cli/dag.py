"""``nomadspec dag``: what caused each evaluation, and what came of it, as a picture or as answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.documented_files import Shipped
from nomadspec.checkers.cli.limits import takes_folder_limits
from nomadspec.checkers.cli.numbers import WholeRange
from nomadspec.checkers.cli.picture import write_picture
from nomadspec.checkers.cli.profile import takes_profile
from nomadspec.checkers.cli.screen import Screen, takes_screen, tell
from nomadspec.checkers.written_by import TOOL
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from nomadspec.checkers.diagrams.evals.dag_text import ToldDag
    from nomadspec.checkers.diagrams.evals.drawing import Frames
    from nomadspec.checkers.diagrams.evals.records import EvalDag
    from nomadspec.checkers.oracle.limits import Limits

_FORMATS = ["mermaid", "dot", "svg", "png", "graphml", "json"]


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of the graph is shown, and how."""

    focus: str | None
    depth: int
    shows_all: bool
    is_folded: bool

    def of(self, dag: EvalDag) -> EvalDag:
        """Give the part of a graph."""
        from nomadspec.checkers.diagrams.evals.folding import find_node, focus, fold, keep_evals

        if self.focus is not None:
            dag = focus(dag, find_node(dag, self.focus), self.depth)
        if not self.shows_all:
            dag = keep_evals(dag)
        return fold(dag) if self.is_folded else dag


@click.command(name="dag")
@click.argument("source", metavar="SCENARIO|STORY|TRACE|DUMP", type=Shipped())
@click.option("--format", "-f", "fmt", type=click.Choice(_FORMATS), help="Print the graph in this format.")
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write to this file.")
@click.option(
    "--show",
    type=click.Choice(["all", "evals"]),
    default="all",
    show_default=True,
    help="Show everything, or only evaluations and events.",
)
@click.option(
    "--frames",
    type=click.Choice(["job", "component"]),
    default="job",
    show_default=True,
    help="Group by job, or by the Nomad component that made it.",
)
@click.option("--focus", metavar="EVAL|ALLOC", help="Show only the surroundings of this object.")
@click.option(
    "--depth",
    type=WholeRange(0, 1000),
    metavar="N",
    help="With --focus: how many edges away.  [default: 3]",
)
@click.option("--no-fold", is_flag=True, help="Do not merge similar objects into one box.")
@click.option(
    "--why",
    "asked",
    metavar="ALLOC",
    help="Print the chain of causes of an allocation (or evaluation, deployment).",
)
@click.option(
    "--critical-path", "wants_path", is_flag=True, help="Print the chain of causes with the most evaluations."
)
@click.option("--storms", "wants_storms", is_flag=True, help="Count the evaluations that each event led to.")
@takes_profile
@takes_folder_limits
@takes_screen
def command(  # noqa: PLR0913, PLR0917 -- one option an argument
    source: Path,
    fmt: str | None,
    output: Path | None,
    show: str,
    frames: Frames,
    focus: str | None,
    depth: int | None,
    no_fold: bool,  # noqa: FBT001 -- click hands it over
    asked: str | None,
    wants_path: bool,  # noqa: FBT001 -- click hands it over
    wants_storms: bool,  # noqa: FBT001 -- click hands it over
    profile_name: str,
    limits: Limits,
    screen: Screen,
) -> int:
    """Show what caused each evaluation, and what it placed, stopped and led to.

    The input is a scenario file (*.scenario), the folder of a recording with its Raft log, or a file or
    folder of answers of the HTTP API: evaluations, and allocations and deployments if you have them. The
    API does not say which evaluation stopped an allocation; the other two do. A story of a model is drawn
    as `nomadspec story --dag` draws it.

    Without --format only the size of the graph is printed. An allocation can be named by its ID or as
    web[0].

    Exit code: 0; 1 if previous, next and blocked evaluations form a circle; 3 if the input cannot be read.

    \b
    Examples:
      nomadspec dag docs/scenarios/nodes/a-node-is-lost.scenario --format svg -o lost.svg
      nomadspec dag docs/scenarios/nodes/a-node-is-lost.scenario --why 'web[1]'
      nomadspec dag docs/scenarios/nodes/drain.scenario --frames component -f svg -o drain.svg
      nomadspec dag cluster/ --focus 6e05c3d9 --depth 2 --format png -o near.png
      nomadspec dag recording/ --storms --critical-path
      nomadspec dag found.json --format mermaid
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.diagrams.evals.sources import is_story
    from nomadspec.checkers.oracle.time_limit import patience

    asks = asked is not None or wants_path or wants_storms
    _refuse_conflicting_options(fmt, output, focus, depth, asks=asks)
    with patience(limits.seconds):
        if is_story(source, limits):
            if asks or focus or show != "all" or frames != "job" or no_fold:
                raise UsageError(
                    "A story of a model has no evaluations to query: only --format and --output apply."
                )
            return _draw_story(source, fmt, output, limits, screen)
        part = Part(focus, 3 if depth is None else depth, shows_all=show == "all", is_folded=not no_fold)
        told = _tell(source, profile_name, part, limits)
        told = _ask(told, asked, wants_path=wants_path, wants_storms=wants_storms)
        return _write(told, fmt, frames, output, screen)


def _refuse_conflicting_options(
    fmt: str | None, output: Path | None, focus: str | None, depth: int | None, *, asks: bool
) -> None:
    if output is not None and fmt is None:
        raise click.UsageError("--output needs --format")
    if depth is not None and focus is None:
        raise click.UsageError("--depth needs --focus")
    if asks and fmt not in {None, "json"}:
        raise click.UsageError(
            "--why, --critical-path and --storms print text or JSON: leave --format out, or use json"
        )


def _tell(source: Path, profile_name: str, part: Part, limits: Limits) -> ToldDag:
    from nomadspec.checkers.diagrams.evals.build import build_dag
    from nomadspec.checkers.diagrams.evals.dag_text import tell as tell_of
    from nomadspec.checkers.diagrams.evals.sources import read_history
    from nomadspec.model.specification.profiles import find_profile

    dag = build_dag(read_history(source, find_profile(profile_name), limits))
    return tell_of(str(source), dag, part.of(dag))


def _ask(told: ToldDag, asked: str | None, *, wants_path: bool, wants_storms: bool) -> ToldDag:
    from nomadspec.checkers.diagrams.evals.dag_text import Why
    from nomadspec.checkers.diagrams.evals.folding import find_node
    from nomadspec.checkers.diagrams.evals.queries import explain, find_critical_path, list_ends, list_storms

    dag = told.whole
    if asked is not None:
        node = find_node(dag, asked)
        told = replace(told, why=Why(node, explain(dag, node), list_ends(dag, node)))
    if wants_path:
        told = replace(told, critical_path=find_critical_path(dag))
    return replace(told, storms=list_storms(dag)) if wants_storms else told


def _write(told: ToldDag, fmt: str | None, frames: Frames, output: Path | None, screen: Screen) -> int:
    from nomadspec.checkers.diagrams.evals.drawing import render_dag
    from nomadspec.checkers.escaping import write_json

    if fmt is None:
        screen.show("dag", told.data(), told.render, told.exit_code)
        return told.exit_code
    data = {"schema": "nomadspec/dag/1", "tool": TOOL, **told.data()}
    content = (
        (write_json(data, indent=2) + "\n").encode() if fmt == "json" else render_dag(told.shown, fmt, frames)
    )
    code = write_picture(content, output, screen, "dag", {**told.data(), "format": fmt})
    if told.cycles:
        tell("nomadspec: previous, next and blocked evaluations go in circles.")
    return told.exit_code or code


def _draw_story(file: Path, fmt: str | None, output: Path | None, limits: Limits, screen: Screen) -> int:
    from nomadspec.checkers.diagrams.dag import render_events
    from nomadspec.checkers.diagrams.story_events import events_of
    from nomadspec.checkers.report.replaying import replay_file

    if fmt is None:
        raise UsageError("`nomadspec story` shows a story; to draw its graph here, add --format.")
    if fmt == "json":
        raise UsageError("The graph of a story has no JSON form: use graphml or dot.")
    told = replay_file(file, limits, keeps_rules=False)
    if told.replay is None:
        tell(f"nomadspec: {told.judgement.sentence} So there is nothing to draw.")
        return told.verdict.exit_code
    content = render_events(events_of(told.story, told.replay, told.judgement), fmt)
    data = {"file": str(file), "verdict": told.verdict.value, "format": fmt}
    return told.verdict.exit_code or write_picture(content, output, screen, "story-dag", data)
