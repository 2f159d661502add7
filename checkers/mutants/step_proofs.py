"""The proofs of a large model, asked of a mutant step by step.

Proving everything again takes minutes. But a mutant of a rule changes few steps, and of the world before
them everything is known that is proved already. So each changed step is asked whether it leads from such a
world to one that lacks something, in scopes where every event can happen. A property that is another text now
is asked of every step, and whether it overlooks a mutant of a rule that the property as written notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.mutants.altered import Altered
from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.edits import MADE_TRUE
from nomadspec.checkers.mutants.exemplary import ExemplaryModel
from nomadspec.checkers.mutants.slips import SlipJudge
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.mutants.witnesses import rank_witnesses
from nomadspec.checkers.smt.question import Answer
from nomadspec.checkers.smt.single_steps import SingleSteps
from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from nomadspec.checkers.mutants.mutant import Mutant
    from nomadspec.checkers.mutants.stages import Setting
    from nomadspec.checkers.smt.single_steps import Texts
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.model import Model

_MOST_WITNESSES: Final = 40
"""To so many mutants of rules a mutant of a property is shown: to overlook one is enough."""
_SAME: Final = Difference(Effect.NONE)
_UNKNOWN: Final = Difference(Effect.STEPS)


class Stage:
    """One setting, with everything that is proved of its worlds."""

    def __init__(self, model: Model, setting: Setting, proved: Collection[str] | None = None) -> None:
        """Prove what can be proved unless that is known, with one instance for all that differ by names."""
        sizes = model.sizes_of(setting.sizes)
        self.bounded = ExemplaryModel(model, model.find_scope().name, sizes, setting.profile)
        self.steps = SingleSteps(self.bounded, proved)
        self._slips = SlipJudge(self.bounded, self.steps)
        self._concerned: dict[str, frozenset[str]] = {}
        self._noticed: dict[tuple[str, str], bool] = {}

    def compare(self, mutant: Mutant) -> Difference:
        """Name what a mutant loses of what is proved."""
        part = mutant.part
        if part.is_property:
            return self._ask(mutant, part.properties) if self._are_proved(part.properties) else _SAME
        return self._ask(mutant, self.steps.proved)

    def find_overlooked(self, mutant: Mutant, others: Sequence[Mutant]) -> str | None:
        """Name a mutant of a rule that a property as it is written notices, and its own mutant does not."""
        (name,) = mutant.part.properties
        if not self._are_proved([name]):
            return None
        concerned = self._list_concerned(name)
        likely = [other for other in others if not concerned.isdisjoint(other.part.rules)]
        for other in rank_witnesses(self.bounded.model, mutant, likely)[:_MOST_WITNESSES]:
            if self._is_noticed(other, name) and self._lets_pass(mutant, other):
                return other.name
        return None

    def find_slip(self, mutant: Mutant) -> str | None:
        """Describe a slip of a rule that a property as it is written notices, and its own mutant does not."""
        (name,) = mutant.part.properties
        if not self._are_proved([name]):
            return None
        return self._slips.find_overlooked(mutant, self.bounded.model.find_property(name))

    def _are_proved(self, names: Iterable[str]) -> bool:
        return all(name in self.steps.proved for name in names)

    def _is_noticed(self, other: Mutant, name: str) -> bool:
        key = (other.name, name)
        if key not in self._noticed:
            try:
                self._noticed[key] = bool(self._ask(other, [name]).names)
            except ModelError:  # the engine refuses it, so it says nothing of the property
                self._noticed[key] = False
        return self._noticed[key]

    def _lets_pass(self, mutant: Mutant, other: Mutant) -> bool:
        """True if a mutant of a rule takes a step that a property refuses, and its mutant does not."""
        if mutant.edit.kind == MADE_TRUE:
            return True
        (name,) = mutant.part.properties
        with swapped(other.part.function, other.edit.definition):
            altered = Altered(self.bounded, other.part)
            changed = [altered.traced[position] for position in sorted(altered.happening)]
            refused = [self.steps.state(altered, traced, name) for traced in changed]
            with swapped(mutant.part.function, mutant.edit.definition):
                texts = self.steps.list_changed_texts(altered, [name])
                accepted = [self.steps.state(altered, traced, name, texts) for traced in changed]
        return any(
            said is not True and self.steps.can_be(altered, traced, said, now)
            for traced, said, now in zip(changed, refused, accepted, strict=True)
        )

    def _ask(self, mutant: Mutant, goals: Collection[str]) -> Difference:
        """Ask each step that a mutant changes; a property concerns them all."""
        part = mutant.part
        with swapped(part.function, mutant.edit.definition):
            asked: BoundedModel = self.bounded
            positions: Iterable[int] = range(len(asked.traced))
            if not part.is_property:
                asked = altered = Altered(self.bounded, part)
                positions = sorted(altered.happening)
            texts = self.steps.list_changed_texts(asked, {*part.properties, *goals})
            return self._ask_each(asked, positions, goals, texts)

    def _ask_each(
        self, asked: BoundedModel, positions: Iterable[int], goals: Collection[str], texts: Texts
    ) -> Difference:
        result = _SAME
        for position in positions:
            reply = self.steps.ask(asked, asked.traced[position], goals, texts)
            if reply.lost:
                return Difference(Effect.STEPS, reply.lost)
            if reply.answer is not Answer.KEPT:
                result = _UNKNOWN
        return result

    def _list_concerned(self, name: str) -> frozenset[str]:
        """List the rules with a step of which a property says anything."""
        if name not in self._concerned:
            self._concerned[name] = frozenset(
                traced.instance.rule.name
                for traced in self.bounded.traced
                if self.steps.concerns(traced, name)
            )
        return self._concerned[name]
