"""Rules and properties that a later definition of the same name hides, so that nobody would ask for them."""

from __future__ import annotations

import ast
import inspect
import linecache
import warnings
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nomadspec.model.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

    from nomadspec.model.language.definition import Definition

_MAKERS: Final = frozenset(
    {
        "always",
        "eventually",
        "eventually_always",
        "leads_to",
        "lemma",
        "rule",
        "sometimes",
        "step",
        "unless",
        "until",
    }
)
"""What makes a rule or a property of a function."""
_COLLECTING: Final = frozenset({"globals", "locals", "properties_in", "rules_in", "vars"})
"""What takes all that has been defined so far."""
_OURS: Final = "nomadspec."
"""Where the names of modules begin that need not be read each time: a linter refuses such names there."""

_TOLD: Final[set[tuple[str, str]]] = set()
"""Of which files it was said that they cannot be read, for which model."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class UnreadTextWarning(UserWarning):
    """Says that the text around a rule or property cannot be read."""


class _Loss(NamedTuple):
    """A function, and the line where its name is given to something else before anybody has used it."""

    lost: ast.FunctionDef
    line: int


def refuse_hidden(module: ModuleType) -> None:
    """Raise a ModelError where a module defines a rule or property whose name it defines again later."""
    file = getattr(module, "__file__", None)
    if file is not None and not module.__name__.startswith(_OURS):
        _read(file, vars(module))


def refuse_hidden_beside(model: str, parts: Iterable[Definition]) -> None:
    """Raise a ModelError where a file that a model has rules or properties from loses one of them.

    It asks what is asked of whole modules, of models too whose rules and properties are named one by one, or
    come from a notebook. Where there is no text to read, a warning says so.
    """
    for file, names in _list_files(parts).items():
        if not _read(file, names) and (file, model) not in _TOLD:
            _TOLD.add((file, model))
            warnings.warn(
                f"The text of {file}, from which {model} has rules or properties, cannot be read: see "
                "that it defines no name twice, since what the name meant first would not be asked, and "
                "compares no list, tuple or text with a number, since these are never equal.",
                UnreadTextWarning,
                stacklevel=4,
            )


def _list_files(parts: Iterable[Definition]) -> dict[str, dict[str, Any]]:
    """List the files of users that rules and properties come from, with the names that they know."""
    found: dict[str, dict[str, Any]] = {}
    for part in parts:
        text: Any = inspect.unwrap(part.text)
        if (text.__module__ or "").startswith(_OURS):
            continue
        names = found.setdefault(part.file, {})
        if text.__code__.co_filename == part.file:
            names.update(text.__globals__)
    return found


def _read(file: str, names: dict[str, Any]) -> bool:
    """Look through the text of a file; False where there is none, as of what was run from a string."""
    linecache.checkcache(file)  # what Python remembers of it may be older than what was loaded
    losses = _find_losses("".join(linecache.getlines(file, names)))
    for lost, line in losses or ():
        if any(_is_maker(decorator, names) for decorator in lost.decorator_list):
            raise ModelError(
                f"{file}:{line}: {lost.name} is defined again, so that the one in line "
                f"{lost.lineno} is lost and nothing asks for it: rename one of them."
            )
    return losses is not None


@cache
def _find_losses(text: str) -> tuple[_Loss, ...] | None:
    """Find each function whose name is given to something else; None of a text that cannot be read."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    blocks = (block for node in ast.walk(tree) for _, block in ast.iter_fields(node))
    losses = (_find_lost(block) for block in blocks if isinstance(block, list))
    return tuple(loss for found in losses for loss in found) if text else None


def _find_lost(block: Sequence[Any]) -> Iterator[_Loss]:
    """Find the functions of one block, such as a module, that are lost in it."""
    waiting: dict[str, ast.FunctionDef] = {}
    for part in block:
        for name in _list_used(part):
            if name in _COLLECTING:
                waiting.clear()
            waiting.pop(name, None)
        for name in _list_bound(part):
            lost = waiting.pop(name, None)
            if lost is not None:
                yield _Loss(lost, part.lineno)
        if isinstance(part, ast.FunctionDef) and part.decorator_list:
            waiting[part.name] = part


def _list_used(part: object) -> Iterator[str]:
    """List the names that a statement uses when it is run; the body of a function is run later."""
    if not isinstance(part, ast.AST):
        return
    body = part.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) else []
    for node in ast.iter_child_nodes(part):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        if node not in body:
            yield from _list_used(node)


def _list_bound(part: object) -> Iterator[str]:
    """List the names to which a statement gives another meaning."""
    if isinstance(part, _Definition):
        yield part.name
    elif isinstance(part, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in part.names)
    else:
        yield from _list_targets(part)


def _list_targets(part: object) -> Iterable[str]:
    targets: list[ast.expr] = []
    if isinstance(part, ast.Assign | ast.Delete):
        targets = part.targets
    elif isinstance(part, ast.AnnAssign | ast.AugAssign | ast.For):
        targets = [part.target]
    elif isinstance(part, ast.With):
        targets = [item.optional_vars for item in part.items if item.optional_vars is not None]
    nodes = (node for target in targets for node in ast.walk(target))
    return (node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))


def _is_maker(decorator: ast.expr, names: dict[str, Any]) -> bool:
    """True if a decorator is one of the language, by whatever name it was imported."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(called, ast.Attribute):
        return called.attr in _MAKERS
    if not isinstance(called, ast.Name):
        return False
    known = names.get(called.id)
    return getattr(known, "__name__", called.id if known is None else "") in _MAKERS
