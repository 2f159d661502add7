"""What stands where something else belongs, in words for who wrote it: no engine's terms, no addresses."""

from __future__ import annotations

from collections import deque
from collections.abc import MappingView
from dataclasses import is_dataclass
from functools import partial
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType
from typing import Final

_OURS: Final = "nomadspec.model.language."
_KINDS: Final = {
    "Field": "a declared field",
    "Ids": "a declared set",
    "Line": "a queue",
    "Members": "a set",
    "Record": "a record",
    "Records": "a table of records",
    "Row": "a table",
    "Size": "a declared size",
    "Sums": "a table of totals",
    "World": "a world",
    "Writer": "a table",
}
"""What stands for many values at once, by the class that it is of."""
_NAMED: Final = {"Property": "the property", "Rule": "the rule"}
_COLLECTIONS: Final = (GeneratorType, MappingView, deque, dict, filter, frozenset, list, map, set, tuple, zip)


def say(thing: object) -> str:
    """Name a thing as its author knows it: a value of the world, a list, a method that was not called."""
    kind = type(thing)
    if isinstance(thing, FunctionType | MethodType | BuiltinFunctionType):
        name = "" if thing.__name__ == "<lambda>" else f" ({thing.__name__})"
        return f"a function that is not called{name}"
    if isinstance(thing, partial):
        return "a functools.partial"
    if isinstance(thing, _COLLECTIONS):
        return f"a {kind.__name__}"
    for base in kind.__mro__:
        if base.__name__ == "Record" and base is not kind:
            return f"a record of {kind.__name__}"
        if base.__module__.startswith(_OURS):
            return _say_ours(thing, base.__name__)
    has_words = kind.__repr__ is not object.__repr__ and not is_dataclass(kind)
    return repr(thing) if has_words else f"an object of {kind.__name__}"


def is_of_world(name: str) -> bool:
    """True if a class of this name stands for values of the world."""
    return name in _KINDS or name == "Term"


def say_class(name: str) -> str:
    """Name what stands for values of the world by the class that it is of; others by their own name."""
    return {**_KINDS, "Term": "a value of the world"}.get(name, name)


def _say_ours(thing: object, kind: str) -> str:
    if kind in _NAMED:
        return f"{_NAMED[kind]} {getattr(thing, 'name', '')}"
    if kind == "Question":
        return f"a function that is not called ({getattr(thing, 'name', '')})"
    if kind == "Term":
        return f"a {'flag' if getattr(thing, 'is_flag', False) else 'number'} of the world"
    return _KINDS.get(kind, f"a {kind}")
