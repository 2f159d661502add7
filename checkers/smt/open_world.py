"""Induction over worlds of any size: the rules' own texts, run on unknown functions.

A rule is read once for each choice of its arguments from indexes; arguments from sets are unknown members.
What is proved is the properties and, like them, the domains of the fields and the order of the queues:
nothing is taken for granted in the world before a step that is not shown of the world after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import z3

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.binder import UnreadableError
from nomadspec.checkers.smt.open_arguments import list_choices
from nomadspec.checkers.smt.open_frame import OpenFrame
from nomadspec.checkers.smt.promise_proofs import DOMAIN, ORDER
from nomadspec.checkers.smt.scope_reading import read_property
from nomadspec.checkers.smt.state import State, first_state, unknown_state
from nomadspec.model.errors import ModelError
from nomadspec.model.language.logic import Value, all_of, for_all
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import Disabled

if TYPE_CHECKING:
    from nomadspec.checkers.smt.binder import OpenBinder
    from nomadspec.checkers.smt.sums import Sum
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.sets import Ids
    from nomadspec.model.language.world import Field


@dataclass(frozen=True, slots=True, eq=False)
class OpenStep:
    """A rule read with some arguments: what must be so for it to happen, and the world that it leads to."""

    by: By | None
    """None for the world of the declared first values."""
    premises: tuple[Value, ...]
    after: State
    obligations: dict[str, tuple[Value, ...]]
    """For each order of a queue, what must be so for the operations of the rule to mean what they say."""
    touched: frozenset[str] = frozenset()
    """The fields and totals that the text reads or writes."""
    counts: Mapping[str, Sum] = field(default_factory=dict)
    """The counts of which the text speaks."""
    definitions: tuple[Value, ...] = ()
    """What the flags say that the text has named."""


class Guard(list[Value]):
    """What a rule requires; in a plain loop it requires it of every member."""

    def __init__(self, binder: OpenBinder) -> None:
        """Start with nothing required."""
        super().__init__()
        self._binder = binder

    def append(self, flag: Value) -> None:
        """Require one more thing."""
        self._binder.note("require", flag)
        super().append(self._binder.close_all(flag))


def expect_members(bounded: BoundedModel) -> None:
    """Raise an UnreadableError where only the scope says whether a table is asked for what it has."""
    reason = bounded.duties.find_reason_for_scope()
    if reason is not None:
        raise UnreadableError(reason)


class OpenWorld:
    """A model read over sets of any size: its background, its steps, and what could be invariant."""

    def __init__(self, bounded: BoundedModel, context: Value = None) -> None:
        """Read every rule and name every candidate."""
        self._model = bounded.model
        self.frame = OpenFrame(bounded, context)
        schema = self.frame.schema
        self.before = unknown_state(schema, context)
        for total in schema.totals:
            held = self.before.totals[total.name]
            self.frame.binder.reminders.setdefault(total.members.name, []).append(held)
        self._queues = {ORDER + queue.name: queue for queue in schema.queues}
        ranks = [queue.ranks for queue in schema.queues]
        self._domains = {
            DOMAIN + one.name: one
            for one in schema.fields
            if not any(one is other for other in ranks)
            and (not one.domain.is_flag or self.frame.may_be_left_out(one))
        }
        self._properties = {prop.name: prop for prop in self._model.list_properties(Kind.ALWAYS, Kind.STEP)}
        self._check_reasons()
        first = first_state(schema, self.frame.lengths)
        begin = OpenStep(None, (), first, {})
        with self.frame.binder.reading():
            self.background = tuple(self._list_background())
            read = tuple(step for rule in self._model.starts for step in self._read(rule, first))
            self.starts = read if self._model.starts else (begin,)
            self.steps = tuple(step for rule in self._model.rules for step in self._read(rule, self.before))

    @property
    def candidates(self) -> tuple[str, ...]:
        """Name what could be invariant: orders of queues, domains, properties."""
        always = [prop.name for prop in self._model.list_properties(Kind.ALWAYS)]
        return (*self._queues, *self._domains, *always)

    @property
    def orders(self) -> tuple[str, ...]:
        """Name the candidates without which the reading itself is not sound."""
        return tuple(self._queues)

    def list_absent(self, fields: Collection[str]) -> tuple[str, ...]:
        """Name the domains of some fields which say that flags are not set where they are left out."""
        names = [DOMAIN + one for one in fields]
        return tuple(name for name in names if name in self._domains and self._domains[name].domain.is_flag)

    def list_reasons(self, name: str) -> tuple[str, ...]:
        """Name what the author of a property says that it rests on."""
        return self._properties[name].rests_on if name in self._properties else ()

    def _check_reasons(self) -> None:
        """Refuse a lemma that is said to rest on what no proof of this model knows."""
        for prop in self._properties.values():
            for other in prop.rests_on:
                if other not in self._properties:
                    raise ModelError(
                        f"The lemma {prop.name} rests on {other}, which is not among the properties of its "
                        "model: add it there, or take it out of rests_on=."
                    )

    def state_candidate(self, name: str, state: State) -> Value:
        """Say of a world what a candidate says."""
        world = self._model.world(self.frame, state)
        with self.frame.binder.reading():
            if name in self._queues:
                stated = self.frame.line(world, self._queues[name]).is_in_order()
            elif name in self._domains:
                stated = self._is_in_domain(self._domains[name], state)
            else:
                stated = read_property(self._properties[name], world)
        self.frame.binder.finish(stated)
        return stated

    def state_counted(self, name: str, step: OpenStep) -> tuple[Value, tuple[Sum, ...]]:
        """Say what ``state_goal`` says, and list the counts of which it speaks."""
        self.frame.binder.take_counts()
        stated = self.state_goal(name, step)
        return stated, tuple(self.frame.binder.take_counts().values())

    def state_goal(self, name: str, step: OpenStep) -> Value:
        """Say of the world after a step, or of the step, what a candidate or property says."""
        prop = self._properties.get(name)
        if prop is None or prop.kind is Kind.ALWAYS:
            obligations = step.obligations.get(name, ())
            return all_of(self.state_candidate(name, step.after), *obligations)
        worlds = self._model.world(self.frame, self.before), self._model.world(self.frame, step.after)
        with self.frame.binder.reading():
            stated = read_property(prop, *worlds, step.by)
        self.frame.binder.finish(stated)
        return stated

    def _read(self, rule: Rule, before: State) -> Iterator[OpenStep]:
        for chosen in product(*[list(list_choices(self.frame, rule, *spec)) for spec in rule.arguments]):
            self.frame.binder.take_counts()
            after = before.copy()
            watched, read = before.watched()
            guard = Guard(self.frame.binder)
            arguments = tuple(choice.value for choice in chosen)
            s = self._model.world(self.frame, watched)
            t = self._model.world(self.frame, after, condition=True, guard=guard)
            with blaming(f"Rule {rule.name}", rule.file, rule.line):
                try:
                    with self.frame.binder.noting_facts() as facts:
                        rule(s, t, *arguments)
                except Disabled:
                    continue
                premises = [*[choice.premise for choice in chosen], *guard, *after.facts, *facts.values()]
                owed = [one for obligations in after.obligations.values() for one in obligations]
                self.frame.binder.finish(*premises, *owed)
            yield OpenStep(
                By(rule, arguments),
                tuple(as_term(premise, self.frame.context) for premise in premises if premise is not True),
                after,
                {ORDER + name: tuple(own) for name, own in after.obligations.items()},
                frozenset(read) | after.list_changes(before),
                self.frame.binder.take_counts(),
                tuple(self.frame.binder.definitions.values()),
            )

    def _list_background(self) -> Iterator[Value]:
        """List what a scope is: sizes not below their least, and first values within their domains."""
        for size in self.frame.schema.sizes:
            number = self.frame.sizes[size.name]
            if z3.is_expr(number):
                yield number >= size.least
        first = first_state(self.frame.schema, self.frame.lengths)
        for declared in self._domains.values():
            stated = self._is_in_domain(declared, first)
            if stated is not True:
                yield as_term(stated, self.frame.context)

    def _is_in_domain(self, declared: Field, state: State) -> Value:
        function = state.fields[declared.name]
        cells = self._list_cells(declared.index)
        return for_all(self.frame.admits_cell(declared, function(*at)) for at in cells)

    def _list_cells(self, index: Sequence[Ids], at: tuple[Value, ...] = ()) -> Iterator[tuple[Value, ...]]:
        """List the cells of a field: with one unknown for all members of each set."""
        if not index:
            yield at
            return
        for member in self.frame.iterate(index[0]):
            yield from self._list_cells(index[1:], (*at, member))
