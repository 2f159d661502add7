"""Rules and properties that are one text under two names, since a loop defined them.

A function that a loop defines asks for the loop's names when it runs, and finds what they were at the end. So
each of the functions says the same, and what the others were meant to say is never asked.
"""

from __future__ import annotations

from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from nomadspec.model.errors import ModelError
from nomadspec.model.language.bytecode_stack import list_closed
from nomadspec.model.language.rule import Counting, Fairness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.model.language.definition import Definition

_PLAIN = (bool, int, str, type(None))


def refuse_alike(model: str, kind: str, parts: Sequence[Definition]) -> None:
    """Raise a ModelError where two rules, or two properties, of a model are one and the same text."""
    first: dict[object, Definition] = {}
    for part, identity in zip(parts, _list_identities(parts), strict=True):
        other = first.setdefault(identity, part)
        if other.text is not part.text:
            raise ModelError(
                f"The {kind} {other.name} and {part.name} of the model {model} are one and the same "
                "text: what a loop defines takes the loop's names as they are at its end; make each by a "
                "function, def make(k): ..., that is called with what differs."
            )


def _list_identities(parts: Sequence[Definition]) -> list[object]:
    return [tuple(_find_identity(getattr(part, name)) for name in _list_meant(part)) for part in parts]


def _list_meant(part: Definition) -> list[str]:
    """List what a rule or property says, beside how it is called and where it stands."""
    return [name for name in part.__slots__ if name not in {"name", "file", "line", "about", "why", "spec"}]


def _find_identity(thing: Any) -> object:  # noqa: ANN401 -- whatever a function refers to
    """Give what is equal for two functions that cannot say different things."""
    if isinstance(thing, MethodType):
        return id(thing.__self__), _find_identity(thing.__func__)
    if isinstance(thing, FunctionType):
        held = (*list_closed(thing).values(), *(thing.__defaults__ or ()), thing.__kwdefaults__)
        return thing.__code__, id(thing.__globals__), *map(_find_identity, held)
    if isinstance(thing, Counting | Fairness):
        return tuple(_find_identity(getattr(thing, name)) for name in thing.__slots__)
    if isinstance(thing, tuple):
        return tuple(map(_find_identity, thing))
    return (type(thing), thing) if isinstance(thing, _PLAIN) else id(thing)
