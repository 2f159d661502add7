"""``nomadspec findings``: what the described release does wrong, and how each of it is replayed."""

from __future__ import annotations

import click

from nomadspec.checkers.cli.screen import Screen, takes_screen


@click.command(name="findings")
@click.argument("wanted", metavar="[ID | WORD...]", nargs=-1)
@takes_screen
def command(wanted: tuple[str, ...], screen: Screen) -> int:
    """List the known defects of the described release, the most severe first.

    With the ID of a finding, show all of it: what happens, who is affected, the fix, and the commands that
    reproduce it from a checkout; a finding about schedulers is also replayed. Other words (a property, a
    quirk, a severity, any text) select the findings that contain them.

    \b
    Examples:
      nomadspec findings
      nomadspec findings D-10
      nomadspec findings critical
      nomadspec findings deployment --json
    """  # noqa: D301 -- click's mark for a paragraph that keeps its lines
    from nomadspec.checkers.known import list_known
    from nomadspec.checkers.report import findings
    from nomadspec.checkers.report.histories import live
    from nomadspec.checkers.stateful.clusters.findings import SCHEDULER_FINDINGS

    known = list_known()
    found = findings.find_known(known, " ".join(wanted)) if wanted else known
    histories = {one.id: one for one in SCHEDULER_FINDINGS}

    def render() -> str:
        if len(found) > 1:
            return findings.render_list(found)
        history = histories.get(found[0].id)
        return findings.render_known(found[0], live(history) if history else None)

    screen.show("findings", {"findings": findings.findings_data(found)}, render)
    return 0
