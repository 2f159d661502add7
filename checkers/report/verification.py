"""What ``verify`` found: every part of it judged, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from nomadspec.checkers.manifest import Published
from nomadspec.checkers.model_findings import find_finding, name_known
from nomadspec.checkers.report.cluster_search import SearchedClusters
from nomadspec.checkers.report.proving import Proved, proof_data
from nomadspec.checkers.report.stories import data_of as story_data
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.report.verdicts import budget_data, find_story, not_asked_data
from nomadspec.checkers.verdict import (
    PROVED,
    ExploreReport,
    ProofResult,
    SimulateReport,
    StatefulReport,
    Verdict,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.cluster.resources.claims import list_broken
from nomadspec.invariants.known_finding import KnownFinding
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.property import Kind
from nomadspec.model.specification.profiles import find_profile


@dataclass(frozen=True)
class Searched:
    """One published search that was run, and whether it found what the manifest says."""

    published: Published
    report: ExploreReport
    also_for: tuple[str, ...] = ()
    """Further profiles under which the model is the very same, so that this search is theirs as well."""

    @cached_property
    def bounded(self) -> BoundedModel:
        """The model that was searched, made when a story is told of it."""
        about = self.report.about
        return find_model(about.model).at(about.scope, sizes=about.sizes, profile=about.profile)

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles that the search judges."""
        return (self.published.profile, *self.also_for)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as the manifest says, a sentence each."""
        return tuple(find_problems(self.published, self.report))

    @property
    def found_again(self) -> tuple[str, ...]:
        """The IDs of the known findings that were found again."""
        found = {finding.property for finding in self.report.findings}
        return tuple(
            name for name in self.published.known if not find_finding(name).violated.isdisjoint(found)
        )

    @property
    def verdict(self) -> Verdict:
        """Whether the search found what it must."""
        if self.problems:
            return Verdict.VIOLATED
        is_cut = self.report.stopped_by not in {None, "violation"}
        return Verdict.INCONCLUSIVE if is_cut else Verdict.HOLDS


@dataclass(frozen=True, slots=True)
class ProvedModel:
    """The proofs of one model, and the profiles that they judge."""

    proved: Proved
    profiles: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """Only a violation that can be reached is held against the model: the scopes were explored anyway."""
        return Verdict.VIOLATED if self.violated else Verdict.HOLDS

    @property
    def violated(self) -> tuple[str, ...]:
        """The properties for which the solver found a violation that can be reached and is not known.

        Of claims about functions also those that a profile must break, and that it does not.
        """
        proofs = self.proved.report.proofs
        broken = [proof.property for proof in proofs if proof.result is ProofResult.COUNTEREXAMPLE]
        if self.proved.bounded is None:
            wrong = {name for name in self.profiles for name in list_broken(find_profile(name))}
            proved = {proof.property for proof in proofs if proof.result in PROVED}
            return tuple(sorted(wrong.symmetric_difference(broken) & {*broken, *proved}))
        model = self.proved.bounded.model.name
        known = {
            broken for name in self.profiles for one in name_known(model, name) for broken in one.violated
        }
        return tuple(name for name in broken if name not in known)


@dataclass(frozen=True, slots=True)
class Sampled:
    """One sample of a scope: random walks or Hypothesis."""

    how: str
    """``walks`` or ``hypothesis``."""
    bounded: BoundedModel
    report: SimulateReport | StatefulReport
    again: str

    @property
    def runs(self) -> int:
        """How often it began anew."""
        return self.report.walks if isinstance(self.report, SimulateReport) else self.report.runs

    @property
    def seed(self) -> int | None:
        """What the walks follow from; Hypothesis has no seed here, since it always tries the same."""
        return self.report.seed if isinstance(self.report, SimulateReport) else None

    @property
    def verdict(self) -> Verdict:
        """Nothing found refutes nothing; only a violation counts."""
        return self.report.verdict if self.report.verdict is Verdict.VIOLATED else Verdict.HOLDS


@dataclass(slots=True)
class Verification:
    """Everything that ``verify`` did and left out."""

    effort: str
    searched: list[Searched] = field(default_factory=list)
    proved: list[ProvedModel] = field(default_factory=list)
    sampled: list[Sampled] = field(default_factory=list)
    clusters: list[SearchedClusters] = field(default_factory=list)
    """The random walks through whole clusters."""
    left_out: list[tuple[Published, str]] = field(default_factory=list)
    """The published searches that this effort does not run, each with the command that does."""
    deferred: list[str] = field(default_factory=list)
    """The models that this effort neither proves nor samples, each with the command that does."""
    missing: list[str] = field(default_factory=list)
    """What was to be done and was not, because it was interrupted."""
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """One violation is enough; what is missing leaves it open."""
        parts: list[Searched | ProvedModel | Sampled] = [*self.searched, *self.proved, *self.sampled]
        verdicts = {part.verdict for part in parts} | {one.verdict for one in self.clusters}
        if Verdict.VIOLATED in verdicts:
            return Verdict.VIOLATED
        is_open = bool(self.missing) or Verdict.INCONCLUSIVE in verdicts
        return Verdict.INCONCLUSIVE if is_open else Verdict.HOLDS

    @property
    def holding(self) -> list[Searched]:
        """The searches in which everything must hold."""
        return [one for one in self.searched if not one.published.is_failing]

    @property
    def known(self) -> list[KnownFinding]:
        """The known findings that were found again, the worst first."""
        known = {name: find_finding(name) for one in self.holding for name in one.found_again}
        return sorted(known.values(), key=lambda one: (one.impact.severity.rank, one.id))

    @property
    def failing(self) -> list[Searched]:
        """The searches that must find a violation."""
        return [one for one in self.searched if one.published.is_failing]

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/verify.json says what its fields mean."""
        return {
            "verdict": self.verdict.value,
            "effort": self.effort,
            "seconds": round(self.seconds, 3),
            "known": [
                {"id": one.id, "severity": one.impact.severity.value, "harm": one.impact.harm}
                for one in self.known
            ],
            "explored": [_searched_data(one) for one in self.searched],
            "proved": [
                {"profiles": list(one.profiles), **proof_data(proof, one.proved)}
                for one in self.proved
                for proof in one.proved.report.proofs
            ],
            "sampled": [_sampled_data(one) for one in self.sampled],
            "clusters": [one.part_data() for one in self.clusters],
            "deferred": self.deferred,
            "left_out": [
                {**_published_data(published), "effort": published.effort, "run": line}
                for published, line in self.left_out
            ],
            "missing": list(self.missing),
            "titles": find_titles_in(*self._list_profiles()),
        }

    def _list_profiles(self) -> Iterator[str]:
        """List the profiles of all that was run, and of what was not."""
        for searched in self.searched:
            yield from (searched.published.profile, *searched.profiles)
        for proved in self.proved:
            yield from proved.profiles
        yield from (one.report.about.profile for one in self.sampled)
        yield from (one.search.profile for one in self.clusters)
        yield from (published.profile for published, _ in self.left_out)


