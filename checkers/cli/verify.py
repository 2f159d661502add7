"""``nomadspec verify``: one verdict over everything that is published."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.choice import complete_model
from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.outputs import Outputs, list_page_writers, takes_outputs
from nomadspec.checkers.cli.screen import Screen, object_of, takes_screen
from nomadspec.checkers.cli.story_out import check_place, keep_story

if TYPE_CHECKING:
    from nomadspec.checkers.manifest import Effort


@click.command(name="verify")
@click.option(
    "--effort",
    type=click.Choice(["fast", "ci", "deep"]),
    default="fast",
    show_default=True,
    help="How much to check: under a minute, under half an hour, or everything.",
)
@click.option(
    "--model",
    "-m",
    "models",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_model,
    help="Verify only this model; repeatable. Your own model (path.py:NAME) must be the only one.  "
    "[default: all]",
)
@click.option(
    "--ray",
    is_flag=True,
    help="Run the searches on Ray, if Ray is installed.",
)
@click.option(
    "--full", is_flag=True, help="List every search, proof and random run, and everything that was left out."
)
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the full report as a self-contained HTML page.",
)
@click.option(
    "--story-out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the story of a violation of your own model to FILE.",
)
@takes_outputs
@takes_screen
def command(  # noqa: PLR0913 -- what the verb can be given
    effort: str,
    models: tuple[str, ...],
    report: Path | None,
    story_out: Path | None,
    screen: Screen,
    outputs: Outputs,
    *,
    ray: bool,
    full: bool,
) -> int:
    """Check every published model under the profiles nomad-2.0 and intended, and give one verdict.

    It explores the published scopes that the effort allows and compares the results with the manifest,
    checks that the known-bad scopes still fail, proves what a solver can prove, walks at random through
    larger scopes, and runs Hypothesis. The result fits one screen: the verdict, its evidence, the known
    defects, and what was not checked. --full lists everything.

    For your own model (path.py:NAME) it searches every scope and proves what holds; --story-out keeps the
    shortest story to a violation.

    Exit code: 0 if everything holds within its scope; 1 if something is violated or differs from what is
    published; 4 if it was interrupted.

    \b
    Examples:
      nomadspec verify
      nomadspec verify --effort ci --json
      nomadspec verify --model core
      nomadspec verify --full --report report.html
      nomadspec verify --junit junit.xml --summary summary.md
      nomadspec verify --model my_shop.py:SHOP --story-out wrong.json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.ci.verb_cases import list_verified
    from nomadspec.checkers.cli.verifying import verify
    from nomadspec.checkers.explore.sharded.near_scopes import find_near
    from nomadspec.checkers.explore.sharded.ray_crew import find_cluster
    from nomadspec.checkers.explore.sharded.ray_scopes import FarSearches
    from nomadspec.checkers.manifest import Effort
    from nomadspec.checkers.pages.table_pages import make_verification_page
    from nomadspec.checkers.report.loading import split_reference
    from nomadspec.checkers.report.verification_summary import render_summary
    from nomadspec.checkers.report.verification_text import render_verification
    from nomadspec.invariants.catalogue import find_model

    check_place(report)
    check_place(story_out)
    if any(split_reference(name)[0] is not None for name in models):
        if len(models) > 1 or ray:
            raise click.UsageError("your own model must be the only --model, without --ray")
        return _verify_own(models[0], Effort[effort.upper()], report, story_out, screen, outputs)
    if story_out is not None:
        raise click.UsageError("--story-out needs your own model: --model path.py:NAME")
    for name in models:
        find_model(name)
    others = FarSearches(find_cluster()) if ray else find_near()
    with screen.progress() as progress, others or nullcontext():
        found = verify(list(dict.fromkeys(models)), Effort[effort.upper()], progress, others)
    render = render_verification if full else render_summary
    data = found.data()

    def outcomes() -> Outcomes:
        text = click.unstyle(render_verification(found) if report is not None else render_summary(found))
        return Outcomes("nomadspec verify", found.verdict, found.seconds, list_verified(found), text)

    writers = outputs.list_writers(outcomes, object_of("verify", data))
    writers += list_page_writers(report, lambda: make_verification_page(found, outcomes()))
    return finish(screen, "verify", data, lambda: render(found), found.verdict.exit_code, *writers)


def _verify_own(
    reference: str,
    effort: Effort,
    report: Path | None,
    story_out: Path | None,
    screen: Screen,
    outputs: Outputs,
) -> int:
    """Judge a user's own model."""
    from nomadspec.checkers.ci.case import Outcomes
    from nomadspec.checkers.ci.verb_cases import list_verified_own
    from nomadspec.checkers.cli.verifying_own import verify_own
    from nomadspec.checkers.pages.table_pages import make_own_page

    with screen.progress() as progress:
        found = verify_own(reference, effort, progress)
    data = found.data()

    def outcomes() -> Outcomes:
        cases = list_verified_own(found.explored, found.proved)
        text = click.unstyle(found.render())
        return Outcomes("nomadspec verify", found.verdict, found.seconds, cases, text)

    writers = outputs.list_writers(outcomes, object_of("verify-model", data))
    writers += list_page_writers(report, lambda: make_own_page(outcomes()))
    if found.story is not None:
        writers.append(partial(keep_story, story_out, *found.story, reference))
    return finish(screen, "verify-model", data, found.render, found.verdict.exit_code, *writers)
