"""The line that replays a failure exactly, for a shell, whatever Hypothesis would draw there."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from nomadspec.invariants.catalogue import find_model, list_model_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomadspec.checkers.stateful.moves import Guide
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.declared_model import DeclaredModel

_NO_LINE = "again: name the machine or its model in a module, then a line can be given that replays this"


class Guided(Protocol):
    """A machine, as far as replaying goes: who guides it knows of which model it is."""

    guide: ClassVar[Guide]


def write_line(machine: type[Guided], steps: Sequence[str], start: str, about: str | None) -> str:
    """Write for people how to take the same steps again."""
    command = write_command(machine, steps, start, about)
    return f"again: {command}" if command else _NO_LINE


def write_command(machine: type[Guided], steps: Sequence[str], start: str, about: str | None) -> str:
    """Write a command that takes the same steps again: with the class where it can be imported, or a new one.

    It is empty where neither the machine nor its model can be imported.
    """
    expression, module = _find_class(machine) or _make_anew(machine.guide.bounded, about)
    if not expression:
        return ""
    told = [json.dumps(step) for step in steps]
    told += [f"start={json.dumps(start)}"] if start else []
    imports, call = expression
    code = f"{imports}; {call}.replay({', '.join(told)})"
    return f"{_find_path(module)}python -c {shlex.quote(code)}"


def _find_class(machine: type[Guided]) -> tuple[tuple[str, str], str] | None:
    """Find a class under its own name in its module."""
    module, name = machine.__module__, machine.__qualname__
    if getattr(sys.modules.get(module), name, None) is not machine:
        return None
    return (f"from {module} import {name}", name), module


def _make_anew(bounded: BoundedModel, about: str | None) -> tuple[tuple[str, str] | None, str]:
    """Say how to make the machine of a model again."""
    found = _find_model(bounded.model)
    if found is None:
        return None, ""
    where, expression, module = found
    usual = bounded.model.sizes_of(bounded.model.find_scope(bounded.scope).sizes)
    sizes = {name: size for name, size in bounded.sizes.items() if usual[name] != size}
    chosen = [json.dumps(bounded.scope)]
    chosen += [f"sizes={json.dumps(sizes)}"] if sizes else []
    chosen.append(f"profile={json.dumps(bounded.profile.name)}")
    asked = "" if about is None else f", properties=[{json.dumps(about)}]"
    call = f"machine_of({expression}.at({', '.join(chosen)}){asked})"
    return (f"from nomadspec.checkers.stateful import machine_of; {where}", call), module


def _find_model(model: DeclaredModel) -> tuple[str, str, str] | None:
    if model.name in list_model_names(with_classics=True) and find_model(model.name) is model:
        return (
            "from nomadspec.invariants.catalogue import find_model",
            f"find_model({json.dumps(model.name)})",
            "",
        )
    module = model.world.__module__
    for name, value in vars(sys.modules[module]).items() if module in sys.modules else ():
        if value is model:
            return f"from {module} import {name}", name, module
    return None


def _find_path(module: str) -> str:
    """Name the folder in which a module is found, where Python would not look by itself."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or module == "nomadspec" or module.startswith("nomadspec."):
        return ""
    folder = Path(file).resolve().parents[module.count(".")]
    return "" if folder == Path.cwd() else f"PYTHONPATH={shlex.quote(str(folder))} "
