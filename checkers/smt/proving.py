"""Proving: for any number of objects first, then in the scope, else a search for a real story."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import z3

from nomadspec.checkers.progress import Progress, Silence
from nomadspec.checkers.requested_properties import list_names, put_answers_first
from nomadspec.checkers.smt.induction import Induction, Inductive, Names, find_inductive
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_strays import expect_no_strays
from nomadspec.checkers.smt.open_world import OpenWorld, expect_members
from nomadspec.checkers.smt.promise_proofs import ORDER, find_promise, find_promises, find_raised
from nomadspec.checkers.smt.question import Answer, Asking, Patience
from nomadspec.checkers.smt.refuting import Refuter
from nomadspec.checkers.smt.scope_induction import BoundedInduction
from nomadspec.checkers.smt.turns import expect_equal_turns
from nomadspec.checkers.smt.wording import describe_open, describe_scope, join_words, read_open
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.checkers.stopping import interruptible
from nomadspec.checkers.trivial_properties import leans_on_domains, list_defined
from nomadspec.checkers.verdict import (
    PROVED,
    Proof,
    ProofResult,
    ProofRow,
    ProveReport,
    Reading,
    Scoped,
    Verdict,
)
from nomadspec.model.errors import ModelError, StyleError, UsageError
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS, is_promise_of_models
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import Story

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.story import Replay

_QUESTION_SECONDS: Final = 2.0
_INITIAL: Final = "initial worlds"
_NOTHING_SAID: Final = (
    "Nothing is said of {name}: it is kept only as long as no step leaves a domain, misuses "
    "a queue, passes the end of a counter or fails, which is not proved."
)
_NO_ANSWERS: Final = (
    f"Nothing else is said: {TEXTS_HAVE_ANSWERS} is not proved, so a text may ask a table for what it has "
    "not."
)


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
    the step that breaks it. What every model promises is asked with whatever is asked, since a model that
    leaves its domains, misuses its queues or counts further than its scope is not what the proofs are about.
    Whether counters fit the scope is asked in the scope: for any number they have no end.
    """
    began = time.monotonic()
    SecondLook(bounded).check_some()
    names = None if properties is None else list_names(properties)
    patience = Patience(max_seconds, _QUESTION_SECONDS, asking)
    attempt = _Attempt(bounded, _list_asked(bounded, names), patience, progress or Silence())
    try:
        with interruptible():
            if is_open:
                attempt.try_open()
            attempt.try_scope(bmc_steps)
    except KeyboardInterrupt:
        attempt.is_interrupted = True
        attempt.notes.append("The run was interrupted; what it had not come to is unknown.")
    return attempt.report(time.monotonic() - began)


def _list_asked(bounded: BoundedModel, names: Names | None) -> dict[str, Property]:
    model = bounded.model
    if names is None:
        return {prop.name: prop for prop in model.list_properties(Kind.ALWAYS, Kind.STEP)}
    can_break = {*find_promises(bounded), *(prop.name for prop in model.properties)}
    for name in names:
        if is_promise_of_models(name) and name not in can_break:
            raise UsageError(f"Nothing in {model.name} could break {name} in this scope: it needs no proof.")
    chosen = [model.find_property(name) for name in names if name not in PROMISES]
    asked = {prop.name: prop for prop in put_answers_first(bounded, chosen)}
    if not names:
        raise UsageError("No property is asked for, so there is nothing to prove: name one.")
    for prop in asked.values():
        if prop.kind not in {Kind.ALWAYS, Kind.STEP}:
            raise UsageError(
                f"{prop.name} is of the kind {prop.kind.value}, which is not proved but searched for: "
                f"ask `nomadspec explore --model {model.name} --property {prop.name}`."
            )
    return asked


