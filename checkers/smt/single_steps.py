"""Single steps in a scope, from any world that has what is proved: whether one of them loses some of it.

An induction asks of each step whether it keeps each property. Here all properties go into one question: is
there a world with everything that is proved from which this instance leads to one that lacks something? So
what is inductive in a scope is known soon, and who changes a rule only has to ask about its own instances. An
answer that something is lost is a step that the interpreter takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

import z3

from nomadspec.checkers.smt.decode import decode, read_value
from nomadspec.checkers.smt.limits import list_limits, state_limits
from nomadspec.checkers.smt.question import Answer, Patience, Reply
from nomadspec.checkers.smt.scope_reading import ScopeReading
from nomadspec.checkers.smt.symbols import Role, new_flag
from nomadspec.checkers.smt.translate import SolverState
from nomadspec.model.errors import DomainError, ImpossibleError
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import Term, is_same

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.trace import Instance, TracedInstance

Texts: TypeAlias = "Mapping[str, Value]"
"""What some properties say of the world before a step, by their names."""

_QUESTION_SECONDS: Final = 0.5
_UNCHANGED: Final[Texts] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StepReply:
    """Whether an instance keeps what was asked, and what it loses."""

    answer: Answer
    lost: frozenset[str] = frozenset()
    """What is lost in one step that the solver found."""
    unknown: frozenset[str] = frozenset()
    """Of what nobody knows whether it is kept."""
    core: frozenset[str] = frozenset()
    """What had to be known of the world before."""


class SingleSteps:
    """A world of the scope as unknowns, with everything that is proved of it."""

    def __init__(self, bounded: BoundedModel, proved: Collection[str] | None = None) -> None:
        """Find what is inductive in the scope, all of it together, unless it is known from before."""
        self._bounded = bounded
        self._patience = Patience(None, _QUESTION_SECONDS)
        self.before = SolverState(bounded, "before", z3.Context())
        """The world before a step, as unknowns."""
        self._reading = ScopeReading(bounded)
        known = bounded.model.list_properties(Kind.ALWAYS, Kind.STEP)
        self._properties: dict[str, Property] = {prop.name: prop for prop in known}
        self._texts = {name: self._reading.say(name, bounded.cell_terms) for name in self._reading.candidates}
        self._labels = {
            name: new_flag(Role.ASSUME, name, context=self.before.context) for name in self._texts
        }
        self._solver = self._patience.new_solver(context=self.before.context)
        self._solver.add(*self._reading.list_background(self.before))
        for name, label in self._labels.items():
            self._solver.add(z3.Implies(label, self.before.translate(self._texts[name])))
        names = (*self._properties, *list_limits(bounded))
        self.proved = dict.fromkeys(name for name in names if proved is None or name in proved)
        """The names of what is proved."""
        if proved is None:
            self._weed_out()

    def ask(
        self,
        bounded: BoundedModel,
        traced: TracedInstance,
        goals: Collection[str],
        texts: Texts = _UNCHANGED,
    ) -> StepReply:
        """Ask whether an instance keeps some goals, from any world with everything that is proved.

        ``bounded`` runs the texts that are in force, and ``texts`` are those that properties have now.
        """
        limits = state_limits(bounded, self.before, traced)
        wanted = [name for name in goals if name in self._properties]
        after = {name: self._state_after(bounded, name, traced, texts) for name in wanted}
        after |= {name: stated for name, stated in limits.items() if name in goals}
        asked = {name: stated for name, stated in after.items() if stated is not True}
        if not asked:
            return StepReply(Answer.KEPT)
        self._solver.push()
        self._solver.add(*map(self.before.translate, (*texts.values(), *traced.guard)))
        self._solver.add(*[stated for name, stated in limits.items() if name not in goals])
        reply, example = self._ask_parts(traced, texts, asked)
        if example is not None:
            before = decode(self.before, example)
            broken = frozenset(
                name for name in limits if name in asked and not read_value(example, asked[name])
            )
            lost = self._replay(bounded, before, traced.instance, asked, broken)
            reply = replace(reply, lost=lost)
        self._solver.pop()
        return reply

    def _ask_parts(
        self, traced: TracedInstance, texts: Texts, asked: Mapping[str, Value]
    ) -> tuple[StepReply, Value]:
        """Ask whether all can be kept; where that is too much to ask at once, one half after the other."""
        self._solver.push()
        self._solver.add(z3.Not(z3.And(*asked.values())))
        reply = self._ask_solver(traced.instance, texts)
        self._solver.pop()
        if reply.answer is Answer.BROKEN:
            return StepReply(Answer.BROKEN), reply.example
        if reply.answer is Answer.KEPT:
            return StepReply(Answer.KEPT, core=reply.core), None
        if len(asked) == 1:
            return StepReply(Answer.UNKNOWN, unknown=frozenset(asked)), None
        names = list(asked)
        whole = StepReply(Answer.KEPT)
        for part in (names[: len(names) // 2], names[len(names) // 2 :]):
            half, example = self._ask_parts(traced, texts, {name: asked[name] for name in part})
            if example is not None:
                return half, example
            unknown = whole.unknown | half.unknown
            answer = Answer.UNKNOWN if unknown else Answer.KEPT
            whole = StepReply(answer, core=whole.core | half.core, unknown=unknown)
        return whole, None

    def state(
        self, bounded: BoundedModel, traced: TracedInstance, name: str, texts: Texts = _UNCHANGED
    ) -> Value:
        """State what a property says of an instance, or of the world after it."""
        if self._properties[name].kind is Kind.STEP:
            said = ScopeReading(bounded).say_after(name, traced)
            return said if said is True else self.before.translate(said)
        text = texts.get(name, self._texts[name])
        if not isinstance(text, Term):
            return text if text is True else self.before.translate(text)
        written = [
            (self.before.cells[cell], self.before.translate(value))
            for cell, value in traced.writes.items()
            if cell in text.reads
        ]
        return z3.substitute(self.before.translate(text), *written)

    def can_be(self, bounded: BoundedModel, traced: TracedInstance, refused: Value, accepted: Value) -> bool:
        """True if an instance can surely happen so that one statement is false and another true."""
        limits = state_limits(bounded, self.before, traced)
        guard = map(self.before.translate, traced.guard)
        example = self.find_example(traced.instance, *guard, *limits.values(), z3.Not(refused), accepted)
        return example is not None

    def find_example(self, instance: Instance, *conditions: Value) -> Value:
        """Find an example of a world with everything that is proved, of which conditions are true."""
        self._solver.push()
        self._solver.add(*conditions)
        reply = self._ask_solver(instance, _UNCHANGED)
        self._solver.pop()
        return reply.example

    def list_changed_texts(self, bounded: BoundedModel, names: Iterable[str]) -> Texts:
        """List what proved properties say now of a world, where that is another text than it was."""
        reading = ScopeReading(bounded)
        wanted = [name for name in names if name in self._texts and name in self.proved]
        said = {name: reading.say(name, bounded.cell_terms) for name in wanted}
        return {name: text for name, text in said.items() if not is_same(text, self._texts[name])}

    def concerns(self, traced: TracedInstance, name: str) -> bool:
        """True if a property says anything of an instance."""
        return self._state_after(self._bounded, name, traced, _UNCHANGED) is not True

    def _holds_at_first(self, name: str) -> bool:
        bounded, prop = self._bounded, self._properties.get(name)
        if prop is None or prop.kind is Kind.STEP:
            return True
        return all(bounded.holds(prop, cells) for cells in bounded.initial)

    def _weed_out(self) -> None:
        """Drop what some instance loses, and ask again whoever leaned on it, until nothing more is lost."""
        self.proved = dict.fromkeys(filter(self._holds_at_first, self.proved))
        cores: dict[int, frozenset[str]] = {}
        waiting = deque(range(len(self._bounded.traced)))
        while waiting:
            position = waiting.popleft()
            traced = self._bounded.traced[position]
            reply = self.ask(self._bounded, traced, self.proved)
            if reply.answer is Answer.KEPT:
                cores[position] = reply.core
                continue
            dropped = reply.lost | reply.unknown
            for name in dropped:
                del self.proved[name]
            waiting.appendleft(position)
            waiting.extend(other for other, core in cores.items() if core & dropped)
            cores = {other: core for other, core in cores.items() if not core & dropped}

    def _ask_solver(self, instance: Instance, texts: Texts) -> Reply:
        self._patience.limit(self._solver)
        labels = {
            name: label for name, label in self._labels.items() if name in self.proved and name not in texts
        }
        return self._patience.ask(self._solver, labels, "single step", instance.rule.name)

    def _state_after(self, bounded: BoundedModel, name: str, traced: TracedInstance, texts: Texts) -> Value:
        """State a goal of the world after an instance; True where nothing that it reads is written."""
        text = texts.get(name, self._texts.get(name))
        is_left_alone = isinstance(text, Term) and text.reads.isdisjoint(traced.writes)
        return True if is_left_alone else self.state(bounded, traced, name, texts)

    def _replay(
        self,
        bounded: BoundedModel,
        before: Cells,
        instance: Instance,
        asked: Iterable[str],
        broken: frozenset[str],
    ) -> frozenset[str]:
        """Take the step; where it leaves a limit the interpreter must refuse it, else something is lost."""
        lost = frozenset[str]()
        try:
            after = bounded.step(before, instance)
        except DomainError:
            lost = broken
        else:
            if after is not None and not broken:
                properties = [name for name in asked if name in self._properties]
                lost = frozenset(
                    name for name in properties if not self._keeps(bounded, name, before, instance, after)
                )
        if not lost:
            raise ImpossibleError(
                f"The solver says that {instance.rule.name} loses something from {before}; it does not."
            )
        return lost

    def _keeps(
        self, bounded: BoundedModel, name: str, before: Cells, instance: Instance, after: Cells
    ) -> bool:
        prop = self._properties[name]
        if prop.kind is Kind.STEP:
            return bounded.holds_step(prop, before, instance, after)
        return bounded.holds(prop, after)
