"""The page of findings: what the described release does wrong, each with its shortest story."""

from __future__ import annotations

from pathlib import Path

from nomadspec.checkers.findings import list_findings
from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.decisions import list_decisions
from nomadspec.checkers.reference.markdown import begin, block, code, codes, heading, items, page, table
from nomadspec.checkers.report.stories import read_story
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.findings import KnownFinding
from nomadspec.model.story import DEADLOCK, Story

_ABOUT = (
    "What the described release does wrong, as far as exploring the kernel shows it. Each of these is a "
    "property that fails under the profile `nomad-2.0`, though the rules say what the specification says; "
    "with the one quirk mended that is named as the cure, it holds in the same scope, and under `intended` "
    "it holds in every published scope. `nomadspec verify --effort ci` finds each of them again, and says so "
    "when one is gone. The stories are the shortest ones; `nomadspec story docs/findings/F-01.json` replays "
    "one with every change that its steps make."
)
_NONE = "None is known."
_PLACE = "scheduler-findings.md"
_ABOUT_DECISIONS = (
    "Where a faithful rule breaks a property of the scheduler alone, "
    f"[Findings about schedulers]({_PLACE}) has the smallest cluster and history that show it."
)


def place_of_story(root: Path, finding: KnownFinding) -> Path:
    """Give the file of a finding's story."""
    return root / "docs/findings" / f"{finding.id}.json"


def compute_findings_page(root: Path) -> str:
    """Write the page of findings from their stories."""
    known = list_findings()
    listed = [
        (f"[{one.id}](#{anchor('finding', one.id)})", one.title, code(one.violates), code(str(one.cure)))
        for one in known
    ]
    overview = table(["finding", "what", "violates", "cured without"], listed)
    decisions = "\n\n".join(
        (
            heading(2, "In single decisions of schedulers", "in-decisions"),
            _ABOUT_DECISIONS,
            list_decisions(_PLACE),
        )
    )
    return page("Findings", _ABOUT, overview or _NONE, decisions, *(_part(root, one) for one in known))


def _part(root: Path, finding: KnownFinding) -> str:
    story, _ = read_story(place_of_story(root, finding))
    quirk = f"reference/quirks.md#{anchor('quirk', finding.cure.id)}"
    cure = f"[{finding.cure}]({quirk}){_beside(finding)}"
    facts = [
        f"**What happens:** {begin(finding.happens)}",
        f"**Violates** {_property_link(finding)}: {begin(_reason(finding))}",
        f"**Conditions:** {begin('; '.join(finding.conditions))}",
        f"**Would cure it:** to mend {cure}. {begin(finding.cure.intended)}",
        f"**Formalises** {codes(_spec(finding))}.",
        f"**Seen in** the scope {code(finding.scope)}, {finding.steps} steps: {code(_line(finding))}",
    ]
    parts = [
        heading(2, f"{finding.id}: {finding.title}", anchor("finding", finding.id)),
        items(facts),
        block(write_steps(story), "text"),
    ]
    return "\n\n".join(parts)


def write_steps(story: Story) -> str:
    """Write the steps of a story, each with what its rule says."""
    model = find_model(story.model)
    width = max((len(str(step)) for step in story.steps), default=0)
    lines = []
    for number, step in enumerate(story.steps, 1):
        if story.loop == number - 1:
            lines.append("    --- from here on for ever")
        lines.append(f"{number:3}  {str(step).ljust(width)}  {model.find_rule(step.rule).about}")
    if story.loop is not None:
        lines.append("    --- here it stays" if story.loop == len(story.steps) else "    --- and round again")
    return "\n".join(lines)


def _beside(finding: KnownFinding) -> str:
    links = [f"[{one}](reference/quirks.md#{anchor('quirk', one.id)})" for one in finding.beside]
    return f" together with {', '.join(links)}, which leads to the same" if links else ""


def _reason(finding: KnownFinding) -> str:
    if finding.violates == DEADLOCK:
        return "something must be left to do, or everything be done"
    return find_model(finding.model).find_property(finding.violates).why


def _spec(finding: KnownFinding) -> tuple[str, ...]:
    if finding.violates == DEADLOCK:
        return finding.cure.spec
    return find_model(finding.model).find_property(finding.violates).spec


def _property_link(finding: KnownFinding) -> str:
    if finding.violates == DEADLOCK:
        return code(DEADLOCK)
    return f"[{finding.violates}](reference/properties.md#{anchor(finding.model, finding.violates)})"


def _line(finding: KnownFinding) -> str:
    reduced = " --reduction symmetry" if finding.reduction != "none" else ""
    asked = f" --property {finding.violates}"
    return f"nomadspec explore --model {finding.model} --scope {finding.scope}{reduced}{asked}"