def find_problems(published: Published, report: ExploreReport) -> list[str]:
    """Compare a search with the manifest."""
    if published.is_failing:
        return _failing_problems(published, report, [finding.property for finding in report.findings])
    known = set[str]().union(*(find_finding(name).violated for name in published.known))
    problems = [
        f"{one.property} is {'never reached' if one.kind is Kind.SOMETIMES else 'violated'}"
        for one in report.findings
        if one.property not in known
    ]
    problems += _find_gone(published, report)
    if report.stopped_by is None and not problems:
        wanted = {
            "distinct": (published.distinct, report.distinct),
            "generated": (published.generated, report.generated),
            "depth": (published.depth, report.depth),
        }
        changed = [f"{name} is {now:,}, not {was:,}" for name, (was, now) in wanted.items() if was != now]
        problems += [f"the model has changed: {', '.join(changed)}"] if changed else []
    return problems


def _find_gone(published: Published, report: ExploreReport) -> list[str]:
    """Say which known findings a complete search did not find again."""
    if report.stopped_by is not None:
        return []
    found = {one.property for one in report.findings}
    gone = [find_finding(name) for name in published.known]
    return [
        f"{one.id} is gone: {', '.join(sorted(one.violated))} holds"
        for one in gone
        if one.violated.isdisjoint(found)
    ]


def _failing_problems(published: Published, report: ExploreReport, found: Sequence[str]) -> list[str]:
    """A scope that must fail shows that the checkers still find what is wrong with it."""
    if report.stopped_by not in {None, "violation"} and not found:
        return []
    if published.violates not in found:
        others = f"; {', '.join(found)} was" if found else ""
        return [f"{published.violates} was not found violated{others}"]
    story = find_story([one for one in report.findings if one.property == published.violates])
    steps = len(story.steps) if story else None
    if published.steps is not None and steps != published.steps:
        return [f"the model has changed: the shortest story has {steps} steps, not {published.steps}"]
    return []


def _searched_data(one: Searched) -> dict[str, object]:
    report = one.report
    story = find_story(report.findings)
    return {
        **_published_data(one.published),
        "profiles": list(one.profiles),
        "verdict": one.verdict.value,
        "expected": one.published.violates or one.published.verdict,
        "found": [finding.property for finding in report.findings],
        "known": list(one.found_again),
        "problems": list(one.problems),
        "distinct": report.distinct,
        "generated": report.generated,
        "depth": report.depth,
        "seconds": round(report.seconds, 3),
        "digest": report.digest,
        "stopped_by": report.stopped_by,
        "checked": list(report.checked),
        "not_checked": {**report.not_checked, **report.elsewhere, **not_asked_data(report.idle)},
        "never_fired": list(report.silent_rules),
        "budgets": budget_data(report.budgets),
        "story": story_data(story, one.bounded, one.published.model) if story else None,
    }


def _sampled_data(one: Sampled) -> dict[str, object]:
    report = one.report
    story = find_story(report.findings)
    return {
        "how": one.how,
        "model": report.about.model,
        "scope": report.about.scope,
        "sizes": dict(report.about.sizes),
        "profile": report.about.profile,
        "verdict": report.verdict.value,
        "seed": one.seed,
        "runs": one.runs,
        "steps": report.steps,
        "seconds": round(report.seconds, 3),
        "found": [finding.property for finding in report.findings],
        "again": one.again,
        "story": story_data(story, one.bounded, report.about.model) if story else None,
    }


def _published_data(published: Published) -> dict[str, object]:
    return {
        "model": published.model,
        "scope": published.scope,
        "profile": published.profile,
        "reduction": published.reduction,
    }
