"""Properties: what must be true, in four kinds.

    @always("PLAN-54", why="...")       a world:  def f(s)
    @lemma("PLAN-54", why="...")        the same; it helps proofs, is proved itself, and promises nothing
    @step("BROKER-22", why="...")       a pair of worlds:  def f(s, n), or f(s, n, by) with the rule between
    @sometimes("EVAL-13", why="...")    must be reachable, so that the others are not vacuous:  def f(s)
    @eventually("WORKER-03", why="...", given=is_pending)
                                        on every fair path, from wherever ``given`` holds (else from the
                                        start), at last, for each value of its arguments:  def f(s, job)

All may take ids: an ``always`` or ``step`` then holds of each, a ``sometimes`` of some. What an argument can
be is told by its type or by the decorator, as for rules (arguments.py). Each says why in one sentence and
names the spec rules that it formalises. It is written with the operators of model/language/logic.py, so that
the solver reads the same text. A ``sometimes`` may name the ``scopes`` that promise it, or else every scope
does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from inspect import isfunction
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeAlias, TypeVar

from nomadspec.model.errors import ModelError, StyleError, suggest
from nomadspec.model.language.arguments import (
    ArgumentDomain,
    ArgumentSpec,
    explain_unknown,
    find_arguments,
    resolve_arguments,
)
from nomadspec.model.language.definition import Definition
from nomadspec.model.language.logic import Value, exists, for_all
from nomadspec.model.language.rule import Rule, refuse_bare
from nomadspec.model.language.sets import Ids
from nomadspec.model.language.shadowed_definitions import refuse_hidden
from nomadspec.model.language.value_wording import say

if TYPE_CHECKING:
    from types import ModuleType

    from nomadspec.model.language.frame import FiniteFrame

_P = ParamSpec("_P")
_R = TypeVar("_R")
PropertyText: TypeAlias = Callable[..., Value]


class Kind(Enum):
    """The kinds of property: of worlds and steps, and of whole paths."""

    ALWAYS = "always"
    STEP = "step"
    SOMETIMES = "sometimes"
    EVENTUALLY = "eventually"
    LEADS_TO = "leads-to"
    UNTIL = "until"
    UNLESS = "unless"
    EVENTUALLY_ALWAYS = "eventually-always"


PATH_KINDS: Final = (
    Kind.EVENTUALLY,
    Kind.LEADS_TO,
    Kind.UNTIL,
    Kind.UNLESS,
    Kind.EVENTUALLY_ALWAYS,
)
"""The kinds that are about whole paths: no world and no step by itself shows them."""


@dataclass(frozen=True, slots=True)
class By:
    """The rule between two worlds of a step property, with its arguments; both are constants there."""

    rule: Rule
    arguments: tuple[Any, ...]

    def is_(self, *rules: Rule) -> bool:
        """True if the step was made by one of the rules."""
        expect_rules(rules)
        return any(self.rule.name == other.name for other in rules)

    def __getitem__(self, name: str) -> Value:
        """Give an argument by its name."""
        names = [argument for argument, _ in self.rule.arguments]
        if name not in names:
            raise StyleError(
                f"The rule {self.rule.name} has no argument {name!r}; {suggest(name, names)} Where only some "
                "rules have it, ask for these before: if by.is_(begin, end)."
            )
        return self.arguments[names.index(name)]


def expect_rules(asked: tuple[object, ...]) -> None:
    """Raise a StyleError where ``by.is_`` is asked for what is no rule, so that no step would ever be it."""
    if not asked:
        raise StyleError("by.is_() names no rule, so that no step would ever be it: by.is_(begin, end).")
    for one in asked:
        if not isinstance(one, Rule):
            raise StyleError(
                f"by.is_ is asked for {say(one)}, which is no rule: name rules, by.is_(begin, end)."
            )


@dataclass(frozen=True, slots=True)
class Property(Definition):
    """One property: its kind and text, the reason, and where it comes from."""

    name: str
    kind: Kind
    text: PropertyText
    why: str
    spec: tuple[str, ...]
    arguments: tuple[tuple[str, ArgumentSpec], ...]
    given: PropertyText | None
    is_lemma: bool
    scopes: tuple[str, ...]
    """The scopes that promise a ``sometimes``; none where every scope does."""
    file: str
    line: int
    keeps: PropertyText | None = None
    """What has to hold until an ``until`` or ``unless`` comes true."""
    members: tuple[tuple[str, Ids], ...] = ()
    """The sets whose ids a property of worlds or steps speaks of; its text goes through them itself."""
    rests_on: tuple[str, ...] = ()
    """The properties that a lemma follows from, as its author says: a proof is tried with these first."""

    @property
    def texts(self) -> tuple[PropertyText, ...]:
        """List all that is asked of a world: the text itself, what it is given, and what holds until then."""
        return tuple(text for text in (self.text, self.given, self.keeps) if text is not None)

    @property
    def kind_text(self) -> str:
        """Name its kind for people: what only helps a proof says so."""
        return f"{self.kind.value}, lemma" if self.is_lemma else self.kind.value

    def __call__(self, *worlds_and_arguments: Any) -> Value:
        """Evaluate the text."""
        return self.text(*worlds_and_arguments)

    @property
    def ranges(self) -> tuple[tuple[str, ArgumentSpec], ...]:
        """List what it speaks of: the arguments that it is asked for, or the sets that it goes through."""
        return self.arguments or self.members

    def domains(self, frame: FiniteFrame) -> tuple[ArgumentDomain, ...]:
        """Give the domains of the arguments in a scope."""
        return resolve_arguments(self.arguments, frame)

    def expect_own_sets(self, frame: FiniteFrame) -> None:
        """Raise a ModelError where it goes through a set that the world does not declare."""
        for name, members in self.members:
            frame.schema.refuse_strangers(f"its argument {name}", [members])


def make_question(kind: Kind, name: str, text: PropertyText, why: str) -> Property:
    """Make a property that no model declares and no rule of the specification asks for."""
    code = text.__code__
    return Property(
        name=name,
        kind=kind,
        text=text,
        why=why,
        spec=(),
        arguments=(),
        given=None,
        is_lemma=False,
        scopes=(),
        file=code.co_filename,
        line=code.co_firstlineno,
    )


_FIRST_PARAMETERS: Final = {
    Kind.ALWAYS: ["s"],
    Kind.STEP: ["s", "n", "by"],
    Kind.SOMETIMES: ["s"],
    **{kind: ["s"] for kind in PATH_KINDS},
}


def _in_brackets(maker: Callable[_P, _R]) -> Callable[_P, _R]:
    """Refuse a decorator without brackets, before Python misses the sentence why."""

    @wraps(maker)
    def make(*spec: _P.args, **options: _P.kwargs) -> _R:
        refuse_bare(maker.__name__, spec, "'PLAN-54', why=...")
        return maker(*spec, **options)

    return make


@_in_brackets
def always(*spec: str, why: str, **members: Ids) -> Callable[[PropertyText], Property]:
    """Make a property that each reachable world has (for each of the ids)."""
    return _maker(Kind.ALWAYS, spec, why, arguments=members)


@_in_brackets
def lemma(
    *spec: str, why: str, rests_on: tuple[Value, ...] = (), **members: Ids
) -> Callable[[PropertyText], Property]:
    """Make a property that each reachable world has, and that people need not care for: it helps proofs.

    Where a solver does not find by itself which others it follows from, ``rests_on`` names them.
    """
    given: Value = rests_on
    if not isinstance(given, tuple):
        raise ModelError(
            f"rests_on= of a lemma takes a tuple of properties, (one, other), and not {say(given)}."
        )
    for other in rests_on:
        if not isinstance(other, Property) or other.kind is not Kind.ALWAYS:
            raise ModelError(f"A lemma rests on `always` properties and lemmas, and not on {say(other)}.")
    names = tuple(other.name for other in rests_on)
    return _maker(Kind.ALWAYS, spec, why, is_lemma=True, arguments=members, rests_on=names)


@_in_brackets
def step(*spec: str, why: str, **members: Ids) -> Callable[[PropertyText], Property]:
    """Make a property that each step between reachable worlds has (for each of the ids)."""
    return _maker(Kind.STEP, spec, why, arguments=members)


@_in_brackets
def sometimes(
    *spec: str, why: str, scopes: tuple[str, ...] = (), **members: Ids
) -> Callable[[PropertyText], Property]:
    """Make a property that at least one reachable world has (for some of the ids).

    It is promised by the scopes named, or else by each.
    """
    return _maker(Kind.SOMETIMES, spec, why, scopes=scopes, arguments=members)


@_in_brackets
def eventually(
    *spec: str, why: str, given: PropertyText | None = None, **arguments: ArgumentSpec
) -> Callable[[PropertyText], Property]:
    """Make a property that holds at last on each fair path (for each value of the arguments)."""
    return _maker(Kind.EVENTUALLY, spec, why, given=given, arguments=arguments)


@_in_brackets
def leads_to(
    *spec: str, why: str, given: PropertyText, **arguments: ArgumentSpec
) -> Callable[[PropertyText], Property]:
    """Make a property that holds at last after each world where ``given`` does, on each fair path."""
    return _maker(Kind.LEADS_TO, spec, why, given=given, arguments=arguments)


@_in_brackets
def until(
    *spec: str, why: str, keeps: PropertyText, given: PropertyText | None = None, **arguments: ArgumentSpec
) -> Callable[[PropertyText], Property]:
    """Make a property that holds at last, on each fair path; ``keeps`` holds from ``given`` until then."""
    return _maker(Kind.UNTIL, spec, why, given=given, keeps=keeps, arguments=arguments)


@_in_brackets
def unless(
    *spec: str, why: str, keeps: PropertyText, given: PropertyText | None = None, **arguments: ArgumentSpec
) -> Callable[[PropertyText], Property]:
    """Make a property that may never hold; ``keeps`` holds from ``given`` on as long as it does not."""
    return _maker(Kind.UNLESS, spec, why, given=given, keeps=keeps, arguments=arguments)


@_in_brackets
def eventually_always(
    *spec: str, why: str, given: PropertyText | None = None, **arguments: ArgumentSpec
) -> Callable[[PropertyText], Property]:
    """Make a property that holds from some world on for ever, on each fair path (that meets ``given``)."""
    return _maker(Kind.EVENTUALLY_ALWAYS, spec, why, given=given, arguments=arguments)


def name_part(text: PropertyText) -> str:
    """Name what a property is given or keeps: by its own name, a lambda by its line."""
    name = text.__name__
    return name if name.isidentifier() else f"the lambda in line {text.__code__.co_firstlineno}"


def properties_in(module: ModuleType) -> tuple[Property, ...]:
    """List the properties that a module holds, imported ones included, in the order of its text."""
    refuse_hidden(module)
    return tuple(value for value in vars(module).values() if isinstance(value, Property))


def _maker(  # noqa: PLR0913 -- each is a choice that the makers above make by name
    kind: Kind,
    spec: tuple[str, ...],
    why: str,
    *,
    given: PropertyText | None = None,
    keeps: PropertyText | None = None,
    arguments: Mapping[str, ArgumentSpec] | None = None,
    is_lemma: bool = False,
    scopes: tuple[str, ...] = (),
    rests_on: tuple[str, ...] = (),
) -> Callable[[PropertyText], Property]:
    given_sets = arguments or {}
    word = "lemma" if is_lemma else kind.name.lower()

    def make(text: PropertyText) -> Property:
        if not isinstance(text, FunctionType | MethodType):
            raise ModelError(f"A property is made of a function, def prop(s), and not of {say(text)}.")
        name = text.__name__
        code = text.__code__
        first = _list_first_parameters(kind, text)
        _refuse_options(name, word, given_sets)
        named = find_arguments(text, len(first), given_sets)
        members = {} if kind in PATH_KINDS else _expect_sets(name, named, given_sets)
        _check_function(name, "given", given, is_needed=kind is Kind.LEADS_TO)
        _check_function(name, "keeps", keeps, is_needed=kind in {Kind.UNTIL, Kind.UNLESS})
        _check_arguments(name, word, text, first, named)
        texts: tuple[PropertyText | None, ...] = (text, given, keeps)
        for function in filter(None, texts):
            _check_parameters(name, function, [*first, *named])
        if not spec or not why:
            raise ModelError(f"Property {name} needs the spec IDs that it formalises and a sentence why.")
        if members or len(first) < len(_FIRST_PARAMETERS[kind]):
            text = _adapt(text, len(first), tuple(members.values()), is_some=kind is Kind.SOMETIMES)
        where = (code.co_filename, code.co_firstlineno)
        asked = () if members else tuple(named.items())
        sets = tuple(members.items())
        return Property(
            name, kind, text, why, spec, asked, given, is_lemma, scopes, *where, keeps, sets, rests_on
        )

    return make


def _list_first_parameters(kind: Kind, text: PropertyText) -> list[str]:
    """List what a text takes before its arguments; one of steps need not take the rule between."""
    wanted = _FIRST_PARAMETERS[kind]
    parameters = list(inspect.signature(text).parameters)
    return wanted[:2] if kind is Kind.STEP and parameters[2:3] != wanted[2:] else wanted


def _adapt(text: PropertyText, wanted: int, members: tuple[Ids, ...], *, is_some: bool) -> PropertyText:
    """Let a text be called with worlds and the rule between: it goes through the ids, and drops the rule."""

    def adapted(s: Value, *others: Value) -> Value:
        told = (s, *others)[:wanted]
        if not members:
            return text(*told)
        flags = (text(*told, *case) for case in _list_cases(s, members))
        return exists(flags) if is_some else for_all(flags)

    adapted.__module__, adapted.__doc__ = text.__module__, text.__doc__
    vars(adapted).update(__wrapped__=text)
    return adapted


def _list_cases(s: Value, members: tuple[Ids, ...]) -> Iterator[tuple[Value, ...]]:
    """Go through the ids of some sets, as nested loops do."""
    if not members:
        yield ()
        return
    for one in getattr(s, members[0].name):
        for rest in _list_cases(s, members[1:]):
            yield (one, *rest)


_OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "lemma": ("rests_on",),
    "sometimes": ("scopes",),
    "eventually": ("given",),
    "leads_to": ("given",),
    "until": ("given", "keeps"),
    "unless": ("given", "keeps"),
    "eventually_always": ("given",),
}
"""What a decorator takes besides spec IDs, a sentence and what its arguments can be."""


def _refuse_options(name: str, word: str, arguments: Mapping[str, object]) -> None:
    """Refuse what another decorator takes, and that properties were once told to be lemmas by an argument."""
    told = arguments.get("lemma")
    if isinstance(told, bool):
        instead = "write @lemma(...) in place of @always(..., lemma=True)" if told else "leave it out"
        raise ModelError(f"Property {name}: lemma={told} is no argument any more: {instead}.")
    for option in ("given", "keeps", "scopes", "rests_on"):
        if callable(arguments.get(option)) or isinstance(arguments.get(option), tuple):
            last = "sets" if word in {"always", "lemma", "step", "sometimes"} else "what its arguments can be"
            takes = ", ".join(["spec IDs", "why=", *(f"{one}=" for one in _OPTIONS.get(word, ()))])
            raise ModelError(f"Property {name} says {option}=, but @{word} takes {takes} and {last}.")


def _check_arguments(
    name: str, word: str, text: PropertyText, first: list[str], named: Mapping[str, ArgumentSpec]
) -> None:
    """Raise a ModelError where nobody says what an argument can be; it says why, and what to write."""
    parameters = inspect.signature(text).parameters
    others = list(parameters)[len(first) :]
    what = explain_unknown(text, len(first), named) if list(parameters) == [*first, *others] else ""
    if not what:
        return
    if others[0] == "n" and parameters["n"].annotation == parameters["s"].annotation:
        what = f"; @{word} is of worlds: write @step for what is of a step and the world n after it"
    elif word == "step" and "by" in others and "by" not in named:
        what = "; by goes third, (s, n, by, ...)"
    wanted = ", ".join([*first, *named])
    raise ModelError(
        f"Property {name} takes ({', '.join(parameters)}), but its decorator asks for ({wanted}){what}."
    )


def _expect_sets(name: str, named: Mapping[str, object], arguments: Mapping[str, object]) -> dict[str, Ids]:
    """Refuse what is no set of ids: a property of worlds and steps goes through all that it speaks of."""
    found: dict[str, Ids] = {}
    for argument, given in named.items():
        if isinstance(given, type) and argument not in arguments:
            raise ModelError(
                f"Property {name} takes {argument}: {given.__name__}, an enum; a property of worlds or steps "
                "goes through sets, and only those over time take a number or an enum."
            )
        if not isinstance(given, Ids):
            raise ModelError(
                f"Property {name} says {argument}={_say_given(given)}, but a property of worlds or steps "
                f"speaks of the ids of a set, {argument}=Core.jobs; only those over time may speak of "
                "numbers."
            )
        found[argument] = given
    return found


def _say_given(given: object) -> str:
    return given.__name__ if isinstance(given, type) else say(given)


def _check_function(name: str, word: str, given: object, *, is_needed: bool) -> None:
    """Refuse a premise that is none: without it a property would be asked of the initial worlds only."""
    if (given is None and is_needed) or not (given is None or isfunction(given)):
        raise ModelError(
            f"Property {name} says {word}={say(given)}, but it should say {word}=lambda s: ..., with the "
            "arguments of the property after s."
        )


def _check_parameters(name: str, text: PropertyText, wanted: list[str]) -> None:
    parameters = list(inspect.signature(text).parameters)
    if parameters != wanted:
        raise ModelError(
            f"Property {name} takes ({', '.join(parameters)}), but it should take ({', '.join(wanted)})."
        )
