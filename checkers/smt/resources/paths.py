"""Every way through a function that is run on unknown values.

Where Python must know, the solver says which ways are possible under what was decided before. If both are,
the function is run again for the other one. So all its ways are seen, each with the conditions under which it
is taken; a way that is left out is shown to be impossible, and that is part of the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

import z3

from nomadspec.checkers.smt.question import Patience
from nomadspec.checkers.smt.resources.values import Symbolic, SymbolicFlag, SymbolicNumber, SymbolicSet
from nomadspec.checkers.smt.symbols import Role, new_flag, new_function, new_number
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import watching_premises

if TYPE_CHECKING:
    from nomadspec.invariants.cluster.resources.draw import Draw
    from nomadspec.model.language.logic import Value

Option = TypeVar("Option")
Conditions: TypeAlias = "tuple[Value, ...]"


@dataclass(frozen=True, slots=True)
class Turn:
    """One way to go on: what is told to Python, and under which condition (None: under any)."""

    answer: int
    condition: Value = None


@dataclass(slots=True)
class Fork:
    """A place where Python had to know: which value it asked about, the turns, and the one that is taken."""

    about: str
    turns: tuple[Turn, ...]
    taken: int = 0

    @property
    def turn(self) -> Turn:
        """The turn that is taken."""
        return self.turns[self.taken]


@dataclass(frozen=True, slots=True)
class Way:
    """One way through a function: its conditions, what came out, and the premises that it met."""

    conditions: Conditions
    outcome: Value
    """A bool, or a term."""
    premises: Conditions
    picked: dict[str, int]
    """Which option was picked, by the name of the choice."""


@dataclass(slots=True)
class Unknowns:
    """The unknown values that were drawn, by name."""

    scalars: dict[str, Value] = field(default_factory=dict)
    sets: dict[str, Value] = field(default_factory=dict)
    """For each set the function that says who is in it."""


class PathSearch:
    """Runs a claim once for each way through it; it is also the draw that gives the unknown values."""

    def __init__(self, patience: Patience) -> None:
        """Begin with no fork."""
        self.context = z3.Context()
        self.unknowns = Unknowns()
        self.impossible: list[Conditions] = []
        """The turns that were left out: conditions that cannot be met together."""
        self.solver = patience.new_solver(context=self.context)
        """Holds the conditions of the way that is being gone."""
        self._patience = patience
        self._forks: list[Fork] = []
        self._depth = 0
        self._picked: dict[str, int] = {}

    def list_ways(self, claim: Callable[[Draw], Value]) -> Iterator[Way]:
        """List all ways through a claim."""
        is_left = True
        while is_left and not self._patience.is_over:
            yield self._go(claim)
            is_left = self._turn_back()

    @property
    def conditions(self) -> Conditions:
        """The conditions of the way so far."""
        turns = (fork.turn for fork in self._forks)
        return tuple(turn.condition for turn in turns if turn.condition is not None)

    def _go(self, claim: Callable[[Draw], Value]) -> Way:
        self._depth = 0
        self._picked = {}
        premises: list[Value] = []
        with watching_premises(premises.append):
            outcome = claim(self)
        met = tuple(_term_of(premise) for premise in premises)
        return Way(self.conditions, _term_of(outcome), met, dict(self._picked))

    def _turn_back(self) -> bool:
        """Go back to the last fork with a turn that was not taken, and take it."""
        while self._forks:
            fork = self._forks[-1]
            self.solver.pop()
            if fork.taken + 1 < len(fork.turns):
                fork.taken += 1
                self._enter(fork.turn)
                return True
            self._forks.pop()
        return False

    def _choose(self, about: str, list_turns: Callable[[], tuple[Turn, ...]]) -> int:
        """Take the turn that was taken here before, or the first of a new fork."""
        if self._depth == len(self._forks):
            self._forks.append(Fork(about, list_turns()))
            self._enter(self._forks[-1].turn)
        fork = self._forks[self._depth]
        self._depth += 1
        if fork.about != about:
            raise ImpossibleError(f"A function asked about {about} where it asked about {fork.about} before.")
        return fork.turn.answer

    def _enter(self, turn: Turn) -> None:
        self.solver.push()
        if turn.condition is not None:
            self.solver.add(turn.condition)

    # --- where Python must know ---

    def decide(self, term: Value) -> bool:
        """Choose which way to go where a term decides."""
        simple = z3.simplify(term)
        if z3.is_true(simple) or z3.is_false(simple):
            return bool(z3.is_true(simple))
        return bool(self._choose(str(term.hash()), lambda: self._list_possible(term)))

    def _list_possible(self, term: Value) -> tuple[Turn, ...]:
        turns = (Turn(1, term), Turn(0, z3.Not(term)))
        possible = [turn for turn in turns if self.is_possible(turn.condition)]
        if not possible:
            raise ImpossibleError("The solver finds a way impossible that it is on.")
        left_out = [turn for turn in turns if turn not in possible]
        self.impossible += [(*self.conditions, turn.condition) for turn in left_out]
        return tuple(possible)

    def is_possible(self, condition: Value) -> bool:
        """True if a condition can be met on the way that is being gone; what nobody knows can be."""
        self._patience.limit(self.solver)
        self.solver.push()
        self.solver.add(condition)
        verdict = self.solver.check()
        self.solver.pop()
        return bool(verdict != z3.unsat)

    def _assume(self, condition: Value) -> None:
        """Take a turn with a condition, where there is no other."""
        self._choose(str(condition.hash()), lambda: (Turn(1, condition),))

    # --- the draw ---

    def number(self, name: str, least: int | None = None, most: int | None = None) -> int:
        """Give an unknown number."""
        term: Value = self.unknowns.scalars.setdefault(
            name, new_number(Role.DRAWN, name, context=self.context)
        )
        if least is not None:
            self._assume(term >= least)
        if most is not None:
            self._assume(term <= most)
        return cast("int", SymbolicNumber(term, self))

    def flag(self, name: str) -> bool:
        """Give an unknown flag."""
        term: Value = self.unknowns.scalars.setdefault(name, new_flag(Role.DRAWN, name, context=self.context))
        return cast("bool", SymbolicFlag(term, self))

    def text(self, name: str) -> str:
        """Give an unknown text; texts are told apart and nothing else, so numbers will do."""
        term: Value = self.unknowns.scalars.setdefault(
            name, new_number(Role.DRAWN, name, context=self.context)
        )
        return cast("str", Symbolic(term, self))

    def numbers(self, name: str) -> frozenset[int]:
        """Give an unknown set."""
        fresh = new_function(Role.DRAWN, name, arity=1, is_flag=True, context=self.context)
        function: Value = self.unknowns.sets.setdefault(name, fresh)
        return cast("frozenset[int]", SymbolicSet(function, self))

    def growing(self, name: str) -> set[int]:
        """Give an unknown set that can be added to."""
        return cast("set[int]", self.numbers(name))

    def pick(self, name: str, options: Sequence[Option]) -> Option:
        """Give one of a few options, each in turn."""
        place = self._choose(name, lambda: tuple(Turn(number) for number in range(len(options))))
        self._picked[name] = place
        return options[place]

    def show(self, name: str, shown: object) -> None:
        """Show nothing: an unknown value is nothing to look at."""


def _term_of(value: Value) -> Value:
    return value.term if isinstance(value, Symbolic) else value
