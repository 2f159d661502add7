"""The texts of a model, and which of them were looked at before.

To read the texts of a large model, and to see whether they mix up ids, takes longer than to bound it. What
comes with this package says the same each time: its tests look at it, in each scope, as they do at what it
compares (checked.py). A user's texts are looked at whenever they are bound.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from nomadspec.model.language.reading import list_methods

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from nomadspec.model.language.model import Model

_TRUSTED: Final[WeakSet[Callable[..., Any]]] = WeakSet()
"""The texts that are looked at elsewhere."""

_looks_at_all: ContextVar[bool] = ContextVar("looks_at_all", default=False)


def list_texts(model: Model) -> dict[str, Callable[..., Any]]:
    """List the texts of a model, each by what messages call it."""
    texts: dict[str, Callable[..., Any]] = {}
    for rule in (*model.rules, *model.starts):
        texts[f"Rule {rule.name}"] = rule.text
    for prop in model.properties:
        texts[f"Property {prop.name}"] = prop.text
        if prop.given is not None:
            texts[f"The premise of property {prop.name}"] = prop.given
        if prop.keeps is not None:
            texts[f"What holds until property {prop.name}"] = prop.keeps
    if model.is_at_rest is not None:
        texts[f"is_at_rest of {model.name}"] = model.is_at_rest
    return texts | {f"The method {method.__qualname__}": method for method in list_methods(model.world)}


def trust(model: Model) -> None:
    """Note that the texts of a model are looked at elsewhere, in whatever scope it is bound."""
    _TRUSTED.update(list_texts(model).values())


def is_trusted(text: Callable[..., Any]) -> bool:
    """Tell whether a text need not be looked at when it is bound."""
    return not _looks_at_all.get() and text in _TRUSTED


@contextmanager
def looking_at_all() -> Iterator[None]:
    """Look at each text for a while, also at those that are trusted."""
    token = _looks_at_all.set(True)
    try:
        yield
    finally:
        _looks_at_all.reset(token)
