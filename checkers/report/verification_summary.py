"""What ``verify`` found, on one screen: the verdict first and last, and a line for everything between."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from nomadspec.checkers.manifest import Effort
from nomadspec.checkers.report.table import (
    bad,
    count_of,
    join_names,
    render_facts,
    render_paragraph,
    render_table,
    strong,
)
from nomadspec.checkers.report.verdicts import word_of
from nomadspec.checkers.report.verification import Searched, Verification
from nomadspec.checkers.report.verification_stories import list_stories
from nomadspec.checkers.stateful.world import Search
from nomadspec.checkers.verdict import PROVED, Proof, ProofResult, Verdict
from nomadspec.invariants.catalogue import list_model_names
from nomadspec.model.specification.profiles import NOMAD_2_0

KNOWN_HEADINGS: Final = ("finding", "severity", "harm")
"""What is said of a known finding in a line."""
_DETAILS: Final = "; details: nomadspec verify --full"


def render_summary(found: Verification) -> str:
    """Write the verdict, what it rests on, what is known to be wrong, and what was not looked at."""
    parts = [
        render_head(found),
        *_wrong_part(found),
        *_known_part(found),
        *_open_part(found),
        render_end(found, _DETAILS),
    ]
    return "\n\n".join(parts)


def render_head(found: Verification) -> str:
    """Write the verdict and what it rests on."""
    verdict = render_paragraph(f"{word_of(found.verdict)}  {_describe(found)}")
    return f"{verdict}\n\n{render_facts(list_work(found))}"


def render_end(found: Verification, details: str = "") -> str:
    """Write the verdict once more, with what to do now."""
    return render_paragraph(f"{word_of(found.verdict)}  {_conclude(found, details)}")


def _describe(found: Verification) -> str:
    """Say what was judged, and how it stands."""
    profiles = list(dict.fromkeys(name for one in found.holding for name in one.profiles))
    judged = f"under {join_names(profiles)}" if profiles else "nothing was checked"
    time = f"in {found.seconds:,.0f} s, effort {found.effort}"
    known = len(found.known)
    excepted = f", except {count_of(known, 'known finding')} of the release" if known else ""
    return f"{judged}{excepted} ({time})"


def _conclude(found: Verification, details: str) -> str:
    """Say what to do now."""
    if found.verdict is Verdict.VIOLATED:
        return f"the violations above are new, or differ from what is published{details}"
    if found.missing:
        later = len(found.missing) - 1
        others = f" and {count_of(later, 'later task')}" if later else ""
        return f"interrupted before {found.missing[0]}{others}; run it again to check everything"
    if found.verdict is Verdict.INCONCLUSIVE:
        return f"a search ended before it was complete{details}"
    return f"within the bounds above{details}"


def list_work(found: Verification) -> list[tuple[str, str]]:
    """Say in a line each what was explored, proved, sampled, and found to fail as it must."""
    worlds = sum(one.report.distinct for one in found.holding)
    searches = count_of(len(found.holding), "search", "searches")
    facts = [("explored", f"{searches}, {count_of(worlds, 'world')}{_name_models(found.holding)}")]
    proofs = [proof for one in found.proved for proof in one.proved.report.proofs]
    facts.append(("proved", _count_proofs(proofs)))
    steps = count_of(sum(one.report.steps for one in found.sampled), "step")
    runs = count_of(sum(one.runs for one in found.sampled), "random run")
    facts.append(("sampled", f"{steps} in {runs}" if found.sampled else "nothing"))
    if found.clusters:
        facts.append(("clusters", _describe_clusters([one.search for one in found.clusters])))
    if found.failing:
        again = sum(one.verdict is Verdict.HOLDS for one in found.failing)
        scopes = count_of(len(found.failing), "known-bad scope")
        facts.append(("self-test", f"{again} of {scopes} (must fail) failed as published"))
    return facts


def _describe_clusters(searches: Sequence[Search]) -> str:
    """Say how far whole clusters were driven, and how many properties broke."""
    acts = count_of(sum(one.acts for one in searches), "step")
    walks = count_of(sum(one.walks for one in searches), "walk")
    broken = len({each.name for one in searches for each in one.found})
    result = f"{count_of(broken, 'property', 'properties')} violated" if broken else "no property violated"
    return f"{acts} of whole clusters in {walks}, {result}"


def _name_models(searched: Sequence[Searched]) -> str:
    """Name the models with the most worlds first; classics, which are not about Nomad, are counted."""
    worlds = Counter[str]()
    for one in searched:
        worlds[one.published.model] += one.report.distinct
    own = [name for name, _ in worlds.most_common() if name in list_model_names()]
    classics = len(worlds) - len(own)
    names = [*own, *([count_of(classics, "textbook protocol")] if classics else [])]
    return f" of {join_names(names)}" if names else ""


def _count_proofs(proofs: Sequence[Proof]) -> str:
    """Count the proofs by how far they reach; those that failed are counted as well."""
    if not proofs:
        return "nothing"
    counts = Counter(proof.result for proof in proofs)
    proved = sum(counts[result] for result in PROVED)
    told = [
        f"{proved} of {count_of(len(proofs), 'property', 'properties')}",
        f"{counts[ProofResult.PROVED_UNBOUNDED]} for any size",
    ]
    words = {
        ProofResult.PROVED_BOUNDED: "in a scope",
        ProofResult.COUNTEREXAMPLE: "violated",
        ProofResult.NOT_INDUCTIVE: "not inductive",
        ProofResult.UNKNOWN: "undecided",
    }
    return ", ".join(told + [f"{counts[result]} {word}" for result, word in words.items() if counts[result]])


def _wrong_part(found: Verification) -> list[str]:
    """Tell what is new or not as published, each with its story: never left out."""
    stories = list_stories(found)
    return [f"{bad('Wrong')}: new, or different from what is published", *stories] if stories else []


def list_known_findings(found: Verification) -> list[tuple[str, str, str]]:
    """List the known findings that were found again, the worst first, each with its harm."""
    return [(one.id, one.impact.severity.value, one.impact.harm) for one in found.known]


def _known_part(found: Verification) -> list[str]:
    """List the known findings, a line each."""
    rows = list_known_findings(found)
    if not rows:
        return []
    title = f"{strong('Known findings')} in the release (stories: docs/findings.md)"
    return [f"{title}\n\n{render_table(KNOWN_HEADINGS, rows)}"]


def list_not_looked_at(found: Verification) -> list[tuple[str, str]]:
    """List what nobody looked at, counted, each with the command that would."""
    return [*_list_searches(found), *_list_unchecked(found.holding), *_list_deferred(found)]


def _open_part(found: Verification) -> list[str]:
    """Count what nobody looked at, each with the command that would."""
    rows = list_not_looked_at(found)
    if not rows:
        return []
    title = strong("Not checked")
    return [f"{title}\n\n{render_table(('what', 'run'), rows, is_wrapped=False)}"]


def _list_searches(found: Verification) -> list[tuple[str, str]]:
    """Count the published searches that a larger effort runs."""
    counts = Counter(entry.least_effort for entry, _ in found.left_out)
    return [
        (
            count_of(counts[effort], "larger search", "larger searches"),
            f"nomadspec verify --effort {effort.name.lower()}",
        )
        for effort in Effort
        if counts[effort]
    ]


def _list_unchecked(searched: Iterable[Searched]) -> list[tuple[str, str]]:
    """Count the scopes in which liveness was checked by no search, with what would check the first."""
    judged = list(searched)
    checked = {
        (one.published.model, one.published.scope, name, profile)
        for one in judged
        for name in one.report.checked
        for profile in one.profiles
    }
    left = {
        (one.published.model, one.published.scope, name, profile): one
        for one in judged
        for name in one.report.not_checked
        for profile in one.profiles
    }
    rows = [(key, one) for key, one in left.items() if key not in checked]
    if not rows:
        return []
    (model, scope, _, profile), _ = rows[0]
    words = ["nomadspec", "explore", "--model", model, "--scope", scope]
    words += ["--profile", profile] if profile != NOMAD_2_0.name else []
    number = len({key[:2] for key, _ in rows})
    example = ", for example" if number > 1 else ""
    return [(f"liveness in {count_of(number, 'scope')}{example}", shlex.join(words))]


def _list_deferred(found: Verification) -> list[tuple[str, str]]:
    told = {True: "proofs", False: "proofs and samples of a model"}
    return [(told[line.startswith("nomadspec prove ")], line) for line in found.deferred]
