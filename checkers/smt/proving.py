"""Proving: for any number of objects first, then in the scope, else a search for a real story."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.asked import list_names
from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.smt.bounded import BoundedInduction
from nomadspec.checkers.smt.induction import Induction, Inductive, Names, find_inductive
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.question import Answer, Asking, Patience
from nomadspec.checkers.smt.refuting import Refuter
from nomadspec.checkers.smt.wording import describe_open, describe_scope, join_words
from nomadspec.checkers.verdict import Proof, ProofResult, ProofRow, ProveReport, Scoped, Verdict
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.property import Kind
from nomadspec.model.story import Story

if TYPE_CHECKING:
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.property import Property
    from nomadspec.model.story import Replay

_QUESTION_SECONDS: Final = 2.0
_INITIAL: Final = "initial worlds"
_PROVED: Final = frozenset({ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED})


def prove(
    bounded: BoundedModel,
    *,
    properties: Iterable[Property | str] | None = None,
    bmc_steps: int = 8,
    max_seconds: float | None = None,
    is_open: bool = True,
    progress: Progress | None = None,
    asking: Asking | None = None,
) -> ProveReport:
    """Prove properties of a model: without names every ``always`` and ``step``.

    A property that is not proved for any number of objects is asked in the scope, and one that is not
    inductive there is searched for, ``bmc_steps`` steps deep from the initial worlds, and as many back from
    the step that breaks it.
    """
    began = time.monotonic()
    patience = Patience(max_seconds, _QUESTION_SECONDS, asking)
    attempt = _Attempt(bounded, _list_asked(bounded, properties), patience, progress or Silence())
    try:
        if is_open:
            attempt.try_open()
        attempt.try_scope(bmc_steps)
    except KeyboardInterrupt:
        attempt.is_interrupted = True
        attempt.notes.append("The run was interrupted; what it had not come to is unknown.")
    return attempt.report(time.monotonic() - began)


def _list_asked(bounded: BoundedModel, properties: Iterable[Property | str] | None) -> dict[str, Property]:
    model = bounded.model
    if properties is None:
        return {prop.name: prop for prop in model.list_properties(Kind.ALWAYS, Kind.STEP)}
    asked = {name: model.find_property(name) for name in list_names(properties)}
    if not asked:
        raise UsageError("No property is asked for, so there is nothing to prove: name one.")
    for prop in asked.values():
        if prop.kind not in {Kind.ALWAYS, Kind.STEP}:
            raise UsageError(
                f"{prop.name} is of the kind {prop.kind.value}, which is not proved but searched for: "
                f"ask `nomadspec explore --model {model.name} --property {prop.name}`."
            )
    return asked


class _Attempt:
    """The properties that were asked, and what is known of them so far."""

    def __init__(
        self,
        bounded: BoundedModel,
        asked: Mapping[str, Property],
        patience: Patience,
        progress: Progress,
    ) -> None:
        self.notes: list[str] = []
        self.is_interrupted = False
        self._bounded = bounded
        self._asked = asked
        self._patience = patience
        self._progress = progress
        self._open: Inductive | None = None
        """What is known for any number of objects."""
        self._orders: Names = ()
        self._proofs: dict[str, Proof] = {}
        self._about = Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name)

    def try_open(self) -> None:
        """Prove what holds for any number of objects."""
        if not self._asked:
            return
        try:
            world = OpenWorld(self._bounded, z3.Context())
            induction = OpenInduction(world, self._patience)
            found = self._induct(induction, self._asked)
        except (ModelError, z3.Z3Exception) as obstacle:
            self.notes.append(f"Not read for any number of objects: {obstacle}")
            return
        disordered = [order for order in world.orders if order in found.breaks]
        if disordered and self._patience.is_over:
            return
        if disordered:
            self.notes.append(
                f"Not proved for any number of objects: nothing shows that the {join_words(disordered)} "
                "is used as one, pushing what is absent and popping the head; a lemma may be missing."
            )
            return
        scope = describe_open(world.frame)
        for name in self._asked:
            if name in found.proved:
                lemmas = found.lemmas_of(name, *world.orders)
                self._record(name, ProofResult.PROVED_UNBOUNDED, scope, found, lemmas)
            elif found.is_interrupted:
                self._record(name, ProofResult.UNKNOWN, scope, found)
        if found.is_interrupted:
            raise KeyboardInterrupt
        self._open, self._orders = found, world.orders
        self._note_impossible(induction.list_impossible(found.proved))

    def try_scope(self, bmc_steps: int) -> None:
        """Prove the rest in the scope, and search for stories against what is not inductive there.

        What holds for any number of objects holds there as well, and helps.
        """
        left = [name for name in self._asked if name not in self._proofs]
        if not left:
            return
        known = self._open.proved if self._open is not None else ()
        induction = BoundedInduction(self._bounded, self._patience, known)
        found = self._induct(induction, left)
        scope = describe_scope(self._bounded)
        for name in left:
            if name in found.proved:
                self._record(name, ProofResult.PROVED_BOUNDED, scope, found, self._list_lemmas(name, found))
                continue
            if name not in found.breaks:
                self._record(name, ProofResult.UNKNOWN, scope, found)
                continue
            gap = induction.explain(name, found.breaks[name])
            self._record(name, ProofResult.NOT_INDUCTIVE if gap else ProofResult.UNKNOWN, scope, found)
            self._proofs[name] = replace(self._proofs[name], gap=gap)
        if found.is_interrupted:
            raise KeyboardInterrupt
        self._refute([self._asked[name] for name in left if name in found.breaks], bmc_steps)

    def report(self, seconds: float) -> ProveReport:
        """Sum up; what the attempt did not come to is unknown."""
        if self._patience.is_over:
            self.notes.append("The time was used up; what the attempt had not come to is unknown.")
        scope = describe_scope(self._bounded)
        nothing = Proof("", self._about, ProofResult.UNKNOWN, scope, 0.0, (), ())
        proofs = tuple(self._proofs.get(name, replace(nothing, property=name)) for name in self._asked)
        results = {proof.result for proof in proofs}
        is_done = results <= _PROVED and not self.is_interrupted
        verdict = Verdict.HOLDS if is_done else Verdict.INCONCLUSIVE
        if ProofResult.COUNTEREXAMPLE in results:
            verdict = Verdict.VIOLATED
        return ProveReport(verdict, proofs, seconds, tuple(self.notes), self.is_interrupted)

    def _refute(self, properties: Sequence[Property], max_steps: int) -> None:
        """Search for stories; where there is none, mark the worlds of gaps as reachable or not."""
        gaps: dict[str, Replay] = {}
        for prop in properties if max_steps else ():
            gap = self._proofs[prop.name].gap
            if gap is not None and gap.replay is not None:
                gaps[prop.name] = gap.replay
        refuter = Refuter(self._bounded, self._patience, self._progress, max_steps)
        for name, told in refuter.refute(properties, gaps) if properties else ():
            proof = self._proofs[name]
            if isinstance(told, Story):
                result = ProofResult.COUNTEREXAMPLE
                self._proofs[name] = replace(proof, result=result, story=told, gap=None)
            elif proof.gap is not None:
                self._proofs[name] = replace(proof, gap=replace(proof.gap, reach=told))

    def _induct(self, induction: Induction, names: Collection[str]) -> Inductive:
        """Ask for some properties, and for what they lean on."""
        goals = [name for name in names if self._asked[name].kind is Kind.STEP]
        workers = self._patience.workers
        return find_inductive(induction, goals, self._progress, wanted=names, workers=workers)

    def _list_lemmas(self, name: str, found: Inductive) -> frozenset[str]:
        """List what a proof in the scope leans on, and what that leans on for any number of objects."""
        lemmas = found.lemmas_of(name)
        if self._open is None or not lemmas:
            return lemmas
        return lemmas | self._open.lemmas_of(*lemmas, *self._orders)

    def _record(
        self,
        name: str,
        result: ProofResult,
        scope: str,
        found: Inductive,
        lemmas: Iterable[str] = (),
    ) -> None:
        known = {prop.name for prop in self._bounded.model.properties}
        rows = tuple(_list_rows(found, name))
        seconds = sum(row.seconds for row in rows)
        used = tuple(sorted(known.intersection(lemmas)))
        self._proofs[name] = Proof(name, self._about, result, scope, seconds, rows, used)

    def _note_impossible(self, rules: Sequence[str]) -> None:
        if rules:
            self.notes.append(
                f"The rules {join_words(rules)} can never happen where the proved properties hold, "
                "so the proofs say nothing of them."
            )


def _list_rows(found: Inductive, name: str) -> Iterator[ProofRow]:
    if name in found.initial:
        reply = found.initial[name]
        yield ProofRow(_INITIAL, reply.answer.value, reply.seconds)
    for rule, replies in found.replies_by_rule(name).items():
        answers = {reply.answer for reply in replies}
        worst = next(answer for answer in (Answer.BROKEN, Answer.UNKNOWN, Answer.KEPT) if answer in answers)
        yield ProofRow(rule, worst.value, sum(reply.seconds for reply in replies))
