"""What a model is made of: the functions of its rules and properties, and those that they call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from nomadspec.checkers.code_names import list_names

if TYPE_CHECKING:
    from nomadspec.model.language.model import Model
    from nomadspec.model.language.property import Property

_VOCABULARY: Final = frozenset(
    {
        "nomadspec.model.language.domain",
        "nomadspec.model.language.logic",
        "nomadspec.model.language.rule",
        "nomadspec.model.language.world",
    }
)


@dataclass(frozen=True, slots=True)
class Part:
    """A function in which a mistake can be made, and what it is part of."""

    function: FunctionType
    rules: tuple[str, ...]
    """The rules, start rules included, that run it."""
    properties: tuple[str, ...]
    """The properties that ask it."""
    is_property: bool
    """Whether it is the text of a property, rather than of a rule or of what rules call."""

    @property
    def name(self) -> str:
        """The name of the rule's or property's function."""
        return self.function.__name__

    @property
    def file(self) -> str:
        """The file that defines it."""
        return self.function.__code__.co_filename

    @property
    def line(self) -> int:
        """Where its definition begins."""
        return self.function.__code__.co_firstlineno


def list_parts(model: Model) -> tuple[Part, ...]:
    """List what rules run and the texts of properties, in the order of the model."""
    texts = [text for rule in (*model.starts, *model.rules) for text in rule.texts]
    folders = {
        str(Path(function.__code__.co_filename).parent) for text in texts for function in _written(text)
    }
    runs: dict[FunctionType, dict[str, None]] = {}
    for rule in (*model.starts, *model.rules):
        for function in _reach(rule.texts, folders):
            runs.setdefault(function, {})[rule.name] = None
    asks: dict[FunctionType, dict[str, None]] = {}
    for prop in model.properties:
        for function in _reach(prop.texts, folders):
            asks.setdefault(function, {})[prop.name] = None
    parts = [
        Part(one, tuple(names), tuple(asks.get(one, ())), is_property=False) for one, names in runs.items()
    ]
    for prop in model.properties:
        (text, *_) = _written(prop.text)
        if text not in runs:
            parts.append(Part(text, (), (prop.name,), is_property=True))
    return tuple(parts)


def list_texts(prop: Property) -> list[FunctionType]:
    """List the functions that people wrote for a property: what it says, and of what."""
    return [function for text in prop.texts for function in _written(text)]


def list_reached(function: FunctionType) -> list[FunctionType]:
    """List a function and those of its folder, or of the rules', that it calls, directly or not."""
    return _reach([function], ())


def list_words(function: FunctionType) -> frozenset[str]:
    """List the names that a function uses."""
    return frozenset(list_names(function.__code__))


def _reach(texts: Iterable[Callable[..., Any]], folders: Iterable[str]) -> list[FunctionType]:
    """List some texts and the functions that they call, directly or not, from their folder or the rules'."""
    found: dict[FunctionType, None] = {}
    waiting = [function for text in texts for function in _written(text)]
    own = {*folders, *(str(Path(function.__code__.co_filename).parent) for function in waiting)}
    while waiting:
        function = waiting.pop()
        if function in found:
            continue
        found[function] = None
        called = (function.__globals__.get(name) for name in list_names(function.__code__))
        waiting += [one for one in called if isinstance(one, FunctionType) and _is_own(one, own)]
    return list(found)


def _is_own(function: FunctionType, folders: Iterable[str]) -> bool:
    is_text = function.__module__ not in _VOCABULARY and function.__name__.isidentifier()
    return is_text and str(Path(function.__code__.co_filename).parent) in folders


def _written(text: Callable[..., Any]) -> tuple[FunctionType, ...]:
    """Look through an adapter: the function that people wrote is in its closure."""
    if not isinstance(text, FunctionType):
        return ()
    inner = [cell.cell_contents for cell in text.__closure__ or ()]
    written = tuple(value for value in inner if isinstance(value, FunctionType))
    return written or (text,)
