"""``nomadspec schedule``: process one evaluation as the real scheduler does, and say why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nomadspec.checkers.cli.ending import finish
from nomadspec.checkers.cli.limits import takes_folder_limits
from nomadspec.checkers.cli.outputs import list_page_writers, takes_page
from nomadspec.checkers.cli.screen import Screen, takes_screen

if TYPE_CHECKING:
    from nomadspec.checkers.oracle.limits import Limits


@click.command(name="schedule")
@click.argument("source", metavar="INPUT", type=click.Path(path_type=Path))
@click.option(
    "--eval",
    "eval_id",
    metavar="ID",
    help="The evaluation to process, if INPUT has several; the beginning of its ID is enough.",
)
@click.option(
    "--why", "wants_reasons", is_flag=True, help="Print the reasons: for every allocation and every node."
)
@click.option(
    "--profile",
    "profile_name",
    metavar="NAME",
    help="intended, nomad-2.0 or the ID of a quirk; append '+ID' or '-ID' to add or remove a quirk."
    "  [default: nomad-2.0]",
)
@takes_page
@takes_folder_limits
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
    """Run the scheduler on one evaluation and show the plans that it submits.

    INPUT is a recorded scheduler call, or a file or folder of answers of the HTTP API: nodes, jobs with
    their versions, allocations, deployments, evaluations, node pools, volumes and the scheduler
    configuration. List stubs are ignored where the full object is present. A recorded call uses the
    recorded random choices and plan results. Otherwise, and under another profile, choices are made without
    randomness and every plan is accepted.

    Exit code: 0 if the evaluation was processed; 1 if the scheduler returned an error; 3 if INPUT cannot be
    read; 4 on a time-out.

    \b
    Examples:
      nomadspec schedule recorded.ndjson --eval service-b10-001 --why
      nomadspec schedule recorded.ndjson --eval service-b10-001 --profile "nomad-2.0 -04/S-11"
      nomadspec schedule cluster/ --eval 6e05c3d9-1f8a-4b72-9d4e-ac713f5b0862 --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.oracle.time_limit import patience
    from nomadspec.checkers.pages.table_pages import make_schedule_page
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
    told = Scheduled(case.evaluation, case.scheduler, outcome, found, case.lacks_job, case.node_names)
    writers = list_page_writers(html, lambda: make_schedule_page(told))
    return finish(screen, "schedule", told.data(), told.render, told.exit_code, *writers)