def _expect_answers(bounded: BoundedModel) -> None:
    """Raise a StyleError where the text of a rule raises something: only the scope says where."""
    raised = find_raised(bounded)
    if raised is not None:
        raise StyleError(str(raised))


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
        self._properties = asked
        self._promises = find_promises(bounded)
        self._asked: Names = (*asked, *self._promises)
        """The properties, and what every model promises."""
        self._patience = patience
        self._progress = progress
        self._open: Inductive | None = None
        """What is known for any number of objects."""
        self._orders: Names = ()
        self._proofs: dict[str, Proof] = {}
        self._about = Scoped(bounded.model.name, bounded.scope, bounded.sizes, bounded.profile.name)

    def try_open(self) -> None:
        """Prove what holds for any number of objects."""
        if not self._properties and not self._promises:
            return
        try:
            _expect_answers(self._bounded)
            expect_members(self._bounded)
            world = OpenWorld(self._bounded, z3.Context())
            looking_again = z3.Context()
            expect_no_strays(self._bounded, world.background, looking_again)
            expect_equal_turns(self._bounded, looking_again)
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
                "Not proved for any number of objects: nothing shows that the queue "
                f"{join_words([order.removeprefix(ORDER) for order in disordered])} "
                "is used as one, pushing what is absent and popping the head; a lemma may be missing."
            )
            return
        reading = read_open(world.frame)
        about = describe_open(world.frame), reading
        proved = ProofResult.PROVED_UNBOUNDED if reading.any else ProofResult.PROVED_BOUNDED
        for name in self._asked:
            limits = [one for one in self._list_parts(name) if one in induction.candidates or one == name]
            if limits and set(limits) <= set(found.proved):
                lemmas = found.lemmas_of(*limits, *world.orders)
                self._record(name, proved, about, found, lemmas, limits)
            elif found.is_interrupted:
                self._record(name, ProofResult.UNKNOWN, about, found, parts=limits)
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
        about = describe_scope(self._bounded), Reading((), dict(self._bounded.sizes))
        left += [name for name in self._promises if name not in left and self._find_break(name, found)]
        for name in left:
            parts = [part for part in self._list_parts(name) if part in (*induction.candidates, name)]
            if set(parts) - {name} <= set(found.proved) and (name in self._promises or name in found.proved):
                lemmas = self._list_lemmas(parts, found)
                self._record(name, ProofResult.PROVED_BOUNDED, about, found, lemmas, parts)
                continue
            broken = self._find_break(name, found)
            gap = induction.explain(broken, found.breaks[broken]) if broken else None
            if broken and gap is None and found.breaks[broken].reply.example is not None:
                self.notes.append(_NOTHING_SAID.format(name=name))
            result = ProofResult.NOT_INDUCTIVE if gap else ProofResult.UNKNOWN
            self._record(name, result, about, found, parts=parts)
            self._proofs[name] = replace(self._proofs[name], gap=gap)
        if found.is_interrupted:
            raise KeyboardInterrupt
        self._refute([name for name in left if self._find_break(name, found)], bmc_steps)

    def report(self, seconds: float) -> ProveReport:
        """Sum up; what the attempt did not come to is unknown."""
        if self._patience.is_over:
            self.notes.append("The time was used up; what the attempt had not come to is unknown.")
        scope = describe_scope(self._bounded)
        nothing = Proof("", self._about, ProofResult.UNKNOWN, scope, 0.0, (), ())
        asked = [self._proofs.get(name, replace(nothing, property=name)) for name in self._asked]
        defined = list_defined(self._bounded, self._properties.values())
        proofs = tuple(replace(proof, is_by_definition=proof.property in defined) for proof in asked)
        if any(proof.property in self._promises and proof.result not in PROVED for proof in proofs):
            proofs = tuple(self._take_back_definition(proof) for proof in proofs)
        answers = next((proof for proof in proofs if proof.property == TEXTS_HAVE_ANSWERS), None)
        if answers is not None and answers.result not in PROVED:
            self.notes.append(_NO_ANSWERS)
            proofs = tuple(
                proof if proof is answers or proof.story is not None else _leave_open(proof)
                for proof in proofs
            )
        if self._bounded.failing_starts:
            self.notes.append("A start rule fails, so there is no initial world of which to prove anything.")
            said = self._promises.keys()
            proofs = tuple(proof if proof.property in said else _leave_open(proof) for proof in proofs)
        results = {proof.result for proof in proofs}
        is_done = results <= PROVED and not self.is_interrupted
        verdict = Verdict.HOLDS if is_done else Verdict.INCONCLUSIVE
        if ProofResult.COUNTEREXAMPLE in results:
            verdict = Verdict.VIOLATED
        return ProveReport(verdict, proofs, seconds, tuple(self.notes), self.is_interrupted)

    def _take_back_definition(self, proof: Proof) -> Proof:
        """Say nothing of what is true in all worlds of the scope, where steps may leave these."""
        if not proof.is_by_definition or proof.result is not ProofResult.PROVED_BOUNDED:
            return proof
        if not leans_on_domains(self._bounded, self._properties[proof.property]):
            return proof
        self.notes.append(_NOTHING_SAID.format(name=proof.property))
        return replace(_leave_open(proof), is_by_definition=False)

    def _refute(self, names: Sequence[str], max_steps: int) -> None:
        """Search for stories; where there is none, mark the worlds of gaps as reachable or not."""
        gaps: dict[str, Replay] = {}
        for name in names if max_steps else ():
            gap = self._proofs[name].gap
            if gap is not None and gap.replay is not None:
                gaps[name] = gap.replay
        refuter = Refuter(self._bounded, self._patience, self._progress, max_steps)
        for name, told in refuter.refute(names, gaps) if names else ():
            proof = self._proofs[name]
            if isinstance(told, Story):
                result = ProofResult.COUNTEREXAMPLE
                self._proofs[name] = replace(proof, result=result, story=told, gap=None)
            elif proof.gap is not None:
                self._proofs[name] = replace(proof, gap=replace(proof.gap, reach=told))

    def _induct(self, induction: Induction, names: Collection[str]) -> Inductive:
        """Ask for some properties, and for what they lean on."""
        asked = [prop for name, prop in self._properties.items() if name in names]
        goals = [prop.name for prop in asked if prop.kind is Kind.STEP]
        wanted = {part for name in names for part in self._list_parts(name)}
        workers = self._patience.workers
        return find_inductive(induction, goals, self._progress, wanted=wanted, workers=workers)

    def _list_parts(self, name: str) -> Names:
        """List what has to be proved: a property itself, or the limits that a promise is made of."""
        return self._promises.get(name, (name,))

    def _find_break(self, name: str, found: Inductive) -> str | None:
        """Find what of a property or promise falls, if anything does."""
        return next((part for part in self._list_parts(name) if part in found.breaks), None)

    def _list_lemmas(self, parts: Sequence[str], found: Inductive) -> frozenset[str]:
        """List what a proof in the scope leans on, and what that leans on for any number of objects."""
        lemmas = found.lemmas_of(*parts) if parts else frozenset()
        if self._open is None or not lemmas:
            return lemmas
        return lemmas | self._open.lemmas_of(*lemmas, *self._orders)

    def _record(
        self,
        name: str,
        result: ProofResult,
        about: tuple[str, Reading],
        found: Inductive,
        lemmas: Iterable[str] = (),
        parts: Sequence[str] = (),
    ) -> None:
        known = {prop.name for prop in self._bounded.model.properties}
        leaned = {*lemmas, *filter(None, (find_promise(self._promises, lemma) for lemma in lemmas))}
        used = tuple(sorted((known | self._promises.keys()).intersection(leaned) - {name}))
        rows = tuple(_list_rows(found, parts or (name,)))
        seconds = sum(row.seconds for row in rows)
        scope, reading = about
        self._proofs[name] = Proof(name, self._about, result, scope, seconds, rows, used, reading=reading)

    def _note_impossible(self, rules: Sequence[str]) -> None:
        if rules:
            self.notes.append(
                f"The rules {join_words(rules)} can never happen where the proved properties hold, "
                "so the proofs say nothing of them."
            )


def _leave_open(proof: Proof) -> Proof:
    """Say nothing of a property."""
    return replace(proof, result=ProofResult.UNKNOWN, rows=(), lemmas=())


def _list_rows(found: Inductive, parts: Sequence[str]) -> Iterator[ProofRow]:
    """List what was answered of a property, or of the limits of a promise together, rule by rule."""
    first = [found.initial[part] for part in parts if part in found.initial]
    rows = {_INITIAL: first} if first else {}
    for part in parts:
        for rule, replies in found.replies_by_rule(part).items():
            rows.setdefault(rule, []).extend(replies)
    for rule, replies in rows.items():
        answers = {reply.answer for reply in replies}
        worst = next(answer for answer in (Answer.BROKEN, Answer.UNKNOWN, Answer.KEPT) if answer in answers)
        yield ProofRow(rule, worst.value, sum(reply.seconds for reply in replies))
