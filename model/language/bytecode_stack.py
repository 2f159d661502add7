"""The steps of compiled code: which names they read and write, and what stands on the stack for whom."""

from __future__ import annotations

import builtins
import dis
import re
from collections import ChainMap
from dataclasses import dataclass
from functools import cache, lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from dis import Instruction

_WITHOUT_EFFECT: Final = frozenset({"CACHE", "EXTENDED_ARG", "NOP", "NOT_TAKEN", "RESUME"})
_BEFORE_A_CALL: Final = frozenset({"KW_NAMES", "PRECALL"})
"""Python 3.11 and 3.12 announce a call by steps of their own."""
_LOADS: Final = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF")
_STORES: Final = ("STORE_FAST", "STORE_DEREF", "STORE_GLOBAL", "STORE_NAME")
_FAST: Final = re.compile("(?:LOAD|STORE)_FAST(?:_BORROW)?")


def _find_folder(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[0]


_LANGUAGE: Final = _find_folder(__file__)
"""Where the language itself lies: its functions know terms and iterators, and are not read."""


COMPARING: Final = frozenset({"COMPARE_OP", "CONTAINS_OP"})
"""The steps that compare two values, or look for one among others."""


@cache
def lies_in_language(file: str) -> bool:
    """True if a file is of the language itself."""
    return _find_folder(file) == _LANGUAGE


@lru_cache(maxsize=1024)
def list_steps(code: CodeType) -> tuple[Instruction, ...]:
    """List the steps of some code that do something; what Python 3.13 does to two names at once is two."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in _WITHOUT_EFFECT]
    return tuple(part for step in steps for part in _split(step))


def _split(step: Instruction) -> list[Instruction]:
    names = _FAST.findall(step.opname)
    if not names or not isinstance(step.argval, tuple) or len(names) != len(step.argval):
        return [step]
    pairs = zip(names, step.argval, strict=True)
    return [
        step._replace(opname=name, opcode=dis.opmap[name], arg=0, argval=one, argrepr=one)
        for name, one in pairs
    ]


def is_none(step: Instruction | None) -> bool:
    """True if a step puts None on the stack."""
    return step is not None and step.opname.startswith("LOAD_") and step.argval is None


def is_load(step: Instruction) -> bool:
    """True if a step takes the value of a name of the function itself, or of one around it."""
    return step.opname.startswith(_LOADS)


def is_store(step: Instruction) -> bool:
    """True if a step gives a name its value."""
    return step.opname.startswith(_STORES)


def list_parts(code: CodeType) -> list[CodeType]:
    """List the code of what is defined inside: functions, lambdas, generators."""
    return [part for part in code.co_consts if isinstance(part, CodeType)]


def is_used_within(code: CodeType, name: str) -> bool:
    """True if something that is defined inside uses a name of its surroundings."""
    return any(name in part.co_freevars for part in list_parts(code))


def find_compared(
    steps: Sequence[Instruction], number: int
) -> tuple[Sequence[Instruction], Sequence[Instruction]]:
    """Find the steps that make the left and the right side of a comparison."""
    right = find_pushed(steps[:number])
    return find_pushed(steps[: number - len(right)]), right


def find_pushed(steps: Sequence[Instruction]) -> Sequence[Instruction]:
    """Find the last steps, as far as they put one value on the stack."""
    wanted = 1
    for number in range(len(steps) - 1, -1, -1):
        wanted -= dis.stack_effect(steps[number].opcode, steps[number].arg)
        if wanted <= 0:
            return steps[number:]
    return steps


@dataclass(frozen=True, slots=True)
class Call:
    """A call: the steps that find what is called, and those that make each argument."""

    called: Sequence[Instruction]
    arguments: tuple[Sequence[Instruction], ...]
    names: tuple[str, ...]
    """By which names the last arguments are given."""

    def list_arguments(self) -> Iterator[tuple[int | str, Sequence[Instruction]]]:
        """List the arguments, each with its place or its name."""
        placed = len(self.arguments) - len(self.names)
        for place, steps in enumerate(self.arguments):
            yield (place if place < placed else self.names[place - placed]), steps


def find_call(steps: Sequence[Instruction]) -> Call | None:
    """Find the call that the last of some steps is; None where it is none, or takes a list of arguments."""
    last = steps[-1]
    if last.opname not in {"CALL", "CALL_KW"} or last.arg is None:
        return None
    end, names = len(steps) - 1, ()
    while end and steps[end - 1].opname in _BEFORE_A_CALL:
        end -= 1
        names = _list_constants(steps[end]) or names
    if last.opname == "CALL_KW":
        end -= 1
        names = _list_constants(steps[end])
    arguments: list[Sequence[Instruction]] = []
    for _ in range(last.arg):
        arguments.insert(0, find_pushed(steps[:end]))
        end -= len(arguments[0])
    whole = find_pushed(steps)
    begin = len(steps) - len(whole)
    return Call([step for step in steps[begin:end] if step.opname != "PUSH_NULL"], tuple(arguments), names)


def _list_constants(step: Instruction) -> tuple[Any, ...]:
    return step.argval if isinstance(step.argval, tuple) else ()


def list_known(function: FunctionType) -> ChainMap[str, Any]:
    """List what the names that a function does not make itself stand for, as far as they have values."""
    return ChainMap(list_closed(function), function.__globals__, dict(vars(builtins)))


def list_closed(function: FunctionType) -> dict[str, Any]:
    """List the names of the surroundings that a function uses, as far as they have values."""
    names, cells = function.__code__.co_freevars, function.__closure__ or ()
    found = {}
    for name, cell in zip(names, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # a name that gets its value later
            continue
    return found
