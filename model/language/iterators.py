"""Iterators in a text: what gives its members once, and is gone through again when nothing is left of it.

Python says nothing then: the second ``for_all`` over one ``zip(...)`` is over nothing, and holds. No engine
could see that, so it is refused where the code shows it: an iterator that is kept by a name and used again,
or handed to a function that uses it more than once. What only shows when a text runs, the quantifiers refuse
(``look_out`` in model/language/logic.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import CO_GENERATOR, getattr_static, unwrap
from itertools import dropwhile
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from nomadspec.model.language.bytecode_stack import (
    find_call,
    find_pushed,
    is_load,
    is_store,
    is_used_within,
    lies_in_language,
    list_known,
    list_parts,
    list_steps,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from dis import Instruction

_DEEPEST: Final = 4
"""How many functions that return what another one returns are looked through."""

_GIVING: Final[WeakKeyDictionary[FunctionType, bool]] = WeakKeyDictionary()
"""Whether a function gives an iterator: each is asked once, however many texts call it."""


@dataclass(frozen=True, slots=True)
class Misuse:
    """An iterator that is gone through again: at which step this shows, and what is wrong."""

    step: Instruction
    problem: str


def find_misuses(code: CodeType, steps: Sequence[Instruction], known: Mapping[str, Any]) -> Iterator[Misuse]:
    """Find the iterators in some code that may be gone through again; known is what its names stand for."""
    kept: set[str] = set()
    for number, step in enumerate(steps):
        if is_store(step) and makes_iterator(steps[:number], code, known):
            kept.add(step.argval)
            if _is_used_again(code, step.argval, since=step.offset):
                yield Misuse(
                    step,
                    f"it goes through {step.argval} more than once, and after the first time nothing is left "
                    "of it; write list(...) around it, or write it where it is used",
                )
        is_call = step.opname.startswith("CALL")
        for name, called in _list_handed(steps[: number + 1], code, known, kept) if is_call else ():
            yield Misuse(
                step,
                f"it hands an iterator to {called}, which uses {name} more than once, and after the first "
                "time nothing is left of it; write list(...) around it",
            )


def _list_handed(
    steps: Sequence[Instruction], code: CodeType, known: Mapping[str, Any], kept: set[str]
) -> Iterator[tuple[str, str]]:
    """List the parameters to which a call hands an iterator, and that are used again; with what is called."""
    call = find_call(steps)
    if call is None:
        return
    for place, made in call.list_arguments():
        is_kept = len(made) == 1 and is_load(made[0]) and made[0].argval in kept
        if not is_kept and not makes_iterator(made, code, known):
            continue
        called, begin = _find_code(find_called(call.called, code, known))
        name = _find_parameter(called, place, begin)
        is_own = called is not None and lies_in_language(called.co_filename)
        if called is not None and name and not is_own and _is_used_again(called, name):
            yield name, called.co_name


def makes_iterator(
    steps: Sequence[Instruction], code: CodeType, known: Mapping[str, Any], depth: int = 0
) -> bool:
    """True if the last value that steps make gives its members once, like a generator or a zip."""
    made = find_pushed(steps)
    call = find_call(made) if made else None
    if call is None:
        return False
    called = find_called(call.called, code, known)
    if called is iter or (isinstance(called, type) and hasattr(called, "__next__")):
        return True
    inner, _ = _find_code(called)
    return inner is not None and _gives_iterator(inner, called, depth)


def _gives_iterator(inner: CodeType, called: object, depth: int) -> bool:
    """True if a function gives an iterator: it yields, or returns one."""
    if inner.co_flags & CO_GENERATOR:
        return True
    if depth > _DEEPEST or not isinstance(called, FunctionType):
        return False
    if called not in _GIVING:
        _GIVING[called] = _returns_iterator(inner, called, depth)
    return _GIVING[called]


def _returns_iterator(inner: CodeType, called: FunctionType, depth: int) -> bool:
    steps = list_steps(inner)
    known = list_known(called)
    returns = [number for number, step in enumerate(steps) if step.opname == "RETURN_VALUE"]
    return any(makes_iterator(steps[:at], inner, known, depth + 1) for at in returns)


def find_called(steps: Sequence[Instruction], code: CodeType, known: Mapping[str, Any]) -> object:
    """Find what is called: something global, an attribute of it, or what is defined inside."""
    if not steps:
        return None
    rest = list(dropwhile(_is_of_closure, steps))
    if rest and isinstance(rest[0].argval, CodeType):
        return rest[0].argval
    begin, attributes = steps[0], steps[1:]
    inside = {part.co_name: part for part in list_parts(code)}
    if is_load(begin) and begin.argval in inside:
        return inside[begin.argval]
    is_own = begin.opname.startswith("LOAD_FAST") or not isinstance(begin.argval, str)
    found = None if is_own else known.get(begin.argval)
    for step in attributes:
        if not step.opname.startswith("LOAD_"):
            return None
        is_module = isinstance(found, ModuleType)
        found = getattr(found, step.argval, None) if is_module else getattr_static(found, step.argval, None)
    return found


def _is_of_closure(step: Instruction) -> bool:
    """True if a step puts together the names around a function that it uses, before its code."""
    return step.opname in {"BUILD_TUPLE", "LOAD_CLOSURE"} or step.opname.startswith("LOAD_FAST")


def _find_code(called: object) -> tuple[CodeType | None, int]:
    """Find the code of what is called, and how many of its parameters come before the arguments of a call."""
    if isinstance(called, CodeType):
        return called, 0
    begin = 0
    if isinstance(called, MethodType):
        called, begin = called.__func__, 1
    if isinstance(called, staticmethod | classmethod):
        begin = int(isinstance(called, classmethod))
        called = called.__func__
    called = unwrap(called) if callable(called) else called
    return (called.__code__, begin) if isinstance(called, FunctionType) else (None, 0)


def _find_parameter(called: CodeType | None, place: int | str, begin: int) -> str | None:
    """Find the parameter for which an argument stands."""
    if called is None or isinstance(place, str):
        return place if isinstance(place, str) else None
    at = place + begin
    return called.co_varnames[at] if at < called.co_argcount else None


def _is_used_again(code: CodeType, name: str, since: int = -1) -> bool:
    """True if a name is used twice, in a loop that begins later, or by what is defined inside."""
    steps = list_steps(code)
    used = [step for step in steps if is_load(step) and step.argval == name]
    loops = [(step.argval, step.offset) for step in steps if "JUMP_BACKWARD" in step.opname]
    is_looped = any(since < begin <= step.offset < end for step in used for begin, end in loops)
    return len(used) > 1 or is_looped or is_used_within(code, name)
