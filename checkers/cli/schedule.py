"""``nomadspec schedule``: process one evaluation as the real scheduler does, and say why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.limits import takes_limits
from nomadspec.checkers.cli.outputs import list_page_writers, takes_page
from nomadspec.checkers.cli.screen import Screen, takes_screen

if TYPE_CHECKING:
    from nomadspec.checkers.oracle.limits import Limits


@click.command(name="schedule")
@click.argument("source", metavar="INPUT", type=click.Path(path_type=Path))
@click.option("--eval", "eval_id", metavar="ID", help="The evaluation, where INPUT holds several.")
@click.option("--why", "wants_reasons", is_flag=True, help="Say why: every allocation, every node.")
@click.option(
    "--profile",
    "profile_name",
    metavar="NAME",
    help="intended, nomad-2.0 or the ID of a quirk; '+ID' and '-ID' behind it change single quirks."
    "  [default: nomad-2.0]",
)
@takes_page
@takes_limits
@takes_screen
def command(
    source: Path,
    eval_id: str | None,
    wants_reasons: bool,  # noqa: FBT001 -- click hands it over
    profile_name: str | None,
    html: Path | None,
    limits: Limits,
    screen: Screen,
) -> int:
    """Process one evaluation as the real scheduler does and show the plans that it hands over.

    INPUT is a recorded call of a scheduler, or a file or folder of what the HTTP API answers: nodes, jobs
    with their versions, allocations, deployments, evaluations, pools, volumes and the configuration. Short
    forms, as lists have them, are passed over where the object itself is there too. A recorded call is run
    with the choices and answers that were recorded; else, and under another profile, choices are made without
    chance, and plans are taken whole.

    Exits with 0 when the evaluation was processed, with 1 when the call ends with an error, with 3 when INPUT
    is not readable, and with 4 when it takes too long.

    \b
    Examples:
      nomadspec schedule recorded.ndjson --eval service-b10-001 --why
      nomadspec schedule recorded.ndjson --eval service-b10-001 --profile "nomad-2.0 -04/S-11"
      nomadspec schedule cluster/ --eval 6e05c3d9-1f8a-4b72-9d4e-ac713f5b0862 --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.patience import patience
    from nomadspec.checkers.pages.tables_of import make_schedule_page
    from nomadspec.checkers.report.candidates import survey
    from nomadspec.checkers.report.scheduling import Scheduled
    from nomadspec.checkers.scheduling.case import read_case
    from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile

    profile = find_profile(profile_name) if profile_name else NOMAD_2_0
    with patience(limits.seconds):
        case = read_case(source, eval_id, limits)
        if profile.quirks != NOMAD_2_0.quirks:
            case = case.freed()
        outcome = case.run(with_reasons=wants_reasons, profile=profile)
    found = survey(case.snapshot, case.evaluation) if wants_reasons else None
    told = Scheduled(case.evaluation, case.scheduler, outcome, found)
    writers = list_page_writers(html, lambda: make_schedule_page(told))
    return finish(screen, "schedule", told.data(), told.render, told.exit_code, *writers)
