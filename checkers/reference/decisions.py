"""The page of what single decisions of schedulers do wrong, the most severe first, each with its history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from nomadspec.checkers.all_findings import Known, list_known
from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.findings import list_impact
from nomadspec.checkers.reference.markdown import block, code, codes, heading, items, page, table, titled
from nomadspec.checkers.report.finding_beliefs import compute_last_look
from nomadspec.checkers.report.histories import Lived, live
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS, SchedulerFinding

_ABOUT: Final = (
    "What the schedulers of the described release do wrong in a single decision, as made-up histories show "
    "it. Each is a property of decisions that fails under the profile `nomad-2.0`, though the rules say what "
    "the specification says and every recording agrees; where a cure is named, the property holds with that "
    "one quirk mended. The histories are smallest: with any node or step less, nothing is wrong. After each "
    "step the schedulers look at every job, on a snapshot that shows the store as it is. **The model says "
    "so; seen on a real cluster: not by us.** "
    "[Findings](findings.md) has what the kernel and whole clusters show, and what the grades mean."
)


def compute_decisions_page() -> str:
    """Write the page."""
    histories = {one.id: one for one in SCHEDULER_FINDINGS}
    known = [one for one in list_known() if one.id in histories]
    listed = [
        (f"[{one.id}](#{anchor('finding', one.id)})", one.impact.severity.value, one.impact.harm, one.title)
        for one in known
    ]
    overview = table(["finding", "severity", "harm", "what"], listed)
    parts = (_part(one, histories[one.id]) for one in known)
    return page("Findings about schedulers", _ABOUT, overview, *parts)


def _part(one: Known, finding: SchedulerFinding) -> str:
    facts = [
        *list_impact(one),
        f"**What happens:** {finding.happens}",
        f"**Violates** {code(finding.violates)} under the profile {code(finding.profile.name)}.",
        f"**Admitted by** {titled(finding.spec)}.",
        f"**Replay:** {codes(one.commands)}",
    ]
    if finding.cure is not None:
        quirk = f"reference/quirks.md#{anchor('quirk', finding.cure.id)}"
        facts.append(f"**Would cure it:** to mend [{finding.cure}]({quirk}). {finding.cure.intended}")
    lived = live(finding)
    parts = [
        heading(2, f"{finding.id}: {finding.title}", anchor("finding", finding.id)),
        items(facts),
        block("\n".join((*lived.lines, *(f"VIOLATED {each}" for each in lived.problems))), "text"),
        *_show_store(lived),
    ]
    return "\n\n".join(parts)


def _show_store(lived: Lived) -> Iterator[str]:
    """Show what the scheduler is shown at its last look: nobody else is asked, and nothing is in flight."""
    shown = compute_last_look(lived)
    yield f"What the scheduler is shown at step {shown.step}:"
    yield table(["", *shown.components], shown.list_rows())
