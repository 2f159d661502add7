"""What ``verify`` found, for people: what was explored, proved, sampled and left out, and one verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from nomadspec.checkers.findings import find_finding
from nomadspec.checkers.manifest import Published
from nomadspec.checkers.report.cluster_search import SearchedClusters
from nomadspec.checkers.report.proving import PROVED, paint_result, summarise
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
from nomadspec.checkers.report.verdicts import budget_facts, describe_stop, find_story, tell_story, word_of
from nomadspec.checkers.report.verification import ProvedModel, Sampled, Searched, Verification
from nomadspec.checkers.verdict import Finding, Verdict
from nomadspec.model.language.bounded import BoundedModel


def render_verification(found: Verification) -> str:
    """Write the whole of it, the verdict first and last."""
    parts = [
        _verdict_part(found),
        *_explored_part(found.holding),
        *_known_part(found.holding),
        *_failing_part(found.failing),
        *_proved_part(found.proved),
        *_sampled_part(found.sampled),
        *_clusters_part(found.clusters),
        *_left_out_part(found),
        *_deferred_part(found),
        *list_stories(found),
        _verdict_part(found),
    ]
    return "\n\n".join(parts)


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
    facts = []
    for title, group in groupby(searched, key=lambda one: f"{one.published.model} {one.published.scope}"):
        report = next(group).report
        facts += [(title, f"{name}: {what}") for name, what in budget_facts(report.budgets)]
        facts += [(title, line) for line in _group_unchecked(report.not_checked)]
    for model, of_model in groupby(searched, key=lambda one: one.published.model):
        fired = Counter[str]()
        for one in of_model:
            fired.update(one.report.fired)
        silent = [rule for rule, times in fired.items() if not times]
        if silent:
            count = count_of(len(fired), "rule")
            facts.append((model, f"never fired in these scopes: {', '.join(silent)} (of {count})"))
    return [f"  How far that reaches:\n\n{render_facts(facts, indent=4)}"] if facts else []


def _group_unchecked(not_checked: Mapping[str, str]) -> list[str]:
    """Write why something was not checked, once for all that has the same reason."""
    groups: dict[str, list[str]] = {}
    for name, why in not_checked.items():
        groups.setdefault(why, []).append(name)
    return [f"{why}: {', '.join(names)}" for why, names in groups.items()]


def _known_part(searched: list[Searched]) -> list[str]:
    """List the known findings that were found again, each once."""
    rows = []
    for name in dict.fromkeys(name for one in searched for name in one.found_again):
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
    title = (
        strong("Known and still there") + ": what the described release does wrong, told in docs/findings.md"
    )
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


def _group_profiles(left_out: list[tuple[Published, str]]) -> list[list[tuple[Published, str]]]:
    groups: dict[tuple[str, str, str], list[tuple[Published, str]]] = {}
    for entry, line in left_out:
        groups.setdefault((entry.model, entry.scope, entry.reduction), []).append((entry, line))
    return list(groups.values())


def list_stories(found: Verification) -> list[str]:
    """Tell what is wrong, each with its story."""
    parts = []
    for one in found.searched:
        if not one.problems:
            continue
        title = bad(f"{one.published.title}: {'; '.join(one.problems)}")
        parts += [title, *_tell(one.report.findings if not one.published.is_failing else (), one.bounded)]
    for proved in found.proved:
        for proof in proved.proved.report.proofs:
            bounded = proved.proved.bounded
            if proof.story is not None and bounded is not None:
                finding = Finding(proof.property, None, proof.story)
                parts += _tell([finding], bounded)
    for sample in found.sampled:
        parts += _tell(sample.report.findings, sample.bounded)
        parts += [f"  reproduce: {sample.again}"] if sample.report.findings else []
    for clusters in found.clusters:
        parts += [each.scenario for each in clusters.search.found]
        parts += [f"  reproduce: {clusters.again}"] if clusters.search.found else []
    return parts


def _tell(findings: Iterable[Finding], bounded: BoundedModel) -> list[str]:
    return [tell_story(one.story, bounded) for one in findings if one.story is not None]


def _verdict_part(found: Verification) -> str:
    profiles = list(dict.fromkeys(name for one in found.holding for name in one.profiles))
    proofs = [proof for one in found.proved for proof in one.proved.report.proofs]
    worlds = sum(one.report.distinct for one in found.holding)
    again = sum(one.verdict is Verdict.HOLDS for one in found.failing)
    reach = [
        f"explored {count_of(len(found.holding), 'search', 'searches')} with {count_of(worlds, 'world')}",
        *_describe_known(found),
        f"{again} of {count_of(len(found.failing), 'known-bad scope')} (must fail) failed as published",
        summarise(proofs),
        f"sampled {count_of(sum(one.report.steps for one in found.sampled), 'step')}",
    ]
    if found.clusters:
        acts = sum(one.search.acts for one in found.clusters)
        reach.append(f"drove whole clusters through {count_of(acts, 'act')}")
    if found.deferred:
        reach.append(f"neither proved nor sampled {count_of(len(found.deferred), 'large model')}")
    if found.left_out:
        reach.append(f"left out {count_of(len(found.left_out), 'larger search', 'larger searches')}")
    if found.missing:
        reach.append(open_(f"interrupted before {join_names(found.missing)}"))
    about = f"under {join_names(profiles)}" if profiles else "nothing was judged"
    sentence = f"{about}, in {found.seconds:,.1f} s: {'; '.join(reach)}"
    return render_paragraph(f"{word_of(found.verdict)}  {sentence}")


def _describe_known(found: Verification) -> list[str]:
    names = {name for one in found.holding for name in one.found_again}
    return [f"{count_of(len(names), 'known finding')} still there"] if names else []


def _judged(one: Searched) -> str:
    if one.problems:
        return bad("; ".join(one.problems))
    if one.verdict is Verdict.INCONCLUSIVE:
        return open_(f"not exhaustive, {describe_stop(str(one.report.stopped_by))}")
    if one.found_again:
        return good(f"holds except {join_names(one.found_again)}")
    return good("found" if one.published.is_failing else "holds")
