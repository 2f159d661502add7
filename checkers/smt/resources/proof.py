"""Proves claims about resources: each part of a claim in all its ways.

A part is kept if on no way through it the outcome can be false. All its questions together, those that left
ways out included, are one for the ledgers: whether any of these cases is possible.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.parallel_questions import ask_in_parallel
from nomadspec.checkers.smt.question import Answer, Asking, Patience, ask
from nomadspec.checkers.smt.resources.example import decode_example, replay
from nomadspec.checkers.smt.resources.paths import PathSearch, Way
from nomadspec.checkers.stopping import interruptible
from nomadspec.checkers.verdict import (
    Example,
    Proof,
    ProofResult,
    ProofRow,
    ProveReport,
    Reading,
    Scoped,
    Verdict,
)
from nomadspec.invariants.catalogue import RESOURCES
from nomadspec.invariants.cluster.resources.claims import CLAIMS, find_claim
from nomadspec.model.language.logic import all_of, any_of, not_

if TYPE_CHECKING:
    from nomadspec.invariants.cluster.resources.claim import Claim, Part
    from nomadspec.model.language.logic import Value
    from nomadspec.model.specification.profiles import Profile

_QUESTION_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class PartProof:
    """What came out for one part: in how many ways it can go, and what it does not hold for."""

    name: str
    answer: Answer
    seconds: float
    ways: int
    example: Example | None = None
    is_vacuous: bool = False
    """Whether its premise was never met."""


def prove_resources(
    profile: Profile,
    *,
    properties: Iterable[str] | None = None,
    max_seconds: float | None = None,
    progress: Progress | None = None,
    asking: Asking | None = None,
) -> ProveReport:
    """Prove the claims about resources, or those that are named."""
    began = time.monotonic()
    patience = Patience(max_seconds, _QUESTION_SECONDS, asking)
    claims = CLAIMS if properties is None else [find_claim(name) for name in properties]
    watcher = progress or Silence()
    found: dict[str, list[PartProof]] = {}
    notes: list[str] = []
    is_interrupted = False
    ask_parts = partial(_prove_parts, profile=profile, patience=patience)
    try:
        replies = ask_in_parallel(ask_parts, claims, patience.workers)
        with interruptible(), closing(replies) as answered:
            for number, (claim, parts) in enumerate(answered, 1):
                found[claim.name] = parts or []
                watcher.update("proving claims about resources", number, len(claims))
    except KeyboardInterrupt:
        is_interrupted = True
        notes.append("The run was interrupted; what it had not come to is unknown.")
    proofs = [_sum_up(claim, found.get(claim.name, []), profile) for claim in claims]
    vacuous = [note for claim in claims for note in _list_vacuous(claim, found.get(claim.name, []))]
    return ProveReport(
        _judge(proofs, is_cut=is_interrupted),
        tuple(proofs),
        time.monotonic() - began,
        (*vacuous, *notes),
        is_interrupted,
    )


def _prove_parts(claim: Claim, profile: Profile, patience: Patience) -> list[PartProof]:
    return [prove_part(claim, part, profile, patience) for part in claim.parts]


def _list_vacuous(claim: Claim, parts: Iterable[PartProof]) -> list[str]:
    return [f"The premise of {claim.name}, {part.name}, is never met." for part in parts if part.is_vacuous]


def prove_part(claim: Claim, part: Part, profile: Profile, patience: Patience) -> PartProof:
    """Go all ways through a part of a claim, until one ends with what must not be."""
    began = time.perf_counter()
    search = PathSearch(patience)
    cases: list[Value] = []
    answers: set[Answer] = set()
    met = _Met()
    ways = 0
    example = None
    for way in search.list_ways(lambda draw: part.state(draw, profile)):
        ways += 1
        met.note(search, way)
        denied = as_term(not_(way.outcome), search.context)
        if z3.is_false(denied):
            continue
        answer = _ask(search, denied, patience)
        answers.add(answer)
        cases.append(all_of(*way.conditions, denied))
        if answer is Answer.BROKEN:
            given = decode_example(search, way, denied)
            example = replay(claim, part, profile, given) if given is not None else None
            break
    answer = _combine(answers, is_cut=patience.is_over, is_vacuous=met.is_vacuous)
    whole = any_of(*cases, *[all_of(*case) for case in search.impossible])
    patience.note((claim.name, part.name), [as_term(whole, search.context)], answer)
    seconds = time.perf_counter() - began
    return PartProof(part.name, answer, seconds, ways, example, met.is_vacuous)


class _Met:
    """Whether the premise of a part was met on some way; one that never is would prove nothing."""

    def __init__(self) -> None:
        self._has_premise = False
        self._is_met = False

    @property
    def is_vacuous(self) -> bool:
        return self._has_premise and not self._is_met

    def note(self, search: PathSearch, way: Way) -> None:
        self._has_premise = self._has_premise or bool(way.premises)
        if way.premises and not self._is_met:
            outermost = as_term(way.premises[-1], search.context)
            self._is_met = search.is_possible(outermost)


def _ask(search: PathSearch, denied: Value, patience: Patience) -> Answer:
    patience.limit(search.solver)
    search.solver.push()
    search.solver.add(denied)
    answer = ask(search.solver, {}).answer
    search.solver.pop()
    return answer


def _combine(answers: set[Answer], *, is_cut: bool, is_vacuous: bool) -> Answer:
    if Answer.BROKEN in answers:
        return Answer.BROKEN
    return Answer.UNKNOWN if is_cut or is_vacuous or Answer.UNKNOWN in answers else Answer.KEPT


def _sum_up(claim: Claim, parts: list[PartProof], profile: Profile) -> Proof:
    answers = {part.answer for part in parts}
    example = next((part.example for part in parts if part.example is not None), None)
    if example is not None:
        result = ProofResult.COUNTEREXAMPLE
    elif answers == {Answer.KEPT}:
        result = ProofResult.PROVED_UNBOUNDED if claim.is_unbounded else ProofResult.PROVED_BOUNDED
    else:
        result = ProofResult.UNKNOWN
    return Proof(
        claim.name,
        Scoped(RESOURCES, "", {}, profile.name),
        result,
        claim.scope,
        sum(part.seconds for part in parts),
        tuple(ProofRow(part.name, part.answer.value, part.seconds) for part in parts),
        (),
        example=example,
        reading=Reading(("number of allocations",) if claim.is_unbounded else ()),
    )


def _judge(proofs: list[Proof], *, is_cut: bool) -> Verdict:
    results = {proof.result for proof in proofs}
    if ProofResult.COUNTEREXAMPLE in results:
        return Verdict.VIOLATED
    is_proved = results <= {ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED}
    return Verdict.HOLDS if is_proved and not is_cut else Verdict.INCONCLUSIVE
