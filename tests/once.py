"""What would cost most tests most of their time, and is done once for all of them, or less often.

The deep tests, and those that are about one of these, have it as users do.
"""

import ast
from collections.abc import Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import BinaryIO, Final, TypeAlias

import pytest
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from nomadspec.checkers import checked_texts_on_disk
from nomadspec.checkers.explore import compiled
from nomadspec.checkers.explore.compiled import Obstacle
from nomadspec.checkers.explore.sharded import making
from nomadspec.checkers.explore.symmetry import audit
from nomadspec.checkers.explore.task import Task
from nomadspec.checkers.mutants import swapping
from nomadspec.checkers.native.build import MachineCode, Text
from nomadspec.checkers.native.program import Program
from nomadspec.checkers.oracle import reading
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.stepper import second_look
from nomadspec.invariants.catalogue import find_model, list_model_names
from nomadspec.model.language import checked_texts as noted
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.model import Model
from nomadspec.model.specification.profiles import Profile


class LookedAt:
    """Says that each text of the package was looked at: a test does that (test_comparison_checks.py)."""

    def has(self, _what: str) -> bool:
        """Tell that something was looked at."""
        return True

    def add(self, _what: str) -> None:
        """Note nothing."""


_LOOKED_AT: Final = LookedAt()

CHARACTERS: Final = st.characters(exclude_categories=["Cs"])
"""All that UTF-8 writes, as texts of Hypothesis have it: to try the codec with each takes seconds."""

Key: TypeAlias = tuple[str, str, tuple[tuple[str, int], ...], Profile]


bind_anew: Final = Model.at
"""Binds a model of the package for who asks alone, in a process of which nobody shares what is bound."""


def bound_published_models_once(patch: pytest.MonkeyPatch) -> None:
    """Let all who ask for a model of the package in the same scope share it: it is never changed.

    To bound the kernel takes a second, and some hundred tests want it. While a function runs other code, as
    for mutants, everybody gets a model of his own.
    """
    usual_codes = _note_usual_codes(patch)
    names, bound = set(list_model_names(with_classics=True)), Model.at
    known: dict[Key, BoundedModel] = {}

    def at(
        model: Model,
        scope: str | None = None,
        *,
        sizes: Mapping[str, int] | None = None,
        profile: str | None = None,
    ) -> BoundedModel:
        is_published = model.name in names and model is find_model(model.name)
        if not is_published or any(function.__code__ is not code for function, code in usual_codes.items()):
            return bound(model, scope, sizes=sizes, profile=profile)
        chosen = model.find_scope(scope)
        every_size = model.sizes_of({**chosen.sizes, **(sizes or {})})
        profile_used = model.profile_for(chosen, profile)
        key = (model.name, chosen.name, tuple(sorted(every_size.items())), profile_used)
        if key not in known:
            known[key] = bound(model, scope, sizes=sizes, profile=profile)
        return known[key]

    patch.setattr(Model, "at", at)


def _note_usual_codes(patch: pytest.MonkeyPatch) -> Mapping[FunctionType, CodeType]:
    """Note of each function that is given other code for a while what its own is."""
    usual: dict[FunctionType, CodeType] = {}
    compile_other = swapping.compile_definition

    def compile_and_note(function: FunctionType, definition: ast.FunctionDef) -> CodeType:
        usual.setdefault(function, function.__code__)
        return compile_other(function, definition)

    patch.setattr(swapping, "compile_definition", compile_and_note)
    return usual


def unpack_recordings_once(patch: pytest.MonkeyPatch) -> None:
    """Let all who read a recording of the repository share its bytes: to unpack is longer than to parse."""
    open_usually = reading.open_packed

    @lru_cache(_MOST_FILES)
    def unpack(path: Path) -> bytes:
        with open_usually(path) as file:
            return file.read()

    def open_packed(path: Path, limits: Limits = LIMITS) -> AbstractContextManager[BinaryIO]:
        is_shared = path.suffix == ".xz" and any(folder in path.parents for folder in _SHARED)
        return BytesIO(unpack(path)) if is_shared else open_usually(path, limits)

    patch.setattr(reading, "open_packed", open_packed)


_SHARED = tuple(Path(__file__).parent / "recordings" / name for name in ("components", "scheduler"))
_MOST_FILES = 48


def compile_quickly(patch: pytest.MonkeyPatch) -> None:
    """Compile without optimising, whatever is asked for: it takes a tenth of the time, and means the same."""
    patch.setattr(MachineCode, "_find_code", _find_plain_code)


def compile_as_asked(patch: pytest.MonkeyPatch) -> None:
    """Optimise again, where that is what a test is about."""
    patch.setattr(MachineCode, "_find_code", _find_code)


_find_code = MachineCode._find_code


def _find_plain_code(code: MachineCode, text: Text, binding: ModuleType, folder: Path | None) -> bytes:
    return _find_code(code, replace(text, level=0), binding, folder)


def share_programs(patch: pytest.MonkeyPatch) -> None:
    """Let searches that ask the same of the same model share their machine code: none changes it.

    What is optimised, and what a test compiles in its own way, nobody shares.
    """
    known: dict[tuple[object, ...], tuple[Task, Program | Obstacle]] = {}

    def compile_program(task: Task) -> Program | Obstacle:
        if MachineCode._find_code is not _find_plain_code:
            return _compile_program(task)
        asked = tuple(map(id, (task.bounded, task.partial_order, *task.properties)))
        key = (task.reduction_name, task.stops_at_first, task.asks_deadlock, *asked)
        known[key] = known.pop(key) if key in known else (task, _compile_program(task))
        if len(known) > _MOST_PROGRAMS:
            del known[next(iter(known))]
        return known[key][1]  # beside the task, which keeps those that have the ids

    patch.setattr(compiled, "compile_program", compile_program)
    patch.setattr(making, "compile_program", compile_program)


_compile_program = compiled.compile_program
_MOST_PROGRAMS = 24


def look_again_seldom(patch: pytest.MonkeyPatch) -> None:
    """Let searches ask the texts again, and exchange ids, in few worlds: small ones do little else."""
    patch.setattr(second_look, "_FIRST", 4)
    patch.setattr(second_look, "_RANDOM_WORLDS", 2)
    patch.setattr(audit, "_FIRST", 4)


def look_again_as_usual(patch: pytest.MonkeyPatch) -> None:
    """Do both as often as users have it, where that is what a test is about."""
    patch.setattr(second_look, "_FIRST", _FIRST)
    patch.setattr(second_look, "_RANDOM_WORLDS", _RANDOM_WORLDS)
    patch.setattr(audit, "_FIRST", _FIRST_EXCHANGED)


_FIRST = second_look._FIRST
_RANDOM_WORLDS = second_look._RANDOM_WORLDS
_FIRST_EXCHANGED = audit._FIRST


def draw_no_numbers_of_sources(patch: pytest.MonkeyPatch) -> None:
    """Let Hypothesis draw none of the numbers that stand in the modules of this project.

    To look for them in all that is loaded takes seconds, and what is loaded depends on the tests before.
    """
    nothing = Constants()
    patch.setattr(providers, "_get_local_constants", lambda: nothing)


def look_at_ours_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """Take the texts of the package as looked at: one test does, for each of its models."""
    patch.setattr(checked_texts_on_disk, "CheckedTextsOnDisk", LookedAt)
    patch.setattr(noted, "_checked", ContextVar("looks", default=_LOOKED_AT))
