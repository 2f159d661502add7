"""Walking: steps chosen at random, each checked.

A walk chooses among the rules that can happen, evenly or by weights, and then among the instances of that
rule, so that a rule with many arguments does not crowd out the others. It ends after so many steps, or where
nothing leads to another world.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xxhash import xxh3_128

from nomadspec.checkers.coverage import GOALS, PREMISES, Coverage
from nomadspec.checkers.pycode.checks import CodeChecks
from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.pycode.questions import write_rest
from nomadspec.checkers.simulate.splitmix import generator_of
from nomadspec.checkers.simulate.weights import Weights
from nomadspec.checkers.stepper.budgets import list_budget_cells
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.stepper.second_look import SecondLook
from nomadspec.model.errors import ModelError
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS, name_promise
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from nomadspec.checkers.requested_properties import Asked
    from nomadspec.checkers.simulate.splitmix import SplitMix64
    from nomadspec.model.language.bounded import BoundedModel, Cells


@dataclass(frozen=True, slots=True)
class Discovery:
    """A property that was violated, and the way there."""

    property: str
    first: int
    positions: tuple[int, ...]


class Walker:
    """Walks through a bounded model and keeps what it saw."""

    def __init__(
        self,
        bounded: BoundedModel,
        asked: Asked,
        seed: int,
        max_steps: int,
        weights: Weights | None = None,
    ) -> None:
        """Make the tools; nothing is walked yet."""
        self.layout = Layout(bounded)
        self.walks = 0
        self.steps = 0
        self.found: list[Discovery] = []
        self.is_decided = False
        """Whether something is violated that is not only a lemma, whose violation just fails a proof."""
        self.reached: dict[str, Discovery] = {}
        """Each ``sometimes`` that came true, and the first way there."""
        self.budgets: set[int] = set()
        self._weights = weights or Weights(bounded.model.rules)
        self._bounded = bounded
        self._asked = asked
        self._seed = seed
        self._max_steps = max_steps
        self._program = Program(bounded, self.layout)
        self._fired: Counter[int] = Counter()
        self._rules = [bounded.model.rules.index(instance.rule) for instance in bounded.instances]
        self._budget_mask = self.layout.mask(list_budget_cells(bounded))
        self._hash = xxh3_128()
        self._lemmas = {prop.name for prop in asked.properties if prop.is_lemma}
        self._asks_deadlock = asked.has_deadlock
        self._checks = CodeChecks(bounded, self.layout, asked.properties, self._meet_premise)
        self.coverage = Coverage(bounded, self.layout, self._checks)
        self._ask_rest = write_rest(bounded, self.layout)
        self._look = SecondLook(bounded, asked.properties)
        self._look.check_some()
        self._first = 0
        self._path: list[int] = []
        self._is_lost = False
        """Whether the walk is in a world in which a text has no answer."""

    @property
    def digest(self) -> int:
        """The digest of all worlds in the order in which they were visited."""
        return self._hash.intdigest()

    @property
    def fired(self) -> dict[str, int]:
        """How often each rule happened."""
        fired = {rule.name: 0 for rule in self._bounded.model.rules}
        for position, times in self._fired.items():
            fired[self._bounded.instances[position].rule.name] += times
        return fired

    def walk(self, *, stops_at_first: bool) -> None:
        """Walk once from an initial world."""
        random = generator_of(self._seed, self.walks)
        initial = self._program.initial
        self.walks += 1
        packed = self._first = initial[random.below(len(initial))]
        self._weights.begin_walk(random)
        self._path = []
        self._is_lost = False
        self._visit(packed, None)
        for _ in range(self._max_steps):
            if self._is_lost or (stops_at_first and self.is_decided):
                return
            possible = self._program.list_possible(packed)
            if self._look.is_due(self.steps):
                self._look_again(packed, possible)
            if not possible:
                self._check_stuck(packed)
                return
            position = self._choose(random, possible)
            after = self._try(packed, position)
            if after is None:
                return
            self._take(packed, position, after)
            if after == packed and self._is_over(packed, possible):
                return
            packed = after

    def _look_again(self, packed: int, possible: list[int]) -> None:
        """Ask the texts themselves what is true in a world, and where steps lead."""
        unpack, compute_after = self.layout.unpack, self._program.compute_after

        def lead(position: int) -> Cells | None:
            return unpack(compute_after(packed, position)) if position in possible else None

        noted = {found.property for found in self.found} | self.reached.keys()
        self._look.check(unpack(packed), lead, noted)

    def _choose(self, random: SplitMix64, possible: list[int]) -> int:
        """Choose a rule, then one of its instances; those of one rule stand together."""
        if len(possible) == 1:
            return possible[0]
        begins, rules = [], []
        last = -1
        for at, position in enumerate(possible):
            rule = self._rules[position]
            if rule != last:
                begins.append(at)
                rules.append(rule)
                last = rule
        begins.append(len(possible))
        is_even = self._weights.is_even
        chosen = random.below(len(rules)) if is_even else self._weights.choose(random, rules)
        begin = begins[chosen]
        return possible[begin + random.below(begins[chosen + 1] - begin)]

    def _is_over(self, packed: int, possible: list[int]) -> bool:
        """True if nothing leads to another world."""
        return all(self._try(packed, position) == packed for position in possible)

    def _try(self, packed: int, position: int) -> int | None:
        """Compute the world after an instance; None where that fails, which is a violation."""
        try:
            return self._program.compute_after(packed, position)
        except ModelError as error:
            promise = name_promise(error)
            if all(found.property != promise for found in self.found):
                self.found.append(Discovery(promise, self._first, (*self._path, position)))
            self.is_decided = True
            return None

    def _take(self, before: int, position: int, after: int) -> None:
        self.steps += 1
        self._fired[position] += 1
        self._path.append(position)
        for prop in self._checks.ask_step(before, position, after):
            self._checks.drop(prop)
            self._note(prop.name)
        self._visit(after, position)
        self.coverage.follow(before, position, after)

    def _visit(self, packed: int, position: int | None) -> None:
        self._hash.update(packed.to_bytes(self.layout.byte_count, "little"))
        for prop in self._checks.ask_world(packed, position):
            if prop.name == TEXTS_HAVE_ANSWERS:
                self._lose_way()
                return
            self._checks.drop(prop)
            if prop.kind is Kind.SOMETIMES:
                self.reached[prop.name] = self._discover(prop.name)
                self.coverage.meet(GOALS, prop.name)
            else:
                self._note(prop.name)
        self.budgets.add(packed & self._budget_mask)

    def _lose_way(self) -> None:
        """End the walk where a text has no answer: what others say there may lean on it."""
        self._is_lost = True
        if all(found.property != TEXTS_HAVE_ANSWERS for found in self.found):
            self._note(TEXTS_HAVE_ANSWERS)

    def _meet_premise(self, name: str) -> bool:
        self.coverage.meet(PREMISES, name)
        return True

    def _check_stuck(self, packed: int) -> None:
        if self._asks_deadlock and not self._ask_rest(packed):
            self._asks_deadlock = False
            self._note(DEADLOCK)

    def _note(self, name: str) -> None:
        """Keep a violation, with the way there."""
        self.found.append(self._discover(name))
        self.is_decided = self.is_decided or name not in self._lemmas

    def _discover(self, name: str) -> Discovery:
        return Discovery(name, self._first, tuple(self._path))
