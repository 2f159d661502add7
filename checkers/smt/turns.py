"""Turns: whether a text does the same with each member of the sets that it goes through.

Over sets of any size one unknown member stands for all, and a text sees it once. That is right only where
its turn is like any other. Who counts along, looks at neighbours, leaves out the first or takes something
down for the next turn would be read as if there were one member, and what is false could be proved. So each
text is run once more in a world of which nothing comes out, where every member has several turns. Whatever
is asked, required and written has to be the same in all of them, and as it is where there is one.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from functools import partial
from itertools import product
from math import ceil, isfinite
from types import CellType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.checkers.code_names import list_codes, list_names
from nomadspec.checkers.smt.binder import UnreadableError
from nomadspec.checkers.smt.open_arguments import list_choices
from nomadspec.checkers.smt.open_frame import OpenFrame
from nomadspec.checkers.smt.open_world import Guard
from nomadspec.checkers.smt.state import first_state, unknown_state
from nomadspec.model.language.domain import StatusEnum
from nomadspec.model.language.pairs import Heard, Heeded
from nomadspec.model.language.property import By, Kind
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import Disabled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from nomadspec.checkers.smt.noting import Done
    from nomadspec.checkers.smt.state import State
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.property import Property
    from nomadspec.model.language.rule import Rule

TURNS: Final = 3
"""So many turns there are at least; they show whoever counts to one."""

_MOST_TURNS: Final = 24
_LANGUAGE: Final = "nomadspec.model.language."
_EMPTY: Final = CellType()

Wrapping: TypeAlias = (
    "MethodType | staticmethod[..., Any] | classmethod[Any, ..., Any] | property | partial[Any]"
)
"""What is called, or asked, and runs a function that it holds."""


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
        self._named: dict[FunctionType, tuple[FunctionType | int, ...]] = {}
        self._steps = [By(rule, told) for rule in self._model.rules for told in self._list_arguments(rule)]

    def expect_rule(self, rule: Rule) -> None:
        """Raise an error where a rule treats one turn otherwise than another."""
        before = self._first if rule in self._model.starts else self._world
        with blaming(f"Rule {rule.name}", rule.file, rule.line):
            turns = self._find_turns(*rule.texts)
            for arguments in self._list_arguments(rule):
                self._expect_same(partial(self._run, rule, before, arguments), turns)

    def expect_property(self, prop: Property) -> None:
        """Raise an error where a property treats one turn otherwise than another."""
        s, n = (self._model.world(self._frame, state) for state in (self._world, self._after))
        with blaming(f"Property {prop.name}", prop.file, prop.line):
            turns = self._find_turns(prop.text)
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

    def _find_turns(self, *texts: Callable[..., Value]) -> int:
        """Find how many turns show whoever counts to a number that texts, or what they call, name."""
        turns = TURNS
        waiting, seen = list[Any](texts), set[Any](texts)
        while waiting:
            function = waiting.pop()
            for one in self._find_named(function):
                if isinstance(one, int):
                    turns = max(turns, _expect_few(function, one) + 2)
                elif one not in seen:
                    seen.add(one)
                    waiting.append(one)
        return turns

    def _find_named(self, function: FunctionType) -> tuple[FunctionType | int, ...]:
        """Find which functions and numbers a function names; most are named by many texts."""
        if function not in self._named:
            parts = (one for one in _list_named(function) if isinstance(one, FunctionType | int))
            self._named[function] = tuple(dict.fromkeys(parts))
        return self._named[function]


def _ask(prop: Property, *told: Value) -> list[Value]:
    return [prop(*told)]


def _expect_few(function: FunctionType, number: int) -> int:
    """Refuse a number to which nobody counts turns; the language itself counts to none."""
    if number < _MOST_TURNS:
        return number
    if _is_of_language(function):
        return 0
    raise UnreadableError(
        f"{function.__qualname__} names the number {number}, and whether it counts members up to it is not "
        "tried: let a size of the world say it"
    )


def _is_of_language(part: FunctionType | type) -> bool:
    """True if a function or class is of the language itself, which counts no turns."""
    return str(part.__module__).startswith(_LANGUAGE)


def _take_apart(values: Iterable[object]) -> Iterator[object]:
    """List values, and instead of tuples, dictionaries and the like what stands in them."""
    for one in values:
        if isinstance(one, tuple | frozenset | list | set):
            yield from _take_apart(one)
        elif isinstance(one, Mapping):
            yield from _take_apart((*one.keys(), *one.values()))
        elif isinstance(one, range):
            yield from (one.start, one.stop)
        elif isinstance(one, float):
            yield from [ceil(one)] if isfinite(one) else []
        elif isinstance(one, int):
            # Nobody calculates with a status, and a flag counts nothing.
            yield from [] if isinstance(one, bool | StatusEnum) else [int(one)]
        elif isinstance(one, MethodType | staticmethod | classmethod | property | partial):
            yield from _take_apart(_unwrap(one))
        else:
            yield one


def _unwrap(called: Wrapping) -> Iterator[object]:
    """List what runs where a method, a property or a part of a call is asked, and what it is given."""
    if isinstance(called, MethodType):
        yield from (called.__func__, called.__self__)
    elif isinstance(called, property):
        yield called.fget
    elif isinstance(called, partial):
        yield from (called.func, called.args, called.keywords)
    else:
        yield called.__func__


def _list_functions(owner: object) -> Iterator[object]:
    """List the functions of a class, or of the class of an object: any of them may be called."""
    kind = owner if isinstance(owner, type) else type(owner)
    for each in kind.__mro__:
        if each.__module__.partition(".")[0] not in sys.stdlib_module_names and not _is_of_language(each):
            yield from _take_apart(vars(each).values())


def _list_named(function: FunctionType) -> Iterator[object]:
    """List what a function names: its constants, what its names stand for, and what stands in these."""
    names = (*list_names(function.__code__),)
    consts = [one for code in list_codes(function.__code__) for one in code.co_consts]
    yield from _take_apart(consts)
    if "len" in names:
        yield from (len(one) for one in consts if isinstance(one, str) and one != function.__doc__)
    given = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    held = [cell.cell_contents for cell in function.__closure__ or () if cell != _EMPTY]
    known = [function.__globals__[name] for name in names if name in function.__globals__]
    met = dict[int, object]()
    waiting = [*_take_apart((*given, *held, *known))]
    while waiting:
        owner = waiting.pop()
        if id(owner) in met:
            continue
        met[id(owner)] = owner
        yield len(owner) if isinstance(owner, str) and "len" in names else owner
        if isinstance(owner, FunctionType | int):
            continue
        waiting += _take_apart(_find_part(owner, name) for name in names)
        if not isinstance(owner, ModuleType) and not _is_of_language(function):
            waiting += _list_functions(owner)


def _find_part(owner: object, name: str) -> object:
    """Find what an object has under a name, without running its code; what it has in a slot as well."""
    part = inspect.getattr_static(owner, name, None)
    is_slot = isinstance(part, MemberDescriptorType) and isinstance(owner, part.__objclass__)
    return getattr(owner, name, None) if is_slot else part
