"""Strays in open worlds: whether texts ask tables only for what they have, in scopes of every size.

A scope asks whether texts have answers in its own worlds (model/language/answer_property.py). That says
nothing of rules that it leaves out, nor of sets that have fewer members elsewhere. So each text is run once
more, in a world of which nothing comes out. Where a table is asked for what may be no member, a mark is read,
and none may be left in what the text says; where it is written, the rule itself has to say that there is such
a member. That it makes no more than a scope has room for is part of what it says.
"""

from __future__ import annotations

from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING

from nomadspec.checkers.smt.algebra import as_term
from nomadspec.checkers.smt.open_arguments import list_choices
from nomadspec.checkers.smt.open_world import Guard
from nomadspec.checkers.smt.places import AFTER
from nomadspec.checkers.smt.state import first_state, unknown_state
from nomadspec.checkers.smt.stray_frame import StrayFrame
from nomadspec.model.language.logic import all_of
from nomadspec.model.language.pairs import Heard, Heeded
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import Disabled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from nomadspec.checkers.smt.state import State
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule


def expect_no_strays(
    bounded: BoundedModel,
    background: Sequence[Value],
    context: Value,
    only: Collection[str] | None = None,
) -> None:
    """Raise an UnreadableError where a text may ask a table for what it has not, in a scope of some size.

    The background is what every scope is (open_world.py). The context is the solver's, and no proof's: what
    is read goes there. Where some rules are named, only these are asked.
    """
    check = _StrayCheck(bounded, background, context)
    for rule in (*bounded.model.starts, *bounded.model.rules):
        if only is None or rule.name in only:
            check.expect_rule(rule)
    for prop in bounded.model.list_properties(Kind.ALWAYS, Kind.STEP) if only is None else ():
        check.expect_property(prop)


class _StrayCheck:
    """Runs the texts of a model, and looks at what they ask tables for."""

    def __init__(self, bounded: BoundedModel, background: Sequence[Value], context: Value) -> None:
        self._model = bounded.model
        told = [as_term(part, context).translate(context) for part in background]
        self._frame = StrayFrame(bounded, context, told)
        self._world = unknown_state(self._frame.schema, context)
        self._after = unknown_state(self._frame.schema, context, AFTER)
        self._first = first_state(self._frame.schema, self._frame.lengths)

    def expect_rule(self, rule: Rule) -> None:
        """Raise an error where a rule may ask a table for what it has not."""
        before = self._first if rule in self._model.starts else self._world
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            for arguments, premises in self._list_arguments(rule):
                with self._frame.binder.reading():
                    self._run(rule, before, arguments, premises)

    def expect_property(self, prop: Property) -> None:
        """Raise an error where a property may ask a table for what it has not."""
        s, n = (self._model.world(self._frame, state) for state in (self._world, self._after))
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            if prop.kind is Kind.ALWAYS:
                self._ask(partial(prop, s))
                return
            heeded = Heeded()
            for by in self._steps:
                if not heeded.find(by).is_made:
                    heard = Heard(by)
                    self._ask(partial(prop, s, n, heard))
                    heeded.keep(heard.heard, made=True)

    @cached_property
    def _steps(self) -> list[By]:
        return [By(rule, told) for rule in self._model.rules for told, _ in self._list_arguments(rule)]

    def _list_arguments(self, rule: Rule) -> Iterator[tuple[tuple[Value, ...], list[Value]]]:
        """List the choices of a rule's arguments, and what is known of each."""
        with self._frame.binder.reading():
            choices = [list(list_choices(self._frame, rule, *spec)) for spec in rule.arguments]
        for chosen in product(*choices):
            yield tuple(choice.value for choice in chosen), [choice.premise for choice in chosen]

    def _run(self, rule: Rule, before: State, arguments: Sequence[Value], premises: Sequence[Value]) -> None:
        state, guard = before.copy(), Guard(self._frame.binder)
        s = self._model.world(self._frame, before)
        t = self._model.world(self._frame, state, condition=True, guard=guard)
        self._frame.take_writes()
        with self._frame.binder.noting_facts() as facts:
            try:
                rule(s, t, *arguments)
            except Disabled:
                return
        self._frame.expect_known([all_of(*guard)], premises)
        given = [*premises, *guard]
        owed = [one for obligations in state.obligations.values() for one in obligations]
        self._frame.expect_known([*facts.values(), *state.facts, *owed], given)
        writes = self._frame.take_writes()
        kept = list(self._frame.list_kept(writes, state))
        if before is self._first:  # there is no initial world where one leaves its domains
            given += kept
        self._frame.expect_there(writes, given, kept)

    def _ask(self, ask: Callable[[], Value]) -> None:
        with self._frame.binder.reading():
            self._frame.expect_known([ask()])
