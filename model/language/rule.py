"""Rules: one named transition each, written once and read by every engine.

    @rule("BROKER-22", fair=weak(), worker=Core.workers, job=Core.jobs)
    def dequeue(s: Core, t: Core, worker: Id, job: Id) -> None:
        \"\"\"A worker takes a ready evaluation under a fresh token.\"\"\"
        t.require(s.stage[worker] == Stage.IDLE, s.place[job] == Place.READY)
        t.place[job] = Place.UNACKED

The decorator names the spec rules that it formalises. Whatever the world does not determine (who dequeues,
which nodes are chosen) is an argument; what it can be is told by the decorator, or by the class of its ids
(arguments.py). The function asks ``t.require`` for what
must hold and then assigns to ``t``. Its name, ``dequeue``, becomes the rule's, ``Dequeue``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from nomadspec.model.errors import ModelError, StyleError
from nomadspec.model.language.arguments import (
    ArgumentDomain,
    ArgumentSpec,
    explain_unknown,
    find_arguments,
    resolve_arguments,
)
from nomadspec.model.language.definition import Definition
from nomadspec.model.language.logic import Flag
from nomadspec.model.language.part import Asked
from nomadspec.model.language.sets import Size
from nomadspec.model.language.shadowed_definitions import refuse_hidden
from nomadspec.model.language.value_wording import say
from nomadspec.model.language.world import Field, World

if TYPE_CHECKING:
    from nomadspec.model.language.frame import FiniteFrame

RuleText: TypeAlias = Callable[..., object]

_POSITIONAL: Final = 2


@dataclass(frozen=True, slots=True)
class Fairness:
    """How often a rule that can happen must happen, for each value of some of its arguments."""

    is_strong: bool
    each: tuple[str, ...]


def weak(*each: str) -> Fairness:
    """True while a rule which stays possible happens at last (for each value of these arguments)."""
    return Fairness(is_strong=False, each=_expect_names("weak", each))


def strong(*each: str) -> Fairness:
    """True while a rule which is possible again and again happens at last (for each value of these)."""
    return Fairness(is_strong=True, each=_expect_names("strong", each))


def _expect_names(word: str, each: tuple[object, ...]) -> tuple[str, ...]:
    for one in each:
        if not isinstance(one, str):
            raise ModelError(f"{word}(...) takes names of arguments, {word}('job'), and not {say(one)}.")
    return tuple(map(str, each))


@dataclass(frozen=True, slots=True)
class Counting:
    """A counter that goes up by one with a rule where a condition holds."""

    budget: Field
    condition: Callable[..., Flag]
    places: tuple[int, ...] = ()
    """Which of the rule's arguments the condition is given."""

    @property
    def about(self) -> str:
        """Say when the condition holds, as its docstring does."""
        return " ".join((inspect.getdoc(self.condition) or self.condition.__name__).split()).removesuffix(".")

    def bind(self, who: str, known: Sequence[str]) -> Counting:
        """Find what the condition is given among the arguments of a rule, by name."""
        text = self.condition
        if not isinstance(text, FunctionType | MethodType) or not text.__name__.isidentifier():
            given = "a lambda" if isinstance(text, FunctionType) else say(text)
            raise ModelError(
                f"Rule {who} counts where {given} says so: give where(...) a function with a name, "
                "def begins(s, job), which pages show and mutants change."
            )
        parameters = inspect.signature(text).parameters
        first, *names = (*parameters,) or ("",)
        strange = [name for name in names if name not in known]
        if first != "s" or strange:
            asked = ", ".join((first, *names))
            raise ModelError(
                f"Rule {who} counts where ({asked}) says so, but knows {', '.join(('s', *known))}."
            )
        if any(one.kind is not Parameter.POSITIONAL_OR_KEYWORD for one in parameters.values()):
            raise ModelError(
                f"Rule {who} counts where {text.__name__}{inspect.signature(text)} says so, which is given "
                f"all that it takes in order: write ({', '.join(parameters)}), without / and *."
            )
        return replace(self, places=tuple(map(list(known).index, names)))


