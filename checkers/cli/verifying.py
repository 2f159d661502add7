"""How ``verify`` goes about it: which searches, proofs and samples are run, and for which profiles."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.attribution import name_cured
from nomadspec.checkers.cli.choice import Choice, is_large
from nomadspec.checkers.equivalent_profiles import list_alike
from nomadspec.checkers.explore.named_search import Errand, make_errand
from nomadspec.checkers.explore.sharded.near_scopes import NearSearches
from nomadspec.checkers.explore.sharded.ray_scopes import FarSearches
from nomadspec.checkers.manifest import Effort, Published, list_published
from nomadspec.checkers.processors import count_processors
from nomadspec.checkers.report.cluster_search import SearchedClusters
from nomadspec.checkers.report.progress import Titled
from nomadspec.checkers.report.proving import Proved
from nomadspec.checkers.report.verification import ProvedModel, Sampled, Searched, Verification
from nomadspec.checkers.requested_properties import list_but_lemmas
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.question import Asking
from nomadspec.checkers.smt.resources import prove_resources
from nomadspec.checkers.stateful import run
from nomadspec.checkers.stateful.world import search
from nomadspec.checkers.stopping import interruptible
from nomadspec.invariants.catalogue import RESOURCES, find_model, list_model_names
from nomadspec.invariants.cluster.resources.claims import CLAIMS
from nomadspec.invariants.cluster.world.finding_scenarios import make_cured_profile
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile

if TYPE_CHECKING:
    from nomadspec.checkers.progress import Progress

_PROFILES: Final = (NOMAD_2_0, INTENDED)
_SEED: Final = 2026
_WALKS: Final = {Effort.FAST: 500, Effort.CI: 5_000, Effort.DEEP: 100_000}
_WALK_STEPS: Final = 200
_CLUSTER_ACTS: Final = {Effort.FAST: 2_000, Effort.CI: 60_000, Effort.DEEP: 1_000_000}
"""How many acts whole clusters are driven through, under each profile."""
_PROOF_SECONDS: Final = {Effort.FAST: 10.0, Effort.CI: 300.0, Effort.DEEP: 1_200.0}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be verified, and how much work that may be."""

    models: tuple[str, ...]
    effort: Effort
    progress: Progress
    others: FarSearches | NearSearches | None = None
    """Who searches beside this process, if anybody does."""


def verify(
    models: Sequence[str],
    effort: Effort,
    progress: Progress,
    others: FarSearches | NearSearches | None = None,
) -> Verification:
    """Run everything that the effort allows; an interrupt ends it with what was found until then.

    Without models it is those with published scopes: what nobody has measured cannot be judged. Of these the
    classics are only searched, since they say nothing about Nomad: their counts show that the explorer still
    counts well. Searches may be done by others, while the rest is done here.
    """
    published = tuple(dict.fromkeys(entry.model for entry in list_published()))
    plan = Plan(tuple(models) or published, effort, progress, others)
    found = Verification(effort.name.lower())
    began = time.monotonic()
    entries = [entry for entry in list_published() if entry.model in plan.models]
    found.left_out = [(entry, command_of(entry)) for entry in entries if entry.least_effort > effort]
    judged = [name for name in plan.models if name in {*models, *list_model_names()}]
    small = replace(plan, models=tuple(name for name in judged if not _is_deferred(name, effort)))
    found.deferred = [
        f"nomadspec verify --model {name} --effort ci" for name in judged if name not in small.models
    ]
    try:
        with interruptible():
            jobs = [*_searches(plan, entries, found), *_proofs(small, found), *_samples(small, found)]
            if not models:
                jobs += [*_resource_proofs(plan, found), *_cluster_searches(plan, found)]
    except KeyboardInterrupt:
        jobs, found.missing = [], [f"judging {name}" for name in plan.models]
    for number, (title, job) in enumerate(jobs):
        try:
            with interruptible():
                is_cut = job()
        except KeyboardInterrupt:
            is_cut = True
        if is_cut:
            found.missing = [title, *(later for later, _ in jobs[number + 1 :])]
            break
    found.seconds = time.monotonic() - began
    return found


def _is_deferred(name: str, effort: Effort) -> bool:
    return effort is Effort.FAST and is_large(find_model(name))


Job = tuple[str, Callable[[], bool]]
"""Something to do, with its name; it says whether it was interrupted."""


def command_of(entry: Published) -> str:
    """Write the command that runs a published search."""
    words = ["nomadspec", "explore", "--model", entry.model, "--scope", entry.scope]
    words += ["--profile", entry.profile] if entry.profile != NOMAD_2_0.name else []
    words += ["--reduction", entry.reduction] if entry.reduction != "none" else []
    return shlex.join(words)


def _searches(plan: Plan, entries: Iterable[Published], found: Verification) -> list[Job]:
    """List the searches that the effort allows, one for all profiles that make no difference."""
    wanted = [entry for entry in entries if entry.least_effort <= plan.effort]
    jobs: list[Job] = []
    done: set[str] = set()
    for number, entry in enumerate(wanted):
        if entry.title in done:
            continue
        plan.progress.update("comparing profiles", number, len(wanted))
        twins = [other.profile for other in wanted if _differ_by_profile(entry, other)]
        alike = list_alike(entry.model, entry.scope, entry.profile, twins) if twins else ()
        done |= {replace(entry, profile=profile).title for profile in alike}
        errand = make_errand(entry)
        if plan.others is not None:
            plan.others.send(errand)
        jobs.append((f"exploring {entry.title}", partial(_search, plan, entry, errand, alike, found)))
    return jobs


def _differ_by_profile(one: Published, other: Published) -> bool:
    return one.profile != other.profile and replace(one, profile=other.profile, seconds=0.0) == replace(
        other, seconds=0.0
    )


