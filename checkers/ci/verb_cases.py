"""The cases of each verb that judges: its report, read one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from click import unstyle

from nomadspec.checkers.ci.case import Case, Outcome, Place, find_place, name_file
from nomadspec.checkers.escaping import join_words
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.report.judging import describe_difference, list_further
from nomadspec.checkers.report.proving import Proved, describe_result
from nomadspec.checkers.report.table import count_of, join_names
from nomadspec.checkers.report.verdicts import describe_stop, tell_story
from nomadspec.checkers.report.verification import ProvedModel
from nomadspec.checkers.verdict import PROVED, Finding, ProofResult, Verdict

if TYPE_CHECKING:
    from nomadspec.checkers.report.exploring import Explored
    from nomadspec.checkers.report.judging import Tally
    from nomadspec.checkers.report.verification import Sampled, Searched, Verification
    from nomadspec.model.errors import InputError
    from nomadspec.model.language.bounded import BoundedModel

_RULINGS: Mapping[Ruling, Outcome] = {
    Ruling.REJECTED: Outcome.FAILED,
    Ruling.UNDECIDED: Outcome.ERROR,
    Ruling.UNSUPPORTED: Outcome.SKIPPED,
    Ruling.DEFECT: Outcome.ERROR,
}


def list_explored(explored: Explored) -> list[Case]:
    """List the properties of one search."""
    report, bounded = explored.report, explored.bounded
    group = f"{explored.reference} {bounded.scope}"
    found = {finding.property: finding for finding in report.findings}
    cases = []
    for name in dict.fromkeys([*report.checked, *found]):
        place = _place_of(name, bounded)
        if name in found:
            told = tell_finding(found[name], bounded)
            case = Case(group, name, Outcome.FAILED, told[0], told[1], 0.0, place, explored.again)
        elif report.is_exhaustive or report.stopped_by is None:
            case = Case(group, name, Outcome.PASSED, place=place)
        else:
            why = f"not refuted so far, {describe_stop(report.stopped_by)}"
            case = Case(group, name, Outcome.SKIPPED, why, place=place)
        cases.append(case)
    cases += [Case(group, name, Outcome.SKIPPED, why) for name, why in report.not_checked.items()]
    return cases


def tell_finding(finding: Finding, bounded: BoundedModel) -> tuple[str, str]:
    """Say what is wrong in a sentence, and go on with its story in lines."""
    if finding.story is None:
        return f"{finding.property} is never reached", ""
    claim, _, story = unstyle(tell_story(finding.story, bounded)).partition("\n")
    return claim, story


def _place_of(name: str, bounded: BoundedModel) -> Place | None:
    return next((find_place(prop) for prop in bounded.model.properties if prop.name == name), None)


def list_verified(found: Verification) -> list[Case]:
    """List the searches, proofs and samples of ``verify``, and what was left out."""
    cases = [_search_case(one) for one in found.searched]
    cases += [case for model in found.proved for case in _proof_cases(model)]
    cases += [_sample_case(one) for one in found.sampled]
    cases += [
        Case(
            f"explore {entry.model}",
            entry.title,
            Outcome.SKIPPED,
            f"needs effort {entry.effort}",
            reproduce=run,
        )
        for entry, run in found.left_out
    ]
    cases += [Case("verify", title, Outcome.SKIPPED, "interrupted before it") for title in found.missing]
    return cases


def list_verified_own(explored: Sequence[Explored], proved: Sequence[Proved]) -> list[Case]:
    """List the searches and proofs of a model of one's own."""
    cases = [case for one in explored for case in list_explored(one)]
    return cases + [case for one in proved for case in _proof_cases(ProvedModel(one, (one.profile,)))]


def _search_case(one: Searched) -> Case:
    entry, report = one.published, one.report
    group = f"{'known-bad' if entry.is_failing else 'explore'} {entry.model}"
    words = f"nomadspec explore --model {entry.model} --scope {entry.scope} --profile '{entry.profile}'"
    words += f" --reduction {entry.reduction}" if entry.reduction != "none" else ""
    if one.problems:
        unwanted = [] if entry.is_failing else [each for each in report.findings if each.story is not None]
        told = ["\n".join(tell_finding(each, one.bounded)) for each in unwanted]
        message, details = "; ".join(one.problems), "\n\n".join(told)
        return Case(group, entry.title, Outcome.FAILED, message, details, report.seconds, None, words)
    if one.verdict is Verdict.INCONCLUSIVE:
        why = f"not exhaustive, {describe_stop(str(report.stopped_by))}"
        return Case(group, entry.title, Outcome.SKIPPED, why, "", report.seconds, None, words)
    known = f", except {join_names(list(one.found_again))}" if one.found_again else ""
    message = f"{count_of(report.distinct, 'world')}{known}"
    return Case(group, entry.title, Outcome.PASSED, message, "", report.seconds)


def _proof_cases(model: ProvedModel) -> Iterator[Case]:
    proved = model.proved
    group = f"prove {proved.reference}, {join_names(model.profiles)}"
    for proof in proved.report.proofs:
        outcome = Outcome.PASSED if proof.result in PROVED else Outcome.SKIPPED
        if proof.property in model.violated:
            outcome = Outcome.FAILED
        elif proof.result is ProofResult.COUNTEREXAMPLE:
            outcome = Outcome.PASSED  # known, and found again
        details = unstyle(tell_story(proof.story, proved.bounded)) if proof.story and proved.bounded else ""
        run = join_words(["nomadspec", "prove", proof.property, "--model", proved.reference])
        place = _place_of(proof.property, proved.bounded) if proved.bounded else None
        message = describe_result(proof)
        yield Case(group, proof.property, outcome, message, details, proof.seconds, place, run)


def _sample_case(one: Sampled) -> Case:
    report = one.report
    group, name = f"sample {report.about.model}", f"{report.about.scope}, {report.about.profile}, {one.how}"
    told = [tell_finding(finding, one.bounded) for finding in report.findings]
    if not told:
        message = f"nothing found in {count_of(report.steps, 'step')}"
        return Case(group, name, Outcome.PASSED, message, "", report.seconds)
    (message, first), *others = told
    details = "\n\n".join([first, *map("\n".join, others)])
    return Case(group, name, Outcome.FAILED, message, details, report.seconds, None, one.again)


def list_judged(tally: Tally) -> list[Case]:
    """List what was not accepted of recordings one by one, the rest by file."""
    cases = [_refused_case(one) for one in tally.refused]
    cases += [_unreadable_case(error) for error in tally.unreadable]
    for file, counts in tally.by_file.items():
        accepted = counts[Ruling.ACCEPTED]
        if accepted:
            told = f"{count_of(accepted, 'recording')} accepted"
            cases.append(Case(name_file(Path(file)), told, Outcome.PASSED))
    return cases


def _refused_case(one: Judgement) -> Case:
    difference = one.difference
    why = unstyle(describe_difference(difference)) if difference is not None else one.reason
    details = unstyle("\n".join(list_further(one))) if difference is not None else ""
    place = Place(name_file(Path(one.file)))
    words = [one.file, one.id]
    guard = ["--"] if any(word.startswith("-") for word in words) else []
    run = join_words(["nomadspec", "vectors", "show", *guard, *words])
    outcome = _RULINGS.get(one.ruling, Outcome.ERROR)
    return Case(place.file, f"{one.family} {one.id}", outcome, why, details, 0.0, place, run)


def _unreadable_case(error: InputError) -> Case:
    place = Place(name_file(Path(error.file)))
    why = "; ".join(filter(None, (error.problem, error.hint)))
    return Case(place.file, str(error.at or "file"), Outcome.ERROR, why, place=place)
