"""Where rules and properties stand, and what their texts call."""

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from nomadspec.checkers.code_names import list_names

ROOT: Final = Path(__file__).resolve().parents[2]
_VOCABULARY: Final = frozenset(f"nomadspec.model.language.{name}" for name in ("domain", "logic", "world"))


def locate(file: str) -> str:
    """Name a file of the project as people see it."""
    path = Path(file)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def list_called(text: Callable[..., Any]) -> tuple[FunctionType, ...]:
    """List the model's own functions that a text calls directly."""
    found: dict[FunctionType, None] = {}
    for function in _unwrap(text):
        named = (function.__globals__.get(name) for name in list_names(function.__code__))
        found |= {value: None for value in named if isinstance(value, FunctionType) and is_own(value)}
    return tuple(found)


def is_own(function: FunctionType) -> bool:
    """True if a function is a model's own and has a definition of its own to show."""
    module = function.__module__
    return module.startswith("nomadspec.") and module not in _VOCABULARY and function.__name__.isidentifier()


def _unwrap(text: Callable[..., Any]) -> list[FunctionType]:
    """Look through the adapter that a property may have been given."""
    if not isinstance(text, FunctionType):
        return []
    inner = [cell.cell_contents for cell in text.__closure__ or ()]
    return [text, *(value for value in inner if isinstance(value, FunctionType))]