def where(condition: Callable[..., Flag], counter: Field) -> Counting:
    """Let a rule count one where a condition holds, which is a function of ``s`` and of arguments by name."""
    return Counting(counter, condition)


@dataclass(frozen=True, slots=True)
class Rule(Definition):
    """One named transition: its text, the domains of its arguments, and where it comes from."""

    name: str
    text: RuleText
    arguments: tuple[tuple[str, ArgumentSpec], ...]
    spec: tuple[str, ...]
    fairness: Fairness | None
    about: str
    file: str
    line: int
    actor: str | None = None
    """Who does it; None where that is the first interchangeable id among its arguments."""
    spends: tuple[Field, ...] = ()
    """The budgets of which it takes one; where one is used up, it does not happen."""
    makes: tuple[Field, ...] = ()
    """The counters of what it makes; where a scope has no room for another, it does not happen."""
    counts: tuple[Counting, ...] = ()
    """Which of these it counts by a condition, and not by its text."""
    part_of: tuple[Size, ...] = ()
    """The features that it is part of; where a scope leaves one out, it does not happen."""
    instead_of: tuple[Size, ...] = ()
    """The features in whose stead it is; where a scope has one, it does not happen."""

    @property
    def texts(self) -> tuple[RuleText, ...]:
        """List all functions whose code is the rule's: its text, and the conditions by which it counts."""
        return (self.text, *(one.condition for one in self.counts))

    def __call__(self, s: World, t: World, *arguments: Any) -> None:
        """Run the text: ``s`` is the world before, ``t`` the world after."""
        if self.part_of or self.instead_of:
            t.require_features(self.part_of, self.instead_of)
        vars(t).update(limited=(*self.spends, *self.makes))
        for budget in self.spends:
            t.write_field(budget, s.read_field(budget) + 1)
        for one in self.counts:
            given = (arguments[place] for place in one.places)
            t.when(one.condition(s, *given)).write_field(one.budget, s.read_field(one.budget) + 1)
        if not isinstance(self.text(s, t, *arguments), Asked | None):
            raise StyleError("it returns or yields something: a rule asks t.require(...) and assigns to t.")

    def domains(self, frame: FiniteFrame) -> tuple[ArgumentDomain, ...]:
        """Give the domains of the arguments in a scope."""
        frame.schema.refuse_strangers(f"Rule {self.name}", (*self.part_of, *self.instead_of))
        return resolve_arguments(self.arguments, frame)


def rule(
    *spec: str,
    fair: Fairness | None = None,
    actor: str | None = None,
    spends: Field | tuple[Field, ...] = (),
    makes: Field | Counting | tuple[Field | Counting, ...] = (),
    part_of: Size | tuple[Size, ...] = (),
    instead_of: Size | tuple[Size, ...] = (),
    **arguments: ArgumentSpec,
) -> Callable[[RuleText], Rule]:
    """Make a rule of a function ``(s, t, ...)``: the spec IDs that it formalises, its arguments' domains.

    ``actor`` names the component that does it, where that is not the first id which the rule names. What only
    a scope bounds is no part of the text: ``spends`` names a budget of which each step takes one, ``makes``
    the counter of what the text makes, which may not be counted past the end that the scope gives it (or
    where one is made, ``makes=where(begins, Shop.made)``, and need not be counted by the text), and
    ``part_of`` a size or feature without which there is no such rule, ``instead_of`` one with which there is
    none.
    """
    refuse_bare("rule", spec, "'BROKER-22', ...")

    def make(text: RuleText) -> Rule:
        if not isinstance(text, FunctionType | MethodType):
            raise ModelError(f"A rule is made of a function, def put(s, t), and not of {say(text)}.")
        name = "".join(word.capitalize() for word in text.__name__.split("_"))
        code = text.__code__
        found = find_arguments(text, _POSITIONAL, arguments)
        _check_text(name, text, spec, found)
        if fair is not None:
            _check_fairness(name, fair, found)
        about = inspect.getdoc(text) or ""
        spent, made = _list_bounded(name, "spends", spends), _list_bounded(name, "makes", makes)
        _refuse_twice(name, spent, made)
        counts = tuple(one.bind(name, list(found)) for one in _as_tuple(makes) if isinstance(one, Counting))
        at = (code.co_filename, code.co_firstlineno)
        needed = _list_features(name, "part_of", part_of)
        replaced = _list_features(name, "instead_of", instead_of)
        return Rule(
            name,
            text,
            tuple(found.items()),
            spec,
            fair,
            about,
            *at,
            actor,
            spent,
            made,
            counts,
            needed,
            replaced,
        )

    return make


