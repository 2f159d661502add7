"""What every report says in the same words: the verdict, the scope, the bounds, the findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.report.stories import data_of as story_data
from nomadspec.checkers.report.story_text import (
    describe_claim,
    describe_ending,
    has_profile,
    profile_data,
    render_steps,
)
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    good,
    name_sizes,
    open_,
    render_facts,
    render_paragraph,
)
from nomadspec.checkers.report.titles import render_legend
from nomadspec.checkers.requested_properties import IDLE_LEMMA
from nomadspec.checkers.verdict import Budget, Finding, Scoped, Verdict
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, Story
from nomadspec.model.language.story import replay as replay_story

if TYPE_CHECKING:
    from nomadspec.checkers.attribution import Owned

Fact = tuple[str, str]

PROMISE: Final = "promise"
"""The kind of what every model promises without a word."""

_MOST_SILENT: Final = 20
"""So many rules that did not fire are named without being asked for."""
_STOPPED = {
    "time": "the time that it was given was over",
    "memory": "the memory that it was given was used",
    "disk": "there was no room left on the disk for worlds",
    "worker": "one of its processes was ended by somebody else",
    "states": "it had stored as many worlds as it was allowed to",
    "interrupt": "it was interrupted",
    "depth": "it had taken as many steps as it was allowed to",
    "constraint": "its constraint leaves worlds out",
    "violation": "the search stopped at a violation",
    "coverage": "it had met as much as it was asked to",
    "saturation": "the later half of its walks met nothing new",
}


def word_of(verdict: Verdict) -> str:
    """Write a verdict in its colour."""
    paint = {Verdict.VIOLATED: bad, Verdict.INCONCLUSIVE: open_}.get(verdict, good)
    return paint(verdict.value.upper())


def describe_stop(reason: str) -> str:
    """Say why a run ended before it was complete."""
    return _STOPPED.get(reason, reason)


def describe_about(about: Scoped, reference: str) -> str:
    """Name the bounded model that a run was about."""
    sizes = name_sizes(about.sizes)
    profile = f", profile {about.profile}" if has_profile(about.profile, reference) else ""
    return f"{reference}, scope {about.scope} ({sizes}){profile}"


def render_about(about: Scoped, reference: str) -> str:
    """Name the bounded model that a run was about, and below it what the quirks of its profile are."""
    told = render_paragraph(describe_about(about, reference))
    return "\n".join(filter(None, [told, render_legend(about.profile)]))


def about_data(about: Scoped, reference: str) -> dict[str, object]:
    """Write what a run was about as fields of its object."""
    return {
        "model": reference,
        "scope": about.scope,
        "sizes": dict(about.sizes),
        "profile": profile_data(about.profile, reference),
    }


def bound_facts(
    fired: Mapping[str, int], budgets: Sequence[Budget], *, is_stopped: bool = False, in_full: bool = True
) -> list[Fact]:
    """Say which rules did not fire, ever or so far, and how far bounds were used."""
    silent = [rule for rule, times in fired.items() if not times]
    word = "not fired yet" if is_stopped else "never fired"
    whole = count_of(len(fired), "rule")
    is_named = in_full or len(silent) <= _MOST_SILENT
    told = (
        f"{', '.join(silent)} (of {whole})"
        if is_named
        else f"{len(silent)} of {whole} (--verbose lists them)"
    )
    facts = [(word, told)] if silent else []
    return facts + budget_facts(budgets)


def not_asked_data(idle: Iterable[str]) -> dict[str, str]:
    """Write the lemmas that were not asked as data, each with the reason."""
    return dict.fromkeys(idle, IDLE_LEMMA)


def lemma_facts(idle: Sequence[str]) -> list[Fact]:
    """Say how many lemmas were not asked, and how to ask them."""
    if not idle:
        return []
    told = "which quirks of the profile may break (--property NAME asks one, --profile intended all)"
    return [("not asked", f"{count_of(len(idle), 'lemma')}, {told}")]


def budget_facts(budgets: Iterable[Budget]) -> list[Fact]:
    """Say which bounds were used up, how far the others were used, and what was not allowed at all."""
    off, used, left = [], [], []
    for budget in budgets:
        if not budget.limit:
            off.append(budget.name)
        elif budget.is_touched:
            used.append(f"{budget.name} {budget.limit}")
        else:
            left.append(f"{budget.name} {budget.used} of {budget.limit}")
    told = {
        "bound reached": f"{', '.join(used)} (larger bounds might show more)",
        "bound not reached": ", ".join(left),
        "switched off": f"{', '.join(off)} (bounds of 0)",
    }
    return [(title, told[title]) for title, names in zip(told, (used, left, off), strict=True) if names]


def budget_data(budgets: Iterable[Budget]) -> list[dict[str, object]]:
    """Write bounds as data."""
    return [
        {"name": one.name, "limit": one.limit, "used": one.used, "is_touched": one.is_touched}
        for one in budgets
    ]


def finding_data(
    findings: Iterable[Finding],
    bounded: BoundedModel,
    reference: str,
    owners: Mapping[str, Owned] = MappingProxyType({}),
) -> list[dict[str, object]]:
    """Write findings as data, each with its story, and the known findings that it shows."""
    return [
        {
            "property": finding.property,
            "kind": _name_kind(finding),
            "known": _known_data(owners.get(finding.property)),
            "steps": len(finding.story.steps) if finding.story else None,
            "story": story_data(finding.story, bounded, reference) if finding.story else None,
        }
        for finding in findings
    ]


def _known_data(owned: Owned | None) -> list[dict[str, str]] | None:
    return None if owned is None else [{"id": one.id, "title": one.title} for one in owned.findings]


def _known_facts(name: str, owned: Owned | None) -> list[Fact]:
    """Say which known findings a story shows, or that none explains it."""
    if owned is None:
        return []
    if owned.findings:
        return [("known as", f"{one.id}: {one.title}; nomadspec findings {one.id}") for one in owned.findings]
    told = f"no known finding about {name} explains these steps"
    also = "with all that is known mended they do not show it" if owned.is_mended else "mending all keeps it"
    return [("known as", f"{told}; {also}")]


def _name_kind(finding: Finding) -> str:
    if finding.kind is not None:
        return finding.kind.value
    return PROMISE if finding.property in PROMISES else DEADLOCK


def render_findings(
    findings: Sequence[Finding], bounded: BoundedModel, owners: Mapping[str, Owned] = MappingProxyType({})
) -> list[str]:
    """Write each finding, and which known finding it is; the first story in full."""
    parts = []
    told = False
    for finding in findings:
        known = _known_facts(finding.property, owners.get(finding.property))
        if finding.story is None:
            parts.append(_missed(finding, bounded))
        elif told:
            claim = describe_claim(finding.story, bounded)
            parts.append(f"{claim}\n\n{render_facts(known)}" if known else claim)
        else:
            told = True
            parts.append(tell_story(finding.story, bounded, known))
    return parts


def tell_story(story: Story, bounded: BoundedModel, known: Iterable[Fact] = ()) -> str:
    """Write what a story shows, its steps, the ids that it is about, and what is known of it."""
    replay = replay_story(story, bounded)
    end = render_facts([("end", describe_ending(judge(story, replay))), *known])
    return f"{describe_claim(story, bounded)}\n\n{render_steps(story, replay)}\n\n{end}"


def describe_result(kind: Kind, *, is_complete: bool) -> str:
    """Say what a search says of a property against which it found nothing."""
    if not is_complete:
        return "not refuted so far"
    return {
        Kind.ALWAYS: "holds in every world",
        Kind.STEP: "holds in every step",
        Kind.SOMETIMES: "is reached",
        Kind.EVENTUALLY: "comes true on every fair path",
        Kind.LEADS_TO: "comes true on every fair path",
        Kind.UNTIL: "comes true on every fair path, and the rest holds until then",
        Kind.UNLESS: "holds on every path",
        Kind.EVENTUALLY_ALWAYS: "holds from some world on, on every fair path",
    }[kind]


def find_story(findings: Iterable[Finding]) -> Story | None:
    """Find the first story that shows a violation."""
    return next((finding.story for finding in findings if finding.story), None)


def _missed(finding: Finding, bounded: BoundedModel) -> str:
    prop = bounded.model.find_property(finding.property)
    return f"{bad(f'{prop.name} is never reached')}\n  {prop.kind.value}, because {prop.why}"
