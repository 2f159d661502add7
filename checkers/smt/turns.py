"""Turns: whether a text does the same with each member of the sets that it goes through.

Over sets of any size one unknown member stands for all, and a text sees it once. That is right only where
its turn is like any other. Who counts along, looks at neighbours, leaves out the first or takes something
down for the next turn would be read as if there were one member, and what is false could be proved. So each
text is run once more in a world of which nothing comes out, where every member has several turns. Whatever
is asked, required and written has to be the same in all of them, and as it is where there is one.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from nomadspec.checkers.smt.binder import UnreadableError
from nomadspec.checkers.smt.open_arguments import list_choices
from nomadspec.checkers.smt.open_frame import OpenFrame
from nomadspec.checkers.smt.open_world import Guard
from nomadspec.checkers.smt.state import first_state, unknown_state
from nomadspec.model.language.pairs import Heard, Heeded
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import Disabled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomadspec.checkers.smt.noting import Done
    from nomadspec.checkers.smt.state import State
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule

TURNS: Final = 3
"""So many turns there are at least; they show whoever counts to one."""

_MOST_TURNS: Final = 24


def expect_equal_turns(bounded: BoundedModel, context: Value) -> None:
    """Raise an error where the text of a rule or property does not do the same with each member."""
    check = _TurnCheck(bounded, context)
    for rule in (*bounded.model.starts, *bounded.model.rules):
        check.expect_rule(rule)
    for prop in bounded.model.list_properties(Kind.ALWAYS, Kind.STEP):
        check.expect_property(prop)


class _TurnCheck:
    """Runs texts with one turn for each member, and with several."""

    def __init__(self, bounded: BoundedModel, context: Value) -> None:
        self._model = bounded.model
        self._frame = OpenFrame(bounded, context)
        self._world = unknown_state(self._frame.schema, context)
        self._after = unknown_state(self._frame.schema, context)
        self._first = first_state(self._frame.schema, self._frame.lengths)
        self._steps = [By(rule, told) for rule in self._model.rules for told in self._list_arguments(rule)]

    def expect_rule(self, rule: Rule) -> None:
        """Raise an error where a rule treats one turn otherwise than another."""
        before = self._first if rule in self._model.starts else self._world
        turns = _find_turns(rule.text)
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            for arguments in self._list_arguments(rule):
                self._expect_same(partial(self._run, rule, before, arguments), turns)

    def expect_property(self, prop: Property) -> None:
        """Raise an error where a property treats one turn otherwise than another."""
        s, n = (self._model.world(self._frame, state) for state in (self._world, self._after))
        turns = _find_turns(prop.text)
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            if prop.kind is Kind.ALWAYS:
                self._expect_same(partial(_ask, prop, s), turns)
                return
            heeded = Heeded()
            for by in self._steps:
                if not heeded.find(by).is_made:
                    heard = Heard(by)
                    self._expect_same(partial(_ask, prop, s, n, heard), turns)
                    heeded.keep(heard.heard, made=True)

    def _list_arguments(self, rule: Rule) -> list[tuple[Value, ...]]:
        with self._frame.binder.reading():
            choices = [list(list_choices(self._frame, rule, *spec)) for spec in rule.arguments]
        return [tuple(choice.value for choice in chosen) for chosen in product(*choices)]

    def _run(self, rule: Rule, before: State, told: Sequence[Value]) -> list[Value]:
        """Run a rule; what it requires and writes is noted meanwhile."""
        state = before.copy()
        s = self._model.world(self._frame, before)
        t = self._model.world(self._frame, state, condition=True, guard=Guard(self._frame.binder))
        with self._frame.binder.noting_facts():
            try:
                rule(s, t, *told)
            except Disabled:
                return [False]
        return [True]

    def _expect_same(self, run: Callable[[], Sequence[Value]], turns: int) -> None:
        once = self._note(run, 0, 1)
        deepest = self._frame.binder.deepest
        for depth in range(deepest):
            if self._note(run, depth, turns) != once:
                raise UnreadableError(
                    "it does not do the same with each member of a set, whichever comes first and however "
                    "many there are: it counts along, looks at neighbours or leaves some out"
                )

    def _note(self, run: Callable[[], Sequence[Value]], depth: int, turns: int) -> list[Done] | None:
        """Run a text in which the members at one depth of its loops have several turns."""
        binder = self._frame.binder
        self._frame.number_anew()
        with binder.reading(), binder.taking_turns(depth, turns) as done:
            for value in run():
                done.note((), value)
        return done.settle()


def _ask(prop: Property, *told: Value) -> list[Value]:
    return [prop(*told)]


def _find_turns(text: Callable[..., Value]) -> int:
    """Find how many turns show whoever counts to a number that a text, or a function that it uses, names."""
    turns = TURNS
    waiting, seen = [text], set[Any]()
    while waiting:
        function = waiting.pop()
        codes = [function.__code__]
        for code in codes:
            codes += [const for const in code.co_consts if isinstance(const, CodeType)]
            named = [const for const in code.co_consts if isinstance(const, int) and const < _MOST_TURNS]
            turns = max([turns, *[number + 2 for number in named]])
            used = (function.__globals__.get(name) for name in code.co_names)
            new = [one for one in used if isinstance(one, FunctionType) and one not in seen]
            seen.update(new)
            waiting += new
    return turns