def _search(
    plan: Plan, entry: Published, errand: Errand, alike: tuple[str, ...], found: Verification
) -> bool:
    progress = Titled(plan.progress, entry.title, entry.distinct)
    report = errand.run(progress) if plan.others is None else plan.others.fetch(errand, progress)
    found.searched.append(Searched(entry, report, alike))
    return report.stopped_by == "interrupt"


def _proofs(plan: Plan, found: Verification) -> list[Job]:
    jobs: list[Job] = []
    for name, profile, alike in _list_judged(plan):
        jobs.append((f"proving {name}", partial(_prove, plan, name, (profile, *alike), found)))
    return jobs


def _prove(plan: Plan, name: str, profiles: tuple[str, ...], found: Verification) -> bool:
    bounded = find_model(name).at(profile=profiles[0])
    report = prove(
        bounded,
        max_seconds=_PROOF_SECONDS[plan.effort],
        progress=Titled(plan.progress, f"proving {name}", None),
        asking=Asking(workers=count_processors()),
    )
    found.proved.append(ProvedModel(Proved(report, bounded, name), profiles))
    return report.is_interrupted


def _resource_proofs(plan: Plan, found: Verification) -> list[Job]:
    """List the proofs about resources: claims that no quirk breaks once, the others for each profile."""
    if plan.effort is Effort.FAST:
        found.deferred.append(f"nomadspec prove --model {RESOURCES}")
        return []
    quirky = [claim.name for claim in CLAIMS if claim.quirk is not None]
    others = [claim.name for claim in CLAIMS if claim.quirk is None]
    asked = [((_PROFILES[0].name, _PROFILES[1].name), others), *(((one.name,), quirky) for one in _PROFILES)]
    return [
        (f"proving {RESOURCES}", partial(_prove_claims, plan, names, profiles, found))
        for profiles, names in asked
    ]


def _prove_claims(plan: Plan, names: Sequence[str], profiles: tuple[str, ...], found: Verification) -> bool:
    report = prove_resources(
        find_profile(profiles[0]),
        properties=names,
        max_seconds=_PROOF_SECONDS[plan.effort],
        progress=Titled(plan.progress, f"proving {RESOURCES}", None),
        asking=Asking(workers=count_processors()),
    )
    found.proved.append(ProvedModel(Proved(report, None, RESOURCES), profiles))
    return report.is_interrupted


def _samples(plan: Plan, found: Verification) -> list[Job]:
    jobs: list[Job] = []
    for name, profile, alike in _list_judged(plan):
        del alike  # the same walk is theirs as well
        jobs.append((f"walking through {name}", partial(_walk, plan, name, profile, found)))
        jobs.append((f"running {name} under Hypothesis", partial(_run_machine, plan, name, profile, found)))
    return jobs


def _walk(plan: Plan, name: str, profile: str, found: Verification) -> bool:
    """Walk through the largest scope: it is the one that is least explored."""
    model = find_model(name)
    scope = [scope.name for scope in model.scopes if scope.profile is None][-1]
    bounded = model.at(scope, profile=name_cured(name, profile))
    walks = _WALKS[plan.effort]
    title = Titled(plan.progress, f"walking through {name} {scope}", None)
    wanted = list_but_lemmas(bounded)
    report = simulate(
        bounded, seed=_SEED, walks=walks, max_steps=_WALK_STEPS, properties=wanted, progress=title
    )
    choice = Choice(name, scope, None, profile)
    words = ["--seed", str(_SEED), "--walks", str(max(1, report.walks)), "--steps", str(_WALK_STEPS)]
    for finding in report.findings:
        words += ["--property", finding.property]  # what is known would end the walks sooner
    again = choice.line("simulate", *words)
    found.sampled.append(Sampled("walks", bounded, report, again))
    return report.stopped_by == "interrupt"


def _run_machine(plan: Plan, name: str, profile: str, found: Verification) -> bool:
    bounded = find_model(name).at(profile=name_cured(name, profile))
    title = Titled(plan.progress, f"running {name} under Hypothesis", None)
    report = run(
        bounded, effort=plan.effort.name.lower(), properties=list_but_lemmas(bounded), progress=title
    )
    again = report.again or f"nomadspec verify --model {name} --effort {plan.effort.name.lower()}"
    found.sampled.append(Sampled("hypothesis", bounded, report, again))
    return report.stopped_by == "interrupt"


def _cluster_searches(plan: Plan, found: Verification) -> list[Job]:
    """List the searches of whole clusters: as intended, and of the release without what is known of it."""
    profiles = (INTENDED, make_cured_profile())
    return [("driving whole clusters", partial(_drive, plan, profile, found)) for profile in profiles]


def _drive(plan: Plan, profile: Profile, found: Verification) -> bool:
    acts = _CLUSTER_ACTS[plan.effort]
    title = f"driving whole clusters, {profile.name}"
    began = time.process_time()
    done = search(_SEED, acts, profile, progress=lambda number: plan.progress.update(title, number, acts))
    again = f"nomadspec scenario search --seed {_SEED} --acts {acts} --profile '{profile.name}'"
    found.clusters.append(SearchedClusters(done, again, time.process_time() - began))
    return done.is_stopped


def _list_judged(plan: Plan) -> list[tuple[str, str, tuple[str, ...]]]:
    """List each model with the profiles that make a difference to it."""
    judged = []
    for name in plan.models:
        left = [profile.name for profile in _PROFILES]
        while left:
            first, *others = left
            alike = list_alike(name, None, first, others)
            judged.append((name, first, alike))
            left = [other for other in others if other not in alike]
    return judged
