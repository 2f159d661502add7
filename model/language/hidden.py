"""Rules and properties that a later definition of the same name hides, so that nobody would ask for them."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from types import ModuleType

_MAKERS: Final = frozenset(
    {"always", "eventually", "eventually_always", "leads_to", "rule", "sometimes", "step", "unless", "until"}
)
"""What makes a rule or a property of a function."""
_OURS: Final = "nomadspec."
"""Where the names of modules begin that need not be read each time: a linter refuses such names there."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def refuse_hidden(module: ModuleType) -> None:
    """Raise a ModelError where a module defines a rule or property whose name it defines again later."""
    made: dict[str, ast.FunctionDef] = {}
    for part in _read(module):
        if not isinstance(part, _Definition):
            continue
        lost = made.get(part.name)
        if lost is not None:
            raise ModelError(
                f"{module.__file__}:{part.lineno}: {part.name} is defined again, so that the one in line "
                f"{lost.lineno} is lost and nothing asks for it: rename one of them."
            )
        if isinstance(part, ast.FunctionDef) and any(_is_maker(one, module) for one in part.decorator_list):
            made[part.name] = part


def _read(module: ModuleType) -> list[ast.stmt]:
    """Read the text of a module of a user; nothing where there is no file of it, as in a notebook."""
    if module.__name__.startswith(_OURS):
        return []
    try:
        return ast.parse(inspect.getsource(module)).body
    except (OSError, SyntaxError, TypeError):
        return []


def _is_maker(decorator: ast.expr, module: ModuleType) -> bool:
    """Tell whether a decorator is one of the language, by whatever name it was imported."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(called, ast.Attribute):
        return called.attr in _MAKERS
    known = vars(module).get(called.id) if isinstance(called, ast.Name) else None
    return getattr(known, "__name__", None) in _MAKERS
