"""What ``verify`` found, for people: what was explored, proved, sampled and left out, and one verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from nomadspec.checkers.manifest import Published
from nomadspec.checkers.model_findings import find_finding
from nomadspec.checkers.report.cluster_search import SearchedClusters
from nomadspec.checkers.report.proving import paint_result
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    good,
    join_names,
    name_sizes,
    open_,
    render_facts,
    render_paragraph,
    render_table,
    strong,
)
from nomadspec.checkers.report.titles import add_legend
from nomadspec.checkers.report.verdicts import budget_facts, describe_stop, find_story
from nomadspec.checkers.report.verification import ProvedModel, Sampled, Searched, Verification
from nomadspec.checkers.report.verification_stories import list_stories
from nomadspec.checkers.report.verification_summary import render_end, render_head
from nomadspec.checkers.verdict import PROVED, Budget, Verdict

_MOST_OFF: Final = 3
"""Above this many, the bounds that are switched off are counted, as the search of one scope lists them."""


def render_verification(found: Verification) -> str:
    """Write the whole of it, the verdict first and last."""
    parts = [
        render_head(found),
        *_explored_part(found.holding),
        *_known_part(found.holding),
        *_failing_part(found.failing),
        *_proved_part(found.proved),
        *_sampled_part(found.sampled),
        *_clusters_part(found.clusters),
        *_left_out_part(found),
        *_deferred_part(found),
        *_missing_part(found),
        *list_stories(found),
    ]
    return "\n\n".join([add_legend("\n\n".join(parts)), render_end(found)])


def _explored_part(searched: list[Searched]) -> list[str]:
    if not searched:
        return []
    rows = [
        (
            f"{one.published.model} {one.published.scope}",
            ", ".join(one.profiles),
            one.published.reduction,
            f"{one.report.distinct:,}",
            f"{one.report.generated:,}",
            str(one.report.depth),
            f"{one.report.seconds:.1f}",
            _judged(one),
        )
        for one in searched
    ]
    headings = ("scope", "profiles", "reduction", ">worlds", ">steps", ">depth", ">seconds", "result")
    title = strong("Explored") + ": every reachable world of these scopes"
    return [f"{title}\n\n{render_table(headings, rows)}", *_reach_part(searched)]


def _reach_part(searched: list[Searched]) -> list[str]:
    """Say how far the scopes reach: bounds, what was not checked, and which rules fired in none of them."""
    facts: list[tuple[str, str]] = []
    unchecked: dict[tuple[str, str], list[str]] = {}
    for (model, scope), group in groupby(searched, key=_name_scope):
        report = next(group).report
        facts += [(f"{model} {scope}", line) for line in _list_bounds(report.budgets)]
        for line in _group_unchecked(report.not_checked):
            unchecked.setdefault((model, line), []).append(scope)
    facts += [(model, f"{join_names(scopes)}: {line}") for (model, line), scopes in unchecked.items()]
    for model, fired in _count_fired(searched).items():
        silent = [rule for rule, times in fired.items() if not times]
        if silent:
            count = count_of(len(fired), "rule")
            facts.append((model, f"never fired in these scopes: {', '.join(silent)} (of {count})"))
    return [f"  How far that reaches:\n\n{render_facts(facts, indent=4)}"] if facts else []


def _name_scope(one: Searched) -> tuple[str, str]:
    return one.published.model, one.published.scope


def _list_bounds(budgets: Sequence[Budget]) -> list[str]:
    """Say how far each bound was used; of those that allow nothing, many are counted."""
    off = [one for one in budgets if not one.limit]
    is_counted = len(off) > _MOST_OFF
    told = budget_facts([one for one in budgets if one.limit] if is_counted else budgets)
    lines = [f"{name}: {what}" for name, what in told]
    return [*lines, f"switched off: {len(off)} other bounds of 0"] if is_counted else lines


def _count_fired(searched: Iterable[Searched]) -> dict[str, Counter[str]]:
    """Count for each model how often each of its rules fired, in all scopes that were searched."""
    counted: dict[str, Counter[str]] = {}
    for one in searched:
        counted.setdefault(one.published.model, Counter()).update(one.report.fired)
    return counted


def _group_unchecked(not_checked: Mapping[str, str]) -> list[str]:
    """Write why something was not checked, once for all that has the same reason."""
    groups: dict[str, list[str]] = {}
    for name, why in not_checked.items():
        groups.setdefault(why, []).append(name)
    return [f"{why}: {', '.join(names)}" for why, names in groups.items()]


def _known_part(searched: list[Searched]) -> list[str]:
    """List the known findings that were found again, each once."""
    rows = []
    for name in sorted({name for one in searched for name in one.found_again}):
        known = find_finding(name)
        shows = [one for one in searched if name in one.found_again]
        stories = [
            find_story([f for f in one.report.findings if f.property in known.violated]) for one in shows
        ]
        steps = min(len(story.steps) for story in stories if story)
        seen = join_names(list(dict.fromkeys(one.published.scope for one in shows)))
        rows.append(
            (name, known.violates, count_of(steps, "step"), seen, f"without {known.cure}", known.title)
        )
    if not rows:
        return []
    title = f"{strong('Known findings')} in the release (stories: docs/findings.md)"
    headings = ("finding", "violated", "story", "seen in", "cured", "what")
    return [f"{title}\n\n{render_table(headings, rows)}"]


def _failing_part(searched: list[Searched]) -> list[str]:
    if not searched:
        return []
    rows = []
    for one in searched:
        story = find_story(one.report.findings)
        steps = count_of(len(story.steps), "step") if story else ""
        about = f"{one.published.model} {one.published.scope}"
        rows.append((about, one.published.profile, str(one.published.violates), steps, _judged(one)))
    title = strong("Known-bad scopes (must fail)") + ": they show that the checks find what is wrong"
    return [f"{title}\n\n{render_table(('scope', 'profile', 'violated', 'story', 'result'), rows)}"]


def _proved_part(proved: list[ProvedModel]) -> list[str]:
    if not proved:
        return []
    rows = []
    for one in proved:
        kinds = groupby(one.proved.report.proofs, key=lambda proof: (paint_result(proof), proof.scope))
        for (result, scope), group in kinds:
            proofs = list(group)
            names = [proof.property for proof in proofs]
            is_proved = proofs[0].result in PROVED
            which = count_of(len(names), "property", "properties") if is_proved else ", ".join(names)
            profiles = ", ".join(one.profiles)
            rows.append((one.proved.reference, profiles, result, which, scope))
    title = strong("Proved") + ": each `always` and `step` property, by the solver"
    return [f"{title}\n\n{render_table(('model', 'profiles', 'result', 'of', 'for'), rows)}"]


def _sampled_part(sampled: list[Sampled]) -> list[str]:
    if not sampled:
        return []
    rows = []
    for one in sampled:
        report = one.report
        sizes = name_sizes(report.about.sizes)
        seed = "" if one.seed is None else f", seed {one.seed}"
        amount = f"{count_of(report.steps, 'step')} of {count_of(one.runs, 'run')}{seed}"
        result = good("nothing found") if not report.findings else bad(report.findings[0].property)
        about = f"{report.about.model} {report.about.scope}"
        rows.append((about, one.how, amount, f"{report.seconds:.1f}", result, sizes))
    title = strong("Sampled") + ": at random; to find nothing proves nothing"
    headings = ("scope", "by", "amount", ">seconds", "result", "sizes")
    return [f"{title}\n\n{render_table(headings, rows)}"]


def _clusters_part(searched: list[SearchedClusters]) -> list[str]:
    if not searched:
        return []
    rows = []
    for one in searched:
        search = one.search
        amount = f"{count_of(search.acts, 'act')} of {count_of(search.walks, 'walk')}, seed {search.seed}"
        broken = join_names([each.name for each in search.found])
        result = bad(broken) if broken else good("nothing found")
        rows.append((search.profile, amount, f"{one.seconds:.1f}", result))
    title = strong("Whole clusters") + ": driven at random; to find nothing proves nothing"
    return [f"{title}\n\n{render_table(('profile', 'amount', '>seconds', 'result'), rows)}"]


def _left_out_part(found: Verification) -> list[str]:
    if not found.left_out:
        return []
    rows = []
    for entries in _group_profiles(found.left_out):
        published, line = entries[0]
        profiles = ", ".join(entry.profile for entry, _ in entries)
        about = f"{published.model} {published.scope}"
        rows.append((about, profiles, published.reduction, published.effort, line))
    headings = ("scope", "profiles", "reduction", "effort", "run")
    title = strong("Left out") + f": published searches that take longer than the effort {found.effort}"
    return [f"{title}\n\n{render_table(headings, rows, is_wrapped=False)}"]


def _deferred_part(found: Verification) -> list[str]:
    if not found.deferred:
        return []
    title = strong("Not proved nor sampled") + f": large models, with the effort {found.effort}"
    return ["\n".join([title, "", *[f"  {line}" for line in found.deferred]])]


def _missing_part(found: Verification) -> list[str]:
    if not found.missing:
        return []
    return [render_paragraph(f"{open_('Interrupted')} before {join_names(found.missing)}")]


def _group_profiles(left_out: list[tuple[Published, str]]) -> list[list[tuple[Published, str]]]:
    groups: dict[tuple[str, str, str], list[tuple[Published, str]]] = {}
    for entry, line in left_out:
        groups.setdefault((entry.model, entry.scope, entry.reduction), []).append((entry, line))
    return list(groups.values())


def _judged(one: Searched) -> str:
    if one.problems:
        return bad("; ".join(one.problems))
    if one.verdict is Verdict.INCONCLUSIVE:
        return open_(f"not exhaustive, {describe_stop(str(one.report.stopped_by))}")
    if one.found_again:
        return good(f"holds except {join_names(one.found_again)}")
    return good("found" if one.published.is_failing else "holds")
