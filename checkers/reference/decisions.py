"""The page of what single decisions of schedulers do wrong, each with a smallest history."""

from __future__ import annotations

from typing import Final

from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.markdown import block, code, codes, heading, items, page, table
from nomadspec.checkers.stateful.clusters.findings import SCHEDULER_FINDINGS, SchedulerFinding
from nomadspec.checkers.stateful.clusters.telling import tell

_ABOUT: Final = (
    "What the schedulers of the described release do wrong in a single decision, as made-up histories show "
    "it. Each is a property of decisions that fails under the profile `nomad-2.0`, though the rules say what "
    "the specification says and every recording agrees; where a cure is named, the property holds with that "
    "one quirk mended. What an earlier release did wrong is shown under a profile with its bug. The "
    "histories are smallest: with any node or step less, nothing is wrong. After each step the schedulers "
    "look at every job. [Findings](findings.md) has what exploring the kernel shows."
)


def compute_decisions_page() -> str:
    """Write the page."""
    return page("Findings about schedulers", _ABOUT, list_decisions(), *map(_part, SCHEDULER_FINDINGS))


def list_decisions(place: str = "") -> str:
    """Write the table of all findings about decisions, with links to the page where they are told."""
    listed = [
        (f"[{one.id}]({place}#{anchor('finding', one.id)})", one.title, code(one.violates), _tell_cure(one))
        for one in SCHEDULER_FINDINGS
    ]
    return table(["finding", "what", "violates", "cured without"], listed)


def _tell_cure(finding: SchedulerFinding) -> str:
    return code(str(finding.cure)) if finding.cure else "-"


def _part(finding: SchedulerFinding) -> str:
    facts = [
        f"**What happens:** {finding.happens}",
        f"**Violates** {code(finding.violates)} under the profile {code(finding.profile.name)}.",
        f"**Admitted by** {codes(finding.spec)}.",
    ]
    if finding.cure is not None:
        quirk = f"reference/quirks.md#{anchor('quirk', finding.cure.id)}"
        facts.append(f"**Would cure it:** to mend [{finding.cure}]({quirk}). {finding.cure.intended}")
    parts = [
        heading(2, f"{finding.id}: {finding.title}", anchor("finding", finding.id)),
        items(facts),
        block("\n".join(tell(finding.history)), "text"),
    ]
    return "\n\n".join(parts)
