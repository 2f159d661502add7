"""Models by reference: a name of the catalogue, or ``path.py:NAME`` for a model in a user's own file."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final, Self

from nomadspec.checkers.regular_files import is_file, read_text
from nomadspec.checkers.report.user_modules import find_package, importing_neighbours
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.errors import (
    ImpossibleError,
    InputError,
    ModelError,
    NomadSpecError,
    UnknownNameError,
    UnreadableError,
    UsageError,
)
from nomadspec.model.language.model import Model
from nomadspec.model.language.refinement import Refinement

_SUFFIX: Final = ".py"


def load_model(reference: str) -> Model:
    """Find a model of the package by its name, or load one from a file."""
    path, name = split_reference(reference)
    if path is None:
        return _find_published(reference)
    models = {attribute: value for attribute, value in vars(_run(path)).items() if isinstance(value, Model)}
    if name is None:
        return _the_only(path, models)
    if name not in models:
        raise UnknownNameError(f"model in {path}", name, models)
    return models[name]


def _find_published(name: str) -> Model:
    """Find a model of the package; where no name is near, say how a model of one's own is named."""
    try:
        return find_model(name)
    except UnknownNameError as error:
        if is_file(Path(f"{name}{_SUFFIX}")):
            raise UsageError(
                f"There is no model named {name!r}; did you mean {name}{_SUFFIX}, the file of that name?"
            ) from error
        raise


def load_refinement(reference: str) -> Refinement:
    """Load a mapping from a file: ``path.py:NAME``, or the path where there is only one in it."""
    path, name = split_reference(reference)
    if path is None:
        raise UsageError(
            f"{reference!r} is no mapping: name a file, path.py:NAME, whose NAME @refines a model."
        )
    found = {key: value for key, value in vars(_run(path)).items() if isinstance(value, Refinement)}
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if not found:
        hint = "write @refines(MODEL) above a function of (s, t)"
        raise InputError(str(path), "the file defines no mapping", hint=hint)
    if name is None:
        raise UsageError(f"{path} defines {len(found)} mappings: say which, {path}:{min(found)} for example.")
    if name not in found:
        raise UnknownNameError(f"mapping in {path}", name, found)
    return found[name]


def split_reference(reference: str) -> tuple[Path | None, str | None]:
    """Split ``path.py:NAME``; without a path it is a name of the catalogue."""
    if reference in list_model_names(with_classics=True):
        return None, reference
    path, colon, name = reference.rpartition(":")
    if colon and path.endswith(_SUFFIX):
        return Path(path), name
    return (Path(reference), None) if reference.endswith(_SUFFIX) else (None, reference)


def _the_only(path: Path, models: dict[str, Model]) -> Model:
    distinct = {id(model): model for model in models.values()}
    if len(distinct) == 1:
        return next(iter(distinct.values()))
    if not distinct:
        raise InputError(str(path), "the file defines no model", hint="write NAME = Model(...) in it")
    raise UsageError(f"{path} defines {len(distinct)} models: say which, {path}:{min(models)} for example.")


def _run(path: Path) -> ModuleType:
    """Run a user's file as a module of its own; what it raises names its line."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as problem:
        hint = "" if path.is_absolute() else f"it was looked for in {Path.cwd()}"
        raise UnreadableError(
            str(path), f"the file cannot be read ({_reason(problem)})", hint=hint
        ) from problem
    module = ModuleType(f"nomadspec_user_{path.stem}")
    # Results have stdout for themselves, whenever a text of the file is run: what it prints are notes.
    vars(module)["print"] = _note
    module.__file__ = str(path)
    vars(module)["__package__"], _ = find_package(path)
    sys.modules[module.__name__] = module  # enumerations and dataclasses look their module up
    with importing_neighbours(path), _Blaming(path), redirect_stdout(sys.stderr):
        code = compile(text, str(path), "exec", dont_inherit=True)  # this file's __future__ is not theirs
        exec(code, vars(module))  # noqa: S102 -- running the user's file is what was asked for
    return module


def _note(*values: object, **options: Any) -> None:
    """Print to stderr, where nothing else is asked for."""
    print(*values, **{"file": sys.stderr, **options})  # noqa: T201 -- a user's file asked for it


@contextmanager
def blaming_own(reference: str) -> Iterator[None]:
    """Name a user's file where two engines disagree about its model: maybe the text is not pure."""
    path, _ = split_reference(reference)
    try:
        yield
    except ImpossibleError as problem:
        if path is None:
            raise
        raise ImpossibleError(
            f"{path}: {problem} Either a text of this file is not pure (it may read nothing but its "
            "arguments, and write nothing but the world after it), or this is a defect of nomadspec."
        ) from problem


@contextmanager
def naming_file(reference: str) -> Iterator[None]:
    """Name the user's file in what is wrong with its model, where that does not name it already."""
    path, _ = split_reference(reference)
    try:
        yield
    except ModelError as problem:
        if path is None or f"{path}:" in str(problem):
            raise
        raise InputError(str(path), str(problem)) from problem


class _Blaming:
    """Turns whatever a user's file raises into an InputError that names its line."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, KeyboardInterrupt):
            return
        if isinstance(error, ModelError) and f"{self._path}:" in str(error):
            return  # it names the line itself
        line = self._line_of(error, trace)
        problem = str(error).rstrip(".")
        if not isinstance(error, NomadSpecError):
            problem = f"it raises {type(error).__name__}{f': {problem}' if problem else ''}"
        raise InputError(str(self._path), problem, at=f"line {line}" if line else "") from error

    def _line_of(self, error: BaseException, trace: TracebackType | None) -> int | None:
        if isinstance(error, SyntaxError) and error.filename == str(self._path):
            return error.lineno
        lines = [frame.lineno for frame in traceback.extract_tb(trace) if frame.filename == str(self._path)]
        return lines[-1] if lines else None


def _reason(problem: OSError | UnicodeDecodeError) -> str:
    return (problem.strerror or "unknown") if isinstance(problem, OSError) else "it is not UTF-8 text"
