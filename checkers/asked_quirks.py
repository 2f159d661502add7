"""The quirks that the text of a rule asks for, itself or in what it calls."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable
from functools import cache
from types import FunctionType
from typing import Any, Final

from nomadspec.checkers.code_names import list_codes
from nomadspec.model.specification.quirk import Quirk

_LANGUAGE: Final = "nomadspec.model.language"
"""What texts are written in asks for no quirk."""


def list_asked(texts: Iterable[Callable[..., Any]]) -> tuple[Quirk, ...]:
    """List the quirks that texts, or functions that they call, name; each once, in the order of their IDs."""
    reached, asked = list(texts), set[Quirk]()
    seen = set(reached)
    for function in reached:  # it grows meanwhile
        for used in _list_globals(function):
            if isinstance(used, Quirk):
                asked.add(used)
            elif isinstance(used, FunctionType) and used not in seen and _is_own(used):
                seen.add(used)
                reached.append(used)
    return tuple(sorted(asked, key=lambda quirk: quirk.id))


@cache
def _list_globals(function: Callable[..., Any]) -> tuple[object, ...]:
    """List what the global names of a function, and of the functions inside it, stand for."""
    steps = (step for code in list_codes(function.__code__) for step in dis.get_instructions(code))
    names = dict.fromkeys(step.argval for step in steps if step.opname == "LOAD_GLOBAL")
    return tuple(function.__globals__[name] for name in names if name in function.__globals__)


def _is_own(function: FunctionType) -> bool:
    return not function.__module__.startswith(_LANGUAGE)