def refuse_bare(word: str, spec: tuple[object, ...], example: str) -> None:
    """Refuse a decorator that stands without brackets: it is given the function in place of spec IDs."""
    if spec and callable(spec[0]):
        raise ModelError(f"@{word} stands without brackets: write @{word}({example}).")


def _as_tuple(given: object) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def _list_bounded(name: str, word: str, counted: object) -> tuple[Field, ...]:
    """Read what a rule spends or makes: budgets, each a single number where it is spent."""
    told = _as_tuple(counted)
    if word == "spends" and any(isinstance(one, Counting) for one in told):
        raise ModelError(
            f"Rule {name} spends where something holds: each of its steps spends one; say makes=where(...)."
        )
    found = tuple(one.budget if isinstance(one, Counting) else one for one in told)
    if len(set(map(id, found))) < len(found):
        raise ModelError(f"Rule {name} says {word}= twice of the same counter: leave one out.")
    for given, one in zip(told, found, strict=True):
        is_single = word == "spends" or given is not one
        if not isinstance(one, Field) or not one.is_budget or (is_single and one.index):
            single = "a single " if is_single else "a "
            raise ModelError(
                f"Rule {name} says {word}={one!r}: give {single}field(counter(...), ..., budget=True)."
            )
    return found


def _refuse_twice(name: str, spent: tuple[Field, ...], made: tuple[Field, ...]) -> None:
    """Refuse a counter that a rule spends and makes: a step goes one further, and not two."""
    for one in spent:
        if any(one is other for other in made):
            raise ModelError(
                f"Rule {name} says spends= and makes= of {one.name}, which a step counts once: leave one out."
            )


def _list_features(name: str, word: str, given: object) -> tuple[Size, ...]:
    """Read what a rule is part of: sizes of the scope, or features."""
    found = _as_tuple(given)
    for one in found:
        if not isinstance(one, Size):
            raise ModelError(
                f"Rule {name} says {word}={one!r}: give a size(...) or feature(...) of its world."
            )
    return found


def _check_fairness(name: str, fair: object, arguments: Mapping[str, ArgumentSpec]) -> None:
    if not isinstance(fair, Fairness):
        raise ModelError(f"Rule {name} says fair={fair!r}, but it should say fair=weak() or fair=strong().")
    if not set(fair.each) <= arguments.keys():
        each, known = ", ".join(fair.each), ", ".join(arguments) or "none"
        raise ModelError(f"Rule {name} is fair for each {each}, but its arguments are {known}.")


def rules_in(module: ModuleType) -> tuple[Rule, ...]:
    """List the rules that a module holds, imported ones included, in the order of its text."""
    refuse_hidden(module)
    return tuple(value for value in vars(module).values() if isinstance(value, Rule))


def _check_text(name: str, text: RuleText, spec: tuple[str, ...], arguments: dict[str, ArgumentSpec]) -> None:
    parameters = list(inspect.signature(text).parameters)
    if parameters[:_POSITIONAL] != ["s", "t"] or parameters[_POSITIONAL:] != list(arguments):
        wanted = ", ".join(["s", "t", *arguments])
        is_begun = parameters[:_POSITIONAL] == ["s", "t"]
        what = explain_unknown(text, _POSITIONAL, arguments) if is_begun else ""
        raise ModelError(
            f"Rule {name} takes ({', '.join(parameters)}), but its decorator asks for ({wanted}){what}."
        )
    if not spec:
        raise ModelError(
            f"Rule {name} names no spec rule: give the IDs that it formalises, @rule('BROKER-22', ...)."
        )
    if not inspect.getdoc(text):
        raise ModelError(f"Rule {name} has no docstring: say in one sentence what happens.")
